#!/usr/bin/env python3
"""Would the tests notice? Changes one operator, constant or index of common/ at a time and runs the tests.

usage: mutants.py BUILD COMMANDS EXPLAINED [N] [MODULE] [SEED]      (make mutants)

BUILD      a folder in which everything has been built
COMMANDS   the compiler's command lines, as make prints them
EXPLAINED  a table of changes that no test sees, and why (tests/mutants/survivors.tsv); a reason that begins with
           "equivalent" says that the change makes no difference
N          about how many changes, shared among the files by their size; every file gets a few
MODULE     only these ("bpe matmul_vector.h")
SEED       another choice of changes

For each change the objects that read the file are compiled again, in a folder of one worker, and the tests that reach
one of them are linked with it and run, the likeliest first, until one fails. A change does not count when it does not
compile, gives the same object code, byte for byte, or is explained as equivalent. A test that takes more than three
times as long as it does without the change (processor time: other programs on the machine do not matter), or more than
3 GB, has failed.
LONGEST=5 in the environment leaves out tests that take more than 5 seconds: a first look. JOBS=2: so many at a time.

Which changes are tried depends on the text of the lines alone, so that an edit elsewhere changes nothing.
The results go to BUILD/../mutants.tsv. Exit code 1 when fewer than 95 % are noticed, or one that is not lacks its
reason.
"""
import hashlib
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

MIN_SHARE = 0.95  # of the changes that change something, those that a test must notice
EQUIVALENT = "equivalent"  # how the reason of one begins that changes nothing, so that no test can tell
MIN_PER_FILE = 3
MEMORY_KB = 3 * 1024 * 1024
OUTPUT_BLOCKS = 2 * 1024 * 1024  # of 512 bytes: the largest file a test may write
POLL_SECONDS = 0.05
IDLE_SECONDS = 300  # of a test that neither ends nor uses the processor

# ---- Changes ----

TOKEN = re.compile(r"""
    (?P<comment>/\*.*?\*/|//[^\n]*)
  | (?P<directive>^[ \t]*\#(?:\\\n|[^\n])*)
  | (?P<string>"(?:\\.|[^"\\\n])*")
  | (?P<char>'(?:\\.|[^'\\\n])+')
  | (?P<number>\.?[0-9](?:[eEpP][+-]|[0-9a-zA-Z_.])*)
  | (?P<name>[A-Za-z_]\w*)
  | (?P<operator>->|\+\+|--|<<=|>>=|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|[-+*/%&|^!~<>=?:;,.(){}\[\]])
  | (?P<space>\s+)
  | (?P<other>.)
""", re.VERBOSE | re.DOTALL | re.MULTILINE)

ANYWHERE = {
    "<": ["<=", ">"], "<=": ["<"], ">": [">=", "<"], ">=": [">"], "==": ["!="], "!=": ["=="],
    "&&": ["||"], "||": ["&&"], "+": ["-"], "-": ["+"], "/": ["*"], "%": ["/"], "<<": [">>"], ">>": ["<<"],
    "|": ["&"], "^": ["|"], "++": ["--"], "--": ["++"], "+=": ["-="], "-=": ["+="], "*=": ["/="], "/=": ["*="],
    "%=": ["/="], "|=": ["&="], "&=": ["|="], "^=": ["|="], "<<=": [">>="], ">>=": ["<<="], "!": [""],
}
BETWEEN_OPERANDS = {"*": ["/"], "&": ["|"]}  # before an operand they take an address or follow it
# What is inside these is not tried: a check tests itself, and a wrong request for memory changes no result.
CHECKS = {"REQUIRE", "_Static_assert", "static_assert", "__builtin_prefetch"}
NO_VALUE = {"return", "case", "else", "sizeof", "do"}  # an operator after these has no operand before it


