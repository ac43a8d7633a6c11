<?php
// php enlarge.php URL KEY photo.jpg photo-2x.jpg
[, $url, $key, $photo, $target] = $argv;

function call(string $path, ?string $body = null, string $kind = 'application/json'): array
{
    global $url, $key;
    $http = [
        'method' => $body === null ? 'GET' : 'POST',
        'header' => ["Authorization: KEY $key", "Content-Type: $kind"],
        'content' => $body ?? '',
        'ignore_errors' => true,
    ];
    $answer = json_decode(file_get_contents($url . $path, false, stream_context_create(['http' => $http])), true);
    if (isset($answer['statusCode'])) {
        exit($answer['message'] . "\n");
    }
    return $answer;
}

$image = call('/api/uploads', file_get_contents($photo), 'application/octet-stream');
$task = call('/api/image-upscaler', json_encode(['imageUrl' => $image['imageUrl'], 'scale' => 2]));
do {
    usleep(500000);
    $task = call('/api/task/' . $task['taskId']);
    echo $task['status'], ' ', $task['progress'] ?? '', "\n";
} while ($task['status'] === 'PENDING' || $task['status'] === 'PROCESSING');
if ($task['status'] === 'FAILED') {
    exit($task['error']['message'] . "\n");
}
copy($task['imageUrl'], $target);
