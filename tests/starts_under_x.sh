#!/usr/bin/env bash
# Starts the program as a person does, under a real X server, with a trace, and expects it to be there
# still after some seconds without a warning of Qt: starts_under_x.sh PROGRAM TRACE
set -euo pipefail

unset QT_QPA_PLATFORM WAYLAND_DISPLAY
up=6
log=$(mktemp)
trap 'rm -f "$log"' EXIT
SECONDS=0
status=0
xvfb-run -a -s '-screen 0 1600x900x24' timeout --preserve-status -k 5 "$up" "$@" >"$log" 2>&1 || status=$?
cat "$log"
if [ "$SECONDS" -lt "$up" ]; then
    echo "starts_under_x.sh: it ended by itself with status $status"
    exit 1
fi
if grep -E '^(QObject|QWidget|QPainter|QLayout|QApplication|QFont|qt\.)|Sanitizer|runtime error' "$log"; then
    echo "starts_under_x.sh: warnings"
    exit 1
fi