def other_numbers(text):
    """The neighbours of a constant."""
    match = re.fullmatch(r"(0[xX][0-9a-fA-F]+|[0-9]+)([uUlL]*)", text)
    if match:
        value = int(match[1], 16 if match[1][:2] in ("0x", "0X") else 8 if re.match("0[0-7]", match[1]) else 10)
        style = "0x{:x}{}" if match[1][:2] in ("0x", "0X") else "{}{}"
        return [style.format(value + by, match[2]) for by in (1, -1) if value + by >= 0]
    match = re.fullmatch(r"([0-9.]+(?:[eE][+-]?[0-9]+)?)([fFlL]?)", text)
    if match:
        value = float(match[1])
        return [repr(1.0 if value == 0 else value * 1.25) + match[2]]
    return []


def other_char(text):
    """The character one further, when both are plain."""
    if len(text) == 3 and text[1].isalnum():
        further = chr(ord(text[1]) + 1)
        return ["'%s'" % (further if further.isalnum() else chr(ord(text[1]) - 1))]
    return ["' '"] if len(text) == 3 and text[1] != " " else []


class Change:
    def __init__(self, path, text, start, end, new):
        self.path = path
        self.start = start
        self.whole = text[:start] + new + text[end:]
        self.line = text.count("\n", 0, start) + 1
        first = text.rfind("\n", 0, start) + 1
        last = text.find("\n", end)
        last = len(text) if last < 0 else last
        self.before = " ".join(text[first:last].split())
        self.after = " ".join((text[first:start] + new + text[end:last]).split())

    def key(self):
        return (module_of(self.path), self.before, self.after)


def module_of(path):
    name = os.path.basename(path)
    return name[:-2] if name.endswith(".c") else name


def closing_brackets(tokens):
    """For each index of an element the place of its closing bracket; not for the size in a declaration."""
    places = set()
    opened = []
    for i, (kind, text, _) in enumerate(tokens):
        if text == "[" and kind == "operator":
            named = i >= 1 and tokens[i - 1][0] == "name" and i >= 2
            declared = named and (tokens[i - 2][0] == "name" and tokens[i - 2][1] not in NO_VALUE)
            opened.append((i, declared or i == 0 or tokens[i - 1][1] in ("{", ",")))
        elif text == "]" and kind == "operator" and opened:
            at, declared = opened.pop()
            if not declared and i > at + 1:
                places.add(i)
    return places


def changes_of(path, text):
    """Every change that could be made to a file."""
    tokens = []
    for match in TOKEN.finditer(text):
        if match.lastgroup not in ("comment", "directive", "space"):
            tokens.append((match.lastgroup, match.group(), match.start()))
    closing = closing_brackets(tokens)
    found = []
    checked = 0  # the depth of brackets inside a check
    for i, (kind, word, start) in enumerate(tokens):
        previous = tokens[i - 1] if i > 0 else ("operator", ";", 0)
        if checked > 0:
            checked += {"(": 1, ")": -1}.get(word, 0)
            continue
        if word == "(" and previous[1] in CHECKS:
            checked = 1
            continue
        operand_before = previous[0] in ("number", "char", "string") or previous[1] in (")", "]") or \
            (previous[0] == "name" and previous[1] not in NO_VALUE)
        new = []
        if kind == "number":
            new = other_numbers(word)
        elif kind == "char":
            new = other_char(word)
        elif kind == "name":
            new = {"true": ["false"], "false": ["true"]}.get(word, [])
        elif kind == "operator":
            new = list(ANYWHERE.get(word, []))
            if word in BETWEEN_OPERANDS and operand_before:
                new += BETWEEN_OPERANDS[word]
            if i in closing:
                new = [" + 1]"]
        found += [Change(path, text, start, start + len(word), replacement) for replacement in new]
    return found


def in_order(changes, seed):
    """By a number made of the texts, so that the order of one line does not depend on others; first one a place."""
    def number(change):
        return hashlib.sha256("\t".join((seed,) + change.key()).encode()).digest()
    ordered = sorted(changes, key=lambda change: (number(change), change.start))
    seen, first, later = set(), [], []
    for change in ordered:
        (later if change.start in seen else first).append(change)
        seen.add(change.start)
    return first + later


# ---- What make would do ----

