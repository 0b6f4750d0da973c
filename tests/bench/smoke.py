"""smoke.py HEL_BENCH: hel-bench lists, measures and prints the JSON that docs/benchmarks.md describes."""
import json
import subprocess
import sys

program = sys.argv[1]


def run(*arguments, code=0):
    done = subprocess.run([program, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    command = " ".join(arguments)
    assert done.returncode == code, f"hel-bench {command}: exit code {done.returncode}\n{done.stderr}"
    return done


def check_figures(name, figures):
    assert figures["repetitions"] >= 1, name
    assert 0 < figures["min"] <= figures["median"] <= figures["max"], name


def check_json(names, threads):
    done = run(*names, "--quick", "--json", "--threads", str(threads))
    got = json.loads(done.stdout)
    assert got["format"] == 1 and got["threads"] == threads and got["quick"] is True
    assert got["build_type"] and got["processors"] >= 1
    assert [b["name"] for b in got["benchmarks"]] == names
    for b in got["benchmarks"]:
        assert b["group"] and b["unit"], b["name"]
        assert b["ours"] in b["contenders"], b["name"]
        for contender, figures in b["contenders"].items():
            check_figures(f'{b["name"]}/{contender}', figures)
            assert contender not in b["missing"]
            if contender == b["ours"]:
                continue
            ratio = b["ratio_" + contender.replace("-", "_")]
            expected = b["contenders"][b["ours"]]["median"] / figures["median"]
            assert abs(ratio - expected) < 1e-6 * expected
            if len(names) == 1:
                assert got["ratio_" + contender.replace("-", "_")] == ratio
        assert all(b["missing"].values())


listed = run("--list").stdout
for name in ["resume", "create", "nested-32", "fib20", "fib", "cilksort", "channel", "suspended", "tool"]:
    assert any(line.startswith(name + " ") for line in listed.splitlines()), f"--list lacks {name}:\n{listed}"
check_json(["resume", "create"], threads=1)
check_json(["fib"], threads=1)
check_json(["channel", "suspended"], threads=1)
assert "lowered-" in run("resume", "--quick").stdout
run("resume", "--quick", "--", "--benchmark_repetitions=2")
assert "no-such-thing" in run("no-such-thing", code=2).stderr
run("resume", "--threads", "0", code=2)
run("resume", "--quick", "--", "--no-such-flag", code=2)
