# The package: from an install prefix, and from the build tree.
#
# Component hel-runtime holds what lowered code needs, hel-tools the programs. A prefix with the first alone is a whole
# HEL for a project that ships its lowered sources.
include_guard()
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(HEL_CMAKE_DIR "${CMAKE_INSTALL_LIBDIR}/cmake/hel")

install(TARGETS hel EXPORT helTargets ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT hel-runtime)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/runtime/include/" "${PROJECT_SOURCE_DIR}/stdlib/include/"
  DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" COMPONENT hel-runtime)
install(EXPORT helTargets NAMESPACE hel:: DESTINATION "${HEL_CMAKE_DIR}" COMPONENT hel-runtime)
install(FILES "${PROJECT_SOURCE_DIR}/cmake/HelLower.cmake" DESTINATION "${HEL_CMAKE_DIR}" COMPONENT hel-runtime)
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT hel-runtime)
export(EXPORT helTargets NAMESPACE hel:: FILE "${PROJECT_BINARY_DIR}/helTargets.cmake")

set(tools "")
foreach(tool IN ITEMS hel-lower hel-step)
  if(TARGET ${tool})
    get_target_property(imported ${tool} IMPORTED)
    if(NOT imported)
      list(APPEND tools ${tool})
    endif()
  endif()
endforeach()
if(tools)
  install(TARGETS ${tools} EXPORT helToolTargets RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT hel-tools)
  install(EXPORT helToolTargets NAMESPACE hel:: DESTINATION "${HEL_CMAKE_DIR}" COMPONENT hel-tools)
  if(NOT HEL_LOWER_EXECUTABLE)
    export(EXPORT helToolTargets NAMESPACE hel:: FILE "${PROJECT_BINARY_DIR}/helToolTargets.cmake")
  endif()
endif()

if(HEL_LOWER_EXECUTABLE)  # of another build: for users of this build tree, not installed from here
  file(WRITE "${PROJECT_BINARY_DIR}/helToolTargets.cmake"
    "add_executable(hel::hel-lower IMPORTED)\n"
    "set_property(TARGET hel::hel-lower PROPERTY IMPORTED_LOCATION \"${HEL_LOWER_EXECUTABLE}\")\n")
endif()

set(HEL_CONFIG_SHIM_DIR "${CMAKE_INSTALL_INCLUDEDIR}/hel-shim")
set(HEL_CONFIG_MODULE_DIR "${HEL_CMAKE_DIR}")
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/helConfig.cmake.in" "${PROJECT_BINARY_DIR}/package/helConfig.cmake"
  INSTALL_DESTINATION "${HEL_CMAKE_DIR}" PATH_VARS HEL_CONFIG_SHIM_DIR HEL_CONFIG_MODULE_DIR)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/helConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/package/helConfig.cmake" "${PROJECT_BINARY_DIR}/helConfigVersion.cmake"
  DESTINATION "${HEL_CMAKE_DIR}" COMPONENT hel-runtime)

set(HEL_CONFIG_SHIM_DIR "${PROJECT_SOURCE_DIR}/runtime/include/hel-shim")
set(HEL_CONFIG_MODULE_DIR "${PROJECT_SOURCE_DIR}/cmake")
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/helConfig.cmake.in" "${PROJECT_BINARY_DIR}/helConfig.cmake"
  INSTALL_DESTINATION "${PROJECT_BINARY_DIR}" INSTALL_PREFIX "${PROJECT_BINARY_DIR}"
  PATH_VARS HEL_CONFIG_SHIM_DIR HEL_CONFIG_MODULE_DIR)
