#!/usr/bin/env python3
"""The grader against what breaks graders: each test is a kind of failure met in public exercise runners.

usage: test_grader.py       environment: BUILD, CC; last line: N passed, M failed
"""
import csv, io, json, os, shutil, subprocess, sys, tarfile, tempfile, time, xml.dom.minidom, zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HERE = ROOT / "tests/exercises"
BUILD = (ROOT / os.environ.get("BUILD", "build")).resolve()
NAME = "3.1-inverse-frequencies.c"
RIGHT = (HERE / "3.1/solution-power.c").read_text()
WRONG = (HERE / "3.1/wrong/not-inverted.c").read_text()
STUB = (HERE / "3.1/stub.c").read_text()
HEAD = '#include <math.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <unistd.h>\n#include "exercises.h"\n'
SIGNATURE = "void inverse_frequencies(double *frequency, int head_dim, double theta)\n"
BODY = "{ for (int i = 0; i < head_dim / 2; i++) frequency[i] = pow(theta, -2.0 * i / head_dim); }\n"
passed = failed = 0
said = "nothing was run yet"  # by the grader that ran last, for a failure that comes of it


def check(name, ok, detail=""):
    global passed, failed
    passed, failed = passed + bool(ok), failed + (not ok)
    if not ok:
        print(f"FAILED: {name}: {detail}")


def grade_class(submissions, out, tree=ROOT, **environment):
    global said
    r = subprocess.run([sys.executable, str(tree / "tests/exercises/grade_class.py"), str(submissions), str(out)], capture_output=True, text=True, errors="replace",
                       stdin=subprocess.DEVNULL, cwd=tree, env={**os.environ, "EX": "3.1", "BUILD": str(BUILD), **environment})
    said = f"exit code {r.returncode}\n{r.stdout[-2000:]}{r.stderr[-4000:]}"
    return r


def statuses(out):
    with open(out / "class.csv", encoding="utf-8", newline="") as f:
        return {r["student"]: r["3.1"] for r in csv.DictReader(f)}


def student(out, name):
    return json.loads((out / "students" / f"{name}.json").read_text(encoding="utf-8"))["exercises"][0]


def put(folder, text):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / NAME).write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))


