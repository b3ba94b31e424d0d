#!/usr/bin/env python3
"""Proves the exercises, or generates their expected values.

usage: check_exercises.py [ID…]              check these (none: all); last line: N passed, M failed
       check_exercises.py --generate [ID…]   write tests/exercises/ID/expected.txt

For every exercise: the shipped file is the stub and is NOT STARTED; at least two solutions pass at -O0, at -O2 and under
the sanitizers, with gcc and clang; at least three wrong answers fail and are named; the generic wrong answers (zeros,
NaN, nothing written, the input, a constant, a write outside, a crash, an endless loop) fail with the right state; every
message is there in English and Chinese, and the section it names is a heading of the chapter's README.

environment: BUILD (build), CC (the reader's compiler; both gcc and clang are used where they are installed)
"""
import concurrent.futures, csv, os, re, shutil, subprocess, sys, tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HERE = ROOT / "tests/exercises"
BUILD = ROOT / os.environ.get("BUILD", "build")
JUDGE = BUILD / "exercises/judge"
HARNESS = HERE / "harness"
SANITIZE = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
GENERIC = {"ZEROS": "WRONG", "NAN": "WRONG", "UNWRITTEN": "WRONG", "INPUT": "WRONG", "CONSTANT": "WRONG",
           "OUTSIDE": "WRONG", "CRASH": "CRASH", "LOOP": "TIMEOUT"}
COMPILERS = [c for c in ("gcc", "clang") if shutil.which(c)] or [os.environ.get("CC", "cc")]


class Exercise:
    def __init__(self, row):
        self.id, self.points, self.kind = row["id"], row["points"], row["kind"]
        self.title, self.title_zh = row["title"], row["title_zh"]
        self.chapter = ROOT / "chapters" / row["chapter"]
        self.shipped = self.chapter / "exercises" / f"{row['id']}-{row['name']}.c"
        self.folder = HERE / row["id"]
        self.solutions = sorted(self.folder.glob("solution-*.c"))
        self.wrong = sorted(self.folder.glob("wrong/*.c"))


def manifest():
    with open(HERE / "exercises.tsv", encoding="utf-8", newline="") as f:
        return [Exercise(row) for row in csv.DictReader(f, delimiter="\t", quoting=csv.QUOTE_NONE)]


def build(e, source, out, compiler, flags, generic=None):
    """Links source with the exercise's cases and the harness. Returns the compiler's words, None when all went well."""
    common = [compiler, "-std=c11", "-g", "-D_POSIX_C_SOURCE=200809L", *flags]
    r = subprocess.run([*common, "-iquote", str(e.chapter / "exercises"), "-iquote", str(HARNESS),
                        *([f"-DEX_GENERIC_{generic}"] if generic else []), "-o", str(out), str(source),
                        str(e.folder / "cases.c"), str(HARNESS / "child.c"), "-lm"], capture_output=True, text=True)
    return None if r.returncode == 0 else r.stderr


def judge(e, child, seconds="2", sanitized=False):
    """(state, misconception) of a built child."""
    r = subprocess.run([str(JUDGE), "--record", "--seconds", seconds, *(["--sanitized"] if sanitized else []), e.id, e.title, str(e.shipped), str(child),
                        str(e.folder / "expected.txt"), str(e.folder / "messages.tsv"), "/dev/null"],
                       capture_output=True, text=True, env={**os.environ, "ASAN_OPTIONS": "detect_leaks=0"})
    part = r.stdout.rstrip("\n").split("\t")
    return (part[1], part[4]) if len(part) == 6 else ("NO RECORD", r.stderr.strip())


def messages(e):
    rows = {}
    for line in (e.folder / "messages.tsv").read_text(encoding="utf-8").splitlines():
        part = line.split("\t")
        rows[part[0], part[1]] = (part + [""] * 5)[2:5]
    return rows


def headings(e):
    return {re.sub(r"^#+\s*", "", l).strip() for l in (e.chapter / "README.md").read_text(encoding="utf-8").splitlines() if l.startswith("#")}


