#!/usr/bin/env bash
# Every number in frontend/diagnostics.hpp has its section in docs/diagnostics.md and the other way round, and a program here
# that causes it (but for those that nobody can cause, listed in unreachable.txt with the reason).
set -eu
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$here/../../..
failed=0
fail() { echo "$*"; failed=1; }
numbers=$(sed -n 's/^ *[a-z_0-9]* = \([0-9]\{3,4\}\),.*/\1/p' "$root/frontend/diagnostics.hpp")
[ "$(wc -w <<<"$numbers")" -gt 10 ] || fail "frontend/diagnostics.hpp holds no numbers"
known=" "
for n in $numbers; do
  id=$(printf 'HEL%04d' "$((10#$n))")
  known+="$id "
  [ "$(grep -c "^## $id\\b" "$root/docs/diagnostics.md")" = 1 ] || fail "$id has no section in docs/diagnostics.md, or two"
  ls "$here/$id"-*.cpp >/dev/null 2>&1 || grep -q "^$id " "$here/unreachable.txt" || fail "$id has no program in tests/lowering/diagnostics"
done
for id in $(sed -n 's/^## \(HEL[0-9]*\).*/\1/p' "$root/docs/diagnostics.md"); do
  [[ $known == *" $id "* ]] || fail "docs/diagnostics.md describes $id, which does not exist"
done
for file in "$here"/HEL*.cpp; do
  id=$(basename "$file" | cut -d- -f1)
  [[ $known == *" $id "* ]] || fail "$(basename "$file"): $id does not exist"
  grep -q "^// \(error\|warning\): $id " "$file" || fail "$(basename "$file") does not expect $id"
done
exit $failed
