#!/usr/bin/env bash
# What hel-step says to programs that it cannot step: startup.sh HEL_STEP PROGRAM NATIVE_PROGRAM|'' SCRATCH_DIR
set -euo pipefail
hel_step=$1 program=$2 native=$3 scratch=$4
rm -rf "$scratch"
mkdir -p "$scratch"
cd "$scratch"

# refused PATTERN ARGUMENT...: exit code 2, a message that matches, nothing on standard output
refused() {
  local pattern=$1 code=0
  shift
  "$hel_step" "$@" </dev/null >shown 2>message || code=$?
  if [ "$code" != 2 ] || [ -s shown ] || ! grep -q -- "$pattern" message; then
    echo "FAILED: hel-step $* ended with $code and said: $(cat shown message)" >&2
    exit 1
  fi
}
refused 'no PROGRAM'
refused 'missing: No such file' ./missing
refused 'is a directory' .
: >data
refused 'Permission denied' ./data
printf 'not a program' >data
chmod +x data
refused 'Exec format error' ./data
refused "never started HEL's deterministic executor" /bin/true
refused 'missing: No such file' --commands missing "$program"
refused 'is a directory' --commands . "$program"
refused 'missing: No such file' --input missing "$program"
refused 'not expected' --unknown "$program"
[ -z "$native" ] || refused 'not lowered' "$native"

# a socket number that is none does not disturb a program
HEL_STEPPER_FD=77 "$program" >shown 2>message || true
grep -q 'HEL_STEPPER_FD=77 is no stream socket' message
grep -q ' 6$' shown

# options after the program are the program's; a script file leaves standard input free
[ "$("$hel_step" --version)" = "$("$hel_step" --version "$program")" ]
printf 'continue\n' >script
code=0
"$hel_step" -x script "$program" --version >shown || code=$?
[ "$code" = 6 ] && grep -q 'exit code 6' shown
cd /
rm -rf "$scratch"
