#!/usr/bin/env python3
"""A disk without room: no student is given a mark for it, and earlier results stay.

usage: test_full_disk.py FOLDER     an empty file system of a few hundred kilobytes     last line: N passed, M failed
"""
import errno, os, re, subprocess, sys, tempfile
from pathlib import Path

import grading
import sandbox as sandboxes

results = []


def check(name, ok, detail=""):
    results.append(bool(ok))
    if not ok:
        print(f"FAILED: {name} {detail}")


def fill(folder, leave):
    """Takes all room but for leave bytes."""
    hole, ballast = folder / "hole", folder / "ballast"
    ballast.unlink(missing_ok=True)
    hole.write_bytes(bytes(leave))
    with open(ballast, "wb", buffering=0) as f:
        try:
            while f.write(bytes(4096)):
                pass
        except OSError as problem:
            check("the disk is full", problem.errno == errno.ENOSPC, problem)
    hole.unlink()


def grade(e, source, objects, judge):
    """The status, or "no room"."""
    box = sandboxes.Sandbox([])
    try:
        return sandboxes.grade_one(grading, e, source, box, objects, judge)["status"]
    except (grading.CannotGrade, OSError) as problem:
        return "no room" if "No space left" in str(problem) else str(problem)
    finally:
        box.close()


def build_one(e, build):
    """What a student's own build comes to."""
    environment = {**os.environ, "BUILD": str(build), "CC": os.environ.get("CC", "cc")}
    r = subprocess.run(["sh", "tests/exercises/build.sh", e.id], env=environment, cwd=grading.ROOT, capture_output=True, text=True)
    if r.returncode == 0:
        return "DONE" if (build / "exercises" / e.id / "child").exists() else "BUILD FAILED"
    return "no room" if r.returncode == 97 and re.search("[Nn]o (room|space) left", r.stderr) else r.stderr


def main():
    small, build = Path(sys.argv[1]), Path(os.environ["BUILD"]).resolve()
    e = grading.manifest()[0]
    solution = sorted(e.folder.glob("solution-*.c"))[0].read_bytes()
    objects = grading.shared_objects(build / "full-disk", [e])[e.id]
    kept = small / "results.json"
    grading.write_whole(kept, "old")
    tempfile.tempdir = str(small)
    seen = set()
    for leave in (8, 24, 40, 56, 72, 96, 130, 180):  # the source, the object, the program: each is the first not to fit
        fill(small, leave << 10)
        status = grade(e, solution, objects, build / "exercises/judge")
        check(f"graded with {leave} kB", status in ("no room", "DONE"), status)
        built = build_one(e, small / "build")
        check(f"built with {leave} kB", built in ("no room", "DONE"), built)
        seen |= {status, built}
        subprocess.run(["rm", "-rf", str(small / "build")])
    check("the sizes were well chosen", seen == {"no room", "DONE"}, seen)
    fill(small, 8 << 10)
    try:
        grading.write_whole(kept, "new" * (1 << 20))
        check("no room for results", False)
    except OSError as problem:
        check("results that do not fit", problem.errno == errno.ENOSPC, problem)
    check("earlier results stay", kept.read_text() == "old")
    print(f"{sum(results)} passed, {len(results) - sum(results)} failed")
    sys.exit(not all(results))


if __name__ == "__main__":
    main()
