#!/usr/bin/env python3
"""make grade: the exercises in this tree, as results.json and junit.xml.

usage: grade.py [OUT_FOLDER]      default $BUILD/grade

results.json
    {"schema": 1, "checker": "<hash of tests and points>", "points": 12, "points_possible": 80, "done": 7, "total": 52,
     "exercises": [{"id": "3.1", "title": …, "kind": "write", "status": "DONE", "points": 2, "points_possible": 2,
                    "cases_right": 6, "cases": 6, "misconception": "", "message": ""}, …]}
junit.xml
    one testsuite per chapter, one testcase per exercise: NOT STARTED is skipped, DONE passes, the rest fails.

Both are written when all exercises are graded, or not at all: a run that cannot grade (no compiler, a broken checker)
exits with 97, says why, and leaves earlier results as they were.
"""
import hashlib, json, os, sys
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

import grading
import sandbox as sandboxes


def xml_text(text):
    """Without the control characters that XML cannot hold."""
    return "".join(c if c in "\n\t" or ord(c) >= 0x20 and ord(c) not in (0xfffe, 0xffff) else "?" for c in text)


def junit(results):
    chapters = {}
    for r in results:
        chapters.setdefault(r["id"].split(".")[0], []).append(r)
    out = ['<?xml version="1.0" encoding="UTF-8"?>', '<testsuites name="exercises">']
    for chapter, rows in chapters.items():
        failures = sum(r["status"] not in ("DONE", "NOT STARTED") for r in rows)
        skipped = sum(r["status"] == "NOT STARTED" for r in rows)
        out.append(f'  <testsuite name="chapter {chapter}" tests="{len(rows)}" failures="{failures}" errors="0" skipped="{skipped}">')
        for r in rows:
            head = f'    <testcase classname="chapter{chapter}" name={quoteattr(r["id"] + " " + r["title"])}'
            if r["status"] == "DONE":
                out.append(head + "/>")
            elif r["status"] == "NOT STARTED":
                out.append(head + '><skipped message="not started"/></testcase>')
            else:
                text = r["message"] or f"{r['cases_right']} of {r['cases']} cases are right"
                out.append(head + f'><failure message={quoteattr(r["status"])}>{escape(xml_text(text))}</failure></testcase>')
        out.append("  </testsuite>")
    return "\n".join(out + ["</testsuites>", ""])


def summary(results, exercises):
    key = hashlib.sha256("".join(e.checker_key() for e in exercises).encode()).hexdigest()
    return {"schema": grading.SCHEMA, "checker": key, "points": sum(r["points"] for r in results), "points_possible": sum(r["points_possible"] for r in results),
            "done": sum(r["status"] == "DONE" for r in results), "total": len(results), "exercises": results}


def main():
    build = Path(os.environ.get("BUILD", "build"))
    out = Path(sys.argv[1]) if len(sys.argv) > 1 else build / "grade"
    exercises = grading.manifest()
    objects = grading.shared_objects(build, exercises)
    box = sandboxes.Sandbox([])
    try:
        results = []
        for e in exercises:
            if not e.shipped.exists():
                results.append(grading.result(e, "MISSING", message=f"{e.file_name} is not there"))
            else:
                results.append(sandboxes.grade_one(grading, e, grading.normalise(e.shipped.read_bytes()), box, objects[e.id], build / "exercises/judge"))
    finally:
        box.close()
    whole = summary(results, exercises)
    out.mkdir(parents=True, exist_ok=True)
    grading.write_whole(out / "results.json", json.dumps(whole, indent=2, ensure_ascii=False) + "\n")
    grading.write_whole(out / "junit.xml", junit(results))
    print(f"{whole['done']} of {whole['total']} done, {whole['points']:g} of {whole['points_possible']:g} points: {out}/results.json, {out}/junit.xml")


if __name__ == "__main__":
    try:
        main()
    except (grading.CannotGrade, OSError) as problem:
        print(f"grade: cannot grade: {problem}", file=sys.stderr)
        sys.exit(97)
