#!/usr/bin/env python3
"""packaging/conformance.py against a kit of its own: what it counts, excuses, misses and adds."""
import os
import subprocess
import sys
import tempfile

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "packaging", "conformance.py")
KIT = '''
import sys
text = {
    "contract": ["ok   contract: --help", "FAIL contract: usage error: render /tmp/x1/x.txt: exit 0", "1 passed, 1 failed"],
    "cases": ["ok   A: opens", "FAIL A: records: got 1", "ok   B: opens", "ok   R1-x: y", "FAIL C: z: bad",
              "ok   C: opens", "4 passed, 2 failed"],
    "tables": ["ok   tables/a operators: rows", "FAIL tables/a operators --by-shape: rows: 1 missing", "1 passed, 1 failed"],
    "analyses": ["skip analyses/foo: a/b is not under --corpus", "1 analyses skipped", "0 passed, 0 failed"],
}[sys.argv[sys.argv.index("--set") + 1]]
print("\\n".join(text))
'''


def run(folder, listed, disputed, *options):
    for name, lines in (("check.py", [KIT]), ("listed", listed), ("disputed", disputed)):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
    command = [sys.executable, SCRIPT, "--cli", "none", "--kit", folder, *options]
    for name in ("listed", "disputed"):
        command += ["--" + name, os.path.join(folder, name)]
    result = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    with open(os.path.join(folder, "listed"), encoding="utf-8") as file:
        return result.returncode, result.stdout.splitlines(), file.read().splitlines()


def expect(what, got, wanted):
    if got != wanted:
        sys.exit("%s: got %r, wanted %r" % (what, got, wanted))


with tempfile.TemporaryDirectory() as folder:
    status, lines, _ = run(folder, [], [])
    expect("nothing listed", (status, lines[-1]), (0, "0 passed, 0 failed"))

    status, lines, _ = run(folder, ["cases R*", "cases B # why", "contract --help", "tables tables/a operators"], [])
    expect("all listed pass", (status, lines[-1]), (0, "4 passed, 0 failed"))

    status, lines, _ = run(folder, ["cases A", "contract usage error: render x.txt"], [])
    expect("listed ones fail", (status, lines[-1]), (1, "1 passed, 2 failed"))
    expect("and are named", "FAIL cases A: records: got 1" in lines, True)

    status, lines, _ = run(folder, ["cases *"], ["cases A: records", "cases C  # all of it"])
    expect("disputed ones do not count", (status, lines[-1]), (0, "4 passed, 0 failed"))

    status, lines, _ = run(folder, ["cases Gone", "analyses analyses/foo kernels"], [])
    expect("a name the kit lost fails, a skipped one does not", (status, lines[-1]), (1, "0 passed, 1 failed"))

    status, lines, listed = run(folder, ["cases B"], [], "--update")
    expect("added", listed, ["cases B", "contract --help", "cases R1-x", "tables tables/a operators"])
print("conformance.py counts as it says")
