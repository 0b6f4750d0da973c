# Sourced by the tests: TOOL, a fresh and empty current directory, and checks that count what failed.
#
#   TOPIC.sh HEL_LOWER WORK_DIR INCLUDE_DIR GNU_CXX [CLANG_CXX]
set -u
tool=$1 work=$2 include=$3 gnu=$4 clang=${5:-}
rm -rf "$work"
mkdir -p "$work"
cd "$work" || exit 1
failures=0

# lower WANTED_EXIT_CODE ARGUMENT...: runs the tool; its output is in ../TOPIC.out and ../TOPIC.err
out=$work.out err=$work.err
lower() {
  local want=$1 rc
  shift
  "$tool" "$@" >"$out" 2>"$err"
  rc=$?
  [ $rc -eq "$want" ] || fail "exit code $rc instead of $want: hel-lower $*"
}
fail() {
  failures=$((failures + 1))
  echo "FAILED (line ${BASH_LINENO[${#BASH_LINENO[@]} - 2]}): $*"
  [ ! -s "$err" ] || sed 's/^/    /' "$err" | head -20
}
# says PATTERN...: each is in the messages
says() { local p; for p; do grep -q -- "$p" "$err" || fail "the messages lack: $p"; done; }
prints() { local p; for p; do grep -q -- "$p" "$out" || fail "the output lacks: $p"; done; }
silent() { [ ! -s "$err" ] || fail "unexpected messages"; }
# holds FILE...: the directory holds exactly these
holds() {
  local got want
  got=$(find . -mindepth 1 | sort) want=$(for f; do echo "./$f"; done | sort)
  [ "$got" = "$want" ] || fail "the directory holds: $(tr '\n' ' ' <<<"$got") instead of: $(tr '\n' ' ' <<<"$want")"
}
finish() {
  [ $failures -eq 0 ] || { echo "$failures failed"; exit 1; }
  exit 0
}

# a small program with one coroutine: NAME.cpp
program() {
  cat >"$1" <<'END'
#include <coroutine>
#include <cstdio>
struct job {
  struct promise_type {
    job get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() {}
  };
  std::coroutine_handle<promise_type> h;
};
job work(int n) {
  int total = n;
  for (int i = 1; i < 3; ++i) {
    int product = n * i;
    co_await std::suspend_always{};
    total += product;
  }
  std::printf("total %d\n", total);
}
int main(int argc, char**) {
  job j = work(argc + 4);
  while (!j.h.done()) j.h.resume();
  j.h.destroy();
}
END
}
