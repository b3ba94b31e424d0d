"""Finds the students' exercise files in a folder of submissions, whatever the learning platform made of their names.

One entry of the folder is one student: a folder, a .zip, .tar, .tar.gz or .tgz, at any depth inside; or, as Canvas packs
them, loose files whose names begin with the student. Nothing is unpacked to disk: members are read into memory, within
limits, and only those whose name is an exercise of the manifest count. Links, special files and members of archives
inside archives deeper than two levels are passed over. What cannot be read is a line in the report; it never ends the run.

    Moodle   Jane Doe_1234567_assignsubmission_file_/3.1-inverse-frequencies.c
    Canvas   doejane_12345_67890_3.1-inverse-frequencies-2.c     doejane_LATE_12345_67890_…   (-2: the third upload)
    by hand  Jane Doe/anything/3.1-inverse-frequencies (1).c

Of several versions the newest counts: the higher upload number, then the later time.
"""
import gzip, io, re, tarfile, zipfile
from dataclasses import dataclass, field
from pathlib import Path

MAX_FILE, MAX_TOTAL, MAX_UNPACKED, MAX_MEMBERS, MAX_DEPTH = 1 << 18, 1 << 25, 1 << 28, 5000, 30
ARCHIVE = re.compile(r"\.(zip|tar|tar\.gz|tgz)$", re.I)
CANVAS = re.compile(r"^(?P<student>[^_/]+)_(?:LATE_)?(?P<id>\d+)_(?P<submission>\d+)_(?P<file>.+)$")
MOODLE = re.compile(r"^(?P<name>.+)_(?P<id>\d+)_assignsubmission_\w+?_?$")


class Unpacked:
    """The tar in a .tar.gz, or a plain one: a few kilobytes may hold gigabytes, so reading ends at a limit."""

    def __init__(self, data):
        self.file, self.left = io.BytesIO(data), MAX_UNPACKED
        if data[:2] == b"\x1f\x8b":
            self.file = gzip.GzipFile(fileobj=self.file)

    def read(self, size):
        data = self.file.read(size)
        self.left -= len(data)
        if self.left < 0:
            raise ValueError(f"more than {MAX_UNPACKED >> 20} MB when unpacked, the rest is passed over")
        return data


@dataclass
class Student:
    key: str                       # what the results are called
    name: str
    platform_id: str = ""          # Moodle's participant or Canvas's user number
    files: dict = field(default_factory=dict)     # exercise id -> (order, bytes, where)
    problems: list = field(default_factory=list)  # what could not be read, for the report

    def offer(self, exercise, order, data, where):
        if exercise not in self.files or order >= self.files[exercise][0]:
            self.files[exercise] = (order, data, where)


