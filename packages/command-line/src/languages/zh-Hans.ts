import type { Catalogue } from '../catalogue.ts';

export const zhHans: Catalogue = {
  'a file of that name is there.': '已有同名文件。',
  'The folder {folder} cannot be made: {reason}': '无法创建文件夹 {folder}：{reason}',
  'The result cannot be written to standard output: {reason}': '无法将结果写入标准输出：{reason}',
  '{file} cannot be read: {reason}': '无法读取 {file}：{reason}',
  'Interrupted.': '已中断。',
  'The program that started this one is gone.': '启动此命令的程序已经退出。',
  'The reader of the output is gone.': '读取输出的程序已经退出。',
  'error: {message}': '错误：{message}',
  'No task has the id {id}.': '没有 ID 为 {id} 的任务。',
  '`{command}` lists no {id}.': '`{command}` 的列表中没有 {id}。',
  'There are no tasks.': '没有任务。',
  waiting: '等待中',
  running: '处理中',
  finished: '已完成',
  failed: '失败',
  cancelled: '已取消',
  'The queue is paused.': '队列已暂停。',
  'The queue runs.': '队列正在运行。',
  'Expected --url to be an address but received {url}.': '--url 需要一个地址，收到的是 {url}。',
  'No service answers at {url}.': '{url} 处没有服务响应。',
  '{file} is written. Start darktable again, and export to "enlarge with Enlarger".':
    '已写入 {file}。请重新启动 darktable，然后导出到“enlarge with Enlarger”。',
  'Expected Windows or macOS, where Lightroom Classic runs.':
    '此命令需要 Windows 或 macOS，Lightroom Classic 在这些系统上运行。',
  '{file} is written. Start Lightroom Classic again; it stands under Photo, Edit In.':
    '已写入 {file}。请重新启动 Lightroom Classic；它位于“照片”菜单的“在应用程序中编辑”下。',
  'Its results went to {folder} until now.': '此前其结果保存在 {folder}。',
  'Expected a folder that `enlarger watches` lists; nothing was removed.':
    '请指定 `enlarger watches` 列出的文件夹；没有移除任何内容。',
  'No folders are granted.': '没有授权任何文件夹。',
  'Expected a folder that `enlarger grants` lists; nothing was taken back.':
    '请指定 `enlarger grants` 列出的文件夹；没有撤销任何授权。',
  'The service was started with this folder, and keeps it until it ends.':
    '服务启动时指定了此文件夹，在服务结束之前会一直保留。',
  choices: '可选值',
  default: '默认',
  'Each command uses the service that runs on this machine, or one of its own that ends with it.':
    '每条命令都使用这台电脑上正在运行的服务；没有时使用自己的服务，并随命令一起结束。',
  'Nothing leaves the machine but requests for what you name: addresses of photos, and models to fetch.':
    '除了您要求的内容（照片的地址和要下载的模型），任何内容都不会离开这台电脑。',
  'All is well.': '一切正常。',
  'A picture or the command failed.': '有图像处理失败，或命令失败。',
  'The words were wrong.': '无法识别命令。',
  'It was interrupted; its own tasks were cancelled first.':
    '命令被中断；中断前已取消它自己的任务。',
  'Expected a length such as 40cm, 16in, short:30cm or width:400mm, and after an @ from 10 to 4800 pixels an inch.':
    '请指定长度，例如 40cm、16in、short:30cm 或 width:400mm；如果使用 @，其后为每英寸 10 到 4800 像素。',
  'Expected width and height in pixels, as in 2000x2000.':
    '请指定以像素为单位的宽度和高度，例如 2000x2000。',
  'Expected two numbers from 0 to 100, as in 50,100.':
    '请指定两个 0 到 100 之间的数，例如 50,100。',
  "Expected a place as shares of the photo's width and height, as in 0.4,0.25 or 40%,25%.":
    '请用相对于照片宽度和高度的比例指定位置，例如 0.4,0.25 或 40%,25%。',
  "Expected x, y, width and height as shares of the photo's width and height, as in 0.1,0.2,0.5,0.6 or 10%,20%,50%,60%.":
    '请用相对于照片宽度和高度的比例指定 x、y、宽度和高度，例如 0.1,0.2,0.5,0.6 或 10%,20%,50%,60%。',
  'Expected a list of strokes, as in {example}.': '请指定笔触列表，例如 {example}。',
  'Expected a file with JSON: {reason}.': '请指定 JSON 文件：{reason}。',
  'Expected JSON with {what}.': '请指定包含以下内容的 JSON：{what}。',
  'more than {min}, up to {max}': '大于 {min}，最大 {max}',
  '{min} to {max}': '{min} 到 {max}',
  'a whole number from {min} to {max}': '{min} 到 {max} 之间的整数',
  'a number from {min} to {max}': '{min} 到 {max} 之间的数',
  'Expected {what}.': '请指定以下值：{what}。',
  'Expected a file name for --name but received a path: {name}':
    '--name 需要文件名，收到的是路径：{name}',
  'Expected {fields} in --name but received {name}': '--name 中可以使用 {fields}，收到的是 {name}',
  'No browser could be opened here: open the link above in one, once.':
    '无法在此打开浏览器：请在浏览器中打开上面的链接，它只能用一次。',
  'The page works until you end this command with Ctrl+C.':
    '在您用 Ctrl+C 结束此命令之前，页面一直可用。',
  'The pool does not answer.': '协作组没有响应。',
  'This machine helps. Its own tasks go first.': '这台电脑会协助处理。它自己的任务优先。',
  'It helps until you end this command with Ctrl+C.':
    '在您用 Ctrl+C 结束此命令之前，它会一直协助。',
  'Until the pool answers, tasks run here.': '在协作组响应之前，任务在这台电脑上处理。',
  'This machine is in no pool.': '这台电脑不在任何协作组中。',
  'There is no pool.': '没有协作组。',
  'Connecting.': '正在连接。',
  'Connected.': '已连接。',
  'Nobody helps yet.': '还没有电脑协助。',
  'Together {times} times as fast as this machine.': '合计速度是这台电脑的 {times} 倍。',
  'this machine': '本机',
  '{number} megapixels/s': '{number} 百万像素/秒',
  '{file} cannot be written: {reason}': '无法写入 {file}：{reason}',
  '{file}: bring it to every machine of the pool, and name it there with --key-file.':
    '{file}：请将它复制到协作组的每台电脑，并在那里用 --key-file 指定。',
  'Expected the password in the address or in --password-file, not in both.':
    '密码请放在地址或 --password-file 中，不要两处都放。',
  'Other users of this machine see the password in the address while this command runs: leave it out, and give it by --password-file or {variable}.':
    '此命令运行期间，这台电脑的其他用户能看到地址中的密码：请从地址中去掉，改用 --password-file 或 {variable} 提供。',
  'Other users of this machine see the secret in --storage while this command runs: leave KEY:SECRET out, and set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or use ~/.aws/credentials.':
    '此命令运行期间，这台电脑的其他用户能看到 --storage 中的密钥：请去掉 KEY:SECRET，改为设置 AWS_ACCESS_KEY_ID 和 AWS_SECRET_ACCESS_KEY，或使用 ~/.aws/credentials。',
  'Expected a password in {file}, which is empty.': '{file} 中应有密码，但该文件是空的。',
  'There are no presets.': '没有预设。',
  'Expected {file} to be a file that `presets export` wrote.':
    '请指定由 `presets export` 写出的文件；{file} 不是这样的文件。',
  'none yet': '还没有',
  'No preset is called {name}; there are {presets}.':
    '没有名为“{name}”的预设；可用的有：{presets}。',
  'output the version number': '显示版本号',
  'display help for command': '显示命令的帮助',
  'It is watched as long as Enlarger, with or without a window, is running.':
    '只要 Enlarger 在运行，无论有没有窗口，都会监视此文件夹。',
  'It is watched until you end this command with Ctrl+C.':
    '在您用 Ctrl+C 结束此命令之前，会一直监视此文件夹。',
  'It failed.': '处理失败。',
  skipped: '已跳过',
  'No folders are watched.': '没有监视任何文件夹。',
  '{done} of {count} done, {failed} failed': '{count} 张中完成 {done} 张，失败 {failed} 张',
  'Added {id}.': '已添加 {id}。',
  'Expected a whole number from 0 to 15.': '请指定 0 到 15 之间的整数。',
  'Expected a card that `enlarger devices` lists, but it is number {number} and the system lists {count}.':
    '请指定 `enlarger devices` 列出的显卡；收到的编号是 {number}，系统列出 {count} 块。',
  'this system has none': '此系统没有该设备',
  'Chosen: {device}': '已选择：{device}',
  'Chosen: {device}, which cannot be used: {reason}': '已选择：{device}，但无法使用：{reason}',
  'card {number}: {name}': '显卡 {number}：{name}',
  'Needs {needs}.': '需要 {needs}。',
  'No device of this system needs files beside Enlarger.':
    '此系统的设备不需要 Enlarger 以外的文件。',
  'There are no models to fetch.': '没有可下载的模型。',
  'Recommended for a machine whose networks run on its processor:':
    '推荐给用处理器运行神经网络的电脑：',
  'Recommended for a machine with built-in graphics:': '推荐给使用集成显卡的电脑：',
  'Recommended for a machine with this graphics card:': '推荐给装有此显卡的电脑：',
  'Recommended for a Mac with Apple silicon:': '推荐给搭载 Apple 芯片的 Mac：',
  installed: '已安装',
  'Fetch them? [Y/n]': '要下载吗？[Y/n]',
  y: 'y',
  'Nothing was fetched.': '没有下载任何内容。',
  'There is nothing to fetch.': '没有需要下载的内容。',
  'To fetch: {size}.': '将下载：{size}。',
  '{model} becomes the default of its task if a photo of 12 megapixels takes at most {seconds} s here, and no other was chosen.':
    '如果 1200 万像素的照片在这台电脑上最多需要 {seconds} 秒，而且没有选择其他模型，{model} 将成为该用途的默认模型。',
  'The download was cancelled; what came stays.': '下载已取消；已下载的部分会保留。',
  'size not published': '大小未公布',
  'not published': '未公布',
  'trained on: {data}': '训练数据：{data}',
  'its memory was not measured': '内存占用未测量',
  'takes about {size} of memory, as others measured it': '占用约 {size} 内存，由他人测得',
  'takes about {size} of memory': '占用约 {size} 内存',
  'Trying it out.': '正在试运行。',
  '{size} are here.': '已下载 {size}。',
  'Waiting for its turn.': '正在排队等待。',
  'Reading the files.': '正在读取文件。',
  'Trying it out on test pictures.': '正在用测试图像试运行。',
  '{done} of at most {count}': '{done}/最多 {count}',
  'Trying it out on test pictures: {done}.': '正在用测试图像试运行：{done}。',
  'Trying it out on test pictures: {done}, at most {time} left.':
    '正在用测试图像试运行：{done}，最多还需 {time}。',
  'Expected a model that `enlarger models` lists, or {own}, but received {id}.':
    '请指定 `enlarger models` 列出的模型或 {own}；收到的是 {id}。',
  '--name is for one network, but {count} were given.':
    '--name 只用于一个神经网络，但给出了 {count} 个。',
  'It enlarges {scales}:': '可放大 {scales}：',
  'It cuts out subjects:': '可抠图：',
  'It selects what clicks and boxes point at, once it is in use:':
    '启用后，可选取点击和方框所指的内容：',
  'Found: {facts}': '判定结果：{facts}',
  'Note: {note}': '注意：{note}',
  'There is no file or folder {name}.': '没有名为 {name} 的文件或文件夹。',
  'There is no network in the folder {folder}.': '文件夹 {folder} 中没有神经网络。',
  'The service that was in use has ended. This command goes on without it.':
    '所用的服务已结束。此命令将自行继续。',
  'The service has ended. The same command goes on with what is not done.':
    '服务已结束。再次运行同一命令会继续处理未完成的部分。',
  'The queue is paused, so nothing begins: `enlarger resume` or the window lets it go on.':
    '队列已暂停，因此不会开始处理：可用 `enlarger resume` 或在窗口中继续。',
  'Expected a file but {file} is none.': '请指定文件；{file} 不是文件。',
  '{file} cannot be edited in its place: {reason}': '无法在原位置编辑 {file}：{reason}',
  'Expected a result that has the format of {file}, but it became {result}. Choose a smaller scale, or enlarge it into a file of its own with `enlarger upscale`.':
    '结果的格式应与 {file} 相同，但得到的是 {result}。请选择较小的倍数，或用 `enlarger upscale` 放大为单独的文件。',
  none: '无',
  '{file} was changed by another program meanwhile, so it was left as it is.':
    '{file} 在此期间被其他程序更改，因此保持原样。',
  '{count} originals of {file} are kept already; remove some.':
    '{file} 的原图已保留 {count} 份；请移除一些。',
  'Its name is not UTF-8 and cannot be opened; rename it (convmv does so for many).':
    '文件名不是 UTF-8，无法打开；请重命名（convmv 可以批量完成）。',
  'All pictures in this folder were made by Enlarger; --include-results takes them too.':
    '此文件夹中的图像都由 Enlarger 生成；加上 --include-results 也会处理它们。',
  'There are no pictures in this folder. Links in it are not followed; name what they lead to.':
    '此文件夹中没有图像。不会跟随其中的链接；请直接指定链接所指的位置。',
  'It cannot be read: you have no right to read it.': '无法读取：您没有读取权限。',
  'No file matches this pattern.': '没有文件符合此模式。',
  'There is no such file.': '没有这个文件。',
  'The result cannot be saved in {folder}: {reason}': '无法将结果保存到 {folder}：{reason}',
  'Expected --amount-mask everywhere, subject, background or painted beside --strokes.':
    '使用 --strokes 时，请同时指定 --amount-mask everywhere、subject、background 或 painted。',
  'for {formats}': '用于 {formats}',
  'how many times as wide; 1 only cleans (default: 2)':
    '宽度和高度的放大倍数；1 表示仅清理 (默认: 2)',
  'also enlarges, this many times as wide; 1 only cleans': '同时按此倍数放大；1 表示仅清理',
  'Expected a background beside --format jpeg, which holds no transparency: --background white, another colour or blur, or --background-image.':
    '--format jpeg 不支持透明，请指定背景：--background white、其他颜色或 blur，或 --background-image。',
  'Expected --canvas beside --position, which is a place on it.':
    '--position 是画布上的位置，请同时指定 --canvas。',
  'Expected --scale or another size beside {flag}, which is about enlarging.':
    '{flag} 与放大有关，请同时指定 --scale 或其他尺寸。',
  'Expected only one of {flags}.': '以下选项只能指定一个：{flags}。',
  'standard output': '标准输出',
  'standard input': '标准输入',
  'Expected one picture for standard output but received {count}.':
    '标准输出只能接收一张图像，收到的是 {count} 张。',
  '{model} has no strength of detail: --detail {detail} changes nothing.':
    '{model} 没有细节强度：--detail {detail} 不起作用。',
  '{model} cannot be told how much to take off: --restore {restore} changes nothing.':
    '{model} 没有可调的强度：--restore {restore} 不起作用。',
  '{flag}: {model} is no model that enlarges; there are {models}.':
    '{flag}：{model} 不是放大模型；可用的有：{models}。',
  '{flag}: {model} is no model that cuts out; there are {models}.':
    '{flag}：{model} 不是抠图模型；可用的有：{models}。',
  '{flag}: no model is called {model}; there are {models}.':
    '{flag}：没有名为 {model} 的模型；可用的有：{models}。',
  'without an ending': '无扩展名',
  ', and others': '，以及其他',
  '--preset: {preset} is for `enlarger {command}`.':
    '--preset：{preset} 用于 `enlarger {command}`。',
  'The task has no result.': '该任务没有结果。',
  'Then: {command}': '然后运行：{command}',
  'It cannot be read: {reason}': '无法读取：{reason}',
  '{photo}: failed': '{photo}：失败',
  '{time} left': '还需 {time}',
  '{photo}: skipped, {result} is there': '{photo}：已跳过，{result} 已存在',
  'look at it, the network was not sure': '请检查，边缘不确定',
  'probably poor, look at it': '抠图可能失败了，请检查',
  'The same command goes on with them.': '再次运行同一命令会继续处理它们。',
  '--out: no result is written as {ending}; there are {endings}.':
    '--out：结果不能存为 {ending}；可用的有：{endings}。',
  'Expected - alone, because standard input is one photo.': '标准输入是一张照片，请只写 -。',
  'Expected a photo on standard input, as in - < photo.jpg.':
    '请在标准输入中提供照片，例如 - < photo.jpg。',
  'Expected --json or the result on standard output, not both.':
    '--json 和输出到标准输出的结果只能选一个。',
  'Expected --out, a pipe or > for the result, not a terminal.':
    '结果不能输出到终端，请使用 --out、管道或 >。',
  'Expected --name or a file behind --out, not both.': '--name 和 --out 后的文件名只能选一个。',
  'There is no file {file}. If the result is to be called so: --out {file}.':
    '没有文件 {file}。如果这是结果的名称：--out {file}。',
  'Expected a folder behind --out for {count} pictures but received {file}.':
    '有 {count} 张图像，--out 后需要文件夹，收到的是 {file}。',
  'Expected one format, but --format is {format} and --out ends in {ending}.':
    '请只指定一种格式：--format 是 {format}，而 --out 以 {ending} 结尾。',
  'Its result would take its own place. Choose another --name or --out; `enlarger edit-in` enlarges in place and keeps the original.':
    '结果会占用原图的位置。请选择其他 --name 或 --out；`enlarger edit-in` 可在原位置放大并保留原图。',
  'Its result would be called as that of {photo}. Choose --on-conflict number, or a --name with {n}.':
    '结果会与 {photo} 的结果同名。请选择 --on-conflict number，或含 {n} 的 --name。',
  'The result ended after {size} of {total} bytes.':
    '结果在 {total} 字节中的第 {size} 字节处中断。',
  'The service answered without a result.': '服务的响应中没有结果。',
  'width instead of a scale; the nearest scale is made, then resampled':
    '用宽度代替倍数；先放大到最接近的倍数，再重新采样',
  'height instead of a scale': '用高度代替倍数',
  'longer side instead of a scale': '用长边代替倍数',
  'megapixels instead of a scale': '用百万像素数代替倍数',
  'sharpens the result': '锐化结果',
  'how much compression, noise and softness is removed; auto: as measured':
    '去除多少压缩痕迹、噪点和模糊；auto：按测量结果',
  "adds grain; auto: like the photo's own": '添加颗粒；auto：与照片本身相同',
  "faithful: reduced with the cubic kernel, the result equals the photo within 1 level; colours: it has the photo's colours":
    'faithful：用三次插值缩小后，结果与照片相差不超过 1 级；colours：保持照片的颜色',
  'how much --model detail adds beyond Natural': '--model detail 在 Natural 之外增加多少细节',
  "opacity of the model's result over a plain enlargement": '模型结果叠加在普通放大之上的不透明度',
  "where the model's result is used; elsewhere a plain enlargement":
    '在哪里使用模型的结果；其余部分为普通放大',
  'file format': '文件格式',
  'bits per channel': '每通道位数',
  'which metadata is copied': '复制哪些元数据',
  'higher priorities run first': '优先级较高的先处理',
  'when the name is taken': '名称已存在时',
  'what comes first, beside a size': '指定尺寸时先做什么',
  'transparent, blur or a colour such as #ffffff, white or teal':
    'transparent、blur，或颜色，例如 #ffffff、white 或 teal',
  'crops to the subject, with this margin': '裁剪到主体，保留此边距',
  'soft shadow under the subject': '主体下方的柔和阴影',
  'how much of the canvas the subject fills': '主体占画布的比例',
  'softens the edge inwards': '将边缘向内柔化',
  "how much of the background's colour is removed from the edge": '从边缘去除多少背景颜色',
  'how many': '列出多少个',
  'Enlarges photographs and cuts out their subjects with neural networks on this machine.':
    '用神经网络在这台电脑上放大照片、抠出主体。',
  'enlarge photos, whole folders and patterns such as "shots/**/*.jpg"':
    '放大照片、整个文件夹和模式（如 "shots/**/*.jpg"）',
  'JSON: strokes over --amount-mask': 'JSON：在 --amount-mask 之上的笔触',
  'length on paper instead of a scale: 40cm, 16in, width:400mm; @240 for another resolution than 300 pixels per inch':
    '用打印长度代替倍数：40cm、16in、width:400mm；@240 可指定每英寸 300 像素以外的分辨率',
  'a model that `enlarger models` lists': '`enlarger models` 列出的模型',
  'a preset of `enlarger presets`, which other options override':
    '`enlarger presets` 中的预设，其他选项优先于它',
  'folder of the results, or file of a single one, or - for standard output (default: beside each photo)':
    '结果的文件夹，单个结果也可以是文件，- 为标准输出 (默认: 每张照片旁边)',
  'name of the results': '结果的名称',
  'the same as --on-conflict overwrite': '与 --on-conflict overwrite 相同',
  'include pictures that Enlarger made': '包括由 Enlarger 生成的图像',
  'make everything anew, even if this command was interrupted before':
    '全部重新处理，即使此命令之前被中断过',
  'send the photos instead of granting access to their folders': '发送照片，而不是授权访问其文件夹',
  'one line of JSON per picture': '每张图像一行 JSON',
  "the service's data folder": '服务的数据文件夹',
  'the address of a running service': '正在运行的服务的地址',
  'its API key (default: cli.key in the data folder)':
    '它的 API 密钥 (默认: 数据文件夹中的 cli.key)',
  'files, folders or patterns; - for standard input': '文件、文件夹或模式；- 为标准输入',
  'cut out the subjects of photos': '抠出照片中的主体',
  'a point on an object that belongs to the subject, as in 0.4,0.25; repeatable':
    '属于主体的对象上的一点，例如 0.4,0.25；可多次指定',
  'a point on an object that does not; repeatable': '不属于主体的对象上的一点；可多次指定',
  'a box around the subject, as in 0.1,0.2,0.5,0.6; repeatable':
    '主体周围的方框，例如 0.1,0.2,0.5,0.6；可多次指定',
  'a box around an object that does not belong to it; repeatable':
    '不属于主体的对象周围的方框；可多次指定',
  'JSON: strokes over the mask that was found': 'JSON：在找到的蒙版之上的笔触',
  'model that enlarges, beside a size': '指定尺寸时用于放大的模型',
  'picture behind the subject: a file or an address': '主体后面的图片：文件或地址',
  'size of the result, as in 2000x2000': '结果的尺寸，例如 2000x2000',
  'place of the subject on the canvas in percent, as in 50,100':
    '主体在画布上的位置（百分比），例如 50,100',
  'makes the mask itself, as a grey picture of 16 bits': '只生成蒙版，为 16 位灰度图像',
  'enlarge a file in its place, as "edit in" of other programs needs it':
    '在原位置放大文件，供其他程序的“在应用程序中编辑”使用',
  'keep no copy of the original beside it': '不在旁边保留原图副本',
  'keeps its name, format, depth, profile and metadata':
    '名称、格式、位深度、配置文件和元数据保持不变',
  "install the script that enlarges as a target of darktable's export":
    '安装脚本，使放大成为 darktable 的导出目标',
  "darktable's folder": 'darktable 的文件夹',
  "install the preset that enlarges under Lightroom Classic's Edit In":
    '安装预设，使放大出现在 Lightroom Classic 的“在应用程序中编辑”下',
  "Lightroom's folder (default: where it makes it)":
    'Lightroom 的文件夹 (默认: Lightroom 创建它的位置)',
  'how many times as wide; 1 only cleans': '宽度和高度的放大倍数；1 表示仅清理',
  'list the newest tasks': '列出最近的任务',
  'one JSON line a task': '每个任务一行 JSON',
  'cancel waiting or running tasks': '取消等待中或处理中的任务',
  'try failed tasks again; what only could not be saved is not enlarged again':
    '重试失败的任务；只是未能保存的不会重新放大',
  'as `enlarger tasks` lists them': '与 `enlarger tasks` 列出的一致',
  'let no task begin': '暂停队列：不再开始新任务',
  'let the queue go on': '继续队列',
  'list, add and remove models': '列出、添加和移除模型',
  'fetch the recommended ones without a question': '不询问直接下载推荐的模型',
  'list the models': '列出模型',
  'one JSON line a model': '每个模型一行 JSON',
  'add models from their files': '从文件添加模型',
  'what it is called here': '在此使用的名称',
  'on what terms it may be used': '使用许可',
  'who made it': '作者',
  'the model as JSON': '以 JSON 输出模型',
  '.onnx (with its data file, or an encoder with its decoder), .param and .bin, .pth, .safetensors, or a folder with one or more':
    '.onnx（连同数据文件，或编码器连同解码器）、.param 和 .bin、.pth、.safetensors，或含有一个或多个模型的文件夹',
  'fetch a model from its publisher; without an id: list them':
    '从发布者下载模型；不给 id 则列出可下载的模型',
  'recommended: those for this machine; their sizes are printed first':
    'recommended：为这台电脑推荐的模型；先显示其大小',
  'use a model where none is named; of those that select, for clicks and boxes':
    '未指定模型时使用该模型；如果是选择对象的模型，则用于点击和方框',
  'own: the model that cuts out selects by itself': 'own：由抠图模型自己选取',
  'put right how an added model is used': '更正已添加模型的用法',
  'as in \'{"channels":"BGR","marginPx":24}\'': '例如 \'{"channels":"BGR","marginPx":24}\'',
  'a third model between two that were added': '由已添加的两个模型混合出第三个',
  'how much of the other one, 0 to 1': '另一个模型的比例，0 到 1',
  'remove models that were added': '移除已添加的模型',
  'also while tasks wait for them': '即使有任务在等待它们',
  'list what networks run on, choose one, and fetch or remove files that it needs':
    '列出神经网络的运行设备、选择设备，并下载或移除其所需文件',
  'list the devices, and why one is not used': '列出设备，以及设备不被使用的原因',
  'choose what networks run on, unless a photo says otherwise':
    '选择神经网络的运行设备，除非照片另有指定',
  'which of several graphics cards, by its number in `list`': '有多块显卡时，`list` 中的显卡编号',
  'auto: the fastest': 'auto：最快的设备',
  "fetch a device's files; without an id: list what there is":
    '下载设备所需的文件；不给 id 则列出可下载的文件',
  'such as cuda-12': '例如 cuda-12',
  "install a device's files from their archive on this machine":
    '从这台电脑上的压缩包安装设备所需的文件',
  'as its publisher has it, .tgz': '发布者提供的 .tgz',
  "remove a device's files": '移除设备所需的文件',
  'process what arrives in a folder': '处理进入文件夹的照片',
  'a preset that `enlarger presets` lists (required)': '`enlarger presets` 列出的预设（必需）',
  'where the results go, in the same subfolders (required)':
    '结果的存放位置，子文件夹结构相同（必需）',
  'leave subfolders out': '不包括子文件夹',
  'leave out what is there already': '不包括已有的照片',
  'list the watched folders, remove some': '列出监视的文件夹，移除其中一些',
  'watch folders no more; what was made of them stays': '不再监视文件夹；已有的结果保留',
  'list the watched folders': '列出监视的文件夹',
  'one JSON line a folder': '每个文件夹一行 JSON',
  'list, make and remove presets': '列出、创建和移除预设',
  'list the presets': '列出预设',
  'one JSON line a preset': '每个预设一行 JSON',
  'keep options of `enlarger upscale` under a name': '将 `enlarger upscale` 的选项存为预设',
  'keep options of `enlarger cutout` under a name': '将 `enlarger cutout` 的选项存为预设',
  'write presets to a JSON file': '将预设写入 JSON 文件',
  'the page and `presets import` read it': '页面和 `presets import` 可以读取它',
  'all when none is named': '未指定时为全部',
  'take presets from such a file': '从这样的文件导入预设',
  'remove presets': '移除预设',
  'list the folders that Enlarger may read and write, grant more, take some back':
    '列出 Enlarger 可以读写的文件夹，授权更多，撤销部分授权',
  'list the folders': '列出文件夹',
  'grant folders, or single files': '授权文件夹或单个文件',
  'take grants back': '撤销授权',
  'as `list` shows it': '与 `list` 显示的一致',
  'let this machine help the others of a pool': '让这台电脑协助协作组中的其他电脑',
  'a folder that all machines see, or s3://bucket/prefix?endpoint=https://nas:9000':
    '所有电脑都能访问的文件夹，或 s3://bucket/prefix?endpoint=https://nas:9000',
  "the queue's password (default: ENLARGER_POOL_PASSWORD)":
    '队列的密码 (默认: ENLARGER_POOL_PASSWORD)',
  'encrypts pictures on their way; `enlarger pool key` makes one':
    '加密传输中的图像；用 `enlarger pool key` 生成',
  'of Valkey or Redis: redis://nas:6379, rediss://user@nas:6379':
    'Valkey 或 Redis 的地址：redis://nas:6379、rediss://user@nas:6379',
  'say who helps, and how fast all are together': '显示哪些电脑在协助，以及合计速度',
  'as JSON': '以 JSON 输出',
  "let a pool's helpers run this machine's tasks": '让协作组中的其他电脑处理这台电脑的任务',
  'use and help no pool any more': '不再使用和协助任何协作组',
  'make a file with a new key; all machines of a pool need the same one':
    '生成含新密钥的文件；协作组的所有电脑需要相同的密钥',
  'open the page of the running service, or of its own one':
    '打开正在运行的服务的页面，或自己启动的服务的页面',
  'run the service without a window, for other programs, until Ctrl+C':
    '以无窗口方式运行服务，供其他程序使用，直到按 Ctrl+C',
  '8617 or the next free one by default; 0: any free one':
    '默认 8617 或下一个空闲端口；0：任意空闲端口',
  'answers programs written for other services (remove.bg, rembg, OpenAI, AUTOMATIC1111) there too; 0: any free one':
    '在该端口也应答为其他服务（remove.bg、rembg、OpenAI、AUTOMATIC1111）编写的程序；0：任意空闲端口',
  'its files may be named as file: sources and saveTo; may be given several times':
    '其中的文件可用作 file: 来源和 saveTo；可多次指定',
  'is in the queue of its page; may be given several times, as a file or a folder':
    '在其页面的队列中；可多次指定文件或文件夹',
  'fetch pictures from this machine and its network too': '也从本机及其网络获取图片',
  'serve the tools for agents (Model Context Protocol) on standard input and output':
    '通过标准输入和输出为智能体提供工具 (Model Context Protocol)',
  "a folder that may be read and written, beside those granted and the client's roots; may be given several times":
    '除已授权的文件夹和客户端的根目录外，可以读写的文件夹；可多次指定',
  'print the manual page, for man -l -': '输出手册页，供 man -l - 使用',
  'Generate shell completion scripts': '生成 shell 补全脚本',
  'Shell type for completion script': '补全脚本的 shell 类型',
  'Generate completion suggestions': '生成补全建议',
  'Usage:': '用法:',
  'Options:': '选项:',
  'Commands:': '命令:',
  'Arguments:': '参数:',
  "error: unknown option '{first}'": "错误：未知选项 '{first}'",
  "error: unknown command '{first}'": "错误：未知命令 '{first}'",
  "error: too many arguments for '{first}'. {rest}": "错误：'{first}' 的参数过多。{rest}",
  'Expected {count} arguments but got {second}.': '应为 {count} 个，实际 {second}。',
  'Expected 1 argument but got {second}.': '应为 1 个，实际 {second}。',
  "error: missing required argument '{first}'": "错误：缺少必需的参数 '{first}'",
  "error: required option '{first}' not specified": "错误：未指定必需的选项 '{first}'",
  "error: option '{first}' argument missing": "错误：选项 '{first}' 缺少参数",
  "error: option '{first}' argument '{second}' is invalid. {rest}":
    "错误：选项 '{first}' 的参数 '{second}' 无效。{rest}",
  "error: command-argument value '{first}' is invalid for argument '{second}'. {rest}":
    "错误：值 '{first}' 对参数 '{second}' 无效。{rest}",
  '(Did you mean one of {first}?)': '（您是不是指其中之一：{first}？）',
  'Allowed choices are {choices}.': '可用的值有 {choices}。',
  'the fields {fields}': '字段 {fields}',
  '(Did you mean {first}?)': '（您是不是要找 {first}？）',
  'you have no right to write there.': '您没有写入那里的权限。',
  'there is no such folder or file, or none can be made there.':
    '没有这个文件夹或文件，或无法在那里创建。',
  'the disk is full. Free some space, or choose another folder.':
    '磁盘已满。请腾出一些空间，或选择其他文件夹。',
  'your share of the disk is used up. Free some space, or choose another folder.':
    '您的磁盘配额已用完。请腾出一些空间，或选择其他文件夹。',
  'a file or folder is not there (any more).': '文件或文件夹不存在（或已不在）。',
  'the system does not allow it.': '系统不允许。',
  'the disk is read-only.': '磁盘是只读的。',
  'the disk is full.': '磁盘已满。',
  'too many files are open.': '打开的文件过多。',
  'another program holds a file.': '文件正被其他程序占用。',
  'a folder is where a file was expected.': '应为文件的位置是一个文件夹。',
  'there is something of that name already.': '已有同名的项目。',
  'a name is too long.': '名称太长。',
  'another program uses that port.': '该端口正被其他程序使用。',
  'the disk reports a fault.': '磁盘报告故障。',
  'the folder of the network was mounted anew or is gone.': '网络文件夹已重新挂载或已不存在。',
  'the folder of the network is gone.': '网络文件夹已不存在。',
  'links lead round in circles.': '链接形成了循环。',
  '{count} done': { other: '{count} 张完成' },
  '{count} presets': { other: '{count} 个预设' },
  'This command was interrupted before (begun {time}) and goes on: {count} pictures had been given to the queue. --again makes all anew.':
    {
      other:
        '此命令之前被中断（开始于 {time}），现在继续：{count} 张图像已交给队列。加上 --again 可全部重新处理。',
    },
  '{count} pictures that waited before go on now, too; `enlarger tasks` lists them.': {
    other: '之前等待的 {count} 张图像现在也会继续处理；`enlarger tasks` 可列出它们。',
  },
  '{count} files that are no pictures were left out: {endings}.': {
    other: '跳过了 {count} 个不是图像的文件：{endings}。',
  },
  '{count} pictures that Enlarger made were left out; --include-results takes them too.': {
    other: '跳过了 {count} 张由 Enlarger 生成的图像；加上 --include-results 也会处理它们。',
  },
  'Of {count} pictures: {note}': { other: '{count} 张图像：{note}' },
  '{count} frames': { other: '{count} 帧' },
  '{count} skipped': { other: '{count} 张已跳过' },
  '{count} failed': { other: '{count} 张失败' },
  '{count} stopped': { other: '{count} 张已停止' },
  '{count} not begun': { other: '{count} 张未开始' },
  '{count} pictures in {time}': { other: '{count} 张图像，用时 {time}' },
  idle: '空闲',
  working: '工作中',
  busy: '忙碌',
  away: '不在线',
  'left out': '已排除',
  watching: '监视中',
  paused: '已暂停',
  unavailable: '无法访问',
  unchecked: '未检查',
  'in use': '使用中',
  available: '可用',
  'not used': '未使用',
  NAME: '名称',
  SYNOPSIS: '概述',
  DESCRIPTION: '描述',
  COMMANDS: '命令',
  'EXIT STATUS': '退出状态',
  command: '命令',
  options: '选项',
  'files and folders': '文件和文件夹',
};
