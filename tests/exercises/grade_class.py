#!/usr/bin/env python3
"""make grade-class DIR=submissions: grades a class.

usage: grade_class.py DIR [OUT]      OUT: default $BUILD/class

environment  STUDENT, EX, EXCLUDE    only students whose name contains STUDENT; only, or all but, these exercises (3.1,3.4 or 3)
             JOBS                    how many exercises at a time (default: the processors)

OUT/class.csv          a row a student: points, and the status of every exercise
OUT/moodle.csv, canvas.csv, gradescope.csv   the columns that these import
OUT/students/NAME.json one student's results, as make grade's results.json
OUT/report.md, class.tsv, class.svg          how many did what, and the commonest misconceptions

A result is kept under the hash of the submitted file, the checker, the points, the compiler and this grader; run again,
only what changed is graded. A result that could not be had is NOT GRADED, is no mark, and makes the exit code 97. Tables
are written whole or not at all; when a student's points differ from the table that was there, the difference is printed.
"""
import collections, concurrent.futures, csv, hashlib, io, json, os, re, shutil, subprocess, sys
from pathlib import Path

import grading
import sandbox as sandboxes
import submissions
from grade import summary


def selected(exercises):
    def matches(e, words):
        return any(e.id == w or e.id.split(".")[0] == w for w in words)
    only = [w for w in re.split(r"[ ,]+", os.environ.get("EX", "")) if w]
    without = [w for w in re.split(r"[ ,]+", os.environ.get("EXCLUDE", "")) if w]
    return [e for e in exercises if (not only or matches(e, only)) and not matches(e, without)]


def project_key():
    """What else decides a result: the grader's own files and the compiler."""
    h = hashlib.sha256()
    for name in ("grading.py", "sandbox.py", "grade_class.py"):
        h.update((grading.HERE / name).read_bytes())
    h.update(subprocess.run([grading.compiler(), "--version"], capture_output=True).stdout)
    return h.hexdigest()


