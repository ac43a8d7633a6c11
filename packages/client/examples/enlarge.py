# python3 enlarge.py URL KEY photo.jpg photo-2x.jpg
import json
import sys
import urllib.error
import urllib.request

url, key, photo, target = sys.argv[1:5]


def call(path, body=None, kind='application/json'):
    headers = {'Authorization': 'KEY ' + key, 'Content-Type': kind}
    try:
        return urllib.request.urlopen(urllib.request.Request(url + path, body, headers))
    except urllib.error.HTTPError as refusal:
        # A refusal has the reason in "message" and a stable "code".
        sys.exit(json.load(refusal)['message'])
    except urllib.error.URLError as error:
        sys.exit('No service answers at %s: %s' % (url, error.reason))


try:
    with open(photo, 'rb') as file:
        picture = file.read()
except OSError as error:
    sys.exit('%s cannot be read: %s' % (photo, error.strerror))
image = json.load(call('/api/uploads', picture, 'application/octet-stream'))
body = {'imageUrl': image['imageUrl'], 'scale': 2}
task = json.load(call('/api/image-upscaler', json.dumps(body).encode()))
for line in call('/api/task/' + task['taskId'] + '/sse'):
    if line.startswith(b'data: '):
        task = json.loads(line[6:])
        print(task['status'], task.get('progress', ''))
if task['status'] == 'FAILED':
    sys.exit(task['error']['message'])
urllib.request.urlretrieve(task['imageUrl'], target)