class Commands:
    """Compiler and linker commands, by the file they make."""

    def __init__(self, path):
        self.compile, self.link = {}, {}
        with open(path, encoding="utf-8") as text:
            lines = text.read().replace("\\\n", " ").splitlines()
        for line in lines:
            try:
                words = shlex.split(line)
            except ValueError:
                continue
            if "-o" not in words or words[0] in ("printf", "if", "for"):
                continue
            # What is made gets its name when it is whole: cc -o PART … && mv -f PART NAME
            end = words.index("&&") if "&&" in words else len(words)
            command, rest = words[:end], words[end:]
            made = command[command.index("-o") + 1]
            if made in rest:
                made = rest[rest.index(made) + 1]
            if "-c" in command:
                self.compile[made] = self.without_dependencies(command)
            elif any(word.endswith(".o") for word in command):
                self.link[made] = command

    @staticmethod
    def without_dependencies(command):
        """A compiler's command that writes no .d file."""
        kept = []
        for i, word in enumerate(command):
            if word not in ("-MMD", "-MP", "-MT", "-MF") and (i == 0 or command[i - 1] not in ("-MT", "-MF")):
                kept.append(word)
        return kept

    def objects(self, program):
        return [word for word in self.link[program] if word.endswith(".o")]


def read_by(objects):
    """Which objects read a file, from the .d files."""
    readers = {}
    for made in objects:
        with open(made[:-2] + ".d", encoding="utf-8") as text:
            first_rule = re.sub(r"\\\n", " ", text.read()).split("\n")[0]
        for name in first_rule.split(":", 1)[1].split():
            readers.setdefault(os.path.normpath(name), []).append(made)
    return readers


def symbols(made):
    """(defined, wanted) by an object."""
    out = subprocess.run(["nm", "-P", "-g", made], stdout=subprocess.PIPE, check=True, text=True).stdout
    defined, wanted = set(), set()
    for line in out.splitlines():
        name, kind = line.split()[:2]
        (wanted if kind in ("U", "w", "v") else defined).add(name)
    return defined, wanted


class Project:
    def __init__(self, build, commands):
        self.build = build
        self.commands = commands
        self.readers = read_by(commands.compile)
        self.symbols = {made: symbols(made) for made in commands.compile}
        self.programs = {os.path.basename(made): made for made in commands.link if "/tests/" not in made}
        self.tests = {os.path.basename(made): made for made in commands.link if "/tests/test_" in made}
        self.distances = {test: self.reached(test) for test in self.tests}

    def programs_of(self, test):
        """The programs that a test runs."""
        own = re.match(r"test_(chapter[0-9])", test)
        if own:
            return [own[1]] if own[1] in self.programs else []
        roots = self.roots(self.tests[test])
        runs = any("run_program" in self.symbols[made][1] or "run_words" in self.symbols[made][1] for made in roots)
        return sorted(self.programs) if runs else []

    def roots(self, program):
        return [made for made in self.commands.objects(program)
                if "/common/" not in made and "/tests/support/" not in made and "/tests/plain/" not in made]

    def reached(self, test):
        """The objects that a test uses, each with its distance in calls."""
        distance = {}
        for program in [self.tests[test]] + [self.programs[name] for name in self.programs_of(test)]:
            objects = self.commands.objects(program)
            where = {name: made for made in objects for name in self.symbols[made][0]}
            level, steps = self.roots(program), 0
            if program != self.tests[test]:
                steps = 2
            seen = set()
            while level:
                following = []
                for made in level:
                    if made in seen:
                        continue
                    seen.add(made)
                    distance[made] = min(steps, distance.get(made, steps))
                    following += [where[name] for name in self.symbols[made][1] if name in where]
                level, steps = following, steps + 1
        return distance


# ---- Running ----

def processor_seconds(pid):
    """Of a process and the children it has waited for; None where there is no /proc."""
    try:
        with open("/proc/%d/stat" % pid, encoding="utf-8") as text:
            fields = text.read().rsplit(")", 1)[1].split()
    except OSError:
        return None
    return sum(int(field) for field in fields[11:15]) / os.sysconf("SC_CLK_TCK")


def end_session(session):
    """Ends what a test has left running: Check gives each of its tests a group of its own, all in one session."""
    for name in os.listdir("/proc") if os.path.isdir("/proc") else []:
        if name.isdigit():
            try:
                if os.getsid(int(name)) == session:
                    os.kill(int(name), signal.SIGKILL)
            except OSError:
                pass


