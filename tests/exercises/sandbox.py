"""Compiles and runs a student's file apart from everything else.

What is kept away: the project (with its solutions and expected values), the folder of submissions and every other
workspace are hidden behind empty file systems; there is no network; other processes are invisible and are ended with
the run; the user is another one when the grader is root. This needs unshare (util-linux) and either root or user namespaces;
isolation() says what this machine allows, and the report repeats it.

Limits hold everywhere: CPU and wall time, memory, file size; the judge adds limits on output. The number of processes is
limited where the user is another one; elsewhere they are at least ended together with the run.
"""
import itertools, os, shlex, shutil, subprocess, tempfile
from pathlib import Path

FIRST_USER = 400000  # as root, every workspace gets a user of its own: a fork bomb exhausts its own limit only
COMPILE_SECONDS = 10
ROOM = 1 << 20  # bytes that a build needs at most
COMPILER_LIMITS = ["ulimit -t 10", "ulimit -v 4194304", "ulimit -f 65536", "ulimit -c 0"]  # the judge sets those of the run
INSIDE = "/mnt"  # where the workspace appears; a standard folder that is empty


def _unshare(user):
    return ["unshare", *(["--user", "--map-root-user"] if user else []), "--mount", "--net", "--ipc", "--pid", "--fork", "--kill-child"]


def _works(command):
    return bool(shutil.which(command[0])) and subprocess.run([*command, "true"], capture_output=True).returncode == 0


class Sandbox:
    def __init__(self, hidden):
        """hidden: folders that the student's code must not see."""
        self.root = Path(tempfile.mkdtemp(prefix="grade-")).resolve()
        paths = sorted({str(Path(h).resolve()) for h in hidden} | {str(self.root)})
        self.hidden = [p for p in paths if not any(p != q and p.startswith(q + "/") for q in paths)]  # the outermost hide the rest
        self.is_root = os.geteuid() == 0
        self.prefix = []
        for user in ([False] if self.is_root else [True]):
            if os.path.isdir(INSIDE) and _works(_unshare(user)):
                self.prefix = _unshare(user)
        self.users = itertools.count(FIRST_USER)
        self.other_user = self.is_root and _works(self._drop(FIRST_USER))
        # The other users must reach their workspaces; the folder above lists nothing.
        self.root.chmod(0o711)

    @staticmethod
    def _drop(user):
        return ["prlimit", "--nproc=64:64", "setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups", "--no-new-privs"]

    def isolation(self):
        if self.prefix and self.other_user:
            return "full: another user, no network, project and submissions hidden"
        if self.prefix:
            return "namespaces: no network, project and submissions hidden, same user"
        if self.other_user:
            return "another user only: files that everyone may read can be read, and there is network"
        return "limits only: the code runs as you, can read your files and use the network"

    def workspace(self):
        return Path(tempfile.mkdtemp(dir=self.root))

    def hand_over(self, workspace):
        """Gives the workspace and what is in it to its user."""
        if self.other_user:
            user = next(self.users)
            for path in [workspace, *workspace.rglob("*")]:
                os.chown(path, user, user)

    def command(self, workspace, words, limits=()):
        """The words, run in the sandbox with the workspace as current folder. A step that fails ends it with 97."""
        user = workspace.stat().st_uid
        drop = self._drop(user) if self.other_user else []
        place = INSIDE if self.prefix else str(workspace)
        steps = ["set -e", "trap 'exit 97' EXIT"]
        if self.prefix:
            steps += ["mount --make-rprivate /", f"mount --bind {shlex.quote(str(workspace))} {INSIDE}"]
            steps += [f"mount -t tmpfs -o size=4k,mode=755 none {shlex.quote(h)}" for h in self.hidden]
            steps += ["mount -t proc proc /proc"]
        steps += [f"cd {shlex.quote(place)}", *limits,
                  "set +e", "trap - EXIT", shlex.join([*drop, *words]), "exit $?"]  # no exec: process 1 of a namespace ignores its own signals
        return ["env", "-i", "PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C.UTF-8", *self.prefix, "sh", "-c", "\n".join(steps)]

    def run(self, workspace, words, seconds):
        """(exit code or None on a timeout, output)."""
        try:
            r = subprocess.run(self.command(workspace, words, COMPILER_LIMITS), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=seconds)
            return r.returncode, r.stdout[:1 << 16].decode("utf-8", "replace")
        except subprocess.TimeoutExpired:
            return None, "the compiler did not finish"

    def starter(self, workspace, program):
        """A script that the judge can start in place of the program: the program inside the sandbox."""
        script = self.root / f"start-{workspace.name}"
        script.write_text("#!/bin/sh\nexec " + shlex.join(self.command(workspace, [program])) + "\n")
        script.chmod(0o755)
        return script

    def discard(self, workspace):
        shutil.rmtree(workspace, ignore_errors=True)
        (self.root / f"start-{workspace.name}").unlink(missing_ok=True)

    def close(self):
        shutil.rmtree(self.root, ignore_errors=True)


def refuse_broken_sandbox(grading, code, out):
    if code == 97:
        raise grading.CannotGrade(f"the sandbox could not be set up: {out.strip()[:200]}")


def refuse_full_disk(grading, workspace):
    """After a build that failed: that there was no room is not the student's fault."""
    try:
        (workspace / "room").write_bytes(bytes(ROOM))
    except OSError as problem:
        raise grading.CannotGrade(f"no room to build: {workspace}: {problem.strerror}") from problem


def grade_one(grading, e, source, sandbox, objects, judge_program):
    """The result of one submitted file (bytes, normalised)."""
    if source == grading.normalise((e.folder / "stub.c").read_bytes()):
        return grading.result(e, "NOT STARTED")
    if len(source) > 1 << 18:
        return grading.result(e, "BUILD FAILED", message="the file is larger than 256 kB")
    cc, workspace = grading.compiler(), sandbox.workspace()
    try:
        include = workspace / "chapters/x/exercises"
        include.mkdir(parents=True)
        (workspace / "chapters/exercise.h").write_bytes((grading.ROOT / "chapters/exercise.h").read_bytes())
        (include / "exercises.h").write_bytes((e.chapter / "exercises/exercises.h").read_bytes())
        (include / e.file_name).write_bytes(source)
        log = workspace / "build.log"
        sandbox.hand_over(workspace)
        code, out = sandbox.run(workspace, [cc, "-std=c11", "-O1", "-g", "-D_POSIX_C_SOURCE=200809L", "-w", "-c", "-o", "student.o", f"chapters/x/exercises/{e.file_name}"], COMPILE_SECONDS)
        refuse_broken_sandbox(grading, code, out)
        if code != 0:
            refuse_full_disk(grading, workspace)
            return grading.result(e, "BUILD FAILED", message=grading.first_error(out))
        # The linker reads the student's object file and trusted ones; it runs in the sandbox too, on copies.
        names = []
        for o in objects:
            target = workspace / o.name
            target.write_bytes(o.read_bytes())
            target.chmod(0o644)
            names.append(o.name)
        code, out = sandbox.run(workspace, [cc, "-o", "child", "student.o", *names, "-lm"], COMPILE_SECONDS)
        refuse_broken_sandbox(grading, code, out)
        if code != 0:
            refuse_full_disk(grading, workspace)
            return grading.result(e, "BUILD FAILED", message=grading.first_error(out))
        inside = f"{INSIDE}/child" if sandbox.prefix else str(workspace / "child")
        return grading.judge(e, sandbox.starter(workspace, inside), log, judge_program)
    finally:
        sandbox.discard(workspace)
