#!/bin/sh
# Starts the test's Electron with what its Node 20 lacks (prepare-electron.ts).
folder=$(dirname "$(readlink -f "$0")")/dist
LD_PRELOAD=$folder/napi10-on-node20.so
NODE_OPTIONS='--experimental-require-module --no-warnings'
export LD_PRELOAD NODE_OPTIONS
exec "$folder/electron" "$@"
