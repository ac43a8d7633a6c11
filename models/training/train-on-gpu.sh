#!/usr/bin/env bash
# One command that trains the default network on a GPU for a given time, and goes on where it was:
#
#   train-on-gpu.sh SCALE MINUTES RUNS PHOTOGRAPHS [PHOTOGRAPHS …]
#
# packs the photographs into RUNS/data once (a few minutes), trains RUNS/natural-xSCALE for MINUTES of
# time in all, over as many starts as it takes (each file of its checkpoint is under 16 MB), and
# writes RUNS/natural-xSCALE.onnx and .int8.onnx when the time is up. SECONDS_HERE ends this start
# early, with a checkpoint. BATCH, PATCH, WORKERS and CHANNELS fit it to the card.
set -euo pipefail
scale=$1 minutes=$2 runs=$3
shift 3
here=$(cd "$(dirname "$0")" && pwd)
cd "$here"
run="$runs/natural-x$scale"
python=${PYTHON:-python3}
threads=${THREADS:-$(nproc)}

[ -e "$runs/data/pixels.json" ] || "$python" data.py --photographs "$@" --out "$runs/data" --sizes 1 1.25 1.6 2.2

first=()
[ -e "$run/checkpoint.json" ] || first=(--init "${INIT:-checkpoints/natural-x$scale.pt}")
status=0
timeout --signal=TERM "${SECONDS_HERE:-0}" "$python" train.py --data "$runs/data" --run "$run" --scale "$scale" \
  --damage --recolour --towers "${TOWERS:-2}" --channels "${CHANNELS:-48}" --minutes "$minutes" \
  --batch "${BATCH:-128}" --patch "${PATCH:-64}" --late-patch "${LATE_PATCH:-96}" --late 0.8 --rate "${RATE:-4e-4}" \
  --workers "${WORKERS:-$threads}" --threads "$threads" --measure-every 1000000 "${first[@]}" || status=$?
[ "$status" = 124 ] && { echo "time is up here; start again to go on"; exit 0; }
[ "$status" = 0 ] || exit "$status"

"$python" keep.py "$run/average.pt" "$runs/natural-x$scale.pt"
"$python" export.py "$runs/natural-x$scale.pt" "$runs/natural-x$scale.onnx"
"$python" export.py "$runs/natural-x$scale.pt" "$runs/natural-x$scale.fp16.onnx" --half
"$python" quantise.py "$run/average.pt" "$runs/natural-x$scale.int8.onnx" --data "$runs/data" --steps "${ROUNDED_STEPS:-600}" --rate 2e-4
