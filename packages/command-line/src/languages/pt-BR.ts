import type { Catalogue } from '../catalogue.ts';

export const ptBR: Catalogue = {
  'a file of that name is there.': 'já existe um arquivo com esse nome.',
  'The folder {folder} cannot be made: {reason}':
    'Não foi possível criar a pasta {folder}: {reason}',
  'The result cannot be written to standard output: {reason}':
    'Não é possível gravar o resultado na saída padrão: {reason}',
  '{file} cannot be read: {reason}': 'Não foi possível ler {file}: {reason}',
  'Interrupted.': 'Interrompido.',
  'The program that started this one is gone.': 'O programa que iniciou este não existe mais.',
  'The reader of the output is gone.': 'Não há mais quem leia a saída.',
  'error: {message}': 'erro: {message}',
  'No task has the id {id}.': 'Nenhuma tarefa tem o ID {id}.',
  '`{command}` lists no {id}.': '`{command}` não lista nenhum {id}.',
  'There are no tasks.': 'Não há tarefas.',
  waiting: 'na espera',
  running: 'em andamento',
  finished: 'concluída',
  failed: 'erro',
  cancelled: 'cancelada',
  'The queue is paused.': 'A fila está em pausa.',
  'The queue runs.': 'A fila está em andamento.',
  'Expected --url to be an address but received {url}.':
    'Informe um endereço em --url; foi recebido {url}.',
  'No service answers at {url}.': 'Nenhum serviço responde em {url}.',
  '{file} is written. Start darktable again, and export to "enlarge with Enlarger".':
    '{file} foi gravado. Reinicie o darktable e exporte para "enlarge with Enlarger".',
  'Expected Windows or macOS, where Lightroom Classic runs.':
    'Este comando requer o Windows ou o macOS, onde o Lightroom Classic funciona.',
  '{file} is written. Start Lightroom Classic again; it stands under Photo, Edit In.':
    '{file} foi gravado. Reinicie o Lightroom Classic; a predefinição fica em Foto, Editar em.',
  'Its results went to {folder} until now.': 'Até agora, os resultados iam para {folder}.',
  'Expected a folder that `enlarger watches` lists; nothing was removed.':
    'Informe uma pasta que `enlarger watches` lista; nada foi removido.',
  'No folders are granted.': 'Nenhuma pasta foi liberada.',
  'Expected a folder that `enlarger grants` lists; nothing was taken back.':
    'Informe uma pasta que `enlarger grants` lista; nenhuma liberação foi revogada.',
  'The service was started with this folder, and keeps it until it ends.':
    'O serviço foi iniciado com esta pasta e a mantém até ser encerrado.',
  choices: 'valores',
  default: 'padrão',
  'Each command uses the service that runs on this machine, or one of its own that ends with it.':
    'Cada comando usa o serviço que está em execução neste computador ou um próprio, que termina com ele.',
  'Nothing leaves the machine but requests for what you name: addresses of photos, and models to fetch.':
    'Nada sai do computador além do que for pedido: endereços de fotos e modelos a baixar.',
  'All is well.': 'Tudo certo.',
  'A picture or the command failed.': 'Uma imagem ou o comando falhou.',
  'The words were wrong.': 'O comando não foi entendido.',
  'It was interrupted; its own tasks were cancelled first.':
    'Foi interrompido; antes disso, suas próprias tarefas foram canceladas.',
  'Expected a length such as 40cm, 16in, short:30cm or width:400mm, and after an @ from 10 to 4800 pixels an inch.':
    'Informe um comprimento como 40cm, 16in, short:30cm ou width:400mm e, depois de um @, de 10 a 4800 pixels por polegada.',
  'Expected width and height in pixels, as in 2000x2000.':
    'Informe a largura e a altura em pixels, como em 2000x2000.',
  'Expected two numbers from 0 to 100, as in 50,100.':
    'Informe dois números de 0 a 100, como em 50,100.',
  "Expected a place as shares of the photo's width and height, as in 0.4,0.25 or 40%,25%.":
    'Informe um ponto como frações da largura e da altura da foto, como em 0.4,0.25 ou 40%,25%.',
  "Expected x, y, width and height as shares of the photo's width and height, as in 0.1,0.2,0.5,0.6 or 10%,20%,50%,60%.":
    'Informe x, y, largura e altura como frações da largura e da altura da foto, como em 0.1,0.2,0.5,0.6 ou 10%,20%,50%,60%.',
  'Expected a list of strokes, as in {example}.': 'Informe uma lista de traços, como em {example}.',
  'Expected a file with JSON: {reason}.': 'Informe um arquivo com JSON: {reason}.',
  'Expected JSON with {what}.': 'Informe JSON com {what}.',
  'more than {min}, up to {max}': 'mais de {min}, até {max}',
  '{min} to {max}': '{min} a {max}',
  'a whole number from {min} to {max}': 'um número inteiro de {min} a {max}',
  'a number from {min} to {max}': 'um número de {min} a {max}',
  'Expected {what}.': 'Informe {what}.',
  'Expected a file name for --name but received a path: {name}':
    'Informe um nome de arquivo em --name; foi recebido um caminho: {name}',
  'Expected {fields} in --name but received {name}':
    'Em --name são possíveis {fields}; foi recebido {name}',
  'No browser could be opened here: open the link above in one, once.':
    'Não foi possível abrir um navegador aqui: abra o link acima em um, uma única vez.',
  'The page works until you end this command with Ctrl+C.':
    'A página funciona até você encerrar este comando com Ctrl+C.',
  'The pool does not answer.': 'O grupo não responde.',
  'This machine helps. Its own tasks go first.':
    'Este computador ajuda. Suas próprias tarefas vêm primeiro.',
  'It helps until you end this command with Ctrl+C.':
    'Ele ajuda até você encerrar este comando com Ctrl+C.',
  'Until the pool answers, tasks run here.':
    'Até o grupo responder, as tarefas são processadas aqui.',
  'This machine is in no pool.': 'Este computador não está em nenhum grupo.',
  'There is no pool.': 'Não há grupo.',
  'Connecting.': 'Conectando.',
  'Connected.': 'Conectado.',
  'Nobody helps yet.': 'Ninguém ajuda ainda.',
  'Together {times} times as fast as this machine.':
    'Juntos, {times} vezes a velocidade deste computador.',
  'this machine': 'este computador',
  '{number} megapixels/s': '{number} megapixels/s',
  '{file} cannot be written: {reason}': 'Não foi possível gravar {file}: {reason}',
  '{file}: bring it to every machine of the pool, and name it there with --key-file.':
    '{file}: copie-o para todos os computadores do grupo e indique-o em cada um com --key-file.',
  'Expected the password in the address or in --password-file, not in both.':
    'Informe a senha no endereço ou em --password-file, não nos dois.',
  'Other users of this machine see the password in the address while this command runs: leave it out, and give it by --password-file or {variable}.':
    'Outros usuários deste computador veem a senha no endereço enquanto este comando é executado: tire-a dele e informe-a por --password-file ou {variable}.',
  'Other users of this machine see the secret in --storage while this command runs: leave KEY:SECRET out, and set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or use ~/.aws/credentials.':
    'Outros usuários deste computador veem o segredo em --storage enquanto este comando é executado: omita KEY:SECRET e defina AWS_ACCESS_KEY_ID e AWS_SECRET_ACCESS_KEY, ou use ~/.aws/credentials.',
  'Expected a password in {file}, which is empty.':
    'O arquivo {file} deve conter uma senha, mas está vazio.',
  'There are no presets.': 'Não há predefinições.',
  'Expected {file} to be a file that `presets export` wrote.':
    'Informe um arquivo gravado por `presets export`; {file} é de outro tipo.',
  'none yet': 'nenhuma ainda',
  'No preset is called {name}; there are {presets}.':
    'Nenhuma predefinição se chama {name}; disponíveis: {presets}.',
  'output the version number': 'mostra o número da versão',
  'display help for command': 'mostra a ajuda do comando',
  'It is watched as long as Enlarger, with or without a window, is running.':
    'Ela é monitorada enquanto o Enlarger estiver em execução, com ou sem janela.',
  'It is watched until you end this command with Ctrl+C.':
    'Ela é monitorada até você encerrar este comando com Ctrl+C.',
  'It failed.': 'Falhou.',
  skipped: 'ignorada',
  'No folders are watched.': 'Nenhuma pasta é monitorada.',
  '{done} of {count} done, {failed} failed': '{done} de {count} concluídas, {failed} com erro',
  'Added {id}.': '{id} foi adicionado.',
  'Expected a whole number from 0 to 15.': 'Informe um número inteiro de 0 a 15.',
  'Expected a card that `enlarger devices` lists, but it is number {number} and the system lists {count}.':
    'Informe uma placa que `enlarger devices` lista; foi recebido o número {number}, e o sistema lista {count}.',
  'this system has none': 'este sistema não tem nenhum',
  'Chosen: {device}': 'Escolhido: {device}',
  'Chosen: {device}, which cannot be used: {reason}':
    'Escolhido: {device}, que não pode ser usado: {reason}',
  'card {number}: {name}': 'placa {number}: {name}',
  'Needs {needs}.': 'Precisa de {needs}.',
  'No device of this system needs files beside Enlarger.':
    'Nenhum dispositivo deste sistema precisa de arquivos além do Enlarger.',
  'There are no models to fetch.': 'Não há modelos a baixar.',
  'Recommended for a machine whose networks run on its processor:':
    'Recomendados para um computador em que as redes rodam no processador:',
  'Recommended for a machine with built-in graphics:':
    'Recomendados para um computador com vídeo integrado:',
  'Recommended for a machine with this graphics card:':
    'Recomendados para um computador com esta placa de vídeo:',
  'Recommended for a Mac with Apple silicon:': 'Recomendados para um Mac com Apple Silicon:',
  installed: 'instalado',
  'Fetch them? [Y/n]': 'Baixá-los? [S/n]',
  y: 's',
  'Nothing was fetched.': 'Nada foi baixado.',
  'There is nothing to fetch.': 'Não há nada a baixar.',
  'To fetch: {size}.': 'A baixar: {size}.',
  '{model} becomes the default of its task if a photo of 12 megapixels takes at most {seconds} s here, and no other was chosen.':
    '{model} passa a ser o modelo padrão para a sua função se uma foto de 12 megapixels levar no máximo {seconds} s aqui e nenhum outro tiver sido escolhido.',
  'The download was cancelled; what came stays.':
    'O download foi cancelado; o que já chegou fica guardado.',
  'size not published': 'tamanho não publicado',
  'not published': 'não publicado',
  'trained on: {data}': 'treinado com: {data}',
  'its memory was not measured': 'memória não medida',
  'takes about {size} of memory, as others measured it':
    'usa cerca de {size} de memória, medidos por terceiros',
  'takes about {size} of memory': 'usa cerca de {size} de memória',
  'Trying it out.': 'Testando.',
  '{size} are here.': '{size} já baixados.',
  'Waiting for its turn.': 'Esperando a vez.',
  'Reading the files.': 'Lendo os arquivos.',
  'Trying it out on test pictures.': 'Testando com imagens de teste.',
  '{done} of at most {count}': '{done} de no máximo {count}',
  'Trying it out on test pictures: {done}.': 'Testando com imagens de teste: {done}.',
  'Trying it out on test pictures: {done}, at most {time} left.':
    'Testando com imagens de teste: {done}, faltam no máximo {time}.',
  'Expected a model that `enlarger models` lists, or {own}, but received {id}.':
    'Informe um modelo que `enlarger models` lista, ou {own}; foi recebido {id}.',
  '--name is for one network, but {count} were given.':
    '--name vale para uma só rede, mas foram informadas {count}.',
  'It enlarges {scales}:': 'Amplia {scales}:',
  'It cuts out subjects:': 'Remove o fundo:',
  'It selects what clicks and boxes point at, once it is in use:':
    'Seleciona o que cliques e caixas indicam, depois de posto em uso:',
  'Found: {facts}': 'Detectado: {facts}',
  'Note: {note}': 'Observação: {note}',
  'There is no file or folder {name}.': 'Não há arquivo nem pasta {name}.',
  'There is no network in the folder {folder}.': 'Não há nenhuma rede na pasta {folder}.',
  'The service that was in use has ended. This command goes on without it.':
    'O serviço em uso foi encerrado. Este comando continua sem ele.',
  'The service has ended. The same command goes on with what is not done.':
    'O serviço terminou. Execute o mesmo comando de novo para continuar com o que falta.',
  'The queue is paused, so nothing begins: `enlarger resume` or the window lets it go on.':
    'A fila está em pausa, por isso nada começa: `enlarger resume` ou a janela a retoma.',
  'Expected a file but {file} is none.': 'Informe um arquivo; {file} não é um.',
  '{file} cannot be edited in its place: {reason}':
    'Não foi possível editar {file} no lugar: {reason}',
  'Expected a result that has the format of {file}, but it became {result}. Choose a smaller scale, or enlarge it into a file of its own with `enlarger upscale`.':
    'O resultado deve ter o formato de {file}, mas ficou {result}. Escolha um fator menor ou amplie a foto em um arquivo próprio com `enlarger upscale`.',
  none: 'nenhum',
  '{file} was changed by another program meanwhile, so it was left as it is.':
    '{file} foi alterado por outro programa nesse meio-tempo, por isso ficou como está.',
  '{count} originals of {file} are kept already; remove some.':
    '{count} originais de {file} já estão guardados; remova alguns.',
  'Its name is not UTF-8 and cannot be opened; rename it (convmv does so for many).':
    'O nome não está em UTF-8 e o arquivo não pode ser aberto; renomeie-o (o convmv faz isso com muitos de uma vez).',
  'All pictures in this folder were made by Enlarger; --include-results takes them too.':
    'Todas as imagens desta pasta foram feitas pelo Enlarger; --include-results as inclui.',
  'There are no pictures in this folder. Links in it are not followed; name what they lead to.':
    'Não há imagens nesta pasta. Os links nela não são seguidos; indique aquilo a que levam.',
  'It cannot be read: you have no right to read it.':
    'Não foi possível ler: você não tem permissão de leitura.',
  'No file matches this pattern.': 'Nenhum arquivo corresponde a este padrão.',
  'There is no such file.': 'Esse arquivo não existe.',
  'The result cannot be saved in {folder}: {reason}':
    'Não foi possível salvar o resultado em {folder}: {reason}',
  'Expected --amount-mask everywhere, subject, background or painted beside --strokes.':
    'Use --amount-mask everywhere, subject, background ou painted junto com --strokes.',
  'for {formats}': 'para {formats}',
  'how many times as wide; 1 only cleans (default: 2)':
    'fator de largura e altura; 1 só limpa (padrão: 2)',
  'also enlarges, this many times as wide; 1 only cleans':
    'também amplia, por este fator; 1 só limpa',
  'Expected a background beside --format jpeg, which holds no transparency: --background white, another colour or blur, or --background-image.':
    '--format jpeg não tem transparência e precisa de um fundo: --background white, outra cor ou blur, ou --background-image.',
  'Expected --canvas beside --position, which is a place on it.':
    'Use --canvas junto com --position, que é um lugar na tela de pintura.',
  'Expected --scale or another size beside {flag}, which is about enlarging.':
    'Use --scale ou outro tamanho junto com {flag}, que se refere à ampliação.',
  'Expected only one of {flags}.': 'Use somente um destes: {flags}.',
  'standard output': 'saída padrão',
  'standard input': 'entrada padrão',
  'Expected one picture for standard output but received {count}.':
    'A saída padrão aceita uma só imagem; foram recebidas {count}.',
  '{model} has no strength of detail: --detail {detail} changes nothing.':
    '{model} não tem intensidade de detalhe: --detail {detail} não muda nada.',
  '{model} cannot be told how much to take off: --restore {restore} changes nothing.':
    '{model} não tem intensidade ajustável: --restore {restore} não muda nada.',
  '{flag}: {model} is no model that enlarges; there are {models}.':
    '{flag}: {model} não é um modelo que amplia; disponíveis: {models}.',
  '{flag}: {model} is no model that cuts out; there are {models}.':
    '{flag}: {model} não é um modelo que remove o fundo; disponíveis: {models}.',
  '{flag}: no model is called {model}; there are {models}.':
    '{flag}: nenhum modelo se chama {model}; disponíveis: {models}.',
  'without an ending': 'sem extensão',
  ', and others': ' e outros',
  '--preset: {preset} is for `enlarger {command}`.':
    '--preset: {preset} é para `enlarger {command}`.',
  'The task has no result.': 'A tarefa não tem resultado.',
  'Then: {command}': 'Depois: {command}',
  'It cannot be read: {reason}': 'Não foi possível ler: {reason}',
  '{photo}: failed': '{photo}: falhou',
  '{time} left': 'faltam {time}',
  '{photo}: skipped, {result} is there': '{photo}: ignorada, {result} já existe',
  'look at it, the network was not sure': 'confira, a rede não teve certeza',
  'probably poor, look at it': 'provavelmente ruim, confira',
  'The same command goes on with them.': 'Execute o mesmo comando de novo para continuar com elas.',
  '--out: no result is written as {ending}; there are {endings}.':
    '--out: nenhum resultado é gravado como {ending}; possíveis: {endings}.',
  'Expected - alone, because standard input is one photo.':
    'Use - sozinho, pois a entrada padrão é uma só foto.',
  'Expected a photo on standard input, as in - < photo.jpg.':
    'A entrada padrão precisa de uma foto, como em - < photo.jpg.',
  'Expected --json or the result on standard output, not both.':
    'Use --json ou o resultado na saída padrão, não os dois.',
  'Expected --out, a pipe or > for the result, not a terminal.':
    'O resultado precisa de --out, de um pipe ou de >, não de um terminal.',
  'Expected --name or a file behind --out, not both.':
    'Use --name ou um arquivo em --out, não os dois.',
  'There is no file {file}. If the result is to be called so: --out {file}.':
    'O arquivo {file} não existe. Se o resultado deve ter esse nome: --out {file}.',
  'Expected a folder behind --out for {count} pictures but received {file}.':
    'Informe uma pasta em --out para {count} imagens; foi recebido {file}.',
  'Expected one format, but --format is {format} and --out ends in {ending}.':
    'Informe um só formato; --format é {format} e --out termina em {ending}.',
  'Its result would take its own place. Choose another --name or --out; `enlarger edit-in` enlarges in place and keeps the original.':
    'O resultado ocuparia o lugar da própria foto. Escolha outro --name ou --out; `enlarger edit-in` amplia no lugar e guarda o original.',
  'Its result would be called as that of {photo}. Choose --on-conflict number, or a --name with {n}.':
    'O resultado teria o mesmo nome que o de {photo}. Escolha --on-conflict number ou um --name com {n}.',
  'The result ended after {size} of {total} bytes.':
    'O resultado terminou após {size} de {total} bytes.',
  'The service answered without a result.': 'O serviço respondeu sem um resultado.',
  'width instead of a scale; the nearest scale is made, then resampled':
    'largura em vez de fator; usa o fator mais próximo e depois reamostra',
  'height instead of a scale': 'altura em vez de fator',
  'longer side instead of a scale': 'lado maior em vez de fator',
  'megapixels instead of a scale': 'megapixels em vez de fator',
  'sharpens the result': 'aumenta a nitidez do resultado',
  'how much compression, noise and softness is removed; auto: as measured':
    'quanto da compressão, do ruído e do desfoque é reduzido; auto: conforme medido',
  "adds grain; auto: like the photo's own": 'adiciona granulação; auto: como a da própria foto',
  "faithful: reduced with the cubic kernel, the result equals the photo within 1 level; colours: it has the photo's colours":
    'faithful: reduzido com o filtro cúbico, o resultado é igual à foto, com diferença de até 1 nível; colours: tem as cores da foto',
  'how much --model detail adds beyond Natural': 'quanto --model detail acrescenta além do Natural',
  "opacity of the model's result over a plain enlargement":
    'opacidade do resultado do modelo sobre uma ampliação simples',
  "where the model's result is used; elsewhere a plain enlargement":
    'onde o resultado do modelo é usado; no resto, uma ampliação simples',
  'file format': 'formato do arquivo',
  'bits per channel': 'bits por canal',
  'which metadata is copied': 'quais metadados são copiados',
  'higher priorities run first': 'prioridades maiores são processadas primeiro',
  'when the name is taken': 'se o nome já existir',
  'what comes first, beside a size': 'o que se faz primeiro, se um tamanho for informado',
  'transparent, blur or a colour such as #ffffff, white or teal':
    'transparent, blur ou uma cor como #ffffff, white ou teal',
  'crops to the subject, with this margin': 'corta ao redor do assunto, com esta margem',
  'soft shadow under the subject': 'sombra suave sob o assunto',
  'how much of the canvas the subject fills': 'quanto da tela de pintura o assunto ocupa',
  'softens the edge inwards': 'suaviza a borda, para dentro',
  "how much of the background's colour is removed from the edge":
    'quanto da cor do fundo é tirado da borda',
  'how many': 'quantas',
  'Enlarges photographs and cuts out their subjects with neural networks on this machine.':
    'Amplia fotografias e remove o fundo delas com redes neurais neste computador.',
  'enlarge photos, whole folders and patterns such as "shots/**/*.jpg"':
    'amplia fotos, pastas inteiras e padrões como "shots/**/*.jpg"',
  'JSON: strokes over --amount-mask': 'JSON: traços sobre --amount-mask',
  'length on paper instead of a scale: 40cm, 16in, width:400mm; @240 for another resolution than 300 pixels per inch':
    'comprimento no papel em vez de fator: 40cm, 16in, width:400mm; @240 para outra resolução que não 300 pixels por polegada',
  'a model that `enlarger models` lists': 'um modelo que `enlarger models` lista',
  'a preset of `enlarger presets`, which other options override':
    'uma predefinição de `enlarger presets`; as outras opções prevalecem sobre ela',
  'folder of the results, or file of a single one, or - for standard output (default: beside each photo)':
    'pasta dos resultados, ou arquivo se for um só, ou - para a saída padrão (padrão: junto a cada foto)',
  'name of the results': 'nome dos resultados',
  'the same as --on-conflict overwrite': 'o mesmo que --on-conflict overwrite',
  'include pictures that Enlarger made': 'inclui imagens feitas pelo Enlarger',
  'make everything anew, even if this command was interrupted before':
    'faz tudo de novo, mesmo que este comando tenha sido interrompido antes',
  'send the photos instead of granting access to their folders':
    'envia as fotos em vez de liberar o acesso às pastas delas',
  'one line of JSON per picture': 'uma linha de JSON por imagem',
  "the service's data folder": 'a pasta de dados do serviço',
  'the address of a running service': 'o endereço de um serviço em execução',
  'its API key (default: cli.key in the data folder)':
    'a chave de API dele (padrão: cli.key na pasta de dados)',
  'files, folders or patterns; - for standard input':
    'arquivos, pastas ou padrões; - para a entrada padrão',
  'cut out the subjects of photos': 'remove o fundo de fotos',
  'a point on an object that belongs to the subject, as in 0.4,0.25; repeatable':
    'um ponto em um objeto que pertence ao assunto, como em 0.4,0.25; pode ser repetido',
  'a point on an object that does not; repeatable':
    'um ponto em um objeto que não pertence; pode ser repetido',
  'a box around the subject, as in 0.1,0.2,0.5,0.6; repeatable':
    'uma caixa ao redor do assunto, como em 0.1,0.2,0.5,0.6; pode ser repetida',
  'a box around an object that does not belong to it; repeatable':
    'uma caixa ao redor de um objeto que não pertence a ele; pode ser repetida',
  'JSON: strokes over the mask that was found': 'JSON: traços sobre a máscara encontrada',
  'model that enlarges, beside a size': 'modelo que amplia, se um tamanho for informado',
  'picture behind the subject: a file or an address':
    'imagem atrás do assunto: um arquivo ou um endereço',
  'size of the result, as in 2000x2000': 'tamanho do resultado, como em 2000x2000',
  'place of the subject on the canvas in percent, as in 50,100':
    'lugar do assunto na tela de pintura em porcentagem, como em 50,100',
  'makes the mask itself, as a grey picture of 16 bits':
    'gera a própria máscara, como imagem em tons de cinza de 16 bits',
  'enlarge a file in its place, as "edit in" of other programs needs it':
    'amplia um arquivo no lugar, como o "editar em" de outros programas precisa',
  'keep no copy of the original beside it': 'não guarda uma cópia do original ao lado dele',
  'keeps its name, format, depth, profile and metadata':
    'mantém o nome, o formato, a profundidade de cor, o perfil e os metadados',
  "install the script that enlarges as a target of darktable's export":
    'instala o script que amplia como destino da exportação do darktable',
  "darktable's folder": 'a pasta do darktable',
  "install the preset that enlarges under Lightroom Classic's Edit In":
    'instala a predefinição que amplia em Editar em do Lightroom Classic',
  "Lightroom's folder (default: where it makes it)":
    'a pasta do Lightroom (padrão: onde ele a cria)',
  'how many times as wide; 1 only cleans': 'fator de largura e altura; 1 só limpa',
  'list the newest tasks': 'lista as tarefas mais recentes',
  'one JSON line a task': 'uma linha de JSON por tarefa',
  'cancel waiting or running tasks': 'cancela tarefas na espera ou em andamento',
  'try failed tasks again; what only could not be saved is not enlarged again':
    'tenta de novo tarefas com erro; o que só não pôde ser salvo não é ampliado de novo',
  'as `enlarger tasks` lists them': 'como `enlarger tasks` as lista',
  'let no task begin': 'pausa a fila: nenhuma tarefa começa',
  'let the queue go on': 'retoma a fila',
  'list, add and remove models': 'lista, adiciona e remove modelos',
  'fetch the recommended ones without a question': 'baixa os recomendados sem perguntar',
  'list the models': 'lista os modelos',
  'one JSON line a model': 'uma linha de JSON por modelo',
  'add models from their files': 'adiciona modelos a partir de seus arquivos',
  'what it is called here': 'como se chama aqui',
  'on what terms it may be used': 'em que condições pode ser usado',
  'who made it': 'quem o fez',
  'the model as JSON': 'o modelo como JSON',
  '.onnx (with its data file, or an encoder with its decoder), .param and .bin, .pth, .safetensors, or a folder with one or more':
    '.onnx (com seu arquivo de dados, ou um codificador com seu decodificador), .param e .bin, .pth, .safetensors, ou uma pasta com um ou mais modelos',
  'fetch a model from its publisher; without an id: list them':
    'baixa um modelo de quem o publicou; sem id: lista os disponíveis',
  'recommended: those for this machine; their sizes are printed first':
    'recommended: os recomendados para este computador; os tamanhos são mostrados antes',
  'use a model where none is named; of those that select, for clicks and boxes':
    'usa este modelo quando nenhum é indicado; um que seleciona serve para cliques e caixas',
  'own: the model that cuts out selects by itself':
    'own: o próprio modelo que remove o fundo faz a seleção',
  'put right how an added model is used': 'corrige como um modelo adicionado é usado',
  'as in \'{"channels":"BGR","marginPx":24}\'': 'como em \'{"channels":"BGR","marginPx":24}\'',
  'a third model between two that were added':
    'cria um terceiro modelo entre dois que foram adicionados',
  'how much of the other one, 0 to 1': 'quanto do outro, de 0 a 1',
  'remove models that were added': 'remove modelos que foram adicionados',
  'also while tasks wait for them': 'mesmo que haja tarefas esperando por eles',
  'list what networks run on, choose one, and fetch or remove files that it needs':
    'lista onde as redes rodam, escolhe um dispositivo e baixa ou remove os arquivos de que ele precisa',
  'list the devices, and why one is not used': 'lista os dispositivos e por que algum não é usado',
  'choose what networks run on, unless a photo says otherwise':
    'escolhe onde as redes rodam, a menos que uma foto indique outra coisa',
  'which of several graphics cards, by its number in `list`':
    'entre várias placas de vídeo, a que tem este número em `list`',
  'auto: the fastest': 'auto: o mais rápido',
  "fetch a device's files; without an id: list what there is":
    'baixa os arquivos de um dispositivo; sem id: lista os disponíveis',
  'such as cuda-12': 'como cuda-12',
  "install a device's files from their archive on this machine":
    'instala os arquivos de um dispositivo a partir do pacote neste computador',
  'as its publisher has it, .tgz': 'como publicado, .tgz',
  "remove a device's files": 'remove os arquivos de um dispositivo',
  'process what arrives in a folder': 'processa o que chega a uma pasta',
  'a preset that `enlarger presets` lists (required)':
    'uma predefinição que `enlarger presets` lista (obrigatória)',
  'where the results go, in the same subfolders (required)':
    'para onde vão os resultados, nas mesmas subpastas (obrigatório)',
  'leave subfolders out': 'deixa as subpastas de fora',
  'leave out what is there already': 'deixa de fora o que já está nela',
  'list the watched folders, remove some': 'lista as pastas monitoradas, remove algumas',
  'watch folders no more; what was made of them stays':
    'deixa de monitorar pastas; os resultados ficam',
  'list the watched folders': 'lista as pastas monitoradas',
  'one JSON line a folder': 'uma linha de JSON por pasta',
  'list, make and remove presets': 'lista, cria e remove predefinições',
  'list the presets': 'lista as predefinições',
  'one JSON line a preset': 'uma linha de JSON por predefinição',
  'keep options of `enlarger upscale` under a name':
    'guarda opções de `enlarger upscale` com um nome',
  'keep options of `enlarger cutout` under a name':
    'guarda opções de `enlarger cutout` com um nome',
  'write presets to a JSON file': 'grava predefinições em um arquivo JSON',
  'the page and `presets import` read it': 'a página e `presets import` o leem',
  'all when none is named': 'todas, se nenhuma for indicada',
  'take presets from such a file': 'importa predefinições de um arquivo assim',
  'remove presets': 'remove predefinições',
  'list the folders that Enlarger may read and write, grant more, take some back':
    'lista as pastas que o Enlarger pode ler e gravar, libera outras, revoga liberações',
  'list the folders': 'lista as pastas',
  'grant folders, or single files': 'libera pastas ou arquivos avulsos',
  'take grants back': 'revoga liberações',
  'as `list` shows it': 'como `list` a mostra',
  'let this machine help the others of a pool':
    'deixa este computador ajudar os outros de um grupo',
  'a folder that all machines see, or s3://bucket/prefix?endpoint=https://nas:9000':
    'uma pasta que todos os computadores veem, ou s3://bucket/prefix?endpoint=https://nas:9000',
  "the queue's password (default: ENLARGER_POOL_PASSWORD)":
    'a senha da fila (padrão: ENLARGER_POOL_PASSWORD)',
  'encrypts pictures on their way; `enlarger pool key` makes one':
    'chave que criptografa as imagens em trânsito; `enlarger pool key` cria uma',
  'of Valkey or Redis: redis://nas:6379, rediss://user@nas:6379':
    'do Valkey ou Redis: redis://nas:6379, rediss://user@nas:6379',
  'say who helps, and how fast all are together':
    'mostra quem ajuda e a velocidade de todos juntos',
  'as JSON': 'como JSON',
  "let a pool's helpers run this machine's tasks":
    'deixa os outros computadores de um grupo processarem as tarefas deste',
  'use and help no pool any more': 'deixa de usar e de ajudar qualquer grupo',
  'make a file with a new key; all machines of a pool need the same one':
    'cria um arquivo com uma nova chave; todos os computadores de um grupo precisam da mesma',
  'open the page of the running service, or of its own one':
    'abre a página do serviço em execução, ou de um próprio',
  'run the service without a window, for other programs, until Ctrl+C':
    'executa o serviço sem janela, para outros programas, até Ctrl+C',
  '8617 or the next free one by default; 0: any free one':
    'por padrão, 8617 ou a próxima livre; 0: qualquer uma livre',
  'answers programs written for other services (remove.bg, rembg, OpenAI, AUTOMATIC1111) there too; 0: any free one':
    'responde ali também a programas feitos para outros serviços (remove.bg, rembg, OpenAI, AUTOMATIC1111); 0: qualquer uma livre',
  'its files may be named as file: sources and saveTo; may be given several times':
    'seus arquivos podem ser usados como origens file: e saveTo; pode ser repetida',
  'is in the queue of its page; may be given several times, as a file or a folder':
    'está na fila da página; pode ser repetida, como arquivo ou pasta',
  'fetch pictures from this machine and its network too':
    'busca imagens também deste computador e da rede dele',
  'serve the tools for agents (Model Context Protocol) on standard input and output':
    'oferece as ferramentas para agentes (Model Context Protocol) pela entrada e saída padrão',
  "a folder that may be read and written, beside those granted and the client's roots; may be given several times":
    'uma pasta que pode ser lida e gravada, além das liberadas e das raízes do cliente; pode ser indicada várias vezes',
  'print the manual page, for man -l -': 'mostra a página de manual, para man -l -',
  'Generate shell completion scripts': 'gera scripts de autocompletar para o shell',
  'Shell type for completion script': 'shell do script de autocompletar',
  'Generate completion suggestions': 'gera sugestões para completar',
  'Usage:': 'Uso:',
  'Options:': 'Opções:',
  'Commands:': 'Comandos:',
  'Arguments:': 'Argumentos:',
  "error: unknown option '{first}'": "erro: opção desconhecida '{first}'",
  "error: unknown command '{first}'": "erro: comando desconhecido '{first}'",
  "error: too many arguments for '{first}'. {rest}":
    "erro: argumentos demais para '{first}'. {rest}",
  'Expected {count} arguments but got {second}.': 'Esperados: {count}; recebidos: {second}.',
  'Expected 1 argument but got {second}.': 'Esperados: 1; recebidos: {second}.',
  "error: missing required argument '{first}'": "erro: falta o argumento obrigatório '{first}'",
  "error: required option '{first}' not specified": "erro: falta a opção obrigatória '{first}'",
  "error: option '{first}' argument missing": "erro: falta o argumento da opção '{first}'",
  "error: option '{first}' argument '{second}' is invalid. {rest}":
    "erro: o argumento '{second}' da opção '{first}' não é válido. {rest}",
  "error: command-argument value '{first}' is invalid for argument '{second}'. {rest}":
    "erro: o valor '{first}' não é válido para o argumento '{second}'. {rest}",
  '(Did you mean one of {first}?)': '(Você quis dizer um destes: {first}?)',
  'Allowed choices are {choices}.': 'Os valores possíveis são {choices}.',
  'the fields {fields}': 'os campos {fields}',
  '(Did you mean {first}?)': '(Você quis dizer {first}?)',
  'you have no right to write there.': 'você não tem permissão para gravar ali.',
  'there is no such folder or file, or none can be made there.':
    'essa pasta ou esse arquivo não existe, ou não é possível criar nada ali.',
  'the disk is full. Free some space, or choose another folder.':
    'o disco está cheio. Libere espaço ou escolha outra pasta.',
  'your share of the disk is used up. Free some space, or choose another folder.':
    'sua cota do disco está esgotada. Libere espaço ou escolha outra pasta.',
  'a file or folder is not there (any more).': 'um arquivo ou uma pasta não existe (mais).',
  'the system does not allow it.': 'o sistema não permite.',
  'the disk is read-only.': 'o disco é somente leitura.',
  'the disk is full.': 'o disco está cheio.',
  'too many files are open.': 'há arquivos demais abertos.',
  'another program holds a file.': 'outro programa está usando um arquivo.',
  'a folder is where a file was expected.': 'há uma pasta onde deveria haver um arquivo.',
  'there is something of that name already.': 'já existe algo com esse nome.',
  'a name is too long.': 'um nome é longo demais.',
  'another program uses that port.': 'outro programa usa essa porta.',
  'the disk reports a fault.': 'o disco informa um defeito.',
  'the folder of the network was mounted anew or is gone.':
    'a pasta de rede foi montada de novo ou não está mais lá.',
  'the folder of the network is gone.': 'a pasta de rede não está mais lá.',
  'links lead round in circles.': 'os links dão voltas em círculo.',
  '{count} done': { one: '{count} concluída', other: '{count} concluídas' },
  '{count} presets': { one: '{count} predefinição', other: '{count} predefinições' },
  'This command was interrupted before (begun {time}) and goes on: {count} pictures had been given to the queue. --again makes all anew.':
    {
      one: 'Este comando foi interrompido antes (iniciado em {time}) e continua: {count} imagem já tinha sido entregue à fila. --again faz tudo de novo.',
      other:
        'Este comando foi interrompido antes (iniciado em {time}) e continua: {count} imagens já tinham sido entregues à fila. --again faz tudo de novo.',
    },
  '{count} pictures that waited before go on now, too; `enlarger tasks` lists them.': {
    one: '{count} imagem que já esperava também continua agora; `enlarger tasks` a lista.',
    other: '{count} imagens que já esperavam também continuam agora; `enlarger tasks` as lista.',
  },
  '{count} files that are no pictures were left out: {endings}.': {
    one: '{count} arquivo que não é imagem ficou de fora: {endings}.',
    other: '{count} arquivos que não são imagens ficaram de fora: {endings}.',
  },
  '{count} pictures that Enlarger made were left out; --include-results takes them too.': {
    one: '{count} imagem feita pelo Enlarger ficou de fora; --include-results a inclui.',
    other: '{count} imagens feitas pelo Enlarger ficaram de fora; --include-results as inclui.',
  },
  'Of {count} pictures: {note}': {
    one: 'De {count} imagem: {note}',
    other: 'De {count} imagens: {note}',
  },
  '{count} frames': { one: '{count} quadro', other: '{count} quadros' },
  '{count} skipped': { one: '{count} ignorada', other: '{count} ignoradas' },
  '{count} failed': { one: '{count} com erro', other: '{count} com erro' },
  '{count} stopped': { one: '{count} interrompida', other: '{count} interrompidas' },
  '{count} not begun': { one: '{count} não iniciada', other: '{count} não iniciadas' },
  '{count} pictures in {time}': {
    one: '{count} imagem em {time}',
    other: '{count} imagens em {time}',
  },
  idle: 'livre',
  working: 'trabalhando',
  busy: 'ocupado',
  away: 'ausente',
  'left out': 'deixado de fora',
  watching: 'monitorando',
  paused: 'em pausa',
  unavailable: 'inacessível',
  unchecked: 'não verificado',
  'in use': 'em uso',
  available: 'disponível',
  'not used': 'não usado',
  NAME: 'NOME',
  SYNOPSIS: 'SINOPSE',
  DESCRIPTION: 'DESCRIÇÃO',
  COMMANDS: 'COMANDOS',
  'EXIT STATUS': 'STATUS DE SAÍDA',
  command: 'comando',
  options: 'opções',
  'files and folders': 'arquivos e pastas',
};
