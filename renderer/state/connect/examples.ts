/**
 * Writes complete programs to copy, which enlarge a photo by the API. test/journeys/examples.test.ts runs
 * them as they stand here, beside a photo.jpg.
 */
interface Access {
  /** The address is the service's, without a slash at its end. */
  readonly url: string;
  readonly key: string;
}

export const exampleKinds = ['curl', 'javascript', 'python'] as const;
export type ExampleKind = (typeof exampleKinds)[number];

/** Writes the example for a POSIX shell. */
function curl({ url, key }: Access): string {
  return `URL=${url}
AUTH='Authorization: KEY ${key}'
field() { sed -E "s/.*\\"$1\\":\\"([^\\"]+)\\".*/\\1/"; }

IMAGE=$(curl -sS -H "$AUTH" -F file=@photo.jpg "$URL/api/uploads" | field imageUrl)
TASK=$(curl -sS -H "$AUTH" -H 'Content-Type: application/json' \\
  -d "{\\"imageUrl\\":\\"$IMAGE\\",\\"scale\\":2}" "$URL/api/image-upscaler" | field taskId)
RESULT=$(curl -sS -N -H "$AUTH" "$URL/api/task/$TASK/sse" | grep FINISHED | field imageUrl)
curl -sS -o photo-2x.jpg "$RESULT"
`;
}

/** Writes the example for Node 20 and later, which runs it by `node enlarge.mjs`. */
function javascript({ url, key }: Access): string {
  return `import { readFile, writeFile } from 'node:fs/promises';

const url = '${url}';
const headers = { Authorization: 'KEY ${key}' };

async function post(path, body, type = 'application/json') {
  const init = { method: 'POST', body, headers: { ...headers, 'Content-Type': type } };
  const answer = await fetch(url + path, init);
  const json = await answer.json();
  if (!answer.ok) throw new Error(json.message);
  return json;
}

const photo = await readFile('photo.jpg');
const { imageUrl } = await post('/api/uploads', photo, 'application/octet-stream');
const { taskId } = await post('/api/image-upscaler', JSON.stringify({ imageUrl, scale: 2 }));
const stream = await fetch(url + '/api/task/' + taskId + '/sse', { headers });
let [text, task] = ['', {}];
for await (const chunk of stream.body.pipeThrough(new TextDecoderStream())) {
  const events = (text + chunk).split('\\n\\n');
  text = events.pop();
  for (const event of events.filter((each) => each.startsWith('event: message'))) {
    task = JSON.parse(event.split('\\ndata: ')[1]);
    console.log(task.status, task.progress ?? '');
  }
}
if (task.status !== 'FINISHED') throw new Error(task.error.message);
const result = await fetch(task.imageUrl);
await writeFile('photo-2x.jpg', Buffer.from(await result.arrayBuffer()));
`;
}

/** Writes the example for Python 3, which needs no packages. */
function python({ url, key }: Access): string {
  return `import json, urllib.request

URL = '${url}'
KEY = '${key}'

def call(path, body=None, kind='application/json'):
    headers = {'Authorization': 'KEY ' + KEY, 'Content-Type': kind}
    return urllib.request.urlopen(urllib.request.Request(URL + path, body, headers))

with open('photo.jpg', 'rb') as photo:
    image = json.load(call('/api/uploads', photo.read(), 'application/octet-stream'))
wanted = {'imageUrl': image['imageUrl'], 'scale': 2}
task = json.load(call('/api/image-upscaler', json.dumps(wanted).encode()))
for line in call('/api/task/' + task['taskId'] + '/sse'):
    if line.startswith(b'data: '):
        task = json.loads(line[6:])
        print(task['status'], task.get('progress', ''))
if task['status'] == 'FAILED':
    raise SystemExit(task['error']['message'])
urllib.request.urlretrieve(task['imageUrl'], 'photo-2x.jpg')
`;
}

const examples: Record<ExampleKind, (access: Access) => string> = { curl, javascript, python };

export function exampleOf(kind: ExampleKind, access: Access): string {
  return examples[kind](access);
}
