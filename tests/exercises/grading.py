"""What make grade and make grade-class share: the manifest, building and judging one exercise, and the key of a result.

A result is a dictionary:
    id, title, kind     from exercises.tsv
    status              DONE | NOT STARTED | WRONG | CRASH | TIMEOUT | TOO MUCH OUTPUT | BUILD FAILED | MISSING | NOT GRADED
    points, points_possible
    cases_right, cases  how many cases of the exercise were right
    misconception       name of the known wrong answer that was recognised, or ""
    message             what the student did, in English, or the compiler's first error, or ""
"""
import csv, hashlib, os, re, shutil, subprocess, threading
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HERE = ROOT / "tests/exercises"
HARNESS = HERE / "harness"
SCHEMA = 1
NEVER_PASS = ("NOT GRADED", "MISSING")


class CannotGrade(Exception):
    """The fault is not a student's: no compiler, no judge, a broken exercise. Never turned into a mark."""


class Exercise:
    def __init__(self, row):
        self.id, self.name, self.kind, self.title = row["id"], row["name"], row["kind"], row["title"]
        self.points = float(row["points"])
        self.chapter = ROOT / "chapters" / row["chapter"]
        self.file_name = f"{row['id']}-{row['name']}.c"
        self.shipped = self.chapter / "exercises" / self.file_name
        self.folder = HERE / row["id"]

    def checker_key(self):
        """Hash of all that decides the result, but for the submission: tests, harness, headers, points, this program."""
        h = hashlib.sha256(f"{SCHEMA} {self.points}".encode())
        files = [self.folder / n for n in ("cases.c", "expected.txt", "messages.tsv", "stub.c")]
        files += sorted(HARNESS.glob("*.[ch]")) + [self.chapter / "exercises/exercises.h", ROOT / "chapters/exercise.h", Path(__file__)]
        for f in files:
            h.update(f.name.encode() + b"\0" + f.read_bytes() + b"\0")
        return h.hexdigest()


def manifest():
    with open(HERE / "exercises.tsv", encoding="utf-8", newline="") as f:
        return [Exercise(row) for row in csv.DictReader(f, delimiter="\t", quoting=csv.QUOTE_NONE)]


def compiler():
    cc = os.environ.get("CC") or "cc"
    if not shutil.which(cc):
        raise CannotGrade(f"the compiler '{cc}' is not installed; make deps installs one")
    return cc


def normalise(data):
    """A submission's bytes as the compiler should see them: no BOM, LF line ends, UTF-8 (Latin-1 where it is not)."""
    data = data.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        data = data.decode("latin-1").encode("utf-8")
    return data if data.endswith(b"\n") else data + b"\n"


def result(e, status, cases_right=0, cases=0, misconception="", message=""):
    done = status == "DONE"
    return {"id": e.id, "title": e.title, "kind": e.kind, "status": status, "points": e.points if done else 0,
            "points_possible": e.points, "cases_right": cases_right, "cases": cases, "misconception": misconception, "message": message}


def first_error(log):
    for line in log.splitlines():
        if re.search(r"error:|multiple definition|undefined reference", line):
            return line.strip()[:300]
    return (log.strip().splitlines() or ["the compiler gave no message"])[0][:300]


def shared_objects(build, exercises):
    """Compiles each exercise's cases and the harness once, as trusted code. Returns {id: [objects]}."""
    cc, out = compiler(), Path(build) / "grading"
    out.mkdir(parents=True, exist_ok=True)
    flags = ["-std=c11", "-O1", "-g", "-D_POSIX_C_SOURCE=200809L"]

    def compile_one(source, target, *more):
        r = subprocess.run([cc, *flags, *more, "-c", "-o", str(target), str(source)], capture_output=True, text=True)
        if r.returncode:
            raise CannotGrade(f"{source}: does not compile: {first_error(r.stderr)}")
        return target
    child = compile_one(HARNESS / "child.c", out / "child.o")
    return {e.id: [compile_one(e.folder / "cases.c", out / f"cases-{e.id}.o", "-iquote", str(e.chapter / "exercises"), "-iquote", str(HARNESS)), child]
            for e in exercises}


def judge(e, child, log, judge_program):
    """Runs the judge on a built child and reads its record. Anything but a whole record is CannotGrade."""
    r = subprocess.run([str(judge_program), "--record", "--signals-as-codes", "--seconds", "3", e.id, e.title, e.file_name, str(child), str(e.folder / "expected.txt"),
                        str(e.folder / "messages.tsv"), str(log)], capture_output=True, stdin=subprocess.DEVNULL)
    part = r.stdout.decode("utf-8", "replace").rstrip("\n").split("\t")
    if len(part) != 6 or part[0] != e.id or part[1] == "CANNOT CHECK" or (part[1] == "DONE") != (r.returncode == 0):
        raise CannotGrade(f"exercise {e.id}: the judge could not work: {r.stderr.decode('utf-8', 'replace').strip()[:300]}")
    return result(e, part[1], int(part[2]), int(part[3]), part[4], part[5])


def write_whole(path, text):
    """Writes a file so that it is either the old or the new one, never half. Two may write the same at once, as for two
    students who submitted the same bytes: each has a file of its own, and the last one stays."""
    new = Path(f"{path}.{os.getpid()}.{threading.get_ident()}.new")
    with open(new, "w", encoding="utf-8", newline="") as f:
        f.write(text)
        f.flush()
        os.fsync(f.fileno())
    new.replace(path)
