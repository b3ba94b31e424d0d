#!/usr/bin/env python3
"""make handout: the tree for students, as a .tar.gz that builds and tests by itself.

usage: handout.py OUT.tar.gz

Left out: solutions, wrong answers, anything that only a teacher runs, and from messages.tsv what is right (a student sees
what they did and which section explains it). Kept: stubs, cases, expected values (the checks need them), hints.
Exercise files are taken as they were handed out, not as they stand in this tree.
"""
import gzip, io, os, subprocess, sys, tarfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HERE = "tests/exercises/"
TEACHER = ("check_exercises.py", "grade_class.py", "submissions.py", "handout.py", "class.gp", "ci/", "test_class", "README.md")


def tracked():
    r = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True)
    if r.returncode == 0 and r.stdout:
        return sorted(n.decode() for n in r.stdout.split(b"\0") if n)
    skip = ("build/", ".git/", "models/")
    return sorted(str(p.relative_to(ROOT)) for p in ROOT.rglob("*") if p.is_file() and not str(p.relative_to(ROOT)).startswith(skip))


def content(name):
    """The file's bytes in the handout, None when it stays here."""
    path = ROOT / name
    if not path.is_file() or name.startswith(".ci/") or name.startswith(HERE) and (
            name[len(HERE):].startswith(TEACHER) or "/solution-" in name or "/wrong/" in name):
        return None
    data = path.read_bytes()
    if name.startswith(HERE) and name.endswith("/messages.tsv"):
        rows = [line.split("\t") for line in data.decode("utf-8").splitlines()]
        return "".join("\t".join([*r[:3], "", *r[4:5]]) + "\n" for r in rows).encode("utf-8")
    return data


def handed_out():
    """chapters/…/exercises/3.1-….c -> the stub's bytes."""
    rows = [line.split("\t") for line in (ROOT / HERE / "exercises.tsv").read_text(encoding="utf-8").splitlines()[1:]]
    return {f"chapters/{r[1]}/exercises/{r[0]}-{r[2]}.c": (ROOT / HERE / r[0] / "stub.c").read_bytes() for r in rows}


def main():
    out = Path(sys.argv[1])
    stubs, n = handed_out(), 0
    out.parent.mkdir(parents=True, exist_ok=True)
    new = Path(f"{out}.new")
    with open(new, "wb") as raw, gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0) as zipped, tarfile.open(mode="w", fileobj=zipped) as tar:
        for name in tracked():
            data = stubs.get(name, content(name))
            if data is None:
                continue
            info = tarfile.TarInfo(f"{out.name.removesuffix('.tar.gz')}/{name}")
            info.size, info.mode = len(data), 0o755 if os.access(ROOT / name, os.X_OK) else 0o644
            tar.addfile(info, io.BytesIO(data))
            n += 1
    os.replace(new, out)
    print(f"{out}: {n} files, {out.stat().st_size} bytes")


if __name__ == "__main__":
    main()