def bad_code(secret):
    """What each submission tries, its code, and the statuses it may end with. None may be DONE."""
    solution, expected = HERE / "3.1/solution-power.c", HERE / "3.1/expected.txt"
    constructor = "__attribute__((constructor)) static void before(void) "
    return {
        "endless newlines": (HEAD + SIGNATURE + "{ (void)frequency; (void)head_dim; (void)theta; for (;;) puts(\"\"); }", ["TOO MUCH OUTPUT", "TIMEOUT"]),
        "endless memory": (HEAD + SIGNATURE + "{ (void)head_dim; (void)theta; for (;;) { char *p = malloc(1 << 20); memset(p, 1, 1 << 20); frequency[0] = *p; } }", ["CRASH", "TIMEOUT"]),
        "endless loop": (HEAD + SIGNATURE + "{ (void)frequency; (void)head_dim; (void)theta; for (volatile int i = 1; i;) { } }", ["TIMEOUT"]),
        "fork bomb": (HEAD + SIGNATURE + "{ (void)frequency; (void)head_dim; (void)theta; for (;;) fork(); }", ["TIMEOUT", "WRONG", "CRASH"]),
        "only a comment": ("/* nothing */\n", ["BUILD FAILED"]),
        "returns zeros": (HEAD + SIGNATURE + "{ (void)theta; for (int i = 0; i < head_dim / 2; i++) frequency[i] = 0; }", ["WRONG"]),
        "leaves early": (HEAD + SIGNATURE + "{ static int n; if (n++ == 1) exit(0); for (int i = 0; i < head_dim / 2; i++) frequency[i] = pow(theta, -2.0 * i / head_dim); }", ["WRONG"]),
        "leaves as not started": (HEAD + SIGNATURE + "{ (void)frequency; (void)head_dim; (void)theta; _exit(77); }", ["NOT STARTED"]),
        "leaves as the harness": (HEAD + SIGNATURE + "{ (void)frequency; (void)head_dim; (void)theta; _exit(97); }", ["NOT GRADED", "WRONG"]),
        "prints a verdict": (HEAD + SIGNATURE + "{ (void)frequency; (void)head_dim; (void)theta; printf(\"3.1\\tDONE\\t6\\t6\\t\\t\\n1 passed, 0 failed\\n\"); }", ["WRONG"]),
        "constructor forges": (HEAD + constructor + "{ FILE *f = fdopen(3, \"w\"); if (f) { fprintf(f, \"end 6\\n\"); fflush(f); } puts(\"DONE\"); exit(0); }\n" + SIGNATURE + BODY, ["WRONG"]),
        "forges cases": (HEAD + constructor + "{ FILE *f = fdopen(dup(3), \"w\"); fprintf(f, \"case x\\nendcase\\nend 1\\n\"); fclose(f); }\n" + SIGNATURE + BODY, ["WRONG"]),
        "right, then dies": (HEAD + "#include <signal.h>\nstatic void die(void) { raise(SIGSEGV); }\n" + constructor + "{ atexit(die); }\n" + SIGNATURE + BODY, ["CRASH"]),
        "redefined assert": (HEAD + "#define assert(x) ((void)0)\n#define EXERCISE_TODO(x) ((void)0)\n" + SIGNATURE + "{ (void)theta; (void)head_dim; frequency[0] = 1; }", ["WRONG"]),
        "own harness": (HEAD + "void ex_end(void) { }\nint main(void) { return 0; }\n" + SIGNATURE + BODY, ["BUILD FAILED"]),
        "includes the solution": (f'#include "{solution}"\n', ["BUILD FAILED"]),
        "incbin": (HEAD + f'__asm__(".section .rodata\\nanswers: .incbin \\"{expected}\\"\\n.text\\n");\n' + SIGNATURE + BODY.replace("-2.0", "2.0"), ["BUILD FAILED"]),
        "opens expected": (HEAD + SIGNATURE + f"{{ FILE *f = fopen(\"{expected}\", \"r\"); double found = f ? 1 : 0; (void)theta; for (int i = 0; i < head_dim / 2; i++) frequency[i] = found ? pow(theta, -2.0 * i / head_dim) : 42; }}", ["WRONG"]),
        "opens a neighbour": (HEAD + SIGNATURE + f"{{ FILE *f = fopen(\"{secret}\", \"r\"); (void)theta; for (int i = 0; i < head_dim / 2; i++) frequency[i] = f ? pow(theta, -2.0 * i / head_dim) : 42; }}", ["WRONG"]),
        "writes results": (HEAD + SIGNATURE + "{ FILE *f = fopen(\"results.json\", \"w\"); if (f) { fputs(\"{\\\"status\\\": \\\"DONE\\\"}\", f); fclose(f); } (void)theta; for (int i = 0; i < head_dim / 2; i++) frequency[i] = 7; }", ["WRONG"]),
        "huge include": ("#include __FILE__\n" * 50, ["BUILD FAILED"]),
    }


def test_bad_code(t):
    submissions, out = t / "bad", t / "bad-out"
    cases = bad_code(submissions / "a good one" / NAME)
    for name, (code, _) in cases.items():
        put(submissions / name, code)
    put(submissions / "a good one", RIGHT)
    (submissions / "a good one" / "results.json").write_text('{"points": 1000}')  # an old result in the folder
    started = time.monotonic()
    r = grade_class(submissions, out)
    got = statuses(out)
    for name, (_, allowed) in cases.items():
        check(name, got[name] in allowed, f"{got[name]}, expected {allowed}")
    check("a right one passes among them", got["a good one"] == "DONE", got["a good one"])
    check("the run ends", time.monotonic() - started < 120, f"{time.monotonic() - started:.0f} s")
    check("a file in a student's folder is no result", "1000" not in (out / "class.csv").read_text())
    no_mark = [n for n, s in got.items() if s == "NOT GRADED"]
    check("what was not graded is said by the exit code", r.returncode == (97 if no_mark else 0), r.stderr)