class Grader:
    def __init__(self, out, build, exercises, hidden):
        self.exercises = exercises
        self.objects = grading.shared_objects(build, exercises)
        self.judge = Path(build) / "exercises/judge"
        self.cache = out / "cache"
        self.cache.mkdir(parents=True, exist_ok=True)
        self.keys = {e.id: e.checker_key() + project_key() for e in exercises}
        self.box = sandboxes.Sandbox(hidden)

    def grade(self, student, e):
        if e.id not in student.files:
            return grading.result(e, "MISSING", message="no such file was submitted")
        source = grading.normalise(student.files[e.id][1])
        key = hashlib.sha256(self.keys[e.id].encode() + source).hexdigest()
        kept = self.cache / f"{key}.json"
        try:
            return json.loads(kept.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            pass
        try:
            r = sandboxes.grade_one(grading, e, source, self.box, self.objects[e.id], self.judge)
        except Exception as problem:  # whatever it is, it costs no other student the result
            return grading.result(e, "NOT GRADED", message=str(problem) or type(problem).__name__)
        grading.write_whole(kept, json.dumps(r, ensure_ascii=False))
        return r


def progress(n, total, name):
    if sys.stderr.isatty():
        width = 30
        done = width * n // max(total, 1)
        print(f"\r[{'#' * done}{'.' * (width - done)}] {n}/{total} {name[:30]:30}", end="\n" if n == total else "", file=sys.stderr, flush=True)


def safe(cell):
    """A cell that a spreadsheet does not take for a formula."""
    return "'" + cell if isinstance(cell, str) and cell[:1] in "=+-@\t\r" and cell else cell


def table(rows):
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([[safe(c) for c in row] for row in rows])
    return out.getvalue()


def points_of(r):
    return f"{sum(x['points'] for x in r):g}"


def write_tables(out, graded, exercises):
    possible = f"{sum(e.points for e in exercises):g}"
    grading.write_whole(out / "class.csv", table([["student", "points", "points_possible", "done", *[e.id for e in exercises]]] + [
        [s.key, points_of(r), possible, sum(x["status"] == "DONE" for x in r), *[x["status"] for x in r]] for s, r in graded]))
    # A student with a result that could not be had gets an empty grade: an import then changes nothing.
    grade = {s.key: "" if any(x["status"] == "NOT GRADED" for x in r) else points_of(r) for s, r in graded}
    grading.write_whole(out / "moodle.csv", table([["Identifier", "Full name", "Grade", "Maximum Grade"]] + [
        [f"Participant {s.platform_id}" if s.platform_id else "", s.name, grade[s.key], possible] for s, _ in graded]))
    grading.write_whole(out / "canvas.csv", table([["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Exercises"],
                                                   ["    Points Possible", "", "", "", "", possible]] + [[s.name, s.platform_id, "", "", "", grade[s.key]] for s, _ in graded]))
    grading.write_whole(out / "gradescope.csv", table([["Name", "SID", "Email", "Total Score", "Max Points"]] + [
        [s.name, s.platform_id, "", grade[s.key], possible] for s, _ in graded]))


def write_students(out, graded, exercises):
    folder = out / "students"
    folder.mkdir(exist_ok=True)
    for s, r in graded:
        name = re.sub(r"[^\w .()-]", "_", s.key).lstrip(".") or "_"
        whole = {"student": s.key, "id": s.platform_id, "problems": s.problems, "from": {k: v[2] for k, v in s.files.items()}, **summary(r, exercises)}
        grading.write_whole(folder / f"{name}.json", json.dumps(whole, indent=2, ensure_ascii=False) + "\n")


STATES = ["DONE", "WRONG", "CRASH", "TIMEOUT", "TOO MUCH OUTPUT", "BUILD FAILED", "NOT STARTED", "MISSING", "NOT GRADED"]


def write_report(out, graded, exercises, isolation):
    text = [f"# {len(graded)} students, {len(exercises)} exercises", "", f"Isolation of the students' code: {isolation}.", "",
            "| exercise | " + " | ".join(STATES) + " |", "|---" * (len(STATES) + 1) + "|"]
    tsv = ["exercise\tdone\tfailed\topen"]
    wrong = []
    for i, e in enumerate(exercises):
        count = collections.Counter(r[i]["status"] for _, r in graded)
        text.append(f"| {e.id} {e.title} | " + " | ".join(str(count[s] or "") for s in STATES) + " |")
        open_ = count["NOT STARTED"] + count["MISSING"] + count["NOT GRADED"]
        tsv.append(f"{e.id}\t{count['DONE']}\t{len(graded) - count['DONE'] - open_}\t{open_}")
        seen = collections.Counter((r[i]["misconception"], r[i]["message"]) for _, r in graded if r[i]["misconception"])
        wrong += [(n, e, name, message) for (name, message), n in seen.most_common()]
    text += ["", "## The commonest misconceptions", ""]
    text += [f"- {n} × {e.id} {name}: {message}" for n, e, name, message in sorted(wrong, key=lambda w: -w[0])] or ["none was recognised"]
    problems = [f"- {s.key}: {p}" for s, _ in graded for p in s.problems]
    if problems:
        text += ["", "## What could not be read", "", *problems]
    not_graded = [f"- {s.key}, {x['id']}: {x['message']}" for s, r in graded for x in r if x["status"] == "NOT GRADED"]
    if not_graded:
        text += ["", "## Not graded (no mark was given)", "", *not_graded]
    grading.write_whole(out / "report.md", "\n".join(text) + "\n")
    grading.write_whole(out / "class.tsv", "\n".join(tsv) + "\n")
    if shutil.which("gnuplot"):
        quote = lambda p: str(p).replace("'", "''")
        subprocess.run(["gnuplot", "-e", f"data='{quote(out)}'; output_kind='svg'; output_file='{quote(out / 'class.new.svg')}'",
                        "plots/style.gp", "tests/exercises/class.gp"], stdin=subprocess.DEVNULL, cwd=grading.ROOT)
        if (out / "class.new.svg").exists():
            (out / "class.new.svg").replace(out / "class.svg")
    else:
        print("grade-class: no gnuplot, so no class.svg")


def old_points(out):
    try:
        with open(out / "class.csv", encoding="utf-8", newline="") as f:
            return {row["student"]: row for row in csv.DictReader(f)}
    except OSError:
        return {}


def print_changes(old, graded, exercises):
    for s, r in graded:
        before = old.get(safe(s.key))
        if before is None:
            continue
        changes = [f"{e.id} {before[e.id]} -> {x['status']}" for e, x in zip(exercises, r) if e.id in before and before[e.id] != x["status"]]
        if changes:
            print(f"changed: {s.key}: {before['points']} -> {points_of(r)} points: {', '.join(changes)}")


def main():
    if len(sys.argv) < 2 or not Path(sys.argv[1]).is_dir():
        sys.exit(f"grade-class: DIR={sys.argv[1] if len(sys.argv) > 1 else ''}: is no folder of submissions")
    directory, build = Path(sys.argv[1]).resolve(), Path(os.environ.get("BUILD", "build")).resolve()
    out = (Path(sys.argv[2]) if len(sys.argv) > 2 else build / "class").resolve()
    exercises = selected(grading.manifest())
    students = [s for s in submissions.find(directory, exercises) if os.environ.get("STUDENT", "").lower() in s.key.lower()]
    if not students or not exercises:
        sys.exit(f"grade-class: {directory}: no student or no exercise is left to grade")
    out.mkdir(parents=True, exist_ok=True)
    grader = Grader(out, build, exercises, [grading.ROOT, directory, out, build])
    print(f"{len(students)} students, {len(exercises)} exercises; isolation: {grader.box.isolation()}")
    graded, old = [], old_points(out)
    try:
        with concurrent.futures.ThreadPoolExecutor(int(os.environ.get("JOBS") or os.cpu_count() or 1)) as pool:
            waiting = [(s, [pool.submit(grader.grade, s, e) for e in exercises]) for s in students]
            try:
                for n, (s, tasks) in enumerate(waiting):
                    progress(n, len(students), s.key)
                    graded.append((s, [t.result() for t in tasks]))
            except KeyboardInterrupt:
                pool.shutdown(wait=True, cancel_futures=True)
                sys.exit("\ngrade-class: interrupted; run again to go on, what is finished is kept")
        progress(len(students), len(students), "")
    finally:
        grader.box.close()
    write_tables(out, graded, exercises)
    write_students(out, graded, exercises)
    write_report(out, graded, exercises, grader.box.isolation())
    print_changes(old, graded, exercises)
    print(f"{out}/class.csv, {out}/report.md")
    if any(x["status"] == "NOT GRADED" for _, r in graded for x in r):
        print("grade-class: some results could not be had; the report lists them", file=sys.stderr)
        sys.exit(97)


if __name__ == "__main__":
    try:
        main()
    except (grading.CannotGrade, OSError) as problem:
        print(f"grade-class: cannot grade: {problem}", file=sys.stderr)
        sys.exit(97)
