#!/usr/bin/env python3
"""Students' archives: zip and tar files made up at random and then damaged, read as make grade-class reads them.

usage: archives.py --time 60 [--counts FILE]   make up archives for a while; what breaks goes to regressions/archives
       archives.py                             those once more, and 300 made up from fixed seeds: for make test
       archives.py --lines                     the share of submissions.py's lines that read_archive and below reach
last line: "N passed, M failed"

Whatever the bytes are: nothing but a problem in the student's report comes out, every file that is taken is an exercise of
the manifest within the size limit, nothing is written anywhere, and it is done in seconds.
"""
import hashlib, io, os, random, re, struct, sys, tarfile, tempfile, time, traceback, warnings, zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOUND = ROOT / "tests/fuzz/regressions/archives"
sys.path.insert(0, str(ROOT / "tests/exercises"))
sys.dont_write_bytecode = True
import grading, submissions  # noqa: E402

LIMIT_SECONDS = 10  # of processor time for one archive, which may unpack to a few times MAX_TOTAL
FINDER = submissions.Finder(grading.manifest())
NAMES = sorted(FINDER.names)


def member_name(r):
    """Mostly a student's file, in one of the spellings that platforms make of it, or a name that wants to get out."""
    identity = FINDER.names[name := r.choice(NAMES)]
    base = r.choice([f"{identity}-{name}.c", f"{identity}-{name}-{r.randint(0, 12)}.c", f"{identity}-{name} ({r.randint(0, 3)}).c",
                     f"doejane_1_2_{identity}-{name}.C", f"{identity}-{name}.c.txt", f"._{identity}-{name}.c", "inner.zip", "inner.tar.gz", "x", ""])
    return r.choice(["", "", "", "a/b/", "../../", "/", "C:\\", "a\\", "\N{SNOWMAN}/", "x" * 300 + "/", "\0", "\n- ", "\udc80"]) + base


def content(r, depth):
    if depth < 3 and r.random() < 0.2:
        return archive(r, depth + 1)
    if r.random() < 0.03:
        return b"/" * r.choice([submissions.MAX_FILE, submissions.MAX_FILE + 1, 1 << 21])
    return r.randbytes(r.randint(0, 60))