def has_failure(results):
    try:
        with open(results, encoding="utf-8", errors="replace") as lines:
            return any(line.startswith("not ok") for line in lines)
    except OSError:
        return False


def run_limited(words, environment, seconds, log):
    """Runs a test with limits: (whether it succeeded, what ended it, processor seconds). Ends it at its first failure,
    which Check writes into a file at once."""
    limits = "ulimit -c 0; ulimit -v %d; ulimit -f %d; ulimit -t %d; exec \"$@\"" % (
        MEMORY_KB, OUTPUT_BLOCKS, int(seconds) + 1)
    results = log + ".tap"
    if os.path.exists(results):
        os.remove(results)
    with open(log, "wb") as out:
        process = subprocess.Popen(["sh", "-c", limits, "sh"] + words, stdin=subprocess.DEVNULL, stdout=out, stderr=out,
                                   env=dict(environment, CK_TAP_LOG_FILE_NAME=results), start_new_session=True)
    used, idle = 0.0, 0.0
    while True:
        # Polls are counted, not the clock: whoever stops this script stops the test too.
        try:
            return process.wait(POLL_SECONDS) == 0, "", used
        except subprocess.TimeoutExpired:
            pass
        before = used
        used = processor_seconds(process.pid) or used + POLL_SECONDS
        idle = idle + POLL_SECONDS if used == before else 0.0
        late = used > seconds or idle > IDLE_SECONDS
        if late or has_failure(results):
            end_session(process.pid)
            process.kill()
            process.wait()
            return False, "time" if late else "", used


class Bench:
    """What all workers share: how long each test takes when nothing is changed."""

    def __init__(self, project, folder):
        self.project = project
        self.folder = folder
        self.lock = threading.Lock()
        self.locks = {test: threading.Lock() for test in project.tests}
        self.seconds = {}
        self.expected = {}
        try:
            with open(os.path.join(folder, "seconds.tsv"), encoding="utf-8") as lines:
                self.expected = {test: float(seconds) for test, seconds in (line.split() for line in lines)}
        except OSError:
            pass

    def environment(self, folder):
        environment = dict(os.environ, BUILD=folder, BIN=folder, CK_TIMEOUT_MULTIPLIER="100", OMP_WAIT_POLICY="passive")
        environment.pop("CK_FORK", None)
        return environment

    def unchanged(self, test):
        """Runs a test as it is, once; it has to succeed. Returns its processor seconds."""
        with self.locks[test]:
            if test not in self.seconds:
                folder = self.make_folder("unchanged-" + test)
                log = os.path.join(folder, "log")
                good, _, used = run_limited([self.project.tests[test]], self.environment(folder), 600, log)
                if not good:
                    sys.stderr.write(open(log, encoding="utf-8", errors="replace").read())
                    raise SystemExit("mutants: %s fails without any change" % test)
                with self.lock:
                    self.seconds[test] = used
                    self.expected[test] = used
                    with open(os.path.join(self.folder, "seconds.tsv"), "w", encoding="utf-8") as out:
                        out.writelines("%s\t%.2f\n" % item for item in sorted(self.expected.items()))
            return self.seconds[test]

    def make_folder(self, name):
        """A build folder of one worker: programs and unpacked files are links to the common ones."""
        folder = os.path.join(self.folder, name)
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(os.path.join(folder, "golden-used"))
        for entry in os.listdir(self.project.build):
            if entry in self.project.programs or entry == "qwen2.5-tokenizer":
                os.symlink(os.path.abspath(os.path.join(self.project.build, entry)), os.path.join(folder, entry))
        return folder

    def order(self, readers, own):
        """The tests that reach one of the objects, the likeliest and shortest first."""
        def rank(test):
            near = min(self.project.distances[test].get(made, 99) for made in readers)
            return (test not in own, (0.1 + self.expected.get(test, 1.0)) * 2.0 ** near, test)
        longest = float(os.environ.get("LONGEST") or 1e9)
        reached = [test for test in self.project.tests if self.expected.get(test, 0.0) <= longest
                   and any(made in self.project.distances[test] for made in readers)]
        return sorted(reached, key=rank)


