#!/usr/bin/env bash
# Installs what Kinetoscope needs on Debian 12 and is not there yet.
#
#   packaging/deps.sh [build] [run] [test] [fuzz]     default: build run
#   packaging/deps.sh --list [build] ...              only prints the names
#
# Needs root or sudo only if something is missing.
set -euo pipefail

build=(
    cmake g++ ninja-build pkg-config
    libgl-dev libisal-dev libqt6opengl6-dev libsimdjson-dev libzip-dev libzstd-dev zlib1g-dev
    qt6-base-dev qt6-charts-dev qt6-svg-dev # charts asks for libqt6opengl6-dev without depending on it
)
run=(fonts-dejavu-core)
test=(appstream desktop-file-utils fonts-dejavu-core python3 xauth xvfb)
fuzz=(clang-19 libclang-rt-19-dev)
if [ -n "${WAYLAND_DISPLAY:-}" ]; then
    run+=(qt6-wayland)
fi

list=0
wanted=()
for group in "$@"; do
    case $group in
        --list) list=1 ;;
        build) wanted+=("${build[@]}") ;;
        run) wanted+=("${run[@]}") ;;
        test) wanted+=("${test[@]}") ;;
        fuzz) wanted+=("${fuzz[@]}") ;;
        *)
            echo "deps.sh: unknown group '$group' (build, run, test, fuzz)" >&2
            exit 2
            ;;
    esac
done
if [ ${#wanted[@]} -eq 0 ]; then
    wanted=("${build[@]}" "${run[@]}")
fi
if [ $list -eq 1 ]; then
    printf '%s\n' "${wanted[@]}" | sort -u
    exit 0
fi
if ! command -v dpkg-query >/dev/null; then
    echo "deps.sh: not a Debian system; install by hand what these packages hold: ${wanted[*]}" >&2
    exit 0
fi

missing=()
for package in $(printf '%s\n' "${wanted[@]}" | sort -u); do
    state=$(dpkg-query -W -f '${Status}' "$package" 2>/dev/null || true)
    if [[ $state != *"ok installed" ]]; then
        missing+=("$package")
    fi
done
if [ ${#missing[@]} -eq 0 ]; then
    exit 0
fi

as_root=()
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
        echo "deps.sh: run as root: apt-get install ${missing[*]}" >&2
        exit 1
    fi
    as_root=(sudo)
fi
echo "Installing ${#missing[@]} packages: ${missing[*]}"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
apt() {
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300 "$@" >"$log" 2>&1
}
# A stale package list is the usual reason for a failure: refresh it, also if only one index failed.
apt update || true
if ! apt install -y --no-install-recommends "${missing[@]}"; then
    tail -n 20 "$log" >&2
    exit 1
fi