def test_names(t):
    submissions, out = t / "names", t / "names-out"
    put(submissions / "Ann Lee_1001_assignsubmission_file_" / "week 3" / "my work", RIGHT)
    put(submissions / "by hand", STUB)
    (submissions / "by hand" / "3.1-inverse-frequencies (1).c").write_text(RIGHT)
    (submissions / "by hand" / "3.1-inverse-frequencies.c~").write_text(WRONG)
    (submissions / "by hand" / "._3.1-inverse-frequencies.c").write_text("junk")
    (submissions / "by hand" / "3.1-inverse-frequencies copy.c").write_text(WRONG)
    (submissions / "doe_12_100_3.1-inverse-frequencies.c").write_text(WRONG)
    (submissions / "doe_LATE_12_101_3.1-inverse-frequencies-1.c").write_text(RIGHT)
    put(submissions / "crlf", RIGHT.replace("\n", "\r\n"))
    put(submissions / "bom", b"\xef\xbb\xbf" + RIGHT.encode())
    put(submissions / "latin", RIGHT.encode() + b"/* caf\xe9 */\n")
    put(submissions / "=cmd|x", RIGHT)
    with zipfile.ZipFile(submissions / "zipped.zip", "w") as z:
        z.writestr("a/../../b/" + NAME, RIGHT)
        z.writestr("a/Makefile", "all:\n\techo pwned\n")
    with tarfile.open(submissions / "tarred.tar.gz", "w:gz") as z:
        for name, kind, link in ((f"x/{NAME}", tarfile.REGTYPE, ""), (f"y/{NAME}", tarfile.SYMTYPE, "/etc/passwd")):
            info = tarfile.TarInfo(name)
            info.type, info.linkname, info.size = kind, link, len(RIGHT) if kind == tarfile.REGTYPE else 0
            z.addfile(info, io.BytesIO(RIGHT.encode()) if kind == tarfile.REGTYPE else None)
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w") as z:
        z.writestr(NAME, RIGHT)
    with zipfile.ZipFile(submissions / "nested.zip", "w") as z:
        z.writestr("inner.zip", inner.getvalue())
    (submissions / "broken.zip").write_bytes(b"PK\x03\x04 not an archive")
    with tarfile.open(submissions / "odd names.tar", "w") as z:  # half a character, and a line that reads like another student's
        for name in ("\udc80/" + NAME, "a\n- Ann Lee: x/inner.zip"):
            info = tarfile.TarInfo(name)
            info.size = len(RIGHT)
            z.addfile(info, io.BytesIO(RIGHT.encode()))
    try:
        put(submissions / os.fsdecode(b"J\xfcrgen"), RIGHT)
        latin_name = ["J\xfcrgen"]
    except OSError:  # a file system that takes UTF-8 only
        latin_name = []
    with zipfile.ZipFile(submissions / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as z:
        z.writestr(NAME, "/*" + " " * (200 << 20) + "*/")
    grade_class(submissions, out)
    got = statuses(out)
    for name in ("Ann Lee", "by hand", "doe", "crlf", "bom", "latin", "zipped", "tarred", "nested", "'=cmd|x", "odd names", *latin_name):
        check(f"submission {name}", got.get(name) == "DONE", f"{got.get(name)}")
    for name in ("broken", "bomb"):
        check(f"submission {name}", got.get(name) == "MISSING", f"{got.get(name)}")
    report = (out / "report.md").read_text(encoding="utf-8")
    check("unreadable archives are in the report", "broken.zip: cannot be read" in report and "bomb.zip" in report, report)
    check("a name makes no line of the report", "\n- Ann Lee" not in report, report)
    # What platforms import: the same students and points come back.
    with open(out / "moodle.csv", encoding="utf-8", newline="") as f:
        moodle = {r["Identifier"]: r for r in csv.DictReader(f)}
    check("Moodle's columns", moodle["Participant 1001"]["Full name"] == "Ann Lee" and float(moodle["Participant 1001"]["Grade"]) == 2, moodle)
    with open(out / "canvas.csv", encoding="utf-8", newline="") as f:
        canvas = list(csv.DictReader(f))
    check("Canvas's columns", canvas[0]["Student"].strip() == "Points Possible" and any(r["ID"] == "12" and float(r["Exercises"]) == 2 for r in canvas), canvas)
    with open(out / "gradescope.csv", encoding="utf-8", newline="") as f:
        check("Gradescope's columns", sum(float(r["Total Score"]) for r in csv.DictReader(f)) == 2 * sum(s == "DONE" for s in got.values()))


def test_again(t):
    submissions, out = t / "again", t / "again-out"
    put(submissions / "one", RIGHT)
    put(submissions / "two", WRONG)
    grade_class(submissions, out)
    check("a misconception is named", student(out, "two")["misconception"] == "not-inverted", student(out, "two"))
    kept = {p: p.stat().st_mtime_ns for p in (out / "cache").iterdir()}
    grade_class(submissions, out)
    check("nothing is graded twice", kept == {p: p.stat().st_mtime_ns for p in (out / "cache").iterdir()})
    put(submissions / "two", RIGHT)
    r = grade_class(submissions, out)
    check("a changed submission is graded again", statuses(out)["two"] == "DONE", statuses(out))
    check("the difference is printed", "changed: two: 0 -> 2 points: 3.1 WRONG -> DONE" in r.stdout, r.stdout)
    check("the rest is kept", all(p.stat().st_mtime_ns == m for p, m in kept.items()))
    before = (out / "class.csv").read_bytes()
    r = grade_class(submissions, out, CC="no-such-compiler")
    check("no compiler: cannot grade", r.returncode == 97 and "no-such-compiler" in r.stderr, r.stderr)
    check("no compiler: the table stays", (out / "class.csv").read_bytes() == before)
    r = grade_class(submissions, out, STUDENT="one")
    check("STUDENT chooses", list(statuses(out)) == ["one"], statuses(out))
    r = grade_class(t / "nothing", out)
    check("no folder: one line", r.returncode == 1 and r.stderr.count("\n") == 1, r.stderr)
    r = grade_class(submissions, out, EX="9.9")
    check("no exercise: one line", r.returncode == 1 and r.stderr.count("\n") == 1, r.stderr)


def test_same_bytes(t):
    """Many students with one file: their results are written under one key, at the same time."""
    for i in range(40):
        put(t / f"same/{i}", WRONG.replace("-2.0", f"-{2 + i // 2}.0"))
    r = grade_class(t / "same", t / "same-out", JOBS="8")
    check("the same file of many students", r.returncode == 0 and list(statuses(t / "same-out").values()) == ["WRONG"] * 40, said)
    check("nothing half-written is left", not list((t / "same-out").rglob("*.new")))


def test_changed_checker(t):
    """A checker that changed makes its results old: graded on a copy of the tree."""
    tree = t / "tree"
    for name in ("chapters", "tests/exercises", "plots"):
        shutil.copytree(ROOT / name, tree / name, ignore=shutil.ignore_patterns("*.safetensors"))
    (tree / "build/exercises").mkdir(parents=True)
    shutil.copy(BUILD / "exercises/judge", tree / "build/exercises/judge")
    put(t / "checked/one", RIGHT.replace("-2.0", "-2.00001"))

    def run():
        grade_class(t / "checked", t / "checked-out", tree, BUILD=str(tree / "build"))
        return statuses(t / "checked-out")["one"]
    check("outside the tolerance", run() == "WRONG")
    expected = tree / "tests/exercises/3.1/expected.txt"
    expected.write_text(expected.read_text().replace(" 0 1e-06 ", " 0 0.001 "))
    check("a loosened tolerance counts at once", run() == "DONE")


def test_busy_program(t):
    """A program that some process still holds open for writing is run once it is closed, and is no wrong answer."""
    program, log = t / "busy", t / "busy.log"
    program.write_text("#!/bin/sh\nexit 77\n")
    program.chmod(0o755)
    command = [BUILD / "exercises/judge", "--record", "--seconds", "3", "3.1", "title", NAME, program, HERE / "3.1/expected.txt", HERE / "3.1/messages.tsv", log]
    with open(program, "a"):
        judge = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        time.sleep(0.3)
        check("a busy program is waited for", judge.poll() is None)
    out = judge.communicate()[0]
    check("then it is run", judge.returncode == 77 and "NOT STARTED" in out, f"{judge.returncode} {out}")
    program.write_bytes(b"no program")
    r = subprocess.run(command, capture_output=True, text=True)
    check("what cannot be run is no answer", r.returncode == 97, f"{r.returncode} {r.stdout}")


def test_grade(t):
    out = t / "grade"
    r = subprocess.run([sys.executable, str(HERE / "grade.py"), str(out)], capture_output=True, text=True, cwd=ROOT, env={**os.environ, "BUILD": str(BUILD)})
    whole = json.loads((out / "results.json").read_text(encoding="utf-8"))
    check("make grade", r.returncode == 0 and whole["schema"] == 1 and whole["total"] == len(whole["exercises"]) > 0, r.stderr)
    junit = xml.dom.minidom.parse(str(out / "junit.xml"))
    cases = junit.getElementsByTagName("testcase")
    suites = junit.getElementsByTagName("testsuite")
    check("junit.xml counts", len(cases) == whole["total"] == sum(int(s.getAttribute("tests")) for s in suites))
    before = (out / "results.json").read_bytes()
    r = subprocess.run([sys.executable, str(HERE / "grade.py"), str(out)], capture_output=True, text=True, cwd=ROOT, env={**os.environ, "BUILD": str(BUILD), "CC": "no-such-compiler"})
    check("grade without a compiler", r.returncode == 97 and (out / "results.json").read_bytes() == before, r.stderr)


def main():
    if not (BUILD / "exercises/judge").exists():
        sys.exit("test_grader: the judge is not built: make test-grader")
    with tempfile.TemporaryDirectory() as t:
        for test in (test_bad_code, test_names, test_again, test_same_bytes, test_changed_checker, test_busy_program, test_grade):
            try:
                test(Path(t))
            except Exception as problem:  # a table that is not there, say: the grader's own words tell why, and the next test runs
                check(test.__name__, False, f"{problem!r}; the grader that ran last: {said}")
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
