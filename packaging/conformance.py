#!/usr/bin/env python3
"""Runs the conformance kit and compares the result with what this repository says must pass.

  packaging/conformance.py --cli PATH [--set NAME]... [--update] [-v]

tests/conformance.txt lists what must pass, one name a line: "SET NAME", for example
"cases R64-cuda-graph". NAME may end in * to mean all that begin so; "SET *" is a whole set. In the
set `contract` a name is one check; elsewhere it is one case or one run of a table, with all its
checks, or with ": CHECK" added one of them. tests/conformance-disputed.txt lists, in the same words,
what may fail, with the reason. # begins a comment.

--update adds to tests/conformance.txt the names that pass and are not listed; it takes none away.
The last line is "N passed, N failed": the checks of the listed names. Exit status 1 if one failed.
"""
import argparse
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LISTED = os.path.join(ROOT, "tests", "conformance.txt")
DISPUTED = os.path.join(ROOT, "tests", "conformance-disputed.txt")
SETS = ("contract", "cases", "tables", "analyses")


class Names:
    """A list of "SET NAME[: CHECK]" or "SET NAME*" lines."""

    def __init__(self, path):
        self.entries = []
        if not os.path.exists(path):
            return
        with open(path, encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                text = re.sub(r"(^|\s+)#.*", "", line).strip()
                if not text:
                    continue
                kit_set, _, name = text.partition(" ")
                if kit_set not in SETS or not name:
                    sys.exit("%s:%d: not a set and a name: %s" % (path, number, text))
                self.entries.append((kit_set, name))

    def find(self, kit_set, text):
        """The entry that covers "NAME: CHECK: DETAIL", or None."""
        for entry in self.entries:
            if entry[0] != kit_set:
                continue
            name = entry[1]
            if text == name or text.startswith(name + ": ") or name.endswith("*") and text.startswith(name[:-1]):
                return entry
        return None


def normal(kit_set, text):
    """The kit's "NAME: CHECK: DETAIL". In the contract a check is a name, and its paths vary from run to run."""
    if kit_set != "contract":
        return text
    return re.sub(r"/\S*/", "", text.partition(": ")[2]).strip()


def name_of(kit_set, text, ok):
    """What --update writes for this line: the case, or the check of the contract."""
    if kit_set != "contract":
        return text.partition(": ")[0]
    return text if ok else None  # a failing check's detail cannot be told from its name


def start(kit, cli, corpus, kit_set):
    command = [sys.executable, os.path.join(kit, "check.py"), "--cli", cli, "--set", kit_set, "-v"]
    if os.path.isdir(corpus):
        command += ["--corpus", corpus]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cli", required=True, help="the kinetoscope-cli to check")
    parser.add_argument("--kit", default=os.path.join(ROOT, "..", "shared", "conformance"))
    parser.add_argument("--corpus", default=os.path.join(ROOT, "..", "shared", "corpus"))
    parser.add_argument("--listed", default=LISTED, help="what must pass")
    parser.add_argument("--disputed", default=DISPUTED, help="what may fail")
    parser.add_argument("--set", action="append", choices=SETS, dest="sets")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("-v", action="store_true", help="also show failures that are not listed")
    args = parser.parse_args()
    if not os.path.exists(os.path.join(args.kit, "check.py")):
        sys.exit("conformance.py: no check.py in %s" % args.kit)
    sets = args.sets or SETS
    listed, disputed = Names(args.listed), Names(args.disputed)

    passed = failed = excused = crashed = 0
    used = set()  # entries of LISTED that covered a check
    skipped = {}  # set -> names the kit left out
    good, bad, unlisted = [], set(), set()  # names by outcome
    for kit_set, process in [(s, start(args.kit, args.cli, args.corpus, s)) for s in sets]:
        output, _ = process.communicate()
        last = ""
        for line in output.splitlines():
            last = line
            if line.startswith("skip "):
                skipped.setdefault(kit_set, []).append(line[5:].partition(": ")[0])
                continue
            if line.startswith("FAIL "):
                ok, text = False, line[5:]
            elif line.startswith("ok   "):
                ok, text = True, line[5:]
            else:
                continue
            text = normal(kit_set, text)
            entry = listed.find(kit_set, text)
            name = (kit_set, name_of(kit_set, text, ok))
            if entry:
                used.add(entry)
            if ok:
                good.append(name)
                passed += entry is not None
            elif disputed.find(kit_set, text):
                excused += 1
            else:
                if not entry:
                    unlisted.add((kit_set, text.partition(": ")[0]))
                bad.add(name)
                failed += entry is not None
                if entry or args.v:
                    print(("FAIL %s %s" if entry else "not listed: %s %s") % (kit_set, text))
        if not re.fullmatch(r"\d+ passed, \d+ failed", last):
            print("FAIL %s: the kit stopped early: %s" % (kit_set, last[:200]))
            crashed += 1
    failed += crashed
    for entry in listed.entries:
        kit_set, name = entry
        if kit_set not in sets or entry in used or disputed.find(kit_set, name):
            continue
        if any(name.startswith(s) for s in skipped.get(kit_set, [])) or name.endswith("*"):
            continue
        print("FAIL %s %s: listed, but the kit has no such name" % entry)
        failed += 1

    fresh = [n for n in dict.fromkeys(good) if n not in bad and not listed.find(*n)]
    if args.update and fresh:
        with open(args.listed, "a", encoding="utf-8") as file:
            for entry in fresh:
                file.write("%s %s\n" % entry)
        print("added %d names to %s" % (len(fresh), args.listed))
    elif fresh:
        print("%d names pass and are not listed (--update adds them)" % len(fresh))
    if unlisted:
        print("%d names fail and are not listed%s" % (len(unlisted), "" if args.v else " (-v shows them)"))
    if excused:
        print("%d failing checks are disputed" % excused)
    for kit_set, names in skipped.items():
        print("%d names of %s need traces that are not here" % (len(names), kit_set))
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
