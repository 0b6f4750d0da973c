# Looks for what is optional and says in one line each what was found.
include_guard()
include(GNUInstallDirs)

# --- Clang's development files: hel-lower
set(HEL_HAVE_LOWER FALSE)
if(HEL_LOWER_EXECUTABLE)
  if(NOT EXISTS "${HEL_LOWER_EXECUTABLE}")
    message(FATAL_ERROR "HEL_LOWER_EXECUTABLE: no file ${HEL_LOWER_EXECUTABLE}")
  endif()
  add_executable(hel-lower IMPORTED GLOBAL)
  set_property(TARGET hel-lower PROPERTY IMPORTED_LOCATION "${HEL_LOWER_EXECUTABLE}")
  set(HEL_HAVE_LOWER TRUE)
  message(STATUS "hel-lower: ${HEL_LOWER_EXECUTABLE} (not built here)")
elseif(HEL_BUILD_LOWER)
  # A bare find_package(Clang) takes the newest version on the machine, and Clang's version file rejects a plain major number.
  enable_language(C)  # LLVM's configuration compiles probes in C
  set(CMAKE_MESSAGE_LOG_LEVEL WARNING)  # LLVM's configuration lists every library it could have been built with
  find_package(Clang QUIET CONFIG
    HINTS "/usr/lib/llvm-${HEL_LLVM_VERSION}/lib/cmake/clang" "/usr/local/lib/cmake/clang" NO_DEFAULT_PATH)
  unset(CMAKE_MESSAGE_LOG_LEVEL)
  if(Clang_FOUND AND LLVM_VERSION_MAJOR EQUAL HEL_LLVM_VERSION)
    set(HEL_HAVE_LOWER TRUE)
    message(STATUS "hel-lower: built with Clang ${LLVM_PACKAGE_VERSION} from ${LLVM_DIR}")
  else()
    message(STATUS "hel-lower: not built, Clang ${HEL_LLVM_VERSION} development files not found "
                   "(libclang-${HEL_LLVM_VERSION}-dev, llvm-${HEL_LLVM_VERSION}-dev)")
  endif()
else()
  message(STATUS "hel-lower: not built (HEL_BUILD_LOWER is off)")
endif()

# --- a compiler with coroutines of its own: the reference of the three-way tests
# g++ 12 destroys some temporaries of awaited expressions twice, so only Clang will do.
find_program(HEL_NATIVE_CXX NAMES clang++-${HEL_LLVM_VERSION} clang++ DOC "Clang for natively compiled coroutines")
if(HEL_NATIVE_CXX)
  message(STATUS "native coroutines: ${HEL_NATIVE_CXX}")
else()
  message(STATUS "native coroutines: no clang++-${HEL_LLVM_VERSION}, their tests are left out")
endif()
# and g++ for lowered code when it is not the main compiler
find_program(HEL_GNU_CXX NAMES g++ DOC "g++ for lowered coroutines")

# --- CUDA: compiling lowered .cu files
find_package(CUDAToolkit QUIET)
if(CUDAToolkit_NVCC_EXECUTABLE)
  set(HEL_NVCC "${CUDAToolkit_NVCC_EXECUTABLE}")
  cmake_path(GET CUDAToolkit_BIN_DIR PARENT_PATH HEL_CUDA_PATH)
  message(STATUS "CUDA: ${CUDAToolkit_VERSION}, ${HEL_NVCC}")
else()
  set(HEL_NVCC "")
  set(HEL_CUDA_PATH "")
  message(STATUS "CUDA: nvcc not found, only the CPU fallback is built and tested")
endif()

# --- what the runtime links with
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)
find_package(Boost 1.74 REQUIRED CONFIG COMPONENTS context)
