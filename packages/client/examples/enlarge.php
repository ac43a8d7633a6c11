<?php
// php enlarge.php URL KEY photo.jpg photo-2x.jpg
[, $url, $key, $photo, $target] = $argv;
$auth = "Authorization: KEY $key";

function fail(string $reason): never
{
    fwrite(STDERR, "$reason\n");
    exit(1);
}

function post(string $path, string $body, string $kind = 'application/json'): array
{
    global $url, $auth;
    $http = ['method' => 'POST', 'header' => [$auth, "Content-Type: $kind"], 'content' => $body, 'ignore_errors' => true];
    $text = @file_get_contents($url . $path, false, stream_context_create(['http' => $http]));
    if ($text === false) {
        fail("No service answers at $url.");
    }
    $answer = json_decode($text, true);
    // A refusal has the reason in "message" and a stable "code".
    if (isset($answer['statusCode'])) {
        fail($answer['message']);
    }
    return $answer;
}

$picture = @file_get_contents($photo);
if ($picture === false) {
    fail("$photo cannot be read.");
}
$image = post('/api/uploads', $picture, 'application/octet-stream');
$task = post('/api/image-upscaler', json_encode(['imageUrl' => $image['imageUrl'], 'scale' => 2]));
$events = fopen("$url/api/task/$task[taskId]/sse", 'r', false, stream_context_create(['http' => ['header' => $auth]]));
while (($line = fgets($events)) !== false) {
    if (str_starts_with($line, 'data: ')) {
        $task = json_decode(substr($line, 6), true);
        echo $task['status'], ' ', $task['progress'] ?? '', "\n";
    }
}
if ($task['status'] === 'FAILED') {
    fail($task['error']['message']);
}
if (!copy($task['imageUrl'], $target)) {
    fail("The result cannot be saved as $target.");
}
