# Programs with device code, run without a GPU (README.md beside this file).
#
#   hel_simulated_executable(<target> <source.cu>...
#                            [RDC]                  separate compilation: one program of all files
#                            [ARCH <sm_NN>]         what the device code is compiled for, default sm_90
#                            [PLAIN <source>...]    ordinary sources
#                            [LOWERED_FROM <dir>]   the sources are output of hel-lower; where the originals are
#                            [OPTIONS <option>...]  for the compiler, e.g. -I and -D; HEL's directories are there already
#                            [LIBRARIES <library>...])
#   hel_simulated_test(<name> <target> [ARGUMENTS ...] [ENVIRONMENT ...] [EXPECT <regular expression>] [FAILS] [TIMEOUT <s>])
#
# Without Clang 22 or without the headers of a CUDA toolkit HEL_SIMULATOR is false: there is no target, and the test is
# reported as skipped.
include_guard()

find_program(HEL_DEVICE_CLANG NAMES clang++-22 DOC "Clang for device code that is run on the host (22)")
set(HEL_SIMULATOR FALSE)
set(HEL_SIMULATOR_DIR "${CMAKE_CURRENT_LIST_DIR}")
if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  message(STATUS "simulated device: not on ${CMAKE_SYSTEM_PROCESSOR}, its tests are skipped")
elseif(NOT HEL_DEVICE_CLANG)
  message(STATUS "simulated device: no clang++-22, its tests are skipped")
elseif(NOT HEL_NVCC)
  message(STATUS "simulated device: no CUDA toolkit, its tests are skipped")
else()
  set(HEL_SIMULATOR TRUE)
  message(STATUS "simulated device: ${HEL_DEVICE_CLANG}")
endif()

function(hel_simulated_executable target)
  if(NOT HEL_SIMULATOR)
    return()
  endif()
  cmake_parse_arguments(PARSE_ARGV 1 ARG "RDC" "ARCH;LOWERED_FROM" "PLAIN;OPTIONS;LIBRARIES")
  set(flags "")
  if(ARG_RDC)
    list(APPEND flags --rdc)
  endif()
  if(ARG_ARCH)
    list(APPEND flags --arch "${ARG_ARCH}")
  endif()
  if(HEL_SANITIZE)
    list(APPEND flags --sanitize "${HEL_SANITIZE}")
  endif()
  set(options "-I${PROJECT_SOURCE_DIR}/runtime/include" "-I${PROJECT_SOURCE_DIR}/stdlib/include")
  if(ARG_LOWERED_FROM)
    list(APPEND options -isystem "${HEL_SHIM_DIR}" "-iquote${ARG_LOWERED_FROM}" -Wno-undefined-internal)
  endif()
  list(APPEND options ${ARG_OPTIONS})
  file(GLOB parts CONFIGURE_DEPENDS "${HEL_SIMULATOR_DIR}/*.py" "${HEL_SIMULATOR_DIR}/simulator/intrinsics.cpp"
    "${HEL_SIMULATOR_DIR}/simulator/device_library.cpp")
  set(objects "")
  foreach(source IN LISTS ARG_UNPARSED_ARGUMENTS)
    cmake_path(ABSOLUTE_PATH source NORMALIZE OUTPUT_VARIABLE input)
    cmake_path(GET source STEM LAST_ONLY stem)
    string(MAKE_C_IDENTIFIER "${target}_${stem}" id)
    set(headers "")
    if(ARG_LOWERED_FROM)  # a source lowered with --headers has them beside it
      set(headers "-iquote${input}.headers" "-I${input}.headers")
    endif()
    foreach(side IN ITEMS device host)
      set(object "${CMAKE_CURRENT_BINARY_DIR}/${target}.simulated/${stem}.${side}.o")
      file(MAKE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/${target}.simulated")
      add_custom_command(
        OUTPUT "${object}"
        COMMAND "${HEL_SIMULATOR_DIR}/compile.sh" ${side} "${input}" "${object}" "${id}" "${HEL_DEVICE_CLANG}"
                "${HEL_CUDA_PATH}" ${flags} --depfile "${object}.d" -- ${headers} ${options}
        DEPENDS "${input}" "${HEL_SIMULATOR_DIR}/compile.sh" ${parts}
        DEPFILE "${object}.d"
        COMMENT "Compiling ${source} for the simulated device (${side})"
        COMMAND_EXPAND_LISTS VERBATIM)
      set_source_files_properties("${object}" PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
      list(APPEND objects "${object}")
    endforeach()
  endforeach()
  add_executable(${target} ${objects} ${ARG_PLAIN})
  set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX)
  target_link_libraries(${target} PRIVATE ${ARG_LIBRARIES} hel_device_simulator hel::runtime)
endfunction()

function(hel_simulated_test name target)
  cmake_parse_arguments(PARSE_ARGV 2 ARG "FAILS" "EXPECT;TIMEOUT" "ARGUMENTS;ENVIRONMENT")
  if(NOT HEL_SIMULATOR)
    add_test(NAME ${name} COMMAND sh -c "echo 'skipped: needs clang++-22 and a CUDA toolkit'; exit 77")
    set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77 LABELS simulated)
    return()
  endif()
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 120)
  endif()
  math(EXPR watchdog "${ARG_TIMEOUT} * 4 / 5")
  add_test(NAME ${name} COMMAND ${target} ${ARG_ARGUMENTS})
  set_tests_properties(${name} PROPERTIES TIMEOUT ${ARG_TIMEOUT} LABELS simulated
    ENVIRONMENT "HEL_SIM_TIMEOUT=${watchdog};${ARG_ENVIRONMENT}")
  if(ARG_EXPECT)  # decides instead of the exit status
    set_tests_properties(${name} PROPERTIES PASS_REGULAR_EXPRESSION "${ARG_EXPECT}")
  elseif(ARG_FAILS)
    set_tests_properties(${name} PROPERTIES WILL_FAIL TRUE)
  endif()
endfunction()
