#!/usr/bin/env bash
# One command that trains a network on a GPU for a given time, and goes on where it was:
#
#   train-on-gpu.sh SCALE MINUTES RUNS PHOTOGRAPHS [PHOTOGRAPHS …]
#   train-on-gpu.sh cutout MINUTES RUNS DATA PHOTOGRAPHS IMAGENET
#
# The first packs the photographs into RUNS/data once (a few minutes) and trains `natural` of that
# SCALE; the second trains the network that finds the subject on the sets of DATA, from the encoder of
# EfficientNet-Lite whose file IMAGENET is. Either trains for MINUTES of time in all, over as many starts as it takes
# (each file of its checkpoint is under 16 MB), and writes its files into RUNS when the time is up.
# SECONDS_HERE ends this start early, with a checkpoint. BATCH, RATE, WORKERS, INIT and, of `natural`,
# PATCH, LATE_PATCH, TOWERS and CHANNELS, of `cutout` SIZE, LATE_SIZE and VARIANT (0 to 2, as IMAGENET) fit it to the card.
set -euo pipefail
what=$1 minutes=$2 runs=$3
shift 3
sources=()
for source in "$@"; do sources+=("$(realpath "$source")"); done
runs=$(realpath -m "$runs")
cd "$(dirname "$0")"
[ "$what" = cutout ] && name=cutout || name=natural-x$what
run="$runs/$name"
python=${PYTHON:-python3}
threads=${THREADS:-$(nproc)}

# `train PROGRAM OPTION …` goes on, or begins with the weights that INIT names. Only the training itself is told
# that the time is up: it still needs the processes that draw for it.
train() {
  local first=() status=0
  [ -e "$run/checkpoint.json" ] || first=(${INIT:+--init "$INIT"})
  timeout --foreground --signal=TERM "${SECONDS_HERE:-0}" "$python" "$@" --run "$run" --minutes "$minutes" \
    --batch "${BATCH:-128}" --workers "${WORKERS:-$threads}" --threads "$threads" --measure-every 1000000 "${first[@]}" || status=$?
  [ "$status" = 124 ] && { echo "time is up here; start again to go on"; exit 0; }
  [ "$status" = 0 ] || exit "$status"
}

if [ "$what" = cutout ]; then
  train cutout/train.py --data "${sources[0]}" --photographs "${sources[1]}" --imagenet "${sources[2]}" --bf16 \
    --rate "${RATE:-2e-3}" --size "${SIZE:-256}" --late-size "${LATE_SIZE:-320}" --late-batch "${BATCH:-128}" --variant "${VARIANT:-0}"
  "$python" cutout/export.py cutout "$run/average.pt" "$runs/cutout.onnx"
  exit
fi

INIT=${INIT:-checkpoints/$name.pt}
[ -e "$runs/data/pixels.json" ] || "$python" data.py --photographs "${sources[@]}" --out "$runs/data" --sizes 1 1.25 1.6 2.2
train train.py --data "$runs/data" --scale "$what" --damage --recolour --towers "${TOWERS:-2}" --channels "${CHANNELS:-48}" \
  --patch "${PATCH:-64}" --late-patch "${LATE_PATCH:-96}" --late 0.8 --rate "${RATE:-4e-4}"
"$python" keep.py "$run/average.pt" "$runs/$name.pt"
"$python" export.py "$runs/$name.pt" "$runs/$name.onnx"
"$python" export.py "$runs/$name.pt" "$runs/$name.fp16.onnx" --half
"$python" quantise.py "$run/average.pt" "$runs/$name.int8.onnx" --data "$runs/data" --steps "${ROUNDED_STEPS:-600}" --rate 2e-4