class Finder:
    def __init__(self, exercises):
        self.names = {e.name: e.id for e in exercises}
        self.pattern = re.compile(r"^(?:.*_)?(?P<id>\d+\.\d+)-(?P<name>[a-z0-9-]+?)(?:-(?P<upload>\d+)| ?\((?P<copy>\d+)\))?\.c$", re.I)
        self.known = {(e.id, e.name) for e in exercises}

    def exercise_of(self, file_name):
        """(id, upload number) of an exercise file, or None. Names that only look like one are passed over."""
        if file_name.startswith(("._", ".")) or not (m := self.pattern.match(file_name)):
            return None
        if (m["id"], m["name"].lower()) in self.known:
            return m["id"], int(m["upload"] or m["copy"] or 0)
        return None

    def take(self, student, file_name, time, data, where):
        if found := self.exercise_of(file_name):
            exercise, upload = found
            if len(data) > MAX_FILE:
                student.problems.append(f"{where}: larger than {MAX_FILE // 1024} kB, passed over")
            else:
                student.offer(exercise, (upload, time), data, where)

    def read_archive(self, student, data, where, depth=0):
        total = members = 0
        try:
            for name, time, read in self.members(data):
                members += 1
                if members > MAX_MEMBERS or total > MAX_TOTAL:
                    student.problems.append(f"{where}: too large an archive, the rest is passed over")
                    return
                base = name.replace("\\", "/").rsplit("/", 1)[-1]
                if self.exercise_of(base):
                    content = read(MAX_FILE + 1)
                    total += len(content)
                    self.take(student, base, time, content, f"{where}:{printable(name)}")
                elif ARCHIVE.search(base) and depth < 1:
                    content = read(MAX_TOTAL + 1)
                    total += len(content)
                    self.read_archive(student, content, f"{where}:{printable(name)}", depth + 1)
        except Exception as problem:  # a hostile archive makes the libraries raise anything: struct.error, OverflowError, LZMAError, …
            student.problems.append(f"{where}: cannot be read: {printable(str(problem)) or type(problem).__name__}")

    @staticmethod
    def members(data):
        """(name, time, read(limit)) of the regular files of an archive."""
        if zipfile.is_zipfile(io.BytesIO(data)):
            with zipfile.ZipFile(io.BytesIO(data)) as z:
                for info in z.infolist():
                    if not info.is_dir() and (info.external_attr >> 16) & 0o170000 in (0, 0o100000):
                        def read(limit, info=info):
                            with z.open(info) as f:
                                return f.read(limit)
                        yield info.filename, "%04d%02d%02d%02d%02d%02d" % info.date_time, read
        else:
            with tarfile.open(fileobj=Unpacked(data), mode="r|") as t:
                for info in t:
                    if info.isreg():
                        yield info.name, "%014d" % info.mtime, lambda limit, info=info: t.extractfile(info).read(limit)

    def read_path(self, student, path, where, depth=0):
        try:
            if path.is_symlink():
                return
            if path.is_dir() and depth == MAX_DEPTH:
                student.problems.append(f"{student.name}: folders in folders deeper than {MAX_DEPTH}, passed over")
            elif path.is_dir():
                for child in sorted(path.iterdir()):
                    self.read_path(student, child, f"{where}/{printable(child.name)}", depth + 1)
            elif path.is_file():
                self.read_file(student, path, where)
        except OSError as problem:
            student.problems.append(f"{where}: cannot be read: {problem.strerror}")

    def read_file(self, student, path, where):
        if self.exercise_of(path.name):
            with open(path, "rb") as f:
                self.take(student, path.name, "%014d" % path.stat().st_mtime, f.read(MAX_FILE + 1), where)
        elif ARCHIVE.search(path.name):
            if path.stat().st_size > MAX_TOTAL:
                student.problems.append(f"{where}: larger than {MAX_TOTAL >> 20} MB, passed over")
            else:
                self.read_archive(student, path.read_bytes(), where)


def printable(name):
    """A file's name for the tables: what is no UTF-8 is read as Latin-1, which keeps J\\xfcrgen and J\\xfdrgen two students;
    control characters become marks, and of a very long name the ends are shown."""
    data = name.encode("utf-8", "surrogateescape")
    try:
        name = data.decode("utf-8")
    except UnicodeDecodeError:
        name = data.decode("latin-1")
    name = re.sub(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]", "\ufffd", name)
    return name if len(name) <= 300 else f"{name[:140]} ... {name[-140:]}"


def find(folder, exercises):
    """The students in a folder of submissions, sorted by key."""
    finder, students = Finder(exercises), {}
    for path in sorted(Path(folder).iterdir()):
        stem = ARCHIVE.sub("", path.name)
        if path.name.startswith(".") or path.is_symlink():
            continue
        if path.is_dir() or ARCHIVE.search(path.name):
            if m := CANVAS.match(stem if path.is_dir() else path.name):
                key, name, number = m["student"], m["student"], m["id"]
            elif m := MOODLE.match(stem):
                key, name, number = m["name"], m["name"], m["id"]
            else:
                key, name, number = stem, stem, ""
        elif (m := CANVAS.match(path.name)) and finder.exercise_of(m["file"]):
            key, name, number = m["student"], m["student"], m["id"]
        else:
            continue
        key, name = printable(key), printable(name)
        student = students.setdefault((key, number), Student(key, name, number))
        finder.read_path(student, path, printable(path.name))
    # Two students of one name keep apart by their numbers.
    count = {}
    for s in students.values():
        count[s.key] = count.get(s.key, 0) + 1
    for s in students.values():
        if count[s.key] > 1 and s.platform_id:
            s.key = f"{s.key} {s.platform_id}"
    return sorted(students.values(), key=lambda s: s.key)
