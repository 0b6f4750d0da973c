#!/usr/bin/env bash
# wordcount against coreutils, and its behaviour on bad input: wordcount.sh PROGRAM README SCRATCH_DIR
set -euo pipefail
program=$1 readme=$2 scratch=$3
rm -rf "$scratch"
mkdir -p "$scratch"
cd "$scratch"

fail() { echo "FAILED: $*" >&2; exit 1; }
reference() {
  # a word ends with its file
  for file in "$@"; do cat -- "$file"; echo; done | LC_ALL=C tr -cs '[:alnum:]' '\n' | { grep . || true; } | LC_ALL=C sort | uniq -c |
    LC_ALL=C sort -k1,1nr -k2 | { head; cat >/dev/null; }  # read to the end: a SIGPIPE upstream would count as a failure
}
same() {
  "$program" "$@" >printed || fail "wordcount $* ended with $?"
  reference "$@" >expected
  diff -u expected printed || fail "wordcount $* differs from coreutils"
}

same "$readme"

: >empty
same empty
printf 'no newline at the end' >unterminated
same unterminated
printf '\n\n -- ... \n' >no_words
same no_words
printf 'caf\303\251 na\303\257ve \377\000x\n' >bytes
same bytes

# Words of growing length without any alignment to powers of two, so that some lie across every chunk border; among them
# one that is longer than a chunk may be.
awk 'BEGIN { for (i = 0; i < 60000; i++) { w = "w" (i % 97); for (j = 0; j < i % 13; j++) w = w "x"; printf "%s%s", w, i % 7 ? " " : "\n" } }' >straddling
same straddling
head -c 3000000 /dev/zero | tr '\0' 'a' >one_word
same one_word
{ cat straddling; printf ' '; cat one_word; printf ' '; cat straddling; } >mixed
same mixed
same straddling "$readme" empty

# refused FILE...: exit 1, a message that names the file on stderr, nothing on stdout
refused() {
  local code=0
  "$program" "$@" >printed 2>message || code=$?
  [ "$code" = 1 ] || fail "wordcount $* ended with $code instead of 1"
  [ ! -s printed ] || fail "wordcount $* printed a result"
  grep -qF -- "${!#}" message || fail "the message does not name ${!#}: $(cat message)"
}
refused missing
mkdir directory
refused directory
refused straddling missing
cd /
rm -rf "$scratch"
