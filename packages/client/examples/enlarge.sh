#!/bin/sh
# sh enlarge.sh URL KEY photo.jpg photo-2x.jpg
set -e
URL=$1 AUTH="Authorization: KEY $2" PHOTO=$3 TARGET=$4
field() { sed -E "s/.*\"$1\":\"([^\"]+)\".*/\1/"; }

IMAGE=$(curl -sS -f -H "$AUTH" -F "file=@$PHOTO" "$URL/api/uploads" | field imageUrl)
TASK=$(curl -sS -f -H "$AUTH" -H 'Content-Type: application/json' \
  -d "{\"imageUrl\":\"$IMAGE\",\"scale\":2}" "$URL/api/image-upscaler" | field taskId)
RESULT=$(curl -sS -N -H "$AUTH" "$URL/api/task/$TASK/sse" | grep FINISHED | field imageUrl)
curl -sS -f -o "$TARGET" "$RESULT"