def check_messages(e):
    rows, bad = messages(e), []
    known = headings(e) if (e.chapter / "README.md").exists() else None
    for name in [w.stem for w in e.wrong]:
        for language in ("en", "zh"):
            did, right, section = rows.get((name, language), ("", "", ""))
            if not (did and right and section):
                bad.append(f"messages.tsv: {name} ({language}) is missing or has an empty column")
                continue
            quoted = re.search(r"['\"“](.+)['\"”]", section)
            if known is not None and (not quoted or quoted[1] not in known):
                bad.append(f"messages.tsv: {name} ({language}): {section} is no heading of the chapter's README")
    hints = [n for n, l in rows if l == "en" and re.fullmatch(r"hint\d+", n)]
    if len(hints) < 3:
        bad.append("messages.tsv: fewer than three hints")
    for n, l in rows:
        if n not in {w.stem for w in e.wrong} and not re.fullmatch(r"hint\d+", n):
            bad.append(f"messages.tsv: {n} belongs to no wrong answer")
        if l == "en" and (n, "zh") not in rows or l == "zh" and (n, "en") not in rows:
            bad.append(f"messages.tsv: {n} is in one language only")
    if not e.title_zh:
        bad.append("exercises.tsv: no Chinese title")
    if "EXERCISE_TODO" not in (e.folder / "stub.c").read_text(encoding="utf-8"):
        bad.append("stub.c: no EXERCISE_TODO")
    return bad


def check(e):
    """(number of checks, list of failures)."""
    n, bad = 0, []

    def expect(ok, text):
        nonlocal n
        n += 1
        if not ok:
            bad.append(f"{e.id}: {text}")
    expect(e.shipped.exists() and e.shipped.read_bytes() == (e.folder / "stub.c").read_bytes(), f"{e.shipped.name} is not the stub")
    expect(len(e.solutions) >= 2, "fewer than two solutions")
    expect(len(e.wrong) >= 3, "fewer than three wrong answers")
    for text in check_messages(e):
        expect(False, text)
    n += 1
    with tempfile.TemporaryDirectory() as t:
        child = Path(t) / "child"

        def run(what, source, compiler, flags, state, name="", generic=None, seconds="2"):
            error = build(e, source, child, compiler, flags, generic)
            got = ("BUILD FAILED", error[:400]) if error else judge(e, child, seconds, flags[1:] == SANITIZE)
            expect(got == (state, name) or (generic and got[0] == state), f"{what} ({compiler} {' '.join(flags)}): {got[0]} {got[1]}, expected {state} {name}")
        run("the stub", e.folder / "stub.c", COMPILERS[0], ["-O1"], "NOT STARTED")
        for s in e.solutions:
            for c in COMPILERS:
                for flags in (["-O0"], ["-O2", "-Wall", "-Wextra", "-Werror"], ["-O1", *SANITIZE]):
                    run(s.name, s, c, flags, "DONE", seconds="10")
        for w in e.wrong:
            run(f"wrong/{w.name}", w, COMPILERS[0], ["-O1"], "WRONG", w.stem)
        for generic, state in GENERIC.items():
            run(f"generic {generic}", e.solutions[0], COMPILERS[0], ["-O1"], state, generic=generic, seconds="0.3" if generic == "LOOP" else "2")
    return n, bad


def generate(e):
    with tempfile.TemporaryDirectory() as t:
        child, text = Path(t) / "child", ""
        for name, source in [("solution", e.solutions[0])] + [(w.stem, w) for w in e.wrong]:
            error = build(e, source, child, COMPILERS[0], ["-O1"])
            if error:
                sys.exit(f"{e.id}: {source.name} does not compile:\n{error}")
            r = subprocess.run([str(JUDGE), "--capture", name, str(child)], capture_output=True, text=True)
            if r.returncode:
                sys.exit(f"{e.id}: {source.name}: {r.stderr}")
            text += r.stdout
    new = e.folder / "expected.txt.new"
    new.write_text(text, encoding="utf-8")
    new.replace(e.folder / "expected.txt")
    print(f"{e.id}: expected.txt, {len(e.wrong) + 1} variants")


def main():
    arguments = sys.argv[1:]
    generating = "--generate" in arguments
    ids = [a for a in arguments if not a.startswith("--")]
    chosen = [e for e in manifest() if not ids or e.id in ids]
    if not chosen:
        sys.exit(f"no such exercise: {' '.join(ids)}")
    if not JUDGE.exists():
        sys.exit(f"{JUDGE} is not built: make check-exercises")
    if generating:
        for e in chosen:
            generate(e)
        return
    passed = failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for e, (n, bad) in zip(chosen, pool.map(check, chosen)):
            passed, failed = passed + n - len(bad), failed + len(bad)
            print(f"  {e.id:6} {e.title:44} {n - len(bad)} of {n}")
            for text in bad:
                print(f"    {text}")
    wrong = sum(len(e.wrong) for e in chosen)
    print(f"{len(chosen)} exercises, {wrong} misconceptions, compilers: {', '.join(COMPILERS)}")
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
