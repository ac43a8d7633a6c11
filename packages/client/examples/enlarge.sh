#!/bin/sh
# sh enlarge.sh URL KEY photo.jpg photo-2x.jpg
URL=$1 AUTH="Authorization: KEY $2" PHOTO=$3 TARGET=$4
field() { sed -nE "s/.*\"$1\":\"([^\"]+)\".*/\1/p"; }

# Prints a field of the answer; a refusal has the reason in "message" and ends the program.
call() {
  NAME=$1 && shift
  ANSWER=$(curl -sS -H "$AUTH" "$@") || exit 1
  printf '%s\n' "$ANSWER" | field "$NAME" | grep . && return
  printf '%s\n' "$ANSWER" | field message >&2
  exit 1
}

if [ ! -r "$PHOTO" ]; then
  echo "$PHOTO cannot be read." >&2
  exit 1
fi
IMAGE=$(call imageUrl -F "file=@$PHOTO" "$URL/api/uploads") || exit 1
TASK=$(call taskId -H 'Content-Type: application/json' \
  -d "{\"imageUrl\":\"$IMAGE\",\"scale\":2}" "$URL/api/image-upscaler") || exit 1
END=$(curl -sS -N -H "$AUTH" "$URL/api/task/$TASK/sse" | grep -E '"status":"(FINISHED|FAILED)"')
RESULT=$(printf '%s\n' "$END" | field imageUrl)
if [ -z "$RESULT" ]; then
  printf '%s\n' "$END" | field message >&2
  exit 1
fi
curl -sS -f -o "$TARGET" "$RESULT"
