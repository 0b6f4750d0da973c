#!/usr/bin/env bash
# tools/gpu-check.sh --run: outcomes, figures, time-outs and the report, with programs that need no GPU.
#
#   gpu_check.sh GPU_CHECK WORK_DIR
set -u
tool=$1 work=$2
rm -rf "$work"
mkdir -p "$work/dir"
cd "$work" || exit 1
failures=0
fail() { failures=$((failures + 1)); echo "FAILED (line ${BASH_LINENO[0]}): $*"; }
program() { cat >"dir/$1"; chmod +x "dir/$1"; }

cat >dir/programs.txt <<'LIST'
sample-right sample samples/right.cpp
sample-wrong sample samples/wrong.cpp
device-good test tests/device/good.cu
device-bad test tests/device/bad.cu
device-hangs test tests/device/hangs.cu
device-missing test tests/device/missing.cu
bench-resident bench tools/bench/gpu/resident.cpp
LIST
echo "a line" | tee dir/right.expected >dir/wrong.expected
program sample-right <<<$'#!/bin/sh\n[ "$HEL_EXECUTOR" = cuda ] && echo "a line"'
program sample-wrong <<<$'#!/bin/sh\necho "another line"'
program device-good <<<$'#!/bin/sh\nexit 0'
program device-bad <<<$'#!/bin/sh\necho "it \\"says\\" why" >&2\nexit 3'
program device-hangs <<<$'#!/bin/sh\ntrap "" TERM\nsleep 100'
program bench-resident <<'BENCH'
#!/bin/sh
[ "$1" != fib ] || exit 4
[ "$2" = --quick ] || exit 5
echo "{\"name\": \"$1\", \"side\": \"hel\", \"value\": 12.5, \"least\": 12, \"greatest\": 13, \"unit\": \"ns\"}"
BENCH

from=$SECONDS
"$tool" --run dir --report report.json --quick --seconds 4 >out 2>err
[ $? = 1 ] || fail "exit code 1 where tests fail"
[ $((SECONDS - from)) -lt 30 ] || fail "a program that hangs holds it up"
[ ! -s err ] || { fail "says something on standard error"; cat err; }
python3 - <<'PYTHON' || fail "the report: see above"
import json
r = json.load(open("report.json"))
t = {x["name"]: x for x in r["tests"]}
expected = {"sample-right": "ok", "sample-wrong": "FAILED", "device-good": "ok", "device-bad": "FAILED",
            "device-hangs": "hangs", "device-missing": "FAILED", "submit": "not run"}
for name, outcome in expected.items():
    assert t[name]["outcome"] == outcome, (name, t[name])
assert 'it "says" why' in t["device-bad"]["detail"], t["device-bad"]
assert r["version"] == 1
PYTHON

# nothing hangs: every benchmark has its turn
sed -i '/hangs\|missing\|bad\|wrong/d' dir/programs.txt
"$tool" --run dir --report report.json --quick >out 2>err
[ $? = 1 ] || fail "exit code 1 where a benchmark fails"
grep -q 'fib: *FAILED\|fib  *FAILED' out || fail "names the benchmark that failed"
python3 - <<'PYTHON' || fail "the figures: see above"
import json
r = json.load(open("report.json"))
names = [f["name"] for f in r["figures"]]
assert "submit" in names and "beside" in names and "fib" not in names, names
assert all(f["value"] == 12.5 for f in r["figures"])
PYTHON
sed -i 's/exit 4/:/' dir/bench-resident
"$tool" --run dir --report report.json --quick >out 2>err || { fail "exit code 0 where all is well"; cat out err; }
grep -q '^report: report.json' out || fail "says where the report is"

"$tool" --run empty >out 2>err && fail "a folder that --build has not made"
grep -q 'was not made by --build' err || fail "says what is wrong with the folder"
"$tool" --unknown x >out 2>err && fail "an unknown option"
[ $failures = 0 ] || { echo "$failures failed"; exit 1; }