class Worker:
    def __init__(self, bench, number):
        self.bench = bench
        self.project = bench.project
        self.folder = bench.make_folder("worker-%d" % number)

    def compile(self, path, text, into):
        """Compiles what reads the file: {object: the new one}, or None when that fails."""
        source = os.path.join(self.folder, into, path)
        os.makedirs(os.path.dirname(source), exist_ok=True)
        with open(source, "w", encoding="utf-8") as out:
            out.write('#line 1 "%s"\n%s' % (path, text))
        made = {}
        for old in self.project.readers.get(path, []):
            new = os.path.join(self.folder, into, old.replace("/", "+"))
            words = list(self.project.commands.compile[old])
            words[words.index("-o") + 1] = new
            words[words.index("-iquote"):words.index("-iquote")] = ["-w", "-iquote", os.path.join(self.folder, into)]
            words = [source if os.path.normpath(word) == path else word for word in words]
            if subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode != 0:
                return None
            made[old] = new
        return made

    def link(self, program, made, into):
        words = [made.get(word, word) for word in self.project.commands.link[program]]
        if os.path.lexists(into):
            os.remove(into)
        words[words.index("-o") + 1] = into
        return subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0

    def fails(self, test, made):
        """Links a test and the programs it runs with the changed objects: what happened, or '' when it succeeds."""
        seconds = self.bench.unchanged(test)
        changed = []
        for name in self.project.programs_of(test):
            if any(old in made for old in self.project.commands.objects(self.project.programs[name])):
                changed.append(name)
                if not self.link(self.project.programs[name], made, os.path.join(self.folder, name)):
                    raise SystemExit("mutants: %s does not link" % name)
        binary = os.path.join(self.folder, "test")
        if not self.link(self.project.tests[test], made, binary):
            raise SystemExit("mutants: %s does not link" % test)
        log = os.path.join(self.folder, "log")
        good, ended, _ = run_limited([binary], self.bench.environment(self.folder), 1 + 3 * seconds, log)
        for name in changed:
            os.remove(os.path.join(self.folder, name))
            os.symlink(os.path.abspath(self.project.programs[name]), os.path.join(self.folder, name))
        return "" if good else ended or "failed"

    def judge(self, change, base):
        """What becomes of a change: (verdict, test)."""
        made = self.compile(change.path, change.whole, "changed")
        if made is None:
            return "does not compile", ""
        different = [old for old in made if open(made[old], "rb").read() != open(base[old], "rb").read()]
        if not different:
            return "same code", ""
        made = {old: made[old] for old in different}
        own = {"test_" + re.sub(r"\.h$", "", module_of(change.path))}
        for test in self.bench.order(different, own):
            happened = self.fails(test, made)
            if happened:
                return "killed" if happened == "failed" else "killed (%s)" % happened, test
        return "survived", ""


# ---- The run ----

def sources(project):
    """The files to change: every source of common/ that is built, and the headers that hold code."""
    found = []
    for path in sorted(project.readers):
        if not path.startswith("common/"):
            continue
        with open(path, encoding="utf-8") as text:
            whole = text.read()
        if path.endswith(".c") or re.search(r"^(static|INLINE) [^;{]*\)\s*\{", whole, re.MULTILINE):
            found.append((path, whole))
    return found


def run_file(bench, workers, path, text, count, seed, report):
    """Tries changes of one file until count of them have counted."""
    with workers.lock:
        worker = workers.free.pop()
    try:
        base = worker.compile(path, text, "unchanged")
        if base is None:
            raise SystemExit("mutants: %s does not compile as it is" % path)
        counted, killed = 0, 0
        for change in in_order(changes_of(path, text), seed):
            if counted == count or workers.stop:
                break
            start = time.monotonic()
            verdict, test = worker.judge(change, base)
            counted += verdict == "survived" or verdict.startswith("killed")
            killed += verdict.startswith("killed")
            report(change, verdict, test, time.monotonic() - start)
        print("%-32s %3d of %3d killed" % (path, killed, counted), flush=True)
    finally:
        with workers.lock:
            workers.free.append(worker)


