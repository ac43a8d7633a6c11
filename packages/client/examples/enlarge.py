# python3 enlarge.py URL KEY photo.jpg photo-2x.jpg
import json
import sys
import urllib.request

url, key, photo, target = sys.argv[1:5]


def call(path, body=None, kind='application/json'):
    headers = {'Authorization': 'KEY ' + key, 'Content-Type': kind}
    return urllib.request.urlopen(urllib.request.Request(url + path, body, headers))


with open(photo, 'rb') as file:
    image = json.load(call('/api/uploads', file.read(), 'application/octet-stream'))
wanted = {'imageUrl': image['imageUrl'], 'scale': 2}
task = json.load(call('/api/image-upscaler', json.dumps(wanted).encode()))
for line in call('/api/task/' + task['taskId'] + '/sse'):
    if line.startswith(b'data: '):
        task = json.loads(line[6:])
        print(task['status'], task.get('progress', ''))
if task['status'] == 'FAILED':
    raise SystemExit(task['error']['message'])
urllib.request.urlretrieve(task['imageUrl'], target)
