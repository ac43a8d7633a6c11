#!/usr/bin/env bash
# Trains natural at 4x and 2x, then Detail, on a GPU from teachers (teach.py), one after the other:
#
#   teach-on-gpu.sh FOLDER OUT MINUTES4 MINUTES2 DETAIL
#
# FOLDER holds photographs/ (training pictures only), teachers/ (files of teachers.py and the encoder's),
# checkpoints/ (natural-x4.pt, natural-x2.pt) and sets/; runs are kept in FOLDER/runs. OUT gets
# natural-x4.pt, natural-x2.pt and detail-x4.pt, anew every minute. A training of 0 minutes is left out.
# DEVICE, BATCH, PATCH, LATE_PATCH, RATE and STEPS (instead of the minutes) may be set.
set -euo pipefail
shopt -s nullglob
[ $# = 5 ] || { sed -n '2,9p' "$0"; exit 2; }
folder=$(realpath "$1") out=$(realpath -m "$2") four=$3 two=$4 detail=$5
here=$(dirname "$(realpath "$0")")
python=${PYTHON:-python3} device=${DEVICE:-cuda} runs=$folder/runs teachers=$folder/teachers
mkdir -p "$out" "$runs"
cd "$here"
export PYTHONUNBUFFERED=1

# What a run has learned so far, as a small file, every minute and at its end.
keep() { [ ! -e "$1/average.pt" ] || "$python" keep.py "$1/average.pt" "$out/$2.pt"; }
train() { # NAME SCALE MINUTES INIT RATE, then more options
  local name=$1 scale=$2 minutes=$3 init=$4 rate=$5 length=()
  shift 5
  [ "$minutes" = 0 ] && return
  [ -n "${STEPS:-}" ] && length=(--steps "$STEPS") || length=(--minutes "$minutes")
  "$python" teach.py --data "$folder/photographs" --run "$runs/$name" --scale "$scale" --init "$init" "${length[@]}" \
    --device "$device" --batch "${BATCH:-96}" --patch "${PATCH:-48}" --late-patch "${LATE_PATCH:-64}" --rate "$rate" --warm 200 \
    --threads "${THREADS:-12}" --average 0.999 --checkpoint-seconds 30 --measure-every "${MEASURE_EVERY:-100000000}" \
    --sets "$folder"/sets/* "$@" &
  local training=$!
  trap 'kill -TERM $training 2>/dev/null; wait $training; keep "$runs/$name" "$name"; exit 0' TERM INT
  while kill -0 $training 2>/dev/null; do
    for _ in $(seq 60); do kill -0 $training 2>/dev/null || break; sleep 1; done
    keep "$runs/$name" "$name" || true
  done
  trap - TERM INT
  wait $training || echo "$name ended early: $?"
}

train natural-x4 4 "$four" "$folder/checkpoints/natural-x4.pt" "${RATE:-6e-4}" --teachers "$teachers/rlfn-ntire2022-x4.pt" --seed 704
start=$out/natural-x4.pt
[ -e "$start" ] || start=$folder/checkpoints/natural-x4.pt
train detail-x4 4 "$detail" "$start" "${RATE:-4e-4}" --detail --teachers "$teachers/realesr-general-x4v3.pt" --encoder "$teachers/lite0.pth" --seed 714
train natural-x2 2 "$two" "$folder/checkpoints/natural-x2.pt" "${RATE:-5e-4}" --seed 702
