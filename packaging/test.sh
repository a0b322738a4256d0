#!/usr/bin/env bash
# Installs what is missing, builds the ci preset and runs every test. The last line is
# "N passed, N failed"; the exit status is 1 if a test failed, 2 if the build did.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
"$root/packaging/deps.sh" build run test
echo "Building the ci preset"
if ! "$root/packaging/build.sh" ci; then
    echo "0 passed, 1 failed"
    exit 2
fi

log=$root/build/ci-tests.log
status=0
(cd "$root" && ctest --preset ci -j "$(nproc)") >"$log" 2>&1 || status=$?
# "97% tests passed, 3 tests failed out of 100"
summary=$(grep -E 'tests passed, [0-9]+ tests failed out of [0-9]+' "$log" || true)
if [ -z "$summary" ]; then
    tail -n 40 "$log" >&2
    echo "0 passed, 1 failed"
    exit 1
fi
failed=$(sed -E 's/.*passed, ([0-9]+) tests failed.*/\1/' <<<"$summary")
total=$(sed -E 's/.*out of ([0-9]+).*/\1/' <<<"$summary")
if [ "$status" -ne 0 ]; then
    # What failing tests printed, then ctest's list of them.
    grep -E '^(FAIL!|QFATAL|   Loc:|   Actual|   Expected|.*AddressSanitizer|.*runtime error)' "$log" | head -n 60 || true
    sed -n '/The following tests FAILED/,/^$/p' "$log"
    echo "All output is in $log"
fi
sed -n '/The following tests did not run/,/^$/p' "$log"
echo "$((total - failed)) passed, $failed failed"
[ "$status" -eq 0 ]
