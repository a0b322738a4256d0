#!/usr/bin/env bash
# Configures and builds one preset: packaging/build.sh PRESET [target...]
#
# Shows the compiler's progress on a terminal. Elsewhere it writes to build/PRESET.log and shows only
# what failed.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
preset=$1
shift
targets=()
if [ $# -gt 0 ]; then
    targets=(--target "$@")
fi
mkdir -p "$root/build"
log=$root/build/$preset.log

cd "$root"
if ! cmake --preset "$preset" >"$log" 2>&1; then
    tail -n 40 "$log" >&2
    exit 1
fi
if [ -t 1 ]; then
    cmake --build --preset "$preset" "${targets[@]}"
    exit
fi
if ! cmake --build --preset "$preset" "${targets[@]}" >>"$log" 2>&1; then
    grep -nE -A 12 'error:|FAILED|undefined reference' "$log" | head -n 80 >&2 || tail -n 40 "$log" >&2
    echo "build.sh: the build failed; all of it is in $log" >&2
    exit 1
fi
