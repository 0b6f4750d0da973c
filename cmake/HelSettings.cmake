# Settings shared by all targets of this project.
include_guard()

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

# Build type of the sanitizer presets: fast enough for the tests, with line numbers in the reports.
set(CMAKE_CXX_FLAGS_SANITIZE "-O1 -g1" CACHE STRING "Flags of the build type Sanitize")
mark_as_advanced(CMAKE_CXX_FLAGS_SANITIZE)

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
if(PROJECT_IS_TOP_LEVEL)
  set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
endif()
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")

# A file that includes Clang's headers takes over a GiB and 10 s to compile: never more than two at once.
set_property(GLOBAL APPEND PROPERTY JOB_POOLS heavy_compile=2)

# For our own code; PRIVATE to each target, so that users choose theirs.
# Members that an aggregate's initialiser leaves out are value-initialised: that is what they are left out for.
set(HEL_WARNING_OPTIONS -Wall -Wextra -Wno-missing-field-initializers $<$<BOOL:${HEL_WERROR}>:-Werror>)
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  list(APPEND HEL_WARNING_OPTIONS -Wno-deprecated-declarations)  # libstdc++'s own std::stable_sort
elseif(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  list(APPEND HEL_WARNING_OPTIONS -Wno-restrict)  # false alarms on std::string + std::string (GCC bug 105651)
endif()

# Instrumented and plain code do not mix, so these go on everything, users of the library included.
set(HEL_SANITIZE_OPTIONS "")
if(HEL_SANITIZE)
  set(HEL_SANITIZE_OPTIONS -fsanitize=${HEL_SANITIZE} -fno-omit-frame-pointer)
  if(HEL_SANITIZE MATCHES "undefined")
    list(APPEND HEL_SANITIZE_OPTIONS -fno-sanitize-recover=undefined)
  endif()
  add_compile_options(${HEL_SANITIZE_OPTIONS})
  add_link_options(${HEL_SANITIZE_OPTIONS})
endif()

# hel_compiler_part(<target>...): the libraries and programs around Clang. They have one thread, so ThreadSanitizer
# has nothing to find in them and would double the time of the heaviest part of the build.
function(hel_compiler_part)
  foreach(target IN LISTS ARGN)
    # Clang does nearly all of the work at run time; -O3 here costs build time and nothing comes of it.
    target_compile_options(${target} PRIVATE ${HEL_WARNING_OPTIONS} $<$<CONFIG:Release>:-O1>)
    if(HEL_SANITIZE STREQUAL "thread")
      target_compile_options(${target} PRIVATE -fno-sanitize=thread)
      target_link_options(${target} PRIVATE -fno-sanitize=thread)
    endif()
  endforeach()
endfunction()
