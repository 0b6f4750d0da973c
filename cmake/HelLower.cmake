# hel_add_executable(): a program whose annotated coroutines are lowered before they are compiled.
#
#   hel_add_executable(<target> <source>...   lowered by hel-lower; touching a header that one includes lowers it again
#                      [LOWERED <source>...]  lowered before and shipped with the project: needs no hel-lower, no LLVM
#                      [PLAIN <source>...]    ordinary sources, compiled as they are
#                      [CUDA]                 lower to .cu for nvcc; the project has enabled the CUDA language. Several
#                                             .cu are one device program: they are compiled with -rdc=true, and a source
#                                             that joins them is made (hel-lower --registry). Of LOWERED ones alone
#                                             nothing is made: the registry is to be shipped among them
#                      [ALL]                  lower every coroutine, not only the annotated ones
#                      [HEADERS <path>...]    lower the coroutines of headers at or below these paths, too: for each source
#                                             into a directory of its own, LOWERED_SOURCE.headers, searched first
#                      [OPTIONS <option>...]) further options for hel-lower
#
# The target links hel::runtime. Its include directories, definitions and C++ standard reach hel-lower too, those of
# linked libraries included.
include_guard()

# Where this file is used: the build tree of HEL itself, or an installed or exported package, which sets it before.
if(NOT HEL_SHIM_DIR)
  get_filename_component(HEL_SHIM_DIR "${CMAKE_CURRENT_LIST_DIR}/../runtime/include/hel-shim" ABSOLUTE)
endif()

# hel_lower_source(<out> <target> <source> [CUDA] [OPTIONS ...]): the rule that lowers one file; sets <out> to the result.
function(hel_lower_source out_variable target source)
  cmake_parse_arguments(PARSE_ARGV 3 ARG "CUDA" "" "OPTIONS")
  if(TARGET hel-lower)
    set(tool hel-lower)
  elseif(TARGET hel::hel-lower)
    set(tool hel::hel-lower)
  else()
    message(FATAL_ERROR "hel_add_executable(${target}): ${source} must be lowered, but this HEL has no hel-lower. "
                        "Install HEL with it, or ship the lowered file and name it after LOWERED.")
  endif()

  cmake_path(ABSOLUTE_PATH source NORMALIZE OUTPUT_VARIABLE input)
  cmake_path(RELATIVE_PATH input BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" OUTPUT_VARIABLE name)
  if(name MATCHES "^\\.\\./")
    cmake_path(GET input FILENAME name)
  endif()
  cmake_path(REMOVE_EXTENSION name LAST_ONLY)
  set(kind host)
  set(extension cpp)
  if(ARG_CUDA)
    set(kind cuda)
    set(extension cu)
  endif()
  set(output "${CMAKE_CURRENT_BINARY_DIR}/${target}.lowered/${name}.lowered.${extension}")
  cmake_path(GET output PARENT_PATH output_dir)
  file(MAKE_DIRECTORY "${output_dir}")

  # as CMake does it: the compiler's own directory, named again, would be searched too early
  set(includes "$<FILTER:$<REMOVE_DUPLICATES:$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>>,EXCLUDE,^/usr/include$>")
  set(definitions "$<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>")
  set(standard "$<TARGET_PROPERTY:${target},CXX_STANDARD>")
  add_custom_command(
    OUTPUT "${output}"
    COMMAND ${tool} "${input}" -o "${output}" --target ${kind}
            -MD -MF "${output}.d" ${ARG_OPTIONS} --
            "-std=c++$<IF:$<AND:$<BOOL:${standard}>,$<VERSION_GREATER:${standard},20>>,${standard},20>"
            "$<$<BOOL:${includes}>:-I$<JOIN:${includes},;-I>>" "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},;-D>>"
    DEPENDS "${input}" ${tool}
    DEPFILE "${output}.d"
    COMMENT "Lowering ${source}"
    COMMAND_EXPAND_LISTS VERBATIM)
  set(${out_variable} "${output}" PARENT_SCOPE)
endfunction()

# hel_registry_source(<out> <target> <lowered .cu>...): the rule that makes one device program of separately compiled files.
function(hel_registry_source out_variable target)
  if(TARGET hel-lower)
    set(tool hel-lower)
  else()
    set(tool hel::hel-lower)
  endif()
  set(output "${CMAKE_CURRENT_BINARY_DIR}/${target}.lowered/${target}.registry.cu")
  add_custom_command(
    OUTPUT "${output}"
    COMMAND ${tool} --registry ${ARGN} -o "${output}"
    DEPENDS ${ARGN} ${tool}
    COMMENT "Joining the device parts of ${target}"
    VERBATIM)
  set(${out_variable} "${output}" PARENT_SCOPE)
endfunction()

# hel_compile_as_lowered(<original directory> <lowered source>... [HEADERS]): the compiler options that lowered code needs.
# HEADERS: the lowered source comes with a directory of lowered headers.
function(hel_compile_as_lowered original_dir)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "HEADERS" "" "")
  foreach(file IN LISTS ARG_UNPARSED_ARGUMENTS)
    if(ARG_HEADERS OR IS_DIRECTORY "${file}.headers")
      set_property(SOURCE "${file}" APPEND PROPERTY INCLUDE_DIRECTORIES "${file}.headers")
      if(NOT file MATCHES "\\.cu$")
        set_property(SOURCE "${file}" APPEND PROPERTY COMPILE_OPTIONS "-iquote${file}.headers")
      endif()
    endif()
    if(file MATCHES "\\.cu$")
      set_property(SOURCE "${file}" APPEND PROPERTY INCLUDE_DIRECTORIES "${original_dir}")
      set_property(SOURCE "${file}" APPEND PROPERTY COMPILE_OPTIONS -Xcompiler -fno-coroutines "-isystem=${HEL_SHIM_DIR}"
        # Unless the project says which; CMake 3.25 does not know what this compiler can.
        "$<$<NOT:$<BOOL:$<TARGET_PROPERTY:CUDA_STANDARD>>>:-std=c++20>")
    else()
      # #include "x" in the original looks beside the original
      set_property(SOURCE "${file}" APPEND PROPERTY COMPILE_OPTIONS "-iquote${original_dir}")
      if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        # Without the language feature libstdc++'s <coroutine> is an #error; ours takes its place.
        set_property(SOURCE "${file}" APPEND PROPERTY COMPILE_OPTIONS -fno-coroutines "-isystem${HEL_SHIM_DIR}")
        string(TOUPPER "CMAKE_CXX_FLAGS_${CMAKE_BUILD_TYPE}" config_flags)
        if("${CMAKE_CXX_FLAGS} ${${config_flags}} " MATCHES "-Og ")  # docs/lowering.md, tail calls
          set_property(SOURCE "${file}" APPEND PROPERTY COMPILE_OPTIONS -DHEL_NO_STATE_ENTRIES)
        endif()
      endif()
    endif()
  endforeach()