def make_zip(r, depth):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as z:
        for _ in range(r.choice([0, 1, 1, 2, 3, 5])):
            info = zipfile.ZipInfo(member_name(r).replace("\udc80", "?"), (r.choice([1980, 2024, 2107]), r.randint(1, 12), r.randint(1, 28), r.randint(0, 23), 0, 0))
            info.compress_type = r.choice([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
            info.external_attr = r.choice([0, 0o100644, 0o120777, 0o40755, 0o10644]) << 16
            z.writestr(info, content(r, depth))
        z.comment = r.randbytes(r.choice([0, 0, 5]))
    return out.getvalue()


def make_tar(r, depth):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode=r.choice(["w", "w:gz", "w:bz2", "w:xz"]),
                      format=r.choice([tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])) as t:
        for _ in range(r.choice([0, 1, 1, 2, 3, 5])):
            info = tarfile.TarInfo(member_name(r))
            info.type = r.choice([tarfile.REGTYPE] * 5 + [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.DIRTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE])
            info.linkname = r.choice(["", "/etc/passwd", NAMES[0]])
            info.mtime = r.choice([0, 1700000000, -1, 1 << 33])
            data = content(r, depth) if info.isreg() else b""
            info.size = len(data)
            try:
                t.addfile(info, io.BytesIO(data))
            except ValueError:
                pass  # a name or a time that this format cannot hold
    return out.getvalue()


def archive(r, depth=0):
    return make_zip(r, depth) if r.random() < 0.5 else make_tar(r, depth)


def damage(r, data):
    """Some bytes changed: anywhere, or in the headers, where sizes, offsets, methods and flags stand."""
    data = bytearray(data)
    for _ in range(r.choice([0, 1, 1, 2, 4, 8])):
        if not data:
            break
        marks = [m.start() for m in re.finditer(rb"PK(?:\x01\x02|\x03\x04|\x05\x06|\x06\x06|\x06\x07)|ustar|\x1f\x8b|BZh|\xfd7zXZ", data)]
        at = r.choice(marks) + r.randint(-260, 46) if marks and r.random() < 0.7 else r.randrange(len(data))
        at = min(max(at, 0), len(data) - 1)
        kind = r.randrange(6)
        if kind == 0:
            data[at] ^= 1 << r.randrange(8)
        elif kind == 1:
            data[at:at + 4] = struct.pack("<I", r.choice([0, 1, 0xff, 0xffff, 0x7fffffff, 0xffffffff, len(data)]))
        elif kind == 2:
            data[at:at + 2] = r.randbytes(2)
        elif kind == 3:
            del data[at:at + r.randint(1, 40)]
        elif kind == 4:
            data[at:at] = data[at:at + r.randint(1, 600)]
        else:
            data[at:at + 12] = r.choice([b"77777777777\0", b"\x80" + b"\xff" * 11, b"-0000000001\0", b"           \0"])
    return bytes(data)


def signature(student):
    """What happened, without names and numbers: a new one makes the archive worth changing further."""
    return tuple(sorted(re.sub(r"[0-9]+|'.*'|\".*\"|0x\w+", "", p.split(": ", 1)[-1])[:80] for p in student.problems)), min(len(student.files), 3)


def one_line(text):
    """Whether the report can hold it as one line."""
    return text.splitlines() == [text] and len(text) <= 1500 and not re.search("[\ud800-\udfff]", text)


def check(data):
    """(signature, None) or (None, what went wrong)."""
    student, start = submissions.Student("s", "s"), time.process_time()
    try:
        FINDER.read_archive(student, data, "s.zip")
    except Exception:  # whatever it is, grade-class would have ended
        return None, traceback.format_exc()
    if time.process_time() - start > LIMIT_SECONDS:
        return None, f"took {time.process_time() - start:.1f} s"
    for identity, (_, taken, where) in student.files.items():
        if identity not in FINDER.names.values() or len(taken) > submissions.MAX_FILE or not one_line(where):
            return None, f"{where!r}: taken as {identity}, {len(taken)} bytes"
    for problem in student.problems:
        if not one_line(problem):
            return None, f"problem {problem!r}"
    return signature(student), None


def fuzz(seconds, counts):
    r, pool, seen, runs, failed = random.Random(os.urandom(8)), [], set(), 0, 0
    end, cpu = time.time() + seconds, time.process_time()
    while time.time() < end:
        data = damage(r, r.choice(pool) if pool and r.random() < 0.7 else archive(r))
        happened, wrong = check(data)
        runs += 1
        if wrong:
            failed += 1
            FOUND.mkdir(parents=True, exist_ok=True)
            (FOUND / hashlib.sha256(data).hexdigest()[:16]).write_bytes(data)
            print(wrong.rstrip())
        elif happened not in seen and len(data) < 20000:
            seen.add(happened)
            pool.append(data)
    cpu = time.process_time() - cpu
    print(f"  {'archives':20} {runs:10} runs, {cpu:6.1f} s, {len(seen):5} outcomes")
    if counts:
        with open(counts, "a", encoding="utf-8") as f:
            f.write(f"archives\t{runs}\t{cpu:.2f}\n")
    return runs - failed, failed


def fixed():
    yield from (p.read_bytes() for p in sorted(FOUND.glob("*")))
    for seed in range(300):
        r = random.Random(seed)
        yield damage(r, archive(r))


def run_fixed():
    passed = failed = 0
    for i, data in enumerate(fixed()):
        _, wrong = check(data)
        passed, failed = passed + (not wrong), failed + bool(wrong)
        if wrong:
            print(f"input {i}: {wrong.rstrip()}")
    return passed, failed


def lines():
    """(reached, all) of the functions between take and members: those that see an archive."""
    file, reached = submissions.__file__, set()

    def note(frame, event, _):
        if frame.f_code.co_filename != file:
            return None
        reached.add(frame.f_lineno)
        return note

    sys.settrace(note)
    for data in fixed():
        check(data)
    sys.settrace(None)
    wanted, stack = set(), [getattr(submissions.Finder, n).__code__ for n in ("exercise_of", "take", "read_archive", "members")]
    while stack:
        code = stack.pop()
        wanted |= {line for _, _, line in code.co_lines() if line and line != code.co_firstlineno}
        stack += [c for c in code.co_consts if hasattr(c, "co_lines")]
    return len(wanted & reached), len(wanted)


def main(arguments):
    counts = Path(arguments[3]).resolve() if len(arguments) > 3 else None
    warnings.simplefilter("ignore")  # zipfile warns of names that come twice
    with tempfile.TemporaryDirectory() as empty:
        os.chdir(empty)
        if arguments == ["--lines"]:
            reached, total = lines()
            print(f"{100 * reached / total:.1f} % {reached} of {total}")
            return True
        if arguments:
            passed, failed = fuzz(float(arguments[1]), counts)
        else:
            passed, failed = run_fixed()
        written = os.listdir(empty)
        os.chdir(ROOT)
    failed += bool(written)
    if written:
        print(f"written: {written}")
    print(f"{passed} passed, {failed} failed")
    return failed == 0


if __name__ == "__main__":
    sys.exit(0 if main(sys.argv[1:]) else 1)
