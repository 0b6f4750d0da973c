#!/usr/bin/env bash
# README.md and docs/ against the tree: the files, folders and programs that they name exist, the diagnostics they name
# have these numbers, code said to come from a file stands in it, and lowered code is what hel-lower prints today.
#
#   check_readme.sh SOURCE_DIR BUILD_DIR HEL_LOWER BENCH   BENCH: 1 if hel-bench is built, else 0
#
# Marks in the Markdown, on the line before a code block:
#   <!-- from: FILE -->       the block is a part of FILE, word for word
#   <!-- lowered: FILE -->    its lines stand in this order in what `hel-lower --no-line FILE` prints; a line `// ...` skips
#   <!-- ir: FILE -->         the same for `hel-lower --print-ir FILE`
set -euo pipefail
source_dir=$1 build=$2 hel_lower=$3 bench=$4
cd "$source_dir"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
faults=0
fault() { echo "FAILED: $*" >&2; faults=$((faults + 1)); }

for page in README.md docs/*.md; do
  # links to files
  while read -r target; do
    case $target in *://* | '#'* | '') continue ;; esac
    [ -e "$(dirname "$page")/${target%%#*}" ] || fault "$page links to $target, which does not exist"
  done < <(awk '/^ *```/ { code = !code; next } !code' "$page" | sed 's/`[^`]*`//g' | grep -oE '\]\([^)]*\)' | sed 's/^](//; s/)$//')

  # paths in the text
  while read -r path; do
    path=${path%.}
    path=${path%,}
    [ -e "$path" ] || fault "$page names $path, which does not exist"
  done < <(grep -oE '(^|[^A-Za-z0-9_./<-])(tools|samples|docs|runtime|stdlib|frontend|lowering|tests|cmake)/[A-Za-z0-9_./-]*' "$page" |
    sed -E 's/^[^a-z]//' | sort -u)
  while read -r header; do
    [ -e "runtime/include/$header" ] || [ -e "stdlib/include/$header" ] || fault "$page names the header $header"
  done < <(grep -oE '(^|[^A-Za-z0-9_./-])hel/[a-z_/]+\.hpp' "$page" | sed -E 's/^[^h]//' | sort -u)

  # programs
  while read -r program; do
    case $program in
      build/bin/hel-lower) [ -x "$hel_lower" ] || fault "$page runs hel-lower, which was not built" ;;
      build/bin/hel-bench) [ "$bench" = 0 ] || [ -x "$build/bin/hel-bench" ] || fault "$page runs hel-bench, which was not built" ;;
      build/samples/variants/*) ;; # depend on the compilers that the machine has
      *) [ -x "$build/${program#build/}" ] || fault "$page runs $program, which was not built" ;;
    esac
  done < <(grep -oE 'build/(bin|samples)/[A-Za-z0-9_/-]+' "$page" | sort -u)

  # numbers of diagnostics
  while read -r number; do
    digits=$((10#${number#HEL}))
    grep -qE "= $digits," frontend/diagnostics.hpp || fault "$page names $number, which frontend/diagnostics.hpp does not have"
  done < <(grep -oE 'HEL[0-9]{4}' "$page" | sort -u)

  # code
  rm -f "$scratch"/block.*
  awk -v scratch="$scratch" '
    /^<!-- (from|lowered|ir): [^ ]+ -->$/ { kind = substr($2, 1, length($2) - 1); file = $3; next }
    /^```/ && inside { inside = 0; close(out); next }
    /^```/ && kind { inside = 1; out = scratch "/block." ++n; print kind, file > out; kind = ""; next }
    inside { print > out }' "$page"
  for block in "$scratch"/block.*; do
    [ -e "$block" ] || continue
    read -r kind file <"$block"
    tail -n +2 "$block" | sed 's/[[:space:]]*$//' >"$scratch/expected"
    if [ "$kind" = lowered ]; then
      "$hel_lower" --no-line "$file" >"$scratch/whole" || { fault "$page: $file is not lowered"; continue; }
    elif [ "$kind" = ir ]; then
      "$hel_lower" --print-ir "$file" >"$scratch/whole" || { fault "$page: $file is not lowered"; continue; }
    elif [ -f "$file" ]; then
      cp "$file" "$scratch/whole"
    else
      fault "$page: no file $file"
      continue
    fi
    sed -i 's/[[:space:]]*$//' "$scratch/whole"
    awk -v kind="$kind" '
      NR == FNR { whole[++count] = $0; next }
      { part[++parts] = $0 }
      END {
        if (kind != "from") {  # in order, with gaps
          at = 1
          skip = 1
          for (i = 1; i <= parts; ++i) {
            if (part[i] ~ /^ *\/\/ \.\.\./) { skip = 1; continue }
            while (skip && at <= count && whole[at] != part[i]) ++at
            if (at > count || whole[at] != part[i]) { print "not found there: " part[i]; exit 1 }
            ++at
            skip = 0
          }
          exit 0
        }
        for (start = 0; start + parts <= count; ++start) {
          same = 1
          for (i = 1; i <= parts && same; ++i) same = whole[start + i] == part[i]
          if (same) exit 0
        }
        print "no such passage, it begins: " part[1]
        exit 1
      }' "$scratch/whole" "$scratch/expected" >"$scratch/message" || fault "$page, code from $file: $(cat "$scratch/message")"
  done
done

[ "$faults" = 0 ] || exit 1
echo "README.md and docs/ agree with the tree"
