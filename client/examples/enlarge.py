# python3 enlarge.py URL KEY photo.jpg photo-2x.jpg
import json
import sys
import time
import urllib.request

url, key, photo, target = sys.argv[1:5]


def call(path, body=None, kind='application/json'):
    headers = {'Authorization': 'KEY ' + key, 'Content-Type': kind}
    request = urllib.request.Request(url + path, body, headers)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


with open(photo, 'rb') as file:
    image = call('/api/uploads', file.read(), 'application/octet-stream')
wanted = {'imageUrl': image['imageUrl'], 'scale': 2}
task = call('/api/image-upscaler', json.dumps(wanted).encode())
while task.get('status') not in ('FINISHED', 'FAILED'):
    time.sleep(0.5)
    task = call('/api/task/' + task['taskId'])
    print(task['status'], task.get('progress', ''))
if task['status'] == 'FAILED':
    raise SystemExit(task['error']['message'])
urllib.request.urlretrieve(task['imageUrl'], target)
