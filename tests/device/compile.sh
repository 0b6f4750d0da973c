#!/usr/bin/env bash
# Compiles one .cu for the simulated device with Clang: device code to host instructions, or the host's side.
#
#   compile.sh device SOURCE OUT.o ID CLANG CUDA_PATH [--rdc] [--arch sm_NN] [--sanitize LIST] [--depfile FILE] -- FLAG...
#   compile.sh host   SOURCE OUT.o ID CLANG CUDA_PATH ... the same
#
# ID names the module; both sides of a source have the same. FLAGs reach both compilations of the source.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
mode=$1 source=$2 out=$3 id=$4 clang=$5 cuda=$6
shift 6
rdc=() retarget_rdc=() arch=sm_90 sanitize='' dependencies=()
while [ $# -gt 0 ]; do
  case $1 in
    --rdc) rdc=(-fgpu-rdc) retarget_rdc=(--rdc) ;;
    --arch) arch=$2; shift ;;
    --sanitize) sanitize=$2; shift ;;
    --depfile) dependencies=(-MD -MF "$2" -MT "$out"); shift ;;
    --) shift; break ;;
    *) echo "compile.sh: unknown argument $1" >&2; exit 2 ;;
  esac
  shift
done
# Loads that the optimiser makes early, and does not use, would be reported: only in functions that are marked for the
# sanitizer it makes none, and these are so after this compilation.
late=()
case ,$sanitize, in *,thread,*) late+=(-mllvm -bonus-inst-threshold=0 -mllvm -phi-node-folding-threshold=0 -mllvm -two-entry-phi-node-folding-threshold=0) ;; esac
instrument=()
# functions of the device have other types than those of the host through which they are called
[ -z "$sanitize" ] || instrument=("-fsanitize=$sanitize" -fno-sanitize=function,vptr -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
# The declarations that the toolkit's headers lack for Clang, and what Clang says about a toolkit newer than itself.
cuda_flags=(-x cuda "--cuda-path=$cuda" "--cuda-gpu-arch=$arch" -isystem "$cuda/include/cccl" -Wno-unknown-cuda-version "-cuid=$id")

if [ "$mode" = host ]; then
  # Not -fgpu-rdc: what that registers would be for a device linker. But frames are laid out the same on both sides.
  [ ${#rdc[@]} = 0 ] || cuda_flags+=(-D__CLANG_RDC__=1)
  printf 'HEL_SIM:%s\0' "$id" >"$out.binary"  # where the image for a real device would be
  exec "$clang" "${cuda_flags[@]}" --cuda-host-only -Xclang -fcuda-include-gpubinary -Xclang "$out.binary" \
    -std=c++20 -O1 -g1 "${instrument[@]}" "${dependencies[@]}" "$@" -c "$source" -o "$out"
fi
"$clang" "${cuda_flags[@]}" --cuda-device-only "${rdc[@]}" -std=c++20 -O1 "${late[@]}" -gline-tables-only "${dependencies[@]}" "$@" \
  -S -emit-llvm "$source" -o "$out.device.ll"
"$clang" -x c /dev/null -S -emit-llvm -o "$out.empty.ll"
attributes=()
case ,$sanitize, in *,address,*) attributes+=(--attribute sanitize_address) ;; esac
case ,$sanitize, in *,thread,*) attributes+=(--attribute sanitize_thread) ;; esac
python3 "$here/retarget.py" "$out.device.ll" "$out.host.ll" --host "$out.empty.ll" --id "$id" "${retarget_rdc[@]}" "${attributes[@]}" \
  --provided "$here/simulator/intrinsics.cpp" "$here/simulator/device_library.cpp"
ir=()
case ,$sanitize, in *,address,*) ir+=(-fsanitize=address) ;; esac
case ,$sanitize, in *,thread,*) ir+=(-fsanitize=thread) ;; esac
exec "$clang" -x ir -O1 -fPIE "${ir[@]}" -Wno-override-module -c "$out.host.ll" -o "$out"
