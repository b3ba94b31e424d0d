#!/usr/bin/env python3
"""Hostile submissions: archives that were changed at random, bombs, names that lead elsewhere, folders of any depth.

usage: test_submissions.py       last line: N passed, M failed

Nothing may be written, nothing outside the archive may be read, no archive may end the run: what cannot be read becomes
a line in the report, and the other students are graded.
"""
import bz2, gzip, io, lzma, os, random, resource, subprocess, sys, tarfile, tempfile, time, zipfile
from pathlib import Path

import grade_class, grading, submissions

MEMORY = 1 << 30
results = []
exercises = grading.manifest()
NAME = exercises[0].file_name
SECRET = b"/* not the student's */"


def check(name, ok, detail=""):
    results.append(bool(ok))
    if not ok:
        print(f"FAILED: {name} {detail}")


def tar_of(members, mode="w", **options):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode=mode, **options) as t:
        for info, data in members:
            t.addfile(info, io.BytesIO(data))
    return out.getvalue()


def member(name, data=b"int x;\n", **fields):
    info = tarfile.TarInfo(name)
    info.size = len(data)
    for key, value in fields.items():
        setattr(info, key, value)
    return info, data


def zip_of(members, **options):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", **options) as z:
        for name, data in members:
            z.writestr(name, data)
    return out.getvalue()


def read(archive, name="a.zip"):
    """The student that an archive makes."""
    student = submissions.Student("a", "a")
    submissions.Finder(exercises).read_archive(student, archive, name)
    return student


def good_archives():
    source = [(NAME, b"int a;\n" * 40), (f"deep/er/{exercises[1].file_name}", b"int b;\n")]
    inner = zip_of(source)
    yield "zip", zip_of(source, compression=zipfile.ZIP_DEFLATED)
    yield "bzip2 in zip", zip_of(source, compression=zipfile.ZIP_BZIP2)
    yield "zip in zip", zip_of([("inner.zip", inner)])
    for kind in (tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT):
        long_name = "x" * 120 + "/" + NAME
        yield f"tar {kind}", tar_of([member(long_name if kind != tarfile.USTAR_FORMAT else NAME), member("a/" + exercises[1].file_name, mtime=2**40 if kind != tarfile.USTAR_FORMAT else 5)], format=kind)
    yield "tar.gz", gzip.compress(tar_of([member(NAME)]), mtime=0)


def mutate(data, rng):
    data = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 4, 16))):
        at = rng.randrange(len(data))
        what = rng.randrange(7)
        if what == 0:
            data[at] ^= 1 << rng.randrange(8)
        elif what == 1:
            data[at] = rng.choice((0, 0x7F, 0x80, 0xFF, rng.randrange(256)))
        elif what == 2:
            del data[at:at + rng.randrange(1, 64)]
        elif what == 3:
            data[at:at] = data[rng.randrange(len(data)):][:rng.randrange(1, 600)]
        elif what == 4:
            data[at:at + 4] = rng.choice((b"\xff\xff\xff\xff", b"\0\0\0\0", b"\xff\xff\xff\x7f", b"\0\0\0\x80"))
        elif what == 5:  # a type of member, or a magic word, where there may be one
            data[at:at + 1] = rng.choice((b"1", b"2", b"5", b"6", b"L", b"K", b"S", b"x", b"g", b"P"))
        else:
            number = b"%011o" % rng.choice((0, 1, 8**10, 8**11 - 1, 2**31))
            data[at:at + len(number)] = number
        if not data:
            data = bytearray(b"PK")
    return bytes(data)


def test_mutated(t):
    rng, slowest, whole = random.Random(6), 0, 0
    archives = list(good_archives())
    for name, archive in archives:
        check(f"{name} is read", len(read(archive).files) >= 1, read(archive).problems)
        for i in range(250):
            changed, before = mutate(archive, rng), time.monotonic()
            try:
                student = read(changed)
                whole += bool(student.files)
                for order, data, where in student.files.values():
                    if len(data) > submissions.MAX_FILE:
                        check("limits hold", False, where)
            except BaseException as problem:
                (Path(tempfile.gettempdir()) / "submission-that-broke").write_bytes(changed)
                check(f"{name}, change {i}", False, repr(problem))
            slowest = max(slowest, time.monotonic() - before)
    check("some changes leave a readable archive", whole > 100, whole)
    check("no archive takes long", slowest < 20, slowest)


