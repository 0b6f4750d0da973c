# The same program built in another way than the main compiler's: natively by Clang, or lowered by the other compiler.
include_guard()

set(HEL_GNU_LOWERED_OPTIONS -fno-coroutines "-isystem${HEL_SHIM_DIR}")
string(TOUPPER "${CMAKE_BUILD_TYPE}" build_type)
separate_arguments(HEL_VARIANT_OPTIONS NATIVE_COMMAND "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${build_type}}")
list(APPEND HEL_VARIANT_OPTIONS ${HEL_SANITIZE_OPTIONS})

# hel_variant(<target> <output> COMPILER <path> SOURCES <file>... [OPTIONS <option>...])
#
# Builds <output> as target variant-<target>: compiles each source with `compiler` and links them with the runtime library, which the main compiler built.
function(hel_variant target output)
  cmake_parse_arguments(PARSE_ARGV 2 ARG "" "COMPILER" "SOURCES;OPTIONS")
  # as CMake does it: the compiler's own directory, named again, would be searched too early
  set(includes "$<FILTER:$<TARGET_PROPERTY:hel,INTERFACE_INCLUDE_DIRECTORIES>,EXCLUDE,^/usr/include$>")
  set(objects "")
  foreach(source IN LISTS ARG_SOURCES)
    cmake_path(GET source FILENAME name)
    set(object "${CMAKE_CURRENT_BINARY_DIR}/${target}.objects/${name}.o")
    add_custom_command(OUTPUT "${object}"
      COMMAND "${ARG_COMPILER}" -std=c++20 -pthread ${HEL_VARIANT_OPTIONS} ${ARG_OPTIONS}
              "-I$<JOIN:${includes},;-I>" -MD -MF "${object}.d" -c "${source}"
              -o "${object}"
      DEPENDS "${source}" DEPFILE "${object}.d" COMMENT "Building ${target}: ${name}" COMMAND_EXPAND_LISTS VERBATIM)
    list(APPEND objects "${object}")
  endforeach()
  file(MAKE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/${target}.objects")
  cmake_path(GET output PARENT_PATH output_dir)
  file(MAKE_DIRECTORY "${output_dir}")
  add_custom_command(OUTPUT "${output}"
    COMMAND "${ARG_COMPILER}" -pthread ${HEL_SANITIZE_OPTIONS} ${objects} "$<TARGET_FILE:hel>"
            "$<TARGET_FILE:Boost::context>" -o "${output}"
    DEPENDS ${objects} hel COMMENT "Linking ${target}" VERBATIM)
  add_custom_target(variant-${target} ALL DEPENDS "${output}")
endfunction()
