import type { Catalogue } from '../catalogue.ts';

export const es: Catalogue = {
  'a file of that name is there.': 'ya hay un archivo con ese nombre.',
  'The folder {folder} cannot be made: {reason}': 'No se puede crear la carpeta {folder}: {reason}',
  'The result cannot be written to standard output: {reason}':
    'El resultado no se puede escribir en la salida estándar: {reason}',
  '{file} cannot be read: {reason}': 'No se puede leer {file}: {reason}',
  'Interrupted.': 'Interrumpido.',
  'The program that started this one is gone.': 'El programa que inició este ya no está.',
  'The reader of the output is gone.': 'Ya nadie lee la salida.',
  'error: {message}': 'error: {message}',
  'No task has the id {id}.': 'Ninguna tarea tiene el ID {id}.',
  '`{command}` lists no {id}.': '`{command}` no muestra ningún {id}.',
  'There are no tasks.': 'No hay tareas.',
  waiting: 'en espera',
  running: 'en curso',
  finished: 'completada',
  failed: 'error',
  cancelled: 'cancelada',
  'The queue is paused.': 'La cola está en pausa.',
  'The queue runs.': 'La cola está en marcha.',
  'Expected --url to be an address but received {url}.':
    'Se espera una dirección en --url, pero se recibió {url}.',
  'No service answers at {url}.': 'Ningún servicio responde en {url}.',
  '{file} is written. Start darktable again, and export to "enlarge with Enlarger".':
    'Se ha escrito {file}. Reinicie darktable y exporte a "enlarge with Enlarger".',
  'Expected Windows or macOS, where Lightroom Classic runs.':
    'Hace falta Windows o macOS, donde funciona Lightroom Classic.',
  '{file} is written. Start Lightroom Classic again; it stands under Photo, Edit In.':
    'Se ha escrito {file}. Reinicie Lightroom Classic; encontrará Enlarger en Foto, Editar en.',
  'Its results went to {folder} until now.': 'Hasta ahora, sus resultados iban a {folder}.',
  'Expected a folder that `enlarger watches` lists; nothing was removed.':
    'Se espera una carpeta de la lista de `enlarger watches`; no se ha quitado nada.',
  'No folders are granted.': 'No hay ninguna carpeta autorizada.',
  'Expected a folder that `enlarger grants` lists; nothing was taken back.':
    'Se espera una carpeta de la lista de `enlarger grants`; no se ha retirado ninguna autorización.',
  'The service was started with this folder, and keeps it until it ends.':
    'El servicio se inició con esta carpeta y la conserva hasta que termine.',
  choices: 'valores',
  default: 'predeterminado',
  'Each command uses the service that runs on this machine, or one of its own that ends with it.':
    'Cada comando usa el servicio que funciona en este equipo, o uno propio que termina con él.',
  'Nothing leaves the machine but requests for what you name: addresses of photos, and models to fetch.':
    'Del equipo solo salen peticiones de lo que usted indique: direcciones de fotos y modelos que descargar.',
  'All is well.': 'Todo ha ido bien.',
  'A picture or the command failed.': 'Falló una imagen o el comando.',
  'The words were wrong.': 'No se entendió el comando.',
  'It was interrupted; its own tasks were cancelled first.':
    'Se interrumpió; antes se cancelaron sus propias tareas.',
  'Expected a length such as 40cm, 16in, short:30cm or width:400mm, and after an @ from 10 to 4800 pixels an inch.':
    'Se espera una longitud como 40cm, 16in, short:30cm o width:400mm, y tras una @ de 10 a 4800 píxeles por pulgada.',
  'Expected width and height in pixels, as in 2000x2000.':
    'Se espera el ancho y el alto en píxeles, como en 2000x2000.',
  'Expected two numbers from 0 to 100, as in 50,100.':
    'Se esperan dos números de 0 a 100, como en 50,100.',
  "Expected a place as shares of the photo's width and height, as in 0.4,0.25 or 40%,25%.":
    'Se espera un punto en fracciones del ancho y el alto de la foto, como en 0.4,0.25 o 40%,25%.',
  "Expected x, y, width and height as shares of the photo's width and height, as in 0.1,0.2,0.5,0.6 or 10%,20%,50%,60%.":
    'Se esperan x, y, ancho y alto en fracciones del ancho y el alto de la foto, como en 0.1,0.2,0.5,0.6 o 10%,20%,50%,60%.',
  'Expected a list of strokes, as in {example}.':
    'Se espera una lista de trazos, como en {example}.',
  'Expected a file with JSON: {reason}.': 'Se espera un archivo con JSON: {reason}.',
  'Expected JSON with {what}.': 'Se espera JSON con {what}.',
  'more than {min}, up to {max}': 'más de {min}, hasta {max}',
  '{min} to {max}': '{min} a {max}',
  'a whole number from {min} to {max}': 'un número entero de {min} a {max}',
  'a number from {min} to {max}': 'un número de {min} a {max}',
  'Expected {what}.': 'Valor esperado: {what}.',
  'Expected a file name for --name but received a path: {name}':
    'Se espera un nombre de archivo en --name, pero se recibió una ruta: {name}',
  'Expected {fields} in --name but received {name}':
    'En --name se admiten {fields}, pero se recibió {name}',
  'No browser could be opened here: open the link above in one, once.':
    'Aquí no se pudo abrir ningún navegador: abra en uno el enlace de arriba; sirve una sola vez.',
  'The page works until you end this command with Ctrl+C.':
    'La página funciona hasta que termine este comando con Ctrl+C.',
  'The pool does not answer.': 'El grupo no responde.',
  'This machine helps. Its own tasks go first.':
    'Este equipo ayuda. Sus propias tareas van primero.',
  'It helps until you end this command with Ctrl+C.':
    'Ayuda hasta que termine este comando con Ctrl+C.',
  'Until the pool answers, tasks run here.':
    'Hasta que el grupo responda, las tareas se procesan en este equipo.',
  'This machine is in no pool.': 'Este equipo no está en ningún grupo.',
  'There is no pool.': 'No hay grupo.',
  'Connecting.': 'Conectando.',
  'Connected.': 'Conectado.',
  'Nobody helps yet.': 'Nadie ayuda todavía.',
  'Together {times} times as fast as this machine.':
    'Juntos son {times} veces más rápidos que este equipo.',
  'this machine': 'este equipo',
  '{number} megapixels/s': '{number} megapíxeles/s',
  '{file} cannot be written: {reason}': 'No se puede escribir {file}: {reason}',
  '{file}: bring it to every machine of the pool, and name it there with --key-file.':
    '{file}: cópielo a cada equipo del grupo e indíquelo allí con --key-file.',
  'Expected the password in the address or in --password-file, not in both.':
    'Se espera la contraseña en la dirección o en --password-file, no en ambas.',
  'Other users of this machine see the password in the address while this command runs: leave it out, and give it by --password-file or {variable}.':
    'Otros usuarios de este equipo ven la contraseña de la dirección mientras se ejecuta este comando: omítala e indíquela con --password-file o {variable}.',
  'Other users of this machine see the secret in --storage while this command runs: leave KEY:SECRET out, and set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or use ~/.aws/credentials.':
    'Otros usuarios de este equipo ven el secreto de --storage mientras se ejecuta este comando: omita KEY:SECRET y defina AWS_ACCESS_KEY_ID y AWS_SECRET_ACCESS_KEY, o use ~/.aws/credentials.',
  'Expected a password in {file}, which is empty.':
    'Se espera una contraseña en {file}, que está vacío.',
  'There are no presets.': 'No hay preajustes.',
  'Expected {file} to be a file that `presets export` wrote.':
    'Se espera que {file} sea un archivo escrito por `presets export`.',
  'none yet': 'ninguno todavía',
  'No preset is called {name}; there are {presets}.':
    'Ningún preajuste se llama {name}; disponibles: {presets}.',
  'output the version number': 'muestra la versión',
  'display help for command': 'muestra la ayuda del comando',
  'It is watched as long as Enlarger, with or without a window, is running.':
    'Se vigila mientras Enlarger esté en marcha, con o sin ventana.',
  'It is watched until you end this command with Ctrl+C.':
    'Se vigila hasta que termine este comando con Ctrl+C.',
  'It failed.': 'Ha fallado.',
  skipped: 'omitida',
  'No folders are watched.': 'No se vigila ninguna carpeta.',
  '{done} of {count} done, {failed} failed': '{done} de {count} completadas, {failed} con error',
  'Added {id}.': 'Añadido: {id}.',
  'Expected a whole number from 0 to 15.': 'Se espera un número entero de 0 a 15.',
  'Expected a card that `enlarger devices` lists, but it is number {number} and the system lists {count}.':
    'Se espera una tarjeta de la lista de `enlarger devices`; se indicó la número {number} y el sistema tiene {count}.',
  'this system has none': 'este sistema no tiene ninguno',
  'Chosen: {device}': 'Elegido: {device}',
  'Chosen: {device}, which cannot be used: {reason}':
    'Elegido: {device}, que no se puede usar: {reason}',
  'card {number}: {name}': 'tarjeta {number}: {name}',
  'Needs {needs}.': 'Necesita {needs}.',
  'No device of this system needs files beside Enlarger.':
    'Ningún dispositivo de este sistema necesita archivos aparte de Enlarger.',
  'There are no models to fetch.': 'No hay modelos que descargar.',
  'Recommended for a machine whose networks run on its processor:':
    'Recomendados para un equipo cuyas redes funcionan en el procesador:',
  'Recommended for a machine with built-in graphics:':
    'Recomendados para un equipo con gráficos integrados:',
  'Recommended for a machine with this graphics card:':
    'Recomendados para un equipo con esta tarjeta gráfica:',
  'Recommended for a Mac with Apple silicon:': 'Recomendados para un Mac con chip de Apple:',
  installed: 'instalado',
  'Fetch them? [Y/n]': '¿Descargarlos? [S/n]',
  y: 's',
  'Nothing was fetched.': 'No se ha descargado nada.',
  'There is nothing to fetch.': 'No hay nada que descargar.',
  'To fetch: {size}.': 'Por descargar: {size}.',
  '{model} becomes the default of its task if a photo of 12 megapixels takes at most {seconds} s here, and no other was chosen.':
    '{model} será el modelo predeterminado para su función si una foto de 12 megapíxeles tarda aquí {seconds} s como máximo y no se eligió otro.',
  'The download was cancelled; what came stays.':
    'La descarga se canceló; lo que llegó se conserva.',
  'size not published': 'tamaño no publicado',
  'not published': 'no publicado',
  'trained on: {data}': 'entrenado con: {data}',
  'its memory was not measured': 'memoria sin medir',
  'takes about {size} of memory, as others measured it':
    'ocupa unos {size} de memoria, según mediciones de otros',
  'takes about {size} of memory': 'ocupa unos {size} de memoria',
  'Trying it out.': 'Probándolo.',
  '{size} are here.': '{size} recibidos.',
  'Waiting for its turn.': 'Esperando su turno.',
  'Reading the files.': 'Leyendo los archivos.',
  'Trying it out on test pictures.': 'Probándolo con imágenes de prueba.',
  '{done} of at most {count}': '{done} de {count} como máximo',
  'Trying it out on test pictures: {done}.': 'Probándolo con imágenes de prueba: {done}.',
  'Trying it out on test pictures: {done}, at most {time} left.':
    'Probándolo con imágenes de prueba: {done}; quedan {time} como máximo.',
  'Expected a model that `enlarger models` lists, or {own}, but received {id}.':
    'Se espera un modelo de la lista de `enlarger models`, o {own}, pero se recibió {id}.',
  '--name is for one network, but {count} were given.':
    '--name es para una sola red, pero se indicaron {count}.',
  'It enlarges {scales}:': 'Amplía {scales}:',
  'It cuts out subjects:': 'Quita el fondo:',
  'It selects what clicks and boxes point at, once it is in use:':
    'Selecciona lo que señalan los clics y recuadros, una vez en uso:',
  'Found: {facts}': 'Detectado: {facts}',
  'Note: {note}': 'Nota: {note}',
  'There is no file or folder {name}.': 'No existe ningún archivo ni carpeta {name}.',
  'There is no network in the folder {folder}.': 'No hay ninguna red en la carpeta {folder}.',
  'The service that was in use has ended. This command goes on without it.':
    'El servicio que se usaba ha terminado. Esta orden sigue sin él.',
  'The service has ended. The same command goes on with what is not done.':
    'El servicio ha terminado. Repita el mismo comando para continuar con lo que falta.',
  'The queue is paused, so nothing begins: `enlarger resume` or the window lets it go on.':
    'La cola está en pausa, así que no empieza nada: se reanuda con `enlarger resume` o en la ventana.',
  'Expected a file but {file} is none.': 'Se espera un archivo, pero {file} no lo es.',
  '{file} cannot be edited in its place: {reason}':
    'No se puede editar {file} en su sitio: {reason}',
  'Expected a result that has the format of {file}, but it became {result}. Choose a smaller scale, or enlarge it into a file of its own with `enlarger upscale`.':
    'El resultado debe tener el formato de {file}, pero salió {result}. Elija un factor menor o amplíe la foto en un archivo aparte con `enlarger upscale`.',
  none: 'ninguno',
  '{file} was changed by another program meanwhile, so it was left as it is.':
    'Otro programa cambió {file} entretanto, así que se ha dejado como está.',
  '{count} originals of {file} are kept already; remove some.':
    'Ya se conservan {count} originales de {file}; elimine algunos.',
  'Its name is not UTF-8 and cannot be opened; rename it (convmv does so for many).':
    'Su nombre no está en UTF-8 y no se puede abrir; cámbielo (convmv lo hace con muchos a la vez).',
  'All pictures in this folder were made by Enlarger; --include-results takes them too.':
    'Todas las imágenes de esta carpeta están hechas con Enlarger; --include-results también las incluye.',
  'There are no pictures in this folder. Links in it are not followed; name what they lead to.':
    'No hay imágenes en esta carpeta. Sus enlaces no se siguen; indique aquello a lo que llevan.',
  'It cannot be read: you have no right to read it.':
    'No se puede leer: no tiene permiso de lectura.',
  'No file matches this pattern.': 'Ningún archivo coincide con este patrón.',
  'There is no such file.': 'Ese archivo no existe.',
  'The result cannot be saved in {folder}: {reason}':
    'El resultado no se puede guardar en {folder}: {reason}',
  'Expected --amount-mask everywhere, subject, background or painted beside --strokes.':
    'Con --strokes hace falta --amount-mask everywhere, subject, background o painted.',
  'for {formats}': 'para {formats}',
  'how many times as wide; 1 only cleans (default: 2)':
    'factor de ancho y alto; 1 solo limpia (predeterminado: 2)',
  'also enlarges, this many times as wide; 1 only cleans':
    'además amplía por este factor; 1 solo limpia',
  'Expected a background beside --format jpeg, which holds no transparency: --background white, another colour or blur, or --background-image.':
    'Con --format jpeg, que no admite transparencia, hace falta un fondo: --background white, otro color o blur, o --background-image.',
  'Expected --canvas beside --position, which is a place on it.':
    'Con --position, que es un punto del lienzo, hace falta --canvas.',
  'Expected --scale or another size beside {flag}, which is about enlarging.':
    'Con {flag}, que trata de la ampliación, hace falta --scale u otro tamaño.',
  'Expected only one of {flags}.': 'Solo se admite una de estas opciones: {flags}.',
  'standard output': 'salida estándar',
  'standard input': 'entrada estándar',
  'Expected one picture for standard output but received {count}.':
    'Se espera una sola imagen para la salida estándar, pero se recibieron {count}.',
  '{model} has no strength of detail: --detail {detail} changes nothing.':
    '{model} no tiene intensidad de detalle: --detail {detail} no cambia nada.',
  '{model} cannot be told how much to take off: --restore {restore} changes nothing.':
    '{model} no tiene intensidad de limpieza ajustable: --restore {restore} no cambia nada.',
  '{flag}: {model} is no model that enlarges; there are {models}.':
    '{flag}: {model} no es un modelo que amplíe; disponibles: {models}.',
  '{flag}: {model} is no model that cuts out; there are {models}.':
    '{flag}: {model} no es un modelo que quite el fondo; disponibles: {models}.',
  '{flag}: no model is called {model}; there are {models}.':
    '{flag}: ningún modelo se llama {model}; disponibles: {models}.',
  'without an ending': 'sin extensión',
  ', and others': ' y otros',
  '--preset: {preset} is for `enlarger {command}`.':
    '--preset: {preset} es para `enlarger {command}`.',
  'The task has no result.': 'La tarea no tiene resultado.',
  'Then: {command}': 'Después: {command}',
  'It cannot be read: {reason}': 'No se puede leer: {reason}',
  '{photo}: failed': '{photo}: error',
  '{time} left': 'quedan {time}',
  '{photo}: skipped, {result} is there': '{photo}: omitida, {result} ya existe',
  'look at it, the network was not sure': 'revísela, la red no estaba segura',
  'probably poor, look at it': 'probablemente no ha salido bien, revísela',
  'The same command goes on with them.':
    'Repita el mismo comando para continuar con las que faltan.',
  '--out: no result is written as {ending}; there are {endings}.':
    '--out: ningún resultado se escribe como {ending}; se admiten: {endings}.',
  'Expected - alone, because standard input is one photo.':
    'Indique - solo, porque la entrada estándar es una sola foto.',
  'Expected a photo on standard input, as in - < photo.jpg.':
    'Se espera una foto en la entrada estándar, como en - < photo.jpg.',
  'Expected --json or the result on standard output, not both.':
    'Elija --json o el resultado en la salida estándar, no ambos.',
  'Expected --out, a pipe or > for the result, not a terminal.':
    'Se espera --out, una tubería o > para el resultado, no un terminal.',
  'Expected --name or a file behind --out, not both.':
    'Indique --name o un archivo tras --out, no ambos.',
  'There is no file {file}. If the result is to be called so: --out {file}.':
    'No existe el archivo {file}. Si el resultado debe llamarse así: --out {file}.',
  'Expected a folder behind --out for {count} pictures but received {file}.':
    'Se espera una carpeta tras --out para {count} imágenes, pero se recibió {file}.',
  'Expected one format, but --format is {format} and --out ends in {ending}.':
    'Se espera un solo formato, pero --format es {format} y --out termina en {ending}.',
  'Its result would take its own place. Choose another --name or --out; `enlarger edit-in` enlarges in place and keeps the original.':
    'El resultado ocuparía el lugar de la propia foto. Elija otro --name u otro --out; `enlarger edit-in` amplía en su sitio y conserva el original.',
  'Its result would be called as that of {photo}. Choose --on-conflict number, or a --name with {n}.':
    'El resultado se llamaría como el de {photo}. Elija --on-conflict number, o un --name con {n}.',
  'The result ended after {size} of {total} bytes.':
    'El resultado se cortó tras {size} de {total} bytes.',
  'The service answered without a result.': 'El servicio respondió sin resultado.',
  'width instead of a scale; the nearest scale is made, then resampled':
    'ancho en lugar de un factor; se amplía por el factor más próximo y luego se remuestrea',
  'height instead of a scale': 'alto en lugar de un factor',
  'longer side instead of a scale': 'lado largo en lugar de un factor',
  'megapixels instead of a scale': 'megapíxeles en lugar de un factor',
  'sharpens the result': 'enfoca el resultado',
  'how much compression, noise and softness is removed; auto: as measured':
    'cuánto se reducen la compresión, el ruido y el desenfoque; auto: según lo medido',
  "adds grain; auto: like the photo's own": 'añade grano; auto: como el de la foto',
  "faithful: reduced with the cubic kernel, the result equals the photo within 1 level; colours: it has the photo's colours":
    'faithful: reducido con el filtro cúbico, el resultado iguala la foto con 1 nivel de diferencia como máximo; colours: tiene los colores de la foto',
  'how much --model detail adds beyond Natural': 'cuánto añade --model detail más allá de Natural',
  "opacity of the model's result over a plain enlargement":
    'opacidad del resultado del modelo sobre una ampliación simple',
  "where the model's result is used; elsewhere a plain enlargement":
    'dónde se usa el resultado del modelo; en el resto, una ampliación simple',
  'file format': 'formato de archivo',
  'bits per channel': 'bits por canal',
  'which metadata is copied': 'qué metadatos se copian',
  'higher priorities run first': 'las prioridades más altas van primero',
  'when the name is taken': 'si el nombre ya existe',
  'what comes first, beside a size': 'qué se hace primero, si se indica un tamaño',
  'transparent, blur or a colour such as #ffffff, white or teal':
    'transparent, blur o un color como #ffffff, white o teal',
  'crops to the subject, with this margin': 'recorta al sujeto, con este margen',
  'soft shadow under the subject': 'sombra suave bajo el sujeto',
  'how much of the canvas the subject fills': 'cuánto del lienzo ocupa el sujeto',
  'softens the edge inwards': 'suaviza el borde hacia dentro',
  "how much of the background's colour is removed from the edge":
    'cuánto color del fondo se quita del borde',
  'how many': 'cuántas',
  'Enlarges photographs and cuts out their subjects with neural networks on this machine.':
    'Amplía fotografías y les quita el fondo con redes neuronales en este equipo.',
  'enlarge photos, whole folders and patterns such as "shots/**/*.jpg"':
    'amplía fotos, carpetas enteras y patrones como "shots/**/*.jpg"',
  'JSON: strokes over --amount-mask': 'JSON: trazos sobre --amount-mask',
  'length on paper instead of a scale: 40cm, 16in, width:400mm; @240 for another resolution than 300 pixels per inch':
    'longitud en papel en lugar de un factor: 40cm, 16in, width:400mm; @240 para una resolución distinta de 300 píxeles por pulgada',
  'a model that `enlarger models` lists': 'un modelo de la lista de `enlarger models`',
  'a preset of `enlarger presets`, which other options override':
    'un preajuste de `enlarger presets`, sobre el que prevalecen las demás opciones',
  'folder of the results, or file of a single one, or - for standard output (default: beside each photo)':
    'carpeta de los resultados, o archivo de uno solo, o - para la salida estándar (predeterminado: junto a cada foto)',
  'name of the results': 'nombre de los resultados',
  'the same as --on-conflict overwrite': 'lo mismo que --on-conflict overwrite',
  'include pictures that Enlarger made': 'incluye las imágenes hechas con Enlarger',
  'make everything anew, even if this command was interrupted before':
    'rehace todo, aunque este comando se interrumpiera antes',
  'send the photos instead of granting access to their folders':
    'envía las fotos en vez de autorizar sus carpetas',
  'one line of JSON per picture': 'una línea de JSON por imagen',
  "the service's data folder": 'la carpeta de datos del servicio',
  'the address of a running service': 'la dirección de un servicio en marcha',
  'its API key (default: cli.key in the data folder)':
    'su clave de API (predeterminado: cli.key en la carpeta de datos)',
  'files, folders or patterns; - for standard input':
    'archivos, carpetas o patrones; - para la entrada estándar',
  'cut out the subjects of photos': 'quita el fondo de las fotos',
  'a point on an object that belongs to the subject, as in 0.4,0.25; repeatable':
    'un punto de un objeto que pertenece al sujeto, como en 0.4,0.25; repetible',
  'a point on an object that does not; repeatable':
    'un punto de un objeto que no pertenece a él; repetible',
  'a box around the subject, as in 0.1,0.2,0.5,0.6; repeatable':
    'un recuadro alrededor del sujeto, como en 0.1,0.2,0.5,0.6; repetible',
  'a box around an object that does not belong to it; repeatable':
    'un recuadro alrededor de un objeto que no pertenece a él; repetible',
  'JSON: strokes over the mask that was found': 'JSON: trazos sobre la máscara encontrada',
  'model that enlarges, beside a size': 'modelo que amplía, si se indica un tamaño',
  'picture behind the subject: a file or an address':
    'imagen detrás del sujeto: un archivo o una dirección',
  'size of the result, as in 2000x2000': 'tamaño del resultado, como en 2000x2000',
  'place of the subject on the canvas in percent, as in 50,100':
    'posición del sujeto en el lienzo en porcentaje, como en 50,100',
  'makes the mask itself, as a grey picture of 16 bits':
    'genera la propia máscara, como imagen en escala de grises de 16 bits',
  'enlarge a file in its place, as "edit in" of other programs needs it':
    'amplía un archivo en su sitio, como lo necesita «editar en» de otros programas',
  'keep no copy of the original beside it': 'no conserva junto a él una copia del original',
  'keeps its name, format, depth, profile and metadata':
    'conserva su nombre, formato, profundidad, perfil y metadatos',
  "install the script that enlarges as a target of darktable's export":
    'instala el script que amplía como destino de la exportación de darktable',
  "darktable's folder": 'la carpeta de darktable',
  "install the preset that enlarges under Lightroom Classic's Edit In":
    'instala el preajuste que amplía en Editar en de Lightroom Classic',
  "Lightroom's folder (default: where it makes it)":
    'la carpeta de Lightroom (predeterminado: donde él la crea)',
  'how many times as wide; 1 only cleans': 'factor de ancho y alto; 1 solo limpia',
  'list the newest tasks': 'enumera las tareas más recientes',
  'one JSON line a task': 'una línea JSON por tarea',
  'cancel waiting or running tasks': 'cancela tareas en espera o en curso',
  'try failed tasks again; what only could not be saved is not enlarged again':
    'reintenta tareas fallidas; lo que solo falló al guardarse no se amplía de nuevo',
  'as `enlarger tasks` lists them': 'como las enumera `enlarger tasks`',
  'let no task begin': 'pausa la cola: no empieza ninguna tarea',
  'let the queue go on': 'reanuda la cola',
  'list, add and remove models': 'enumera, añade y quita modelos',
  'fetch the recommended ones without a question': 'descarga los recomendados sin preguntar',
  'list the models': 'enumera los modelos',
  'one JSON line a model': 'una línea JSON por modelo',
  'add models from their files': 'añade modelos desde sus archivos',
  'what it is called here': 'cómo se llama aquí',
  'on what terms it may be used': 'en qué condiciones se puede usar',
  'who made it': 'quién lo hizo',
  'the model as JSON': 'el modelo como JSON',
  '.onnx (with its data file, or an encoder with its decoder), .param and .bin, .pth, .safetensors, or a folder with one or more':
    '.onnx (con su archivo de datos, o un codificador con su descodificador), .param y .bin, .pth, .safetensors, o una carpeta con uno o varios modelos',
  'fetch a model from its publisher; without an id: list them':
    'descarga un modelo de su editor; sin id: los enumera',
  'recommended: those for this machine; their sizes are printed first':
    'recommended: los de este equipo; antes se muestran sus tamaños',
  'use a model where none is named; of those that select, for clicks and boxes':
    'usa este modelo cuando no se indica ninguno; uno que selecciona sirve para clics y recuadros',
  'own: the model that cuts out selects by itself':
    'own: el modelo que quita el fondo selecciona por sí mismo',
  'put right how an added model is used': 'corrige cómo se usa un modelo añadido',
  'as in \'{"channels":"BGR","marginPx":24}\'': 'como en \'{"channels":"BGR","marginPx":24}\'',
  'a third model between two that were added': 'mezcla dos modelos añadidos en un tercero',
  'how much of the other one, 0 to 1': 'cuánto del otro, de 0 a 1',
  'remove models that were added': 'quita modelos añadidos',
  'also while tasks wait for them': 'aunque haya tareas esperándolos',
  'list what networks run on, choose one, and fetch or remove files that it needs':
    'enumera los dispositivos para las redes, elige uno, y descarga o quita los archivos que necesita',
  'list the devices, and why one is not used':
    'enumera los dispositivos y por qué no se usa alguno',
  'choose what networks run on, unless a photo says otherwise':
    'elige el dispositivo de las redes, salvo que una foto indique otro',
  'which of several graphics cards, by its number in `list`':
    'cuál de varias tarjetas gráficas, por su número en `list`',
  'auto: the fastest': 'auto: el más rápido',
  "fetch a device's files; without an id: list what there is":
    'descarga los archivos de un dispositivo; sin id: enumera los que hay',
  'such as cuda-12': 'como cuda-12',
  "install a device's files from their archive on this machine":
    'instala los archivos de un dispositivo desde su archivo comprimido en este equipo',
  'as its publisher has it, .tgz': 'tal como lo da su editor, .tgz',
  "remove a device's files": 'quita los archivos de un dispositivo',
  'process what arrives in a folder': 'procesa lo que llega a una carpeta',
  'a preset that `enlarger presets` lists (required)':
    'un preajuste de la lista de `enlarger presets` (obligatorio)',
  'where the results go, in the same subfolders (required)':
    'adónde van los resultados, en las mismas subcarpetas (obligatorio)',
  'leave subfolders out': 'omite las subcarpetas',
  'leave out what is there already': 'omite lo que ya contiene',
  'list the watched folders, remove some': 'enumera las carpetas vigiladas, quita algunas',
  'watch folders no more; what was made of them stays':
    'deja de vigilar carpetas; los resultados se conservan',
  'list the watched folders': 'enumera las carpetas vigiladas',
  'one JSON line a folder': 'una línea JSON por carpeta',
  'list, make and remove presets': 'enumera, crea y quita preajustes',
  'list the presets': 'enumera los preajustes',
  'one JSON line a preset': 'una línea JSON por preajuste',
  'keep options of `enlarger upscale` under a name':
    'guarda opciones de `enlarger upscale` con un nombre',
  'keep options of `enlarger cutout` under a name':
    'guarda opciones de `enlarger cutout` con un nombre',
  'write presets to a JSON file': 'escribe preajustes en un archivo JSON',
  'the page and `presets import` read it': 'la página y `presets import` lo leen',
  'all when none is named': 'todos si no se indica ninguno',
  'take presets from such a file': 'importa los preajustes de un archivo así',
  'remove presets': 'quita preajustes',
  'list the folders that Enlarger may read and write, grant more, take some back':
    'enumera las carpetas en las que Enlarger puede leer y escribir, autoriza más y retira autorizaciones',
  'list the folders': 'enumera las carpetas',
  'grant folders, or single files': 'autoriza carpetas o archivos sueltos',
  'take grants back': 'retira autorizaciones',
  'as `list` shows it': 'como la muestra `list`',
  'let this machine help the others of a pool':
    'deja que este equipo ayude a los demás de un grupo',
  'a folder that all machines see, or s3://bucket/prefix?endpoint=https://nas:9000':
    'una carpeta que ven todos los equipos, o s3://bucket/prefix?endpoint=https://nas:9000',
  "the queue's password (default: ENLARGER_POOL_PASSWORD)":
    'la contraseña de la cola (predeterminado: ENLARGER_POOL_PASSWORD)',
  'encrypts pictures on their way; `enlarger pool key` makes one':
    'clave que cifra las imágenes en tránsito; `enlarger pool key` crea una',
  'of Valkey or Redis: redis://nas:6379, rediss://user@nas:6379':
    'de Valkey o Redis: redis://nas:6379, rediss://user@nas:6379',
  'say who helps, and how fast all are together':
    'muestra quién ayuda y lo rápidos que son todos juntos',
  'as JSON': 'como JSON',
  "let a pool's helpers run this machine's tasks":
    'deja que los demás equipos de un grupo procesen las tareas de este',
  'use and help no pool any more': 'sale del grupo: ya no lo usa ni lo ayuda',
  'make a file with a new key; all machines of a pool need the same one':
    'crea un archivo con una clave nueva; todos los equipos de un grupo necesitan la misma',
  'open the page of the running service, or of its own one':
    'abre la página del servicio en marcha, o de uno propio',
  'run the service without a window, for other programs, until Ctrl+C':
    'ejecuta el servicio sin ventana, para otros programas, hasta Ctrl+C',
  '8617 or the next free one by default; 0: any free one':
    'por defecto, 8617 o el siguiente libre; 0: cualquiera libre',
  'answers programs written for other services (remove.bg, rembg, OpenAI, AUTOMATIC1111) there too; 0: any free one':
    'responde ahí también a programas hechos para otros servicios (remove.bg, rembg, OpenAI, AUTOMATIC1111); 0: cualquiera libre',
  'its files may be named as file: sources and saveTo; may be given several times':
    'sus archivos se pueden indicar como orígenes file: y saveTo; se puede repetir',
  'is in the queue of its page; may be given several times, as a file or a folder':
    'está en la cola de su página; se puede repetir, como archivo o carpeta',
  'fetch pictures from this machine and its network too':
    'obtiene imágenes también de este equipo y de su red',
  'serve the tools for agents (Model Context Protocol) on standard input and output':
    'ofrece las herramientas para agentes (Model Context Protocol) por la entrada y la salida estándar',
  "a folder that may be read and written, beside those granted and the client's roots; may be given several times":
    'una carpeta en la que se puede leer y escribir, además de las autorizadas y las raíces del cliente; se puede indicar varias veces',
  'print the manual page, for man -l -': 'imprime la página de manual, para man -l -',
  'Generate shell completion scripts': 'genera los scripts de autocompletado del shell',
  'Shell type for completion script': 'tipo de shell del script de autocompletado',
  'Generate completion suggestions': 'genera sugerencias de autocompletado',
  'Usage:': 'Uso:',
  'Options:': 'Opciones:',
  'Commands:': 'Comandos:',
  'Arguments:': 'Argumentos:',
  "error: unknown option '{first}'": 'error: opción desconocida «{first}»',
  "error: unknown command '{first}'": 'error: comando desconocido «{first}»',
  "error: too many arguments for '{first}'. {rest}":
    'error: demasiados argumentos para «{first}». {rest}',
  'Expected {count} arguments but got {second}.': 'Esperados: {count}; recibidos: {second}.',
  'Expected 1 argument but got {second}.': 'Esperados: 1; recibidos: {second}.',
  "error: missing required argument '{first}'": 'error: falta el argumento obligatorio «{first}»',
  "error: required option '{first}' not specified": 'error: falta la opción obligatoria «{first}»',
  "error: option '{first}' argument missing": 'error: falta el valor de la opción «{first}»',
  "error: option '{first}' argument '{second}' is invalid. {rest}":
    'error: el valor «{second}» de la opción «{first}» no es válido. {rest}',
  "error: command-argument value '{first}' is invalid for argument '{second}'. {rest}":
    'error: el valor «{first}» no es válido para el argumento «{second}». {rest}',
  '(Did you mean one of {first}?)': '(¿Quizá quiso decir uno de estos: {first}?)',
  'Allowed choices are {choices}.': 'Los valores posibles son {choices}.',
  'the fields {fields}': 'los campos {fields}',
  '(Did you mean {first}?)': '(¿Quizá quiso decir {first}?)',
  'you have no right to write there.': 'no tiene permiso para escribir ahí.',
  'there is no such folder or file, or none can be made there.':
    'no existe esa carpeta o archivo, o no se puede crear ahí.',
  'the disk is full. Free some space, or choose another folder.':
    'el disco está lleno. Libere espacio o elija otra carpeta.',
  'your share of the disk is used up. Free some space, or choose another folder.':
    'su cuota de disco está agotada. Libere espacio o elija otra carpeta.',
  'a file or folder is not there (any more).':
    'un archivo o una carpeta no existe (o ya no existe).',
  'the system does not allow it.': 'el sistema no lo permite.',
  'the disk is read-only.': 'el disco es de solo lectura.',
  'the disk is full.': 'el disco está lleno.',
  'too many files are open.': 'hay demasiados archivos abiertos.',
  'another program holds a file.': 'otro programa tiene ocupado un archivo.',
  'a folder is where a file was expected.': 'hay una carpeta donde se esperaba un archivo.',
  'there is something of that name already.': 'ya existe algo con ese nombre.',
  'a name is too long.': 'un nombre es demasiado largo.',
  'another program uses that port.': 'otro programa usa ese puerto.',
  'the disk reports a fault.': 'el disco notifica un fallo.',
  'the folder of the network was mounted anew or is gone.':
    'la carpeta de red se ha vuelto a montar o ya no está.',
  'the folder of the network is gone.': 'la carpeta de red ya no está.',
  'links lead round in circles.': 'hay enlaces que llevan en círculo.',
  '{count} done': { one: '{count} completada', other: '{count} completadas' },
  '{count} presets': { one: '{count} preajuste', other: '{count} preajustes' },
  'This command was interrupted before (begun {time}) and goes on: {count} pictures had been given to the queue. --again makes all anew.':
    {
      one: 'Este comando se interrumpió antes (iniciado: {time}) y continúa: {count} imagen ya se había puesto en la cola. --again rehace todo.',
      other:
        'Este comando se interrumpió antes (iniciado: {time}) y continúa: {count} imágenes ya se habían puesto en la cola. --again rehace todo.',
    },
  '{count} pictures that waited before go on now, too; `enlarger tasks` lists them.': {
    one: 'Ahora continúa también {count} imagen que ya esperaba; `enlarger tasks` la muestra.',
    other:
      'Ahora continúan también {count} imágenes que ya esperaban; `enlarger tasks` las muestra.',
  },
  '{count} files that are no pictures were left out: {endings}.': {
    one: 'Se ha omitido {count} archivo que no es una imagen: {endings}.',
    other: 'Se han omitido {count} archivos que no son imágenes: {endings}.',
  },
  '{count} pictures that Enlarger made were left out; --include-results takes them too.': {
    one: 'Se ha omitido {count} imagen hecha con Enlarger; --include-results también la incluye.',
    other:
      'Se han omitido {count} imágenes hechas con Enlarger; --include-results también las incluye.',
  },
  'Of {count} pictures: {note}': {
    one: 'De {count} imagen: {note}',
    other: 'De {count} imágenes: {note}',
  },
  '{count} frames': { one: '{count} fotograma', other: '{count} fotogramas' },
  '{count} skipped': { one: '{count} omitida', other: '{count} omitidas' },
  '{count} failed': { one: '{count} con error', other: '{count} con error' },
  '{count} stopped': { one: '{count} detenida', other: '{count} detenidas' },
  '{count} not begun': { one: '{count} sin iniciar', other: '{count} sin iniciar' },
  '{count} pictures in {time}': {
    one: '{count} imagen en {time}',
    other: '{count} imágenes en {time}',
  },
  idle: 'libre',
  working: 'trabajando',
  busy: 'ocupado',
  away: 'ausente',
  'left out': 'excluido',
  watching: 'vigilando',
  paused: 'en pausa',
  unavailable: 'no disponible',
  unchecked: 'sin comprobar',
  'in use': 'en uso',
  available: 'disponible',
  'not used': 'no se usa',
  NAME: 'NOMBRE',
  SYNOPSIS: 'SINOPSIS',
  DESCRIPTION: 'DESCRIPCIÓN',
  COMMANDS: 'COMANDOS',
  'EXIT STATUS': 'ESTADO DE SALIDA',
  command: 'comando',
  options: 'opciones',
  'files and folders': 'archivos y carpetas',
};
