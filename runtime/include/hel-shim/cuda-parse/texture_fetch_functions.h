// Empty on purpose: Clang 19's CUDA wrapper includes this header, which CUDA 13 no longer has.