endfunction()

function(hel_add_executable target)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "CUDA;ALL" "" "LOWERED;PLAIN;HEADERS;OPTIONS")
  if(NOT ARG_UNPARSED_ARGUMENTS AND NOT ARG_LOWERED)
    message(FATAL_ERROR "hel_add_executable(${target}): no sources")
  endif()
  set(options ${ARG_OPTIONS})
  if(ARG_ALL)
    list(APPEND options --all)
  endif()
  set(headers "")
  foreach(path IN LISTS ARG_HEADERS)
    cmake_path(ABSOLUTE_PATH path NORMALIZE)
    list(APPEND options --headers "${path}")
    set(headers HEADERS)
  endforeach()
  set(cuda "")
  if(ARG_CUDA)
    get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
    if(NOT "CUDA" IN_LIST languages)
      message(FATAL_ERROR "hel_add_executable(${target} CUDA): enable_language(CUDA) first")
    endif()
    set(cuda CUDA)
  endif()

  add_executable(${target} ${ARG_PLAIN})
  target_link_libraries(${target} PRIVATE hel::runtime)
  set(device_files "")
  foreach(source IN LISTS ARG_UNPARSED_ARGUMENTS)
    hel_lower_source(lowered ${target} "${source}" ${cuda} OPTIONS ${options})
    list(APPEND device_files "${lowered}")
    cmake_path(ABSOLUTE_PATH source NORMALIZE OUTPUT_VARIABLE input)
    cmake_path(GET input PARENT_PATH original_dir)
    target_sources(${target} PRIVATE "${lowered}")
    hel_compile_as_lowered("${original_dir}" "${lowered}" ${headers})
  endforeach()
  foreach(source IN LISTS ARG_LOWERED)
    cmake_path(ABSOLUTE_PATH source NORMALIZE OUTPUT_VARIABLE input)
    cmake_path(GET input PARENT_PATH original_dir)
    target_sources(${target} PRIVATE "${input}")
    hel_compile_as_lowered("${original_dir}" "${input}")
    list(APPEND device_files "${input}")
  endforeach()
  list(FILTER device_files INCLUDE REGEX "\\.cu$")
  list(LENGTH device_files count)
  if(count GREATER 1)
    set_target_properties(${target} PROPERTIES CUDA_SEPARABLE_COMPILATION ON)
    if(ARG_UNPARSED_ARGUMENTS)
      hel_registry_source(registry ${target} ${device_files})
      target_sources(${target} PRIVATE "${registry}")
      hel_compile_as_lowered("${CMAKE_CURRENT_SOURCE_DIR}" "${registry}")
    endif()
  endif()
endfunction()