class Workers:
    def __init__(self, bench, count):
        self.lock = threading.Lock()
        self.stop = False
        self.free = [Worker(bench, number) for number in range(count)]


def read_explained(path):
    with open(path, encoding="utf-8") as lines:
        rows = [line.rstrip("\n").split("\t") for line in lines if line.strip() and not line.startswith("#")]
    for row in rows:
        if len(row) != 4:
            raise SystemExit("mutants: %s: expected 4 columns, found %d: %s" % (path, len(row), row[0]))
    return {tuple(row[:3]): row[3] for row in rows[1:]}


def main(build, commands, explained_path, count=400, module="", seed="1"):
    project = Project(build, Commands(commands))
    folder = os.path.join(build, "work")
    os.makedirs(folder, exist_ok=True)
    bench = Bench(project, folder)
    jobs = int(os.environ.get("JOBS") or os.cpu_count() or 1)
    workers = Workers(bench, jobs)
    explained = read_explained(explained_path)
    files = sources(project)
    sizes = {path: len(changes_of(path, text)) for path, text in files}
    shares = {path: max(MIN_PER_FILE, round(count * sizes[path] / sum(sizes.values()))) for path, _ in files}
    if module:
        asked = set(module.split())
        unknown = asked - {module_of(path) for path, _ in files}
        if unknown:
            raise SystemExit("mutants: there is no module %s" % " ".join(sorted(unknown)))
        files = [(path, text) for path, text in files if module_of(path) in asked]
    results = []
    lock = threading.Lock()

    def report(change, verdict, test, seconds):
        with lock:
            results.append((change, verdict, test, seconds))
            if verdict == "survived":
                known = explained.get(change.key())
                print("%s:%d survived%s\n    - %s\n    + %s" % (
                    change.path, change.line, ": " + known if known else "", change.before, change.after), flush=True)

    # The largest first, so that no worker is left alone with one at the end.
    files.sort(key=lambda file: -shares[file[0]])
    with ThreadPoolExecutor(jobs) as pool:
        running = [pool.submit(run_file, bench, workers, path, text, shares[path], seed, report)
                   for path, text in files]
        try:
            for one in running:
                one.result()
        except BaseException:
            workers.stop = True  # Ctrl-C, or a test that fails without any change
            raise

    results.sort(key=lambda result: (result[0].path, result[0].line, result[0].after))
    table = os.path.join(os.path.dirname(os.path.abspath(build)), "mutants.tsv")
    with open(table, "w", encoding="utf-8") as out:
        out.write("file\tline\tbefore\tafter\tverdict\ttest\tseconds\treason\n")
        for change, verdict, test, seconds in results:
            reason = explained.get(change.key(), "") if verdict == "survived" else ""
            cells = (change.path, str(change.line), change.before, change.after, verdict, test, "%.1f" % seconds)
            out.write("\t".join(cells + (reason,)) + "\n")
    killed = sum(verdict.startswith("killed") for _, verdict, _, _ in results)
    unnoticed = [change for change, verdict, _, _ in results if verdict == "survived"]
    survived = [change for change in unnoticed if not explained.get(change.key(), "").startswith(EQUIVALENT)]
    open_ones = sum(change.key() not in explained for change in survived)
    total = killed + len(survived)
    share = killed / total if total else 0.0
    print("%d mutants of %d files: %d killed (%.1f %%), %d survived, %d of them without an explanation" % (
        total, len(files), killed, 100 * share, len(survived), open_ones))
    print("not counted: %d equivalent (with them %.1f %% are killed), %d with the same code, "
          "%d that do not compile; all in %s" % (
        len(unnoticed) - len(survived), 100 * killed / max(1, killed + len(unnoticed)),
        sum(verdict == "same code" for _, verdict, _, _ in results),
        sum(verdict == "does not compile" for _, verdict, _, _ in results), os.path.relpath(table)))
    return 0 if total and share >= MIN_SHARE and open_ones == 0 else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4] or 400), sys.argv[5], sys.argv[6] or "1"))