def test_bombs(t):
    zeros = bytes(1 << 20)
    many = [member(NAME, b"int a;\n")] + [member(f"{i}.txt", b"") for i in range(submissions.MAX_MEMBERS + 10)]
    endless = io.BytesIO()
    with gzip.open(endless, "wb") as z:
        z.write(tar_of([member(NAME)])[:1024])
        header = tarfile.TarInfo("zeros")
        header.size = 300 << 20
        z.write(header.tobuf())
        for _ in range(300):
            z.write(zeros)
    bombs = {"megabytes of zeros in a zip": zip_of([(NAME, bytes(1 << 26))], compression=zipfile.ZIP_DEFLATED),
             "300 MB of zeros in a tar.gz": endless.getvalue(),
             "zeros in bzip2": bz2.compress(bytes(1 << 26)),
             "zeros in xz": lzma.compress(bytes(1 << 26)),
             "zips of zips": zip_of([(f"{i}.zip", zip_of([(f"{k}.zip", zip_of([(NAME, zeros)], compression=zipfile.ZIP_DEFLATED)) for k in range(10)],
                                                         compression=zipfile.ZIP_DEFLATED)) for i in range(10)], compression=zipfile.ZIP_DEFLATED),
             "thousands of members": tar_of(many),
             "a name of a megabyte": tar_of([member("x" * (1 << 20) + "/" + NAME)], format=tarfile.GNU_FORMAT),
             "headers in headers": b"".join(tarfile.TarInfo("././@LongLink").tobuf()[:156] + b"L" + bytes(355) for _ in range(3000))}
    for name, bomb in bombs.items():
        before = time.monotonic()
        try:
            student = read(bomb)
            check(name, time.monotonic() - before < 60 and sum(len(d) for _, d, _ in student.files.values()) <= submissions.MAX_TOTAL, time.monotonic() - before)
        except BaseException as problem:
            check(name, False, repr(problem))
    check("a bomb is no submission", not read(bombs["megabytes of zeros in a zip"]).files)


def test_ways_out(t):
    """Names that lead elsewhere, links and devices: nothing is written, nothing but the archive's own bytes is read."""
    outside = t / "outside.c"
    outside.write_bytes(SECRET)
    ways = ["../../" + NAME, "/" + NAME, "..\\..\\" + NAME, "C:\\" + NAME, str(t / NAME), "a/./../" + NAME]
    for way in ways:
        for archive in (zip_of([(way, b"int x;\n")]), tar_of([member(way)])):
            student = read(archive)
            check(f"{way} is a name only", [d for _, d, _ in student.files.values()] == [b"int x;\n"], student)
    links = [member(NAME, b"", type=kind, linkname=str(outside)) for kind in (tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE)]
    for link in links:
        check(f"member of type {link[0].type} is passed over", not read(tar_of([link])).files)
    info = zipfile.ZipInfo(NAME)
    info.external_attr = 0o120777 << 16
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as z:
        z.writestr(info, str(outside))
    check("a link in a zip is passed over", not read(out.getvalue()).files)
    check("nothing was written", sorted(p.name for p in t.iterdir()) == ["outside.c"], list(t.iterdir()))


def test_folders(t):
    """What a folder of submissions may hold beside archives."""
    folder = t / "class"
    (folder / "Ann").mkdir(parents=True)
    (folder / "Ann" / NAME).write_bytes(b"int a;\n")
    (t / "secret.c").write_bytes(SECRET)
    (folder / "Ann" / exercises[1].file_name).symlink_to(t / "secret.c")
    (folder / "Bob").symlink_to(t)
    (folder / "Loop").mkdir()
    (folder / "Loop" / "self").symlink_to(folder / "Loop")
    (folder / "Pipe").mkdir()
    os.mkfifo(folder / "Pipe" / NAME)
    deep = folder / "Deep"
    deep.mkdir()
    here = os.getcwd()
    os.chdir(deep)
    for _ in range(1500):
        os.mkdir("d")
        os.chdir("d")
    os.chdir(here)
    odd = os.fsencode(folder) + b"/\xff\xfe\n|=cmd"
    os.mkdir(odd)
    with open(odd + b"/" + os.fsencode(NAME), "wb") as f:
        f.write(b"int o;\n")
    try:
        students = submissions.find(folder, exercises)
    except BaseException as problem:
        return check("any folder is walked", False, repr(problem))
    by_key = {s.key: s for s in students}
    check("the honest one is there", list(by_key["Ann"].files) == [exercises[0].id], by_key.keys())
    check("links lead nowhere", "Bob" not in by_key and not by_key["Loop"].files and not by_key["Pipe"].files)
    check("too deep a folder is said", by_key["Deep"].problems)
    graded = [(s, [grading.result(e, "MISSING") for e in exercises]) for s in students]
    try:
        out = t / "out"
        out.mkdir()
        grade_class.write_tables(out, graded, exercises)
        grade_class.write_students(out, graded, exercises)
        check("every student has a row", len((out / "class.csv").read_text(encoding="utf-8").splitlines()) == len(students) + 1)
    except BaseException as problem:
        check("any name is written", False, repr(problem))


def main():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    for test in (test_mutated, test_bombs, test_ways_out, test_folders):
        t = Path(tempfile.mkdtemp())
        try:
            test(t)
        finally:
            subprocess.run(["rm", "-rf", str(t)])  # any depth
    print(f"{sum(results)} passed, {len(results) - sum(results)} failed")
    sys.exit(not all(results))


if __name__ == "__main__":
    main()
