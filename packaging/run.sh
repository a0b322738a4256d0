#!/usr/bin/env bash
# Installs what is missing, builds, and opens the viewer:
#
#   packaging/run.sh [trace...]
#
# Without a trace it opens a bundled one. Without a display it prints what is in the trace and writes
# a picture of its timeline into the current directory.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
traces=("$@")
if [ ${#traces[@]} -eq 0 ]; then
    traces=("$root/resources/samples/synthetic_gpu_training.json.gz")
    echo "No trace named: opening the sample ${traces[0]}"
fi
for trace in "${traces[@]}"; do
    if [ ! -r "$trace" ]; then
        echo "run.sh: cannot read $trace" >&2
        exit 1
    fi
done

"$root/packaging/deps.sh" build run
echo "Building (the first time takes some minutes)"
"$root/packaging/build.sh" release kinetoscope kinetoscope-cli
bin=$root/build/release/bin

if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
    exec "$bin/kinetoscope" "${traces[@]}"
fi

echo "No display (DISPLAY and WAYLAND_DISPLAY are empty): describing the trace instead"
for trace in "${traces[@]}"; do
    "$bin/kinetoscope-cli" info "$trace"
    name=$(basename "$trace")
    for ending in .gz .zst .zip .json .pt.trace; do
        name=${name%"$ending"}
    done
    "$bin/kinetoscope-cli" render "$trace" -o "$name.png"
    echo "Timeline: $PWD/$name.png"
done
