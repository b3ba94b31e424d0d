"""Compiles and runs a student's file apart from everything else.

What is kept away: the project (with its solutions and expected values), the folder of submissions and every other
workspace are hidden behind empty file systems; there is no network; other processes are invisible and are ended with
the run; the user is nobody when the grader is root. This needs unshare (util-linux) and either root or user namespaces;
isolation() says what this machine allows, and the report repeats it.

Limits hold everywhere: CPU and wall time, memory, processes, file size; the judge adds limits on output.
"""
import os, shlex, shutil, subprocess, tempfile
from pathlib import Path

NOBODY = 65534
COMPILE_SECONDS = 10
INSIDE = "/mnt"  # where the workspace appears; a standard folder that is empty


def _unshare(user):
    return ["unshare", *(["--user", "--map-root-user"] if user else []), "--mount", "--net", "--ipc", "--pid", "--fork", "--kill-child"]


def _works(command):
    return bool(shutil.which(command[0])) and subprocess.run([*command, "true"], capture_output=True).returncode == 0


class Sandbox:
    def __init__(self, hidden):
        """hidden: folders that the student's code must not see."""
        self.root = Path(tempfile.mkdtemp(prefix="grade-"))
        self.hidden = [str(Path(h).resolve()) for h in hidden] + [str(self.root)]
        self.is_root = os.geteuid() == 0
        self.prefix = []
        for user in ([False] if self.is_root else [True]):
            if os.path.isdir(INSIDE) and _works(_unshare(user)):
                self.prefix = _unshare(user)
        self.drop = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", "--no-new-privs"]
        if not (self.is_root and _works(self.drop)):
            self.drop = []
        # As nobody, the workspace must be reachable; its parent lists nothing.
        self.root.chmod(0o711)

    def isolation(self):
        if self.prefix and self.drop:
            return "full: another user, no network, project and submissions hidden"
        if self.prefix:
            return "namespaces: no network, project and submissions hidden, same user"
        if self.drop:
            return "another user only: files that everyone may read can be read, and there is network"
        return "limits only: the code runs as you, can read your files and use the network"

    def workspace(self):
        path = Path(tempfile.mkdtemp(dir=self.root))
        if self.drop:
            os.chown(path, NOBODY, NOBODY)
        return path

    def command(self, workspace, words):
        """The words, run in the sandbox with the workspace as current folder."""
        limits = "ulimit -t 10 -v 4194304 -f 65536 -c 0; ulimit -u 64 2>/dev/null; "
        if not self.prefix:
            inner = f"cd {shlex.quote(str(workspace))} && {limits} exec {shlex.join([*self.drop, *words])}"
            return ["env", "-i", "PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C.UTF-8", "sh", "-c", inner]
        hide = " && ".join(f"mount -t tmpfs -o size=4k,mode=755 none {shlex.quote(h)}" for h in self.hidden)
        inner = (f"mount --make-rprivate / && mount --bind {shlex.quote(str(workspace))} {INSIDE} && {hide} && mount -t proc proc /proc && cd {INSIDE} && "
                 f"{limits} exec {shlex.join([*self.drop, *words])}")
        return ["env", "-i", "PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C.UTF-8", *self.prefix, "sh", "-c", inner]

    def run(self, workspace, words, seconds):
        """(exit code or None on a timeout, output)."""
        try:
            r = subprocess.run(self.command(workspace, words), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=seconds)
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
        if sandbox.drop:
            for path in [workspace, *workspace.rglob("*")]:
                os.chown(path, NOBODY, NOBODY)
        code, out = sandbox.run(workspace, [cc, "-std=c11", "-O1", "-g", "-D_POSIX_C_SOURCE=200809L", "-w", "-c", "-o", "student.o", f"chapters/x/exercises/{e.file_name}"], COMPILE_SECONDS)
        if code != 0:
            return grading.result(e, "BUILD FAILED", message=grading.first_error(out))
        # The linker reads the student's object file and trusted ones; it runs in the sandbox too, on copies.
        names = []
        for o in objects:
            target = workspace / o.name
            target.write_bytes(o.read_bytes())
            target.chmod(0o644)
            names.append(o.name)
        code, out = sandbox.run(workspace, [cc, "-o", "child", "student.o", *names, "-lm"], COMPILE_SECONDS)
        if code != 0:
            return grading.result(e, "BUILD FAILED", message=grading.first_error(out))
        inside = f"{INSIDE}/child" if sandbox.prefix else str(workspace / "child")
        return grading.judge(e, sandbox.starter(workspace, inside), log, judge_program)
    finally:
        sandbox.discard(workspace)
