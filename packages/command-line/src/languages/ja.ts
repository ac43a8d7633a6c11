import type { Catalogue } from '../catalogue.ts';

export const ja: Catalogue = {
  'a file of that name is there.': '同じ名前のファイルがすでにあります。',
  'The folder {folder} cannot be made: {reason}': 'フォルダー {folder} を作成できません：{reason}',
  'The result cannot be written to standard output: {reason}':
    '結果を標準出力に書き込めません：{reason}',
  '{file} cannot be read: {reason}': '{file} を読み込めません：{reason}',
  'Interrupted.': '中断しました。',
  'The program that started this one is gone.': 'このコマンドを起動したプログラムが終了しました。',
  'The reader of the output is gone.': '出力を読み取るプログラムが終了しました。',
  'error: {message}': 'エラー：{message}',
  'No task has the id {id}.': 'ID {id} のタスクはありません。',
  '`{command}` lists no {id}.': '`{command}` の一覧に {id} はありません。',
  'There are no tasks.': 'タスクはありません。',
  waiting: '待機中',
  running: '処理中',
  finished: '完了',
  failed: '失敗',
  cancelled: 'キャンセル済み',
  'The queue is paused.': 'キューは一時停止中です。',
  'The queue runs.': 'キューは動作中です。',
  'Expected --url to be an address but received {url}.':
    '--url にはアドレスを指定してください（指定された値：{url}）。',
  'No service answers at {url}.': '{url} でサービスが応答しません。',
  '{file} is written. Start darktable again, and export to "enlarge with Enlarger".':
    '{file} を書き込みました。darktableを再起動し、「enlarge with Enlarger」に書き出してください。',
  'Expected Windows or macOS, where Lightroom Classic runs.':
    'Lightroom Classicが動作するWindowsまたはmacOSが必要です。',
  '{file} is written. Start Lightroom Classic again; it stands under Photo, Edit In.':
    '{file} を書き込みました。Lightroom Classicを再起動すると、「写真」の「他のツールで編集」に表示されます。',
  'Its results went to {folder} until now.': 'これまで結果は {folder} に保存されていました。',
  'Expected a folder that `enlarger watches` lists; nothing was removed.':
    '`enlarger watches` が表示するフォルダーを指定してください。何も削除していません。',
  'No folders are granted.': '許可したフォルダーはありません。',
  'Expected a folder that `enlarger grants` lists; nothing was taken back.':
    '`enlarger grants` が表示するフォルダーを指定してください。取り消した許可はありません。',
  'The service was started with this folder, and keeps it until it ends.':
    'サービスはこのフォルダーを指定して起動されたため、終了するまで許可したままになります。',
  choices: '選択肢',
  default: '既定',
  'Each command uses the service that runs on this machine, or one of its own that ends with it.':
    '各コマンドは、このコンピューターで動作中のサービスを使います。なければ自分で起動し、コマンドの終了とともに終えます。',
  'Nothing leaves the machine but requests for what you name: addresses of photos, and models to fetch.':
    '指示されたもの（写真のアドレスとダウンロードするモデル）を除き、データがこのコンピューターの外に出ることはありません。',
  'All is well.': '問題なく終了しました。',
  'A picture or the command failed.': '画像またはコマンドが失敗しました。',
  'The words were wrong.': 'コマンドを解釈できませんでした。',
  'It was interrupted; its own tasks were cancelled first.':
    '中断されました。その前に、このコマンドのタスクはキャンセルされています。',
  'Expected a length such as 40cm, 16in, short:30cm or width:400mm, and after an @ from 10 to 4800 pixels an inch.':
    '40cm、16in、short:30cm、width:400mm のような長さを指定してください。@ を付ける場合は、続けて1インチあたり10～4800ピクセルの値を指定します。',
  'Expected width and height in pixels, as in 2000x2000.':
    '2000x2000 のように、幅と高さをピクセルで指定してください。',
  'Expected two numbers from 0 to 100, as in 50,100.':
    '50,100 のように、0～100の数値を2つ指定してください。',
  "Expected a place as shares of the photo's width and height, as in 0.4,0.25 or 40%,25%.":
    '0.4,0.25 または 40%,25% のように、写真の幅と高さに対する割合で位置を指定してください。',
  "Expected x, y, width and height as shares of the photo's width and height, as in 0.1,0.2,0.5,0.6 or 10%,20%,50%,60%.":
    '0.1,0.2,0.5,0.6 または 10%,20%,50%,60% のように、写真の幅と高さに対する割合でx、y、幅、高さを指定してください。',
  'Expected a list of strokes, as in {example}.':
    '{example} のような、ストロークのリストを指定してください。',
  'Expected a file with JSON: {reason}.': 'JSONのファイルを指定してください：{reason}。',
  'Expected JSON with {what}.': '次の内容のJSONを指定してください：{what}。',
  'more than {min}, up to {max}': '{min} より大きく {max} 以下',
  '{min} to {max}': '{min}～{max}',
  'a whole number from {min} to {max}': '{min}～{max} の整数',
  'a number from {min} to {max}': '{min}～{max} の数値',
  'Expected {what}.': '次の値を指定してください：{what}。',
  'Expected a file name for --name but received a path: {name}':
    '--name にはパスではなくファイル名を指定してください：{name}',
  'Expected {fields} in --name but received {name}':
    '--name に使えるのは {fields} です（指定された値：{name}）',
  'No browser could be opened here: open the link above in one, once.':
    'ここではブラウザーを開けませんでした。上のリンクをブラウザーで開いてください（1回だけ使えます）。',
  'The page works until you end this command with Ctrl+C.':
    'このページは、Ctrl+Cでこのコマンドを終了するまで使えます。',
  'The pool does not answer.': 'プールが応答しません。',
  'This machine helps. Its own tasks go first.':
    'このコンピューターは他のコンピューターを手伝います。自分のタスクを優先します。',
  'It helps until you end this command with Ctrl+C.':
    'Ctrl+Cでこのコマンドを終了するまで手伝います。',
  'Until the pool answers, tasks run here.':
    'プールが応答するまで、タスクはこのコンピューターで処理します。',
  'This machine is in no pool.': 'このコンピューターはどのプールにも参加していません。',
  'There is no pool.': 'プールはありません。',
  'Connecting.': '接続しています。',
  'Connected.': '接続しました。',
  'Nobody helps yet.': '手伝うコンピューターはまだありません。',
  'Together {times} times as fast as this machine.':
    '合わせて、このコンピューターの{times}倍の速さです。',
  'this machine': 'このコンピューター',
  '{number} megapixels/s': '{number} メガピクセル/秒',
  '{file} cannot be written: {reason}': '{file} に書き込めません：{reason}',
  '{file}: bring it to every machine of the pool, and name it there with --key-file.':
    '{file}：このファイルをプールのすべてのコンピューターにコピーし、それぞれで --key-file に指定してください。',
  'Expected the password in the address or in --password-file, not in both.':
    'パスワードは、アドレスと --password-file のどちらか一方で指定してください。',
  'Other users of this machine see the password in the address while this command runs: leave it out, and give it by --password-file or {variable}.':
    'このコマンドの実行中、アドレスの中のパスワードはこのコンピューターの他のユーザーに見えます。アドレスから取り除き、--password-file または {variable} で指定してください。',
  'Other users of this machine see the secret in --storage while this command runs: leave KEY:SECRET out, and set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or use ~/.aws/credentials.':
    'このコマンドの実行中、--storage の中のシークレットはこのコンピューターの他のユーザーに見えます。KEY:SECRET を取り除き、AWS_ACCESS_KEY_ID と AWS_SECRET_ACCESS_KEY を設定するか、~/.aws/credentials を使ってください。',
  'Expected a password in {file}, which is empty.': '{file} は空です。パスワードを入れてください。',
  'There are no presets.': 'プリセットはありません。',
  'Expected {file} to be a file that `presets export` wrote.':
    '`presets export` が書き出したファイルを指定してください（指定された値：{file}）。',
  'none yet': 'まだなし',
  'No preset is called {name}; there are {presets}.':
    '「{name}」というプリセットはありません。使えるプリセット：{presets}',
  'output the version number': 'バージョン番号を表示する',
  'display help for command': 'コマンドのヘルプを表示する',
  'It is watched as long as Enlarger, with or without a window, is running.':
    'Enlargerが動作している間、ウィンドウの有無にかかわらず監視します。',
  'It is watched until you end this command with Ctrl+C.':
    'Ctrl+Cでこのコマンドを終了するまで監視します。',
  'It failed.': '失敗しました。',
  skipped: 'スキップ',
  'No folders are watched.': '監視しているフォルダーはありません。',
  '{done} of {count} done, {failed} failed': '{count}枚中{done}枚が完了、失敗{failed}枚',
  'Added {id}.': '{id} を追加しました。',
  'Expected a whole number from 0 to 15.': '0～15の整数を指定してください。',
  'Expected a card that `enlarger devices` lists, but it is number {number} and the system lists {count}.':
    '`enlarger devices` が表示するグラフィックカードを指定してください（指定された番号：{number}、システムにある数：{count}）。',
  'this system has none': 'このシステムにはありません',
  'Chosen: {device}': '選択中：{device}',
  'Chosen: {device}, which cannot be used: {reason}': '選択中：{device}（使えません：{reason}）',
  'card {number}: {name}': 'グラフィックカード{number}：{name}',
  'Needs {needs}.': '必要なもの：{needs}。',
  'No device of this system needs files beside Enlarger.':
    'このシステムのデバイスに、Enlarger以外のファイルは必要ありません。',
  'There are no models to fetch.': 'ダウンロードできるモデルはありません。',
  'Recommended for a machine whose networks run on its processor:':
    'プロセッサーで処理するコンピューターへのおすすめ：',
  'Recommended for a machine with built-in graphics:':
    '内蔵グラフィックスのコンピューターへのおすすめ：',
  'Recommended for a machine with this graphics card:':
    'このグラフィックカードのコンピューターへのおすすめ：',
  'Recommended for a Mac with Apple silicon:': 'Appleシリコン搭載Macへのおすすめ：',
  installed: 'インストール済み',
  'Fetch them? [Y/n]': 'ダウンロードしますか？[Y/n]',
  y: 'y',
  'Nothing was fetched.': '何もダウンロードしていません。',
  'There is nothing to fetch.': 'ダウンロードするものはありません。',
  'To fetch: {size}.': 'ダウンロードするサイズ：{size}。',
  '{model} becomes the default of its task if a photo of 12 megapixels takes at most {seconds} s here, and no other was chosen.':
    '12メガピクセルの写真がここで{seconds}秒以内に処理でき、他のモデルが選ばれていなければ、{model} がその処理の既定になります。',
  'The download was cancelled; what came stays.':
    'ダウンロードをキャンセルしました。ダウンロード済みの分は残ります。',
  'size not published': 'サイズ未公開',
  'not published': '未公開',
  'trained on: {data}': '学習データ：{data}',
  'its memory was not measured': 'メモリー使用量は未計測',
  'takes about {size} of memory, as others measured it': 'メモリー約{size}（第三者の計測）',
  'takes about {size} of memory': 'メモリー約{size}',
  'Trying it out.': '試しています。',
  '{size} are here.': '{size}をダウンロード済みです。',
  'Waiting for its turn.': '順番を待っています。',
  'Reading the files.': 'ファイルを読み込んでいます。',
  'Trying it out on test pictures.': 'テスト画像で試しています。',
  '{done} of at most {count}': '{done}/最大{count}',
  'Trying it out on test pictures: {done}.': 'テスト画像で試しています：{done}。',
  'Trying it out on test pictures: {done}, at most {time} left.':
    'テスト画像で試しています：{done}、残り最大{time}。',
  'Expected a model that `enlarger models` lists, or {own}, but received {id}.':
    '`enlarger models` が表示するモデル、または {own} を指定してください（指定された値：{id}）。',
  '--name is for one network, but {count} were given.':
    '--name はネットワークが1つのときに使えますが、{count}個指定されています。',
  'It enlarges {scales}:': '{scales}に拡大：',
  'It cuts out subjects:': '背景を削除：',
  'It selects what clicks and boxes point at, once it is in use:':
    '使うように設定すると、クリックや枠で示したものを選択：',
  'Found: {facts}': '判定結果：{facts}',
  'Note: {note}': '注意：{note}',
  'There is no file or folder {name}.': 'ファイルまたはフォルダー {name} はありません。',
  'There is no network in the folder {folder}.': 'フォルダー {folder} にネットワークはありません。',
  'The service that was in use has ended. This command goes on without it.':
    '使用していたサービスが終了しました。このコマンドは単独で続けます。',
  'The service has ended. The same command goes on with what is not done.':
    'サービスが終了しました。同じコマンドをもう一度実行すると、残りを処理します。',
  'The queue is paused, so nothing begins: `enlarger resume` or the window lets it go on.':
    'キューが一時停止中のため、処理は始まりません。`enlarger resume` またはウィンドウから再開できます。',
  'Expected a file but {file} is none.':
    'ファイルを指定してください。{file} はファイルではありません。',
  '{file} cannot be edited in its place: {reason}':
    '{file} を置き換えて編集することはできません：{reason}',
  'Expected a result that has the format of {file}, but it became {result}. Choose a smaller scale, or enlarge it into a file of its own with `enlarger upscale`.':
    '結果は {file} と同じ形式になるはずですが、{result} になりました。倍率を小さくするか、`enlarger upscale` で別のファイルに拡大してください。',
  none: 'なし',
  '{file} was changed by another program meanwhile, so it was left as it is.':
    '{file} はその間に他のプログラムが変更したため、そのまま残しました。',
  '{count} originals of {file} are kept already; remove some.':
    '{file} の元のファイルがすでに{count}個保管されています。いくつか削除してください。',
  'Its name is not UTF-8 and cannot be opened; rename it (convmv does so for many).':
    '名前がUTF-8ではないため開けません。名前を変更してください（convmvを使うとまとめて変更できます）。',
  'All pictures in this folder were made by Enlarger; --include-results takes them too.':
    'このフォルダーの画像はすべてEnlargerが作ったものです。--include-results を付けると、それらも処理します。',
  'There are no pictures in this folder. Links in it are not followed; name what they lead to.':
    'このフォルダーに画像はありません。中のリンクはたどらないため、リンク先を指定してください。',
  'It cannot be read: you have no right to read it.':
    '読み込めません：読み取りの権限がありません。',
  'No file matches this pattern.': 'このパターンに一致するファイルはありません。',
  'There is no such file.': 'そのファイルはありません。',
  'The result cannot be saved in {folder}: {reason}': '結果を {folder} に保存できません：{reason}',
  'Expected --amount-mask everywhere, subject, background or painted beside --strokes.':
    '--strokes には、--amount-mask everywhere、subject、background、painted のいずれかも指定してください。',
  'for {formats}': '対象の形式: {formats}',
  'how many times as wide; 1 only cleans (default: 2)': '幅と高さの倍率。1は補正のみ (既定: 2)',
  'also enlarges, this many times as wide; 1 only cleans': 'この倍率で拡大もする。1は補正のみ',
  'Expected a background beside --format jpeg, which holds no transparency: --background white, another colour or blur, or --background-image.':
    '--format jpeg は透明に対応していません。--background white、他の色、blur、または --background-image で背景を指定してください。',
  'Expected --canvas beside --position, which is a place on it.':
    '--position はカンバス上の位置です。--canvas も指定してください。',
  'Expected --scale or another size beside {flag}, which is about enlarging.':
    '{flag} は拡大の設定です。--scale などのサイズも指定してください。',
  'Expected only one of {flags}.': '次のうち1つだけ指定してください：{flags}。',
  'standard output': '標準出力',
  'standard input': '標準入力',
  'Expected one picture for standard output but received {count}.':
    '標準出力に出せる画像は1枚だけです（指定された枚数：{count}）。',
  '{model} has no strength of detail: --detail {detail} changes nothing.':
    '{model} には細部の強さがありません。--detail {detail} は何も変えません。',
  '{model} cannot be told how much to take off: --restore {restore} changes nothing.':
    '{model} では強さを設定できないため、--restore {restore} を指定しても変わりません。',
  '{flag}: {model} is no model that enlarges; there are {models}.':
    '{flag}：{model} は拡大するモデルではありません。使えるモデル：{models}。',
  '{flag}: {model} is no model that cuts out; there are {models}.':
    '{flag}：{model} は背景を削除するモデルではありません。使えるモデル：{models}。',
  '{flag}: no model is called {model}; there are {models}.':
    '{flag}：{model} というモデルはありません。使えるモデル：{models}。',
  'without an ending': '拡張子なし',
  ', and others': '、その他',
  '--preset: {preset} is for `enlarger {command}`.':
    '--preset：{preset} は `enlarger {command}` 用です。',
  'The task has no result.': 'このタスクに結果はありません。',
  'Then: {command}': 'その後に実行：{command}',
  'It cannot be read: {reason}': '読み込めません：{reason}',
  '{photo}: failed': '{photo}：失敗',
  '{time} left': '残り{time}',
  '{photo}: skipped, {result} is there': '{photo}：スキップ（{result} があります）',
  'look at it, the network was not sure': '輪郭が不確かなため、確認してください',
  'probably poor, look at it': '失敗している可能性があるため、確認してください',
  'The same command goes on with them.': '同じコマンドをもう一度実行すると、残りを処理します。',
  '--out: no result is written as {ending}; there are {endings}.':
    '--out：{ending} の結果は書き出せません。使える拡張子：{endings}。',
  'Expected - alone, because standard input is one photo.':
    '標準入力は写真1枚のため、- だけを指定してください。',
  'Expected a photo on standard input, as in - < photo.jpg.':
    '- < photo.jpg のように、標準入力に写真を渡してください。',
  'Expected --json or the result on standard output, not both.':
    '--json と標準出力への結果は、どちらか一方だけを指定してください。',
  'Expected --out, a pipe or > for the result, not a terminal.':
    '結果は端末には出せません。--out、パイプ、または > を使ってください。',
  'Expected --name or a file behind --out, not both.':
    '--name と、--out のファイル名は、どちらか一方だけを指定してください。',
  'There is no file {file}. If the result is to be called so: --out {file}.':
    'ファイル {file} はありません。結果をこの名前にする場合：--out {file}。',
  'Expected a folder behind --out for {count} pictures but received {file}.':
    '画像が{count}枚のため、--out にはフォルダーを指定してください（指定された値：{file}）。',
  'Expected one format, but --format is {format} and --out ends in {ending}.':
    '形式は1つだけ指定してください。--format は {format} ですが、--out は {ending} で終わっています。',
  'Its result would take its own place. Choose another --name or --out; `enlarger edit-in` enlarges in place and keeps the original.':
    '結果が元の写真を置き換えてしまいます。別の --name または --out を指定してください。`enlarger edit-in` なら、置き換えて拡大し、元の写真も残せます。',
  'Its result would be called as that of {photo}. Choose --on-conflict number, or a --name with {n}.':
    '結果が {photo} の結果と同じ名前になります。--on-conflict number、または {n} を含む --name を指定してください。',
  'The result ended after {size} of {total} bytes.':
    '結果が{total}バイト中{size}バイトで途切れました。',
  'The service answered without a result.': 'サービスの応答に結果がありませんでした。',
  'width instead of a scale; the nearest scale is made, then resampled':
    '倍率の代わりの幅。最も近い倍率で拡大してからリサンプルする',
  'height instead of a scale': '倍率の代わりの高さ',
  'longer side instead of a scale': '倍率の代わりの長辺',
  'megapixels instead of a scale': '倍率の代わりのメガピクセル数',
  'sharpens the result': '結果をシャープにする',
  'how much compression, noise and softness is removed; auto: as measured':
    '圧縮による劣化、ノイズ、ぼけを取り除く強さ。auto: 計測値に合わせる',
  "adds grain; auto: like the photo's own": '粒状感を加える。auto: 写真と同じ',
  "faithful: reduced with the cubic kernel, the result equals the photo within 1 level; colours: it has the photo's colours":
    'faithful: 結果をキュービックで縮小すると、写真との差が1階調以内に収まる。colours: 写真の色を保つ',
  'how much --model detail adds beyond Natural': '--model detail が Natural に加える細部の量',
  "opacity of the model's result over a plain enlargement":
    '通常の拡大に重ねる、モデルの結果の不透明度',
  "where the model's result is used; elsewhere a plain enlargement":
    'モデルの結果を使う範囲。ほかは通常の拡大',
  'file format': 'ファイル形式',
  'bits per channel': 'チャンネルあたりのビット数',
  'which metadata is copied': 'コピーするメタデータ',
  'higher priorities run first': '値が大きいものから処理する',
  'when the name is taken': '同じ名前があるときの動作',
  'what comes first, beside a size': 'サイズ指定時に先に行う処理',
  'transparent, blur or a colour such as #ffffff, white or teal':
    'transparent、blur、または #ffffff、white、teal などの色',
  'crops to the subject, with this margin': '被写体に合わせて、この余白でトリミングする',
  'soft shadow under the subject': '被写体の下の柔らかい影',
  'how much of the canvas the subject fills': 'カンバスに占める被写体の大きさ',
  'softens the edge inwards': '境界を内側へぼかす',
  "how much of the background's colour is removed from the edge":
    '元の背景の色を境界から取り除く量',
  'how many': '表示する件数',
  'Enlarges photographs and cuts out their subjects with neural networks on this machine.':
    'このコンピューター上のニューラルネットワークで、写真の拡大と背景の削除を行います。',
  'enlarge photos, whole folders and patterns such as "shots/**/*.jpg"':
    '写真、フォルダー全体、"shots/**/*.jpg" のようなパターンを拡大する',
  'JSON: strokes over --amount-mask': 'JSON: --amount-mask に加えるストローク',
  'length on paper instead of a scale: 40cm, 16in, width:400mm; @240 for another resolution than 300 pixels per inch':
    '倍率の代わりのプリントの長さ: 40cm、16in、width:400mm。@240 で1インチあたり300ピクセル以外の解像度を指定',
  'a model that `enlarger models` lists': '`enlarger models` が表示するモデル',
  'a preset of `enlarger presets`, which other options override':
    '`enlarger presets` のプリセット。他のオプションが優先される',
  'folder of the results, or file of a single one, or - for standard output (default: beside each photo)':
    '結果のフォルダー、1枚ならファイル、または標準出力の - (既定: 各写真と同じ場所)',
  'name of the results': '結果の名前',
  'the same as --on-conflict overwrite': '--on-conflict overwrite と同じ',
  'include pictures that Enlarger made': 'Enlargerが作った画像も含める',
  'make everything anew, even if this command was interrupted before':
    '以前に中断されたコマンドでも、すべて最初から処理する',
  'send the photos instead of granting access to their folders':
    'フォルダーへのアクセスを許可せず、写真を送信する',
  'one line of JSON per picture': '画像ごとに1行のJSON',
  "the service's data folder": 'サービスのデータフォルダー',
  'the address of a running service': '動作中のサービスのアドレス',
  'its API key (default: cli.key in the data folder)':
    'そのAPIキー (既定: データフォルダーの cli.key)',
  'files, folders or patterns; - for standard input':
    'ファイル、フォルダー、またはパターン。- は標準入力',
  'cut out the subjects of photos': '写真の背景を削除する',
  'a point on an object that belongs to the subject, as in 0.4,0.25; repeatable':
    '被写体に含まれる物の上の点。例: 0.4,0.25 (複数回指定可)',
  'a point on an object that does not; repeatable': '被写体に含まれない物の上の点 (複数回指定可)',
  'a box around the subject, as in 0.1,0.2,0.5,0.6; repeatable':
    '被写体を囲む枠。例: 0.1,0.2,0.5,0.6 (複数回指定可)',
  'a box around an object that does not belong to it; repeatable':
    '被写体に含まれない物を囲む枠 (複数回指定可)',
  'JSON: strokes over the mask that was found': 'JSON: 見つかったマスクに加えるストローク',
  'model that enlarges, beside a size': 'サイズ指定時に拡大に使うモデル',
  'picture behind the subject: a file or an address': '被写体の後ろの画像。ファイルまたはアドレス',
  'size of the result, as in 2000x2000': '結果のサイズ。例: 2000x2000',
  'place of the subject on the canvas in percent, as in 50,100':
    'カンバス上の被写体の位置 (パーセント)。例: 50,100',
  'makes the mask itself, as a grey picture of 16 bits':
    'マスクだけを16ビットのグレースケール画像として作る',
  'enlarge a file in its place, as "edit in" of other programs needs it':
    'ファイルを置き換えて拡大する (他のソフトの「他のツールで編集」用)',
  'keep no copy of the original beside it': '元のファイルのコピーを隣に残さない',
  'keeps its name, format, depth, profile and metadata':
    '名前、形式、ビット深度、プロファイル、メタデータは保たれる',
  "install the script that enlarges as a target of darktable's export":
    'darktableの書き出し先として拡大するスクリプトをインストールする',
  "darktable's folder": 'darktableのフォルダー',
  "install the preset that enlarges under Lightroom Classic's Edit In":
    'Lightroom Classicの「他のツールで編集」に拡大するプリセットをインストールする',
  "Lightroom's folder (default: where it makes it)":
    'Lightroomのフォルダー (既定: Lightroomが作る場所)',
  'how many times as wide; 1 only cleans': '幅と高さの倍率。1は補正のみ',
  'list the newest tasks': '最新のタスクを一覧表示する',
  'one JSON line a task': 'タスクごとに1行のJSON',
  'cancel waiting or running tasks': '待機中または処理中のタスクをキャンセルする',
  'try failed tasks again; what only could not be saved is not enlarged again':
    '失敗したタスクを再試行する。保存だけできなかったものは拡大し直さない',
  'as `enlarger tasks` lists them': '`enlarger tasks` が表示するID',
  'let no task begin': 'キューを一時停止する (新しいタスクは始まらない)',
  'let the queue go on': 'キューを再開する',
  'list, add and remove models': 'モデルを一覧表示、追加、削除する',
  'fetch the recommended ones without a question': '推奨モデルを確認なしでダウンロードする',
  'list the models': 'モデルを一覧表示する',
  'one JSON line a model': 'モデルごとに1行のJSON',
  'add models from their files': 'ファイルからモデルを追加する',
  'what it is called here': 'ここでの名前',
  'on what terms it may be used': '使用条件',
  'who made it': '作者',
  'the model as JSON': 'モデルをJSONで出力',
  '.onnx (with its data file, or an encoder with its decoder), .param and .bin, .pth, .safetensors, or a folder with one or more':
    '.onnx (データファイルとともに、またはエンコーダーとデコーダー)、.param と .bin、.pth、.safetensors、またはこれらを含むフォルダー',
  'fetch a model from its publisher; without an id: list them':
    '公開元からモデルをダウンロードする。idなし: 一覧を表示する',
  'recommended: those for this machine; their sizes are printed first':
    'recommended: このコンピューターへのおすすめ。先にサイズを表示する',
  'use a model where none is named; of those that select, for clicks and boxes':
    '指定がないときに使うモデルを決める。選択するモデルはクリックと枠に使う',
  'own: the model that cuts out selects by itself': 'own: 背景を削除するモデル自身が選択する',
  'put right how an added model is used': '追加したモデルの使い方を修正する',
  'as in \'{"channels":"BGR","marginPx":24}\'': '例: \'{"channels":"BGR","marginPx":24}\'',
  'a third model between two that were added': '追加した2つのモデルの中間のモデルを作る',
  'how much of the other one, 0 to 1': 'もう一方の割合 (0～1)',
  'remove models that were added': '追加したモデルを削除する',
  'also while tasks wait for them': 'タスクが待っていても削除する',
  'list what networks run on, choose one, and fetch or remove files that it needs':
    'ネットワークの実行先を一覧表示、選択し、必要なファイルをダウンロードまたは削除する',
  'list the devices, and why one is not used': 'デバイスと、使われない理由を一覧表示する',
  'choose what networks run on, unless a photo says otherwise':
    '写真で指定がない場合のネットワークの実行先を選ぶ',
  'which of several graphics cards, by its number in `list`':
    'グラフィックカードが複数あるとき、`list` が示す番号',
  'auto: the fastest': 'auto: 最も速いもの',
  "fetch a device's files; without an id: list what there is":
    'デバイス用のファイルをダウンロードする。idなし: 一覧を表示する',
  'such as cuda-12': '例: cuda-12',
  "install a device's files from their archive on this machine":
    'このコンピューターにあるアーカイブから、デバイス用のファイルをインストールする',
  'as its publisher has it, .tgz': '公開元が配布している .tgz',
  "remove a device's files": 'デバイス用のファイルを削除する',
  'process what arrives in a folder': 'フォルダーに入った写真を処理する',
  'a preset that `enlarger presets` lists (required)':
    '`enlarger presets` が表示するプリセット (必須)',
  'where the results go, in the same subfolders (required)':
    '結果の保存先。サブフォルダーの構成は同じ (必須)',
  'leave subfolders out': 'サブフォルダーを除く',
  'leave out what is there already': 'すでにあるものを除く',
  'list the watched folders, remove some': '監視フォルダーを一覧表示する、監視をやめる',
  'watch folders no more; what was made of them stays':
    'フォルダーの監視をやめる。できた画像は残る',
  'list the watched folders': '監視フォルダーを一覧表示する',
  'one JSON line a folder': 'フォルダーごとに1行のJSON',
  'list, make and remove presets': 'プリセットを一覧表示、作成、削除する',
  'list the presets': 'プリセットを一覧表示する',
  'one JSON line a preset': 'プリセットごとに1行のJSON',
  'keep options of `enlarger upscale` under a name':
    '`enlarger upscale` のオプションに名前を付けて保存する',
  'keep options of `enlarger cutout` under a name':
    '`enlarger cutout` のオプションに名前を付けて保存する',
  'write presets to a JSON file': 'プリセットをJSONファイルに書き出す',
  'the page and `presets import` read it': 'ページと `presets import` で読み込める',
  'all when none is named': '指定がなければすべて',
  'take presets from such a file': '書き出したファイルからプリセットを読み込む',
  'remove presets': 'プリセットを削除する',
  'list the folders that Enlarger may read and write, grant more, take some back':
    'Enlargerが読み書きできるフォルダーを一覧表示し、許可を追加または取り消す',
  'list the folders': 'フォルダーを一覧表示する',
  'grant folders, or single files': 'フォルダーまたは個々のファイルを許可する',
  'take grants back': '許可を取り消す',
  'as `list` shows it': '`list` が表示するとおりのパス',
  'let this machine help the others of a pool':
    'このコンピューターでプールの他のコンピューターを手伝う',
  'a folder that all machines see, or s3://bucket/prefix?endpoint=https://nas:9000':
    'すべてのコンピューターから見えるフォルダー、または s3://bucket/prefix?endpoint=https://nas:9000',
  "the queue's password (default: ENLARGER_POOL_PASSWORD)":
    'キューのパスワード (既定: ENLARGER_POOL_PASSWORD)',
  'encrypts pictures on their way; `enlarger pool key` makes one':
    '途中の画像を暗号化するキー。`enlarger pool key` で作成',
  'of Valkey or Redis: redis://nas:6379, rediss://user@nas:6379':
    'ValkeyまたはRedisのアドレス: redis://nas:6379、rediss://user@nas:6379',
  'say who helps, and how fast all are together': '手伝うコンピューターと、全体の速さを表示する',
  'as JSON': 'JSONで出力',
  "let a pool's helpers run this machine's tasks":
    'このコンピューターのタスクをプールの他のコンピューターに処理させる',
  'use and help no pool any more': 'プールの利用も手伝いもやめる',
  'make a file with a new key; all machines of a pool need the same one':
    '新しいキーのファイルを作る。プールのすべてのコンピューターで同じキーが必要',
  'open the page of the running service, or of its own one':
    '動作中のサービス、または自分で起動したサービスのページを開く',
  'run the service without a window, for other programs, until Ctrl+C':
    '他のプログラムのために、Ctrl+Cまでウィンドウなしでサービスを動かす',
  '8617 or the next free one by default; 0: any free one':
    '既定は 8617 またはその次の空きポート。0：空いている任意のポート',
  'answers programs written for other services (remove.bg, rembg, OpenAI, AUTOMATIC1111) there too; 0: any free one':
    'ほかのサービス（remove.bg、rembg、OpenAI、AUTOMATIC1111）用のプログラムにもこのポートで応答する。0：空いている任意のポート',
  'its files may be named as file: sources and saveTo; may be given several times':
    'その中のファイルを file: の入力や saveTo に指定できる。複数回指定可',
  'is in the queue of its page; may be given several times, as a file or a folder':
    'ページのキューに入る。ファイルまたはフォルダーを複数回指定可',
  'fetch pictures from this machine and its network too':
    'このコンピューターとそのネットワークからも画像を取得する',
  'serve the tools for agents (Model Context Protocol) on standard input and output':
    'エージェント用のツール (Model Context Protocol) を標準入出力で提供する',
  "a folder that may be read and written, beside those granted and the client's roots; may be given several times":
    '許可済みのフォルダーとクライアントのルートのほかに、読み書きしてよいフォルダー (複数回指定可)',
  'print the manual page, for man -l -': 'マニュアルページを出力する (man -l - 用)',
  'Generate shell completion scripts': 'シェル補完スクリプトを生成する',
  'Shell type for completion script': '補完スクリプトのシェルの種類',
  'Generate completion suggestions': '補完候補を生成する',
  'Usage:': '使い方:',
  'Options:': 'オプション:',
  'Commands:': 'コマンド:',
  'Arguments:': '引数:',
  "error: unknown option '{first}'": "エラー：不明なオプション '{first}'",
  "error: unknown command '{first}'": "エラー：不明なコマンド '{first}'",
  "error: too many arguments for '{first}'. {rest}": "エラー：'{first}' の引数が多すぎます。{rest}",
  'Expected {count} arguments but got {second}.': '必要な数：{count}、指定：{second}。',
  'Expected 1 argument but got {second}.': '必要な数：1、指定：{second}。',
  "error: missing required argument '{first}'": "エラー：必須の引数 '{first}' がありません",
  "error: required option '{first}' not specified":
    "エラー：必須のオプション '{first}' が指定されていません",
  "error: option '{first}' argument missing": "エラー：オプション '{first}' の引数がありません",
  "error: option '{first}' argument '{second}' is invalid. {rest}":
    "エラー：オプション '{first}' の引数 '{second}' は使えません。{rest}",
  "error: command-argument value '{first}' is invalid for argument '{second}'. {rest}":
    "エラー：値 '{first}' は引数 '{second}' に使えません。{rest}",
  '(Did you mean one of {first}?)': '（次のいずれかですか: {first}）',
  'Allowed choices are {choices}.': '指定できる値は {choices} です。',
  'the fields {fields}': 'フィールド {fields}',
  '(Did you mean {first}?)': '（もしかして：{first}）',
  'you have no right to write there.': '書き込みの権限がありません。',
  'there is no such folder or file, or none can be made there.':
    'そのフォルダーまたはファイルがないか、そこには作成できません。',
  'the disk is full. Free some space, or choose another folder.':
    'ディスクがいっぱいです。空きを作るか、別のフォルダーを選んでください。',
  'your share of the disk is used up. Free some space, or choose another folder.':
    'ディスクの割り当てを使い切りました。空きを作るか、別のフォルダーを選んでください。',
  'a file or folder is not there (any more).': 'ファイルまたはフォルダーが（もう）ありません。',
  'the system does not allow it.': 'システムが許可していません。',
  'the disk is read-only.': 'ディスクは読み取り専用です。',
  'the disk is full.': 'ディスクがいっぱいです。',
  'too many files are open.': '開いているファイルが多すぎます。',
  'another program holds a file.': '他のプログラムがファイルを使用中です。',
  'a folder is where a file was expected.': 'ファイルがあるはずの場所にフォルダーがあります。',
  'there is something of that name already.': '同じ名前のものがすでにあります。',
  'a name is too long.': '名前が長すぎます。',
  'another program uses that port.': '他のプログラムがそのポートを使用中です。',
  'the disk reports a fault.': 'ディスクが異常を報告しています。',
  'the folder of the network was mounted anew or is gone.':
    'ネットワークのフォルダーがマウントし直されたか、なくなりました。',
  'the folder of the network is gone.': 'ネットワークのフォルダーがなくなりました。',
  'links lead round in circles.': 'リンクが循環しています。',
  '{count} done': { other: '完了{count}枚' },
  '{count} presets': { other: '{count}件のプリセット' },
  'This command was interrupted before (begun {time}) and goes on: {count} pictures had been given to the queue. --again makes all anew.':
    {
      other:
        'このコマンドは以前に中断されており（開始：{time}）、続きを処理します。画像{count}枚はすでにキューに渡されています。--again を付けると、すべて最初から処理します。',
    },
  '{count} pictures that waited before go on now, too; `enlarger tasks` lists them.': {
    other:
      '以前から待っていた画像{count}枚の処理も再開します。`enlarger tasks` で一覧を表示できます。',
  },
  '{count} files that are no pictures were left out: {endings}.': {
    other: '画像ではないファイル{count}個を除外しました：{endings}。',
  },
  '{count} pictures that Enlarger made were left out; --include-results takes them too.': {
    other:
      'Enlargerが作った画像{count}枚を除外しました。--include-results を付けると、それらも処理します。',
  },
  'Of {count} pictures: {note}': { other: '画像{count}枚について：{note}' },
  '{count} frames': { other: '{count}フレーム' },
  '{count} skipped': { other: 'スキップ{count}枚' },
  '{count} failed': { other: '失敗{count}枚' },
  '{count} stopped': { other: '中止{count}枚' },
  '{count} not begun': { other: '未開始{count}枚' },
  '{count} pictures in {time}': { other: '画像{count}枚（{time}）' },
  idle: '空き',
  working: '処理中',
  busy: '使用中',
  away: '不在',
  'left out': '除外中',
  watching: '監視中',
  paused: '一時停止中',
  unavailable: 'アクセス不可',
  unchecked: '未確認',
  'in use': '使用中',
  available: '使用可能',
  'not used': '不使用',
  NAME: '名前',
  SYNOPSIS: '書式',
  DESCRIPTION: '説明',
  COMMANDS: 'コマンド',
  'EXIT STATUS': '終了ステータス',
  command: 'コマンド',
  options: 'オプション',
  'files and folders': 'ファイルとフォルダー',
};
