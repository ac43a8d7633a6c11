import type { Catalogue } from '../catalogue.ts';

export const it: Catalogue = {
  'a file of that name is there.': 'esiste già un file con questo nome.',
  'The folder {folder} cannot be made: {reason}':
    'Impossibile creare la cartella {folder}: {reason}',
  'The result cannot be written to standard output: {reason}':
    'Il risultato non può essere scritto sull’output standard: {reason}',
  '{file} cannot be read: {reason}': 'Impossibile leggere {file}: {reason}',
  'Interrupted.': 'Interrotto.',
  'The program that started this one is gone.': 'Il programma che ha avviato questo non c’è più.',
  'The reader of the output is gone.': 'Nessuno legge più l’output.',
  'error: {message}': 'errore: {message}',
  'No task has the id {id}.': 'Nessuna attività ha l’ID {id}.',
  '`{command}` lists no {id}.': '`{command}` non elenca nessun {id}.',
  'There are no tasks.': 'Non ci sono attività.',
  waiting: 'in attesa',
  running: 'in corso',
  finished: 'completata',
  failed: 'fallita',
  cancelled: 'annullata',
  'The queue is paused.': 'La coda è in pausa.',
  'The queue runs.': 'La coda è attiva.',
  'Expected --url to be an address but received {url}.':
    '--url richiede un indirizzo, ma ha ricevuto {url}.',
  'No service answers at {url}.': 'Nessun servizio risponde a {url}.',
  '{file} is written. Start darktable again, and export to "enlarge with Enlarger".':
    '{file} è stato scritto. Riavvia darktable ed esporta verso "enlarge with Enlarger".',
  'Expected Windows or macOS, where Lightroom Classic runs.':
    'Serve Windows o macOS, dove funziona Lightroom Classic.',
  '{file} is written. Start Lightroom Classic again; it stands under Photo, Edit In.':
    '{file} è stato scritto. Riavvia Lightroom Classic; Enlarger si trova in Foto, Modifica in.',
  'Its results went to {folder} until now.': 'Finora i suoi risultati andavano in {folder}.',
  'Expected a folder that `enlarger watches` lists; nothing was removed.':
    'Serve una cartella elencata da `enlarger watches`; non è stato rimosso nulla.',
  'No folders are granted.': 'Nessuna cartella è autorizzata.',
  'Expected a folder that `enlarger grants` lists; nothing was taken back.':
    'Serve una cartella elencata da `enlarger grants`; non è stato revocato nulla.',
  'The service was started with this folder, and keeps it until it ends.':
    'Il servizio è stato avviato con questa cartella e la mantiene finché non termina.',
  choices: 'valori',
  default: 'predefinito',
  'Each command uses the service that runs on this machine, or one of its own that ends with it.':
    'Ogni comando usa il servizio attivo su questo computer, o uno proprio che termina con esso.',
  'Nothing leaves the machine but requests for what you name: addresses of photos, and models to fetch.':
    'Dal computer escono solo richieste per ciò che indichi: indirizzi di foto e modelli da scaricare.',
  'All is well.': 'È andato tutto bene.',
  'A picture or the command failed.': 'Un’immagine o il comando non è riuscito.',
  'The words were wrong.': 'Il comando non è stato capito.',
  'It was interrupted; its own tasks were cancelled first.':
    'È stato interrotto; prima sono state annullate le sue attività.',
  'Expected a length such as 40cm, 16in, short:30cm or width:400mm, and after an @ from 10 to 4800 pixels an inch.':
    'Serve una lunghezza come 40cm, 16in, short:30cm o width:400mm e, dopo una @, da 10 a 4800 pixel per pollice.',
  'Expected width and height in pixels, as in 2000x2000.':
    'Servono larghezza e altezza in pixel, come 2000x2000.',
  'Expected two numbers from 0 to 100, as in 50,100.':
    'Servono due numeri da 0 a 100, come 50,100.',
  "Expected a place as shares of the photo's width and height, as in 0.4,0.25 or 40%,25%.":
    'Serve un punto in frazioni della larghezza e dell’altezza della foto, come 0.4,0.25 o 40%,25%.',
  "Expected x, y, width and height as shares of the photo's width and height, as in 0.1,0.2,0.5,0.6 or 10%,20%,50%,60%.":
    'Servono x, y, larghezza e altezza in frazioni della larghezza e dell’altezza della foto, come 0.1,0.2,0.5,0.6 o 10%,20%,50%,60%.',
  'Expected a list of strokes, as in {example}.': 'Serve un elenco di tratti, come {example}.',
  'Expected a file with JSON: {reason}.': 'Serve un file con JSON: {reason}.',
  'Expected JSON with {what}.': 'Serve JSON con {what}.',
  'more than {min}, up to {max}': 'più di {min}, fino a {max}',
  '{min} to {max}': 'da {min} a {max}',
  'a whole number from {min} to {max}': 'un numero intero da {min} a {max}',
  'a number from {min} to {max}': 'un numero da {min} a {max}',
  'Expected {what}.': 'Valore previsto: {what}.',
  'Expected a file name for --name but received a path: {name}':
    '--name richiede un nome di file, ma ha ricevuto un percorso: {name}',
  'Expected {fields} in --name but received {name}':
    'In --name si possono usare {fields}, ma è stato ricevuto {name}',
  'No browser could be opened here: open the link above in one, once.':
    'Qui non è stato possibile aprire un browser: apri in uno il link qui sopra; vale una volta sola.',
  'The page works until you end this command with Ctrl+C.':
    'La pagina funziona finché non termini questo comando con Ctrl+C.',
  'The pool does not answer.': 'Il gruppo non risponde.',
  'This machine helps. Its own tasks go first.':
    'Questo computer aiuta. Le sue attività hanno la precedenza.',
  'It helps until you end this command with Ctrl+C.':
    'Aiuta finché non termini questo comando con Ctrl+C.',
  'Until the pool answers, tasks run here.':
    'Finché il gruppo non risponde, le attività vengono elaborate su questo computer.',
  'This machine is in no pool.': 'Questo computer non è in nessun gruppo.',
  'There is no pool.': 'Non c’è un gruppo.',
  'Connecting.': 'Connessione in corso.',
  'Connected.': 'Connesso.',
  'Nobody helps yet.': 'Nessuno aiuta ancora.',
  'Together {times} times as fast as this machine.':
    'Insieme {times} volte più veloci di questo computer.',
  'this machine': 'questo computer',
  '{number} megapixels/s': '{number} megapixel/s',
  '{file} cannot be written: {reason}': 'Impossibile scrivere {file}: {reason}',
  '{file}: bring it to every machine of the pool, and name it there with --key-file.':
    '{file}: copialo su ogni computer del gruppo e indicalo lì con --key-file.',
  'Expected the password in the address or in --password-file, not in both.':
    'La password va nell’indirizzo o in --password-file, non in entrambi.',
  'Other users of this machine see the password in the address while this command runs: leave it out, and give it by --password-file or {variable}.':
    'Altri utenti di questo computer vedono la password nell’indirizzo mentre questo comando è in esecuzione: omettila e indicala con --password-file o {variable}.',
  'Other users of this machine see the secret in --storage while this command runs: leave KEY:SECRET out, and set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or use ~/.aws/credentials.':
    'Altri utenti di questo computer vedono il segreto in --storage mentre questo comando è in esecuzione: ometti KEY:SECRET e imposta AWS_ACCESS_KEY_ID e AWS_SECRET_ACCESS_KEY, oppure usa ~/.aws/credentials.',
  'Expected a password in {file}, which is empty.': 'Serve una password in {file}, che è vuoto.',
  'There are no presets.': 'Non ci sono predefiniti.',
  'Expected {file} to be a file that `presets export` wrote.':
    '{file} deve essere un file scritto da `presets export`.',
  'none yet': 'ancora nessuno',
  'No preset is called {name}; there are {presets}.':
    'Nessun predefinito si chiama {name}; disponibili: {presets}.',
  'output the version number': 'mostra la versione',
  'display help for command': 'mostra la guida del comando',
  'It is watched as long as Enlarger, with or without a window, is running.':
    'È monitorata finché Enlarger è in esecuzione, con o senza finestra.',
  'It is watched until you end this command with Ctrl+C.':
    'È monitorata finché non termini questo comando con Ctrl+C.',
  'It failed.': 'Elaborazione non riuscita.',
  skipped: 'saltata',
  'No folders are watched.': 'Nessuna cartella è monitorata.',
  '{done} of {count} done, {failed} failed': '{done} di {count} completate, {failed} con errori',
  'Added {id}.': 'Aggiunto: {id}.',
  'Expected a whole number from 0 to 15.': 'Serve un numero intero da 0 a 15.',
  'Expected a card that `enlarger devices` lists, but it is number {number} and the system lists {count}.':
    'Serve una scheda elencata da `enlarger devices`; è stata indicata la numero {number} e il sistema ne ha {count}.',
  'this system has none': 'questo sistema non ne ha',
  'Chosen: {device}': 'Scelto: {device}',
  'Chosen: {device}, which cannot be used: {reason}':
    'Scelto: {device}, che non si può usare: {reason}',
  'card {number}: {name}': 'scheda {number}: {name}',
  'Needs {needs}.': 'Richiede {needs}.',
  'No device of this system needs files beside Enlarger.':
    'Nessun dispositivo di questo sistema richiede file oltre a Enlarger.',
  'There are no models to fetch.': 'Non ci sono modelli da scaricare.',
  'Recommended for a machine whose networks run on its processor:':
    'Consigliati per un computer le cui reti funzionano sul processore:',
  'Recommended for a machine with built-in graphics:':
    'Consigliati per un computer con grafica integrata:',
  'Recommended for a machine with this graphics card:':
    'Consigliati per un computer con questa scheda grafica:',
  'Recommended for a Mac with Apple silicon:': 'Consigliati per un Mac con chip Apple:',
  installed: 'installato',
  'Fetch them? [Y/n]': 'Scaricarli? [S/n]',
  y: 's',
  'Nothing was fetched.': 'Non è stato scaricato nulla.',
  'There is nothing to fetch.': 'Non c’è nulla da scaricare.',
  'To fetch: {size}.': 'Da scaricare: {size}.',
  '{model} becomes the default of its task if a photo of 12 megapixels takes at most {seconds} s here, and no other was chosen.':
    '{model} diventa il modello predefinito per il suo compito se una foto da 12 megapixel richiede qui al massimo {seconds} s e non ne è stato scelto un altro.',
  'The download was cancelled; what came stays.':
    'Il download è stato annullato; ciò che è arrivato resta.',
  'size not published': 'dimensione non pubblicata',
  'not published': 'non pubblicato',
  'trained on: {data}': 'addestrato su: {data}',
  'its memory was not measured': 'memoria non misurata',
  'takes about {size} of memory, as others measured it':
    'occupa circa {size} di memoria, come misurato da altri',
  'takes about {size} of memory': 'occupa circa {size} di memoria',
  'Trying it out.': 'Prova in corso.',
  '{size} are here.': '{size} ricevuti.',
  'Waiting for its turn.': 'In attesa del proprio turno.',
  'Reading the files.': 'Lettura dei file.',
  'Trying it out on test pictures.': 'Prova su immagini di test.',
  '{done} of at most {count}': '{done} di {count} al massimo',
  'Trying it out on test pictures: {done}.': 'Prova su immagini di test: {done}.',
  'Trying it out on test pictures: {done}, at most {time} left.':
    'Prova su immagini di test: {done}, ancora {time} al massimo.',
  'Expected a model that `enlarger models` lists, or {own}, but received {id}.':
    'Serve un modello elencato da `enlarger models`, o {own}, ma è stato ricevuto {id}.',
  '--name is for one network, but {count} were given.':
    '--name vale per una sola rete, ma ne sono state indicate {count}.',
  'It enlarges {scales}:': 'Ingrandisce {scales}:',
  'It cuts out subjects:': 'Scontorna i soggetti:',
  'It selects what clicks and boxes point at, once it is in use:':
    'Seleziona ciò che indicano clic e riquadri, una volta in uso:',
  'Found: {facts}': 'Rilevato: {facts}',
  'Note: {note}': 'Nota: {note}',
  'There is no file or folder {name}.': 'Non esiste un file o una cartella {name}.',
  'There is no network in the folder {folder}.': 'Non c’è nessuna rete nella cartella {folder}.',
  'The service that was in use has ended. This command goes on without it.':
    'Il servizio in uso è terminato. Questo comando continua senza di esso.',
  'The service has ended. The same command goes on with what is not done.':
    'Il servizio è terminato. Ripeti lo stesso comando per riprendere ciò che manca.',
  'The queue is paused, so nothing begins: `enlarger resume` or the window lets it go on.':
    'La coda è in pausa, quindi non inizia nulla: si riprende con `enlarger resume` o dalla finestra.',
  'Expected a file but {file} is none.': 'Serve un file, ma {file} non lo è.',
  '{file} cannot be edited in its place: {reason}':
    'Impossibile modificare {file} sul posto: {reason}',
  'Expected a result that has the format of {file}, but it became {result}. Choose a smaller scale, or enlarge it into a file of its own with `enlarger upscale`.':
    'Il risultato deve avere il formato di {file}, ma si è ottenuto: {result}. Scegli un fattore minore o ingrandisci la foto in un file a parte con `enlarger upscale`.',
  none: 'niente',
  '{file} was changed by another program meanwhile, so it was left as it is.':
    '{file} è stato modificato nel frattempo da un altro programma, quindi è rimasto com’era.',
  '{count} originals of {file} are kept already; remove some.':
    'Sono già conservati {count} originali di {file}; rimuovine alcuni.',
  'Its name is not UTF-8 and cannot be opened; rename it (convmv does so for many).':
    'Il suo nome non è in UTF-8 e non si può aprire; rinominalo (convmv lo fa per molti file insieme).',
  'All pictures in this folder were made by Enlarger; --include-results takes them too.':
    'Tutte le immagini di questa cartella sono state create da Enlarger; --include-results include anche quelle.',
  'There are no pictures in this folder. Links in it are not followed; name what they lead to.':
    'Non ci sono immagini in questa cartella. I suoi collegamenti non vengono seguiti; indica ciò a cui portano.',
  'It cannot be read: you have no right to read it.':
    'Impossibile leggere: non hai il permesso di lettura.',
  'No file matches this pattern.': 'Nessun file corrisponde a questo pattern.',
  'There is no such file.': 'Questo file non esiste.',
  'The result cannot be saved in {folder}: {reason}':
    'Impossibile salvare il risultato in {folder}: {reason}',
  'Expected --amount-mask everywhere, subject, background or painted beside --strokes.':
    'Con --strokes serve --amount-mask everywhere, subject, background o painted.',
  'for {formats}': 'per {formats}',
  'how many times as wide; 1 only cleans (default: 2)':
    'fattore di larghezza e altezza; 1 pulisce soltanto (predefinito: 2)',
  'also enlarges, this many times as wide; 1 only cleans':
    'ingrandisce anche, di questo fattore; 1 pulisce soltanto',
  'Expected a background beside --format jpeg, which holds no transparency: --background white, another colour or blur, or --background-image.':
    'Con --format jpeg, che non ha trasparenza, serve uno sfondo: --background white, un altro colore o blur, oppure --background-image.',
  'Expected --canvas beside --position, which is a place on it.':
    'Con --position, che è un punto dell’area di lavoro, serve --canvas.',
  'Expected --scale or another size beside {flag}, which is about enlarging.':
    'Con {flag}, che riguarda l’ingrandimento, serve --scale o un’altra dimensione.',
  'Expected only one of {flags}.': 'È possibile una sola di queste opzioni: {flags}.',
  'standard output': 'standard output',
  'standard input': 'standard input',
  'Expected one picture for standard output but received {count}.':
    'Lo standard output accetta una sola immagine, ma ne sono state indicate {count}.',
  '{model} has no strength of detail: --detail {detail} changes nothing.':
    '{model} non ha un’intensità del dettaglio: --detail {detail} non cambia nulla.',
  '{model} cannot be told how much to take off: --restore {restore} changes nothing.':
    '{model} non ha un’intensità di pulizia regolabile: --restore {restore} non cambia nulla.',
  '{flag}: {model} is no model that enlarges; there are {models}.':
    '{flag}: {model} non è un modello che ingrandisce; disponibili: {models}.',
  '{flag}: {model} is no model that cuts out; there are {models}.':
    '{flag}: {model} non è un modello che scontorna; disponibili: {models}.',
  '{flag}: no model is called {model}; there are {models}.':
    '{flag}: nessun modello si chiama {model}; disponibili: {models}.',
  'without an ending': 'senza estensione',
  ', and others': ' e altri',
  '--preset: {preset} is for `enlarger {command}`.':
    '--preset: {preset} è per `enlarger {command}`.',
  'The task has no result.': 'L’attività non ha un risultato.',
  'Then: {command}': 'Poi: {command}',
  'It cannot be read: {reason}': 'Impossibile leggere: {reason}',
  '{photo}: failed': '{photo}: fallita',
  '{time} left': 'ancora {time}',
  '{photo}: skipped, {result} is there': '{photo}: saltata, {result} esiste già',
  'look at it, the network was not sure': 'da controllare, la rete non era sicura',
  'probably poor, look at it': 'probabilmente non riuscita, da controllare',
  'The same command goes on with them.':
    'Ripeti lo stesso comando per riprendere quelle che mancano.',
  '--out: no result is written as {ending}; there are {endings}.':
    '--out: nessun risultato si scrive come {ending}; sono possibili: {endings}.',
  'Expected - alone, because standard input is one photo.':
    'Indica - da solo, perché lo standard input è una sola foto.',
  'Expected a photo on standard input, as in - < photo.jpg.':
    'Serve una foto nello standard input, come - < photo.jpg.',
  'Expected --json or the result on standard output, not both.':
    'Scegli --json o il risultato nello standard output, non entrambi.',
  'Expected --out, a pipe or > for the result, not a terminal.':
    'Serve --out, una pipe o > per il risultato, non un terminale.',
  'Expected --name or a file behind --out, not both.':
    'Indica --name o un file dopo --out, non entrambi.',
  'There is no file {file}. If the result is to be called so: --out {file}.':
    'Il file {file} non esiste. Se il risultato deve chiamarsi così: --out {file}.',
  'Expected a folder behind --out for {count} pictures but received {file}.':
    'Serve una cartella dopo --out per {count} immagini, ma è stato ricevuto {file}.',
  'Expected one format, but --format is {format} and --out ends in {ending}.':
    'Serve un solo formato, ma --format è {format} e --out termina con {ending}.',
  'Its result would take its own place. Choose another --name or --out; `enlarger edit-in` enlarges in place and keeps the original.':
    'Il risultato prenderebbe il posto della foto stessa. Scegli un altro --name o --out; `enlarger edit-in` ingrandisce sul posto e conserva l’originale.',
  'Its result would be called as that of {photo}. Choose --on-conflict number, or a --name with {n}.':
    'Il risultato si chiamerebbe come quello di {photo}. Scegli --on-conflict number, o un --name con {n}.',
  'The result ended after {size} of {total} bytes.':
    'Il risultato si è interrotto dopo {size} di {total} byte.',
  'The service answered without a result.': 'Il servizio ha risposto senza risultato.',
  'width instead of a scale; the nearest scale is made, then resampled':
    'larghezza invece di un fattore; si ingrandisce del fattore più vicino, poi si ricampiona',
  'height instead of a scale': 'altezza invece di un fattore',
  'longer side instead of a scale': 'lato lungo invece di un fattore',
  'megapixels instead of a scale': 'megapixel invece di un fattore',
  'sharpens the result': 'aumenta la nitidezza del risultato',
  'how much compression, noise and softness is removed; auto: as measured':
    'quanto si riducono compressione, rumore e sfocatura; auto: secondo la misura',
  "adds grain; auto: like the photo's own": 'aggiunge grana; auto: come quella della foto',
  "faithful: reduced with the cubic kernel, the result equals the photo within 1 level; colours: it has the photo's colours":
    'faithful: ridotto con il filtro cubico, il risultato è uguale alla foto con al massimo 1 livello di differenza; colours: ha i colori della foto',
  'how much --model detail adds beyond Natural': 'quanto --model detail aggiunge oltre Natural',
  "opacity of the model's result over a plain enlargement":
    'opacità del risultato del modello sopra un ingrandimento semplice',
  "where the model's result is used; elsewhere a plain enlargement":
    'dove si usa il risultato del modello; altrove, un ingrandimento semplice',
  'file format': 'formato del file',
  'bits per channel': 'bit per canale',
  'which metadata is copied': 'quali metadati vengono copiati',
  'higher priorities run first': 'le priorità più alte vanno per prime',
  'when the name is taken': 'se il nome esiste già',
  'what comes first, beside a size': 'che cosa si fa prima, se è indicata una dimensione',
  'transparent, blur or a colour such as #ffffff, white or teal':
    'transparent, blur o un colore come #ffffff, white o teal',
  'crops to the subject, with this margin': 'ritaglia sul soggetto, con questo margine',
  'soft shadow under the subject': 'ombra morbida sotto il soggetto',
  'how much of the canvas the subject fills': 'quanta area di lavoro riempie il soggetto',
  'softens the edge inwards': 'sfuma il bordo verso l’interno',
  "how much of the background's colour is removed from the edge":
    'quanto colore dello sfondo viene tolto dal bordo',
  'how many': 'quante',
  'Enlarges photographs and cuts out their subjects with neural networks on this machine.':
    'Ingrandisce fotografie e ne scontorna i soggetti con reti neurali su questo computer.',
  'enlarge photos, whole folders and patterns such as "shots/**/*.jpg"':
    'ingrandisce foto, intere cartelle e pattern come "shots/**/*.jpg"',
  'JSON: strokes over --amount-mask': 'JSON: tratti su --amount-mask',
  'length on paper instead of a scale: 40cm, 16in, width:400mm; @240 for another resolution than 300 pixels per inch':
    'lunghezza su carta invece di un fattore: 40cm, 16in, width:400mm; @240 per una risoluzione diversa da 300 pixel per pollice',
  'a model that `enlarger models` lists': 'un modello elencato da `enlarger models`',
  'a preset of `enlarger presets`, which other options override':
    'un predefinito di `enlarger presets`, su cui prevalgono le altre opzioni',
  'folder of the results, or file of a single one, or - for standard output (default: beside each photo)':
    'cartella dei risultati, o file di uno solo, o - per lo standard output (predefinito: accanto a ogni foto)',
  'name of the results': 'nome dei risultati',
  'the same as --on-conflict overwrite': 'come --on-conflict overwrite',
  'include pictures that Enlarger made': 'include le immagini create da Enlarger',
  'make everything anew, even if this command was interrupted before':
    'rifà tutto, anche se questo comando è stato interrotto prima',
  'send the photos instead of granting access to their folders':
    'invia le foto invece di autorizzare le loro cartelle',
  'one line of JSON per picture': 'una riga di JSON per immagine',
  "the service's data folder": 'la cartella dati del servizio',
  'the address of a running service': 'l’indirizzo di un servizio attivo',
  'its API key (default: cli.key in the data folder)':
    'la sua chiave API (predefinito: cli.key nella cartella dati)',
  'files, folders or patterns; - for standard input':
    'file, cartelle o pattern; - per lo standard input',
  'cut out the subjects of photos': 'scontorna i soggetti delle foto',
  'a point on an object that belongs to the subject, as in 0.4,0.25; repeatable':
    'un punto su un oggetto che appartiene al soggetto, come 0.4,0.25; ripetibile',
  'a point on an object that does not; repeatable':
    'un punto su un oggetto che non vi appartiene; ripetibile',
  'a box around the subject, as in 0.1,0.2,0.5,0.6; repeatable':
    'un riquadro intorno al soggetto, come 0.1,0.2,0.5,0.6; ripetibile',
  'a box around an object that does not belong to it; repeatable':
    'un riquadro intorno a un oggetto che non vi appartiene; ripetibile',
  'JSON: strokes over the mask that was found': 'JSON: tratti sulla maschera trovata',
  'model that enlarges, beside a size': 'modello che ingrandisce, se è indicata una dimensione',
  'picture behind the subject: a file or an address':
    'immagine dietro il soggetto: un file o un indirizzo',
  'size of the result, as in 2000x2000': 'dimensione del risultato, come 2000x2000',
  'place of the subject on the canvas in percent, as in 50,100':
    'posizione del soggetto nell’area di lavoro in percentuale, come 50,100',
  'makes the mask itself, as a grey picture of 16 bits':
    'crea la maschera stessa, come immagine in grigio a 16 bit',
  'enlarge a file in its place, as "edit in" of other programs needs it':
    'ingrandisce un file sul posto, come richiede «modifica in» di altri programmi',
  'keep no copy of the original beside it': 'non conserva accanto una copia dell’originale',
  'keeps its name, format, depth, profile and metadata':
    'mantiene nome, formato, profondità, profilo e metadati',
  "install the script that enlarges as a target of darktable's export":
    'installa lo script che ingrandisce come destinazione di esportazione di darktable',
  "darktable's folder": 'la cartella di darktable',
  "install the preset that enlarges under Lightroom Classic's Edit In":
    'installa il predefinito che ingrandisce in Modifica in di Lightroom Classic',
  "Lightroom's folder (default: where it makes it)":
    'la cartella di Lightroom (predefinito: dove la crea)',
  'how many times as wide; 1 only cleans': 'fattore di larghezza e altezza; 1 pulisce soltanto',
  'list the newest tasks': 'elenca le attività più recenti',
  'one JSON line a task': 'una riga JSON per attività',
  'cancel waiting or running tasks': 'annulla attività in attesa o in corso',
  'try failed tasks again; what only could not be saved is not enlarged again':
    'ripete attività fallite; ciò che è fallito solo al salvataggio non viene ingrandito di nuovo',
  'as `enlarger tasks` lists them': 'come le elenca `enlarger tasks`',
  'let no task begin': 'mette in pausa la coda: non inizia nessuna attività',
  'let the queue go on': 'riprende la coda',
  'list, add and remove models': 'elenca, aggiunge e rimuove modelli',
  'fetch the recommended ones without a question': 'scarica quelli consigliati senza chiedere',
  'list the models': 'elenca i modelli',
  'one JSON line a model': 'una riga JSON per modello',
  'add models from their files': 'aggiunge modelli dai loro file',
  'what it is called here': 'come si chiama qui',
  'on what terms it may be used': 'a quali condizioni si può usare',
  'who made it': 'chi l’ha fatto',
  'the model as JSON': 'il modello come JSON',
  '.onnx (with its data file, or an encoder with its decoder), .param and .bin, .pth, .safetensors, or a folder with one or more':
    '.onnx (con il suo file di dati, o un encoder con il suo decoder), .param e .bin, .pth, .safetensors, o una cartella con uno o più modelli',
  'fetch a model from its publisher; without an id: list them':
    'scarica un modello dal suo editore; senza id: li elenca',
  'recommended: those for this machine; their sizes are printed first':
    'recommended: quelli per questo computer; prima vengono mostrate le dimensioni',
  'use a model where none is named; of those that select, for clicks and boxes':
    'usa questo modello quando non ne è indicato nessuno; uno che seleziona serve per clic e riquadri',
  'own: the model that cuts out selects by itself': 'own: il modello che scontorna seleziona da sé',
  'put right how an added model is used': 'corregge come si usa un modello aggiunto',
  'as in \'{"channels":"BGR","marginPx":24}\'': 'come \'{"channels":"BGR","marginPx":24}\'',
  'a third model between two that were added': 'miscela due modelli aggiunti in un terzo',
  'how much of the other one, 0 to 1': 'quanto dell’altro, da 0 a 1',
  'remove models that were added': 'rimuove modelli aggiunti',
  'also while tasks wait for them': 'anche se delle attività li aspettano',
  'list what networks run on, choose one, and fetch or remove files that it needs':
    'elenca i dispositivi per le reti, ne sceglie uno, e scarica o rimuove i file che gli servono',
  'list the devices, and why one is not used': 'elenca i dispositivi, e perché uno non è usato',
  'choose what networks run on, unless a photo says otherwise':
    'sceglie il dispositivo delle reti, se una foto non ne indica un altro',
  'which of several graphics cards, by its number in `list`':
    'quale di più schede grafiche, secondo il suo numero in `list`',
  'auto: the fastest': 'auto: il più veloce',
  "fetch a device's files; without an id: list what there is":
    'scarica i file di un dispositivo; senza id: elenca quelli che ci sono',
  'such as cuda-12': 'come cuda-12',
  "install a device's files from their archive on this machine":
    'installa i file di un dispositivo dal loro archivio su questo computer',
  'as its publisher has it, .tgz': 'come lo fornisce il suo editore, .tgz',
  "remove a device's files": 'rimuove i file di un dispositivo',
  'process what arrives in a folder': 'elabora ciò che arriva in una cartella',
  'a preset that `enlarger presets` lists (required)':
    'un predefinito elencato da `enlarger presets` (obbligatorio)',
  'where the results go, in the same subfolders (required)':
    'dove vanno i risultati, nelle stesse sottocartelle (obbligatorio)',
  'leave subfolders out': 'esclude le sottocartelle',
  'leave out what is there already': 'esclude ciò che contiene già',
  'list the watched folders, remove some': 'elenca le cartelle monitorate, ne rimuove',
  'watch folders no more; what was made of them stays':
    'non monitora più delle cartelle; i risultati restano',
  'list the watched folders': 'elenca le cartelle monitorate',
  'one JSON line a folder': 'una riga JSON per cartella',
  'list, make and remove presets': 'elenca, crea e rimuove predefiniti',
  'list the presets': 'elenca i predefiniti',
  'one JSON line a preset': 'una riga JSON per predefinito',
  'keep options of `enlarger upscale` under a name':
    'salva opzioni di `enlarger upscale` con un nome',
  'keep options of `enlarger cutout` under a name':
    'salva opzioni di `enlarger cutout` con un nome',
  'write presets to a JSON file': 'scrive predefiniti in un file JSON',
  'the page and `presets import` read it': 'la pagina e `presets import` lo leggono',
  'all when none is named': 'tutti se non ne è indicato nessuno',
  'take presets from such a file': 'importa i predefiniti da un file simile',
  'remove presets': 'rimuove predefiniti',
  'list the folders that Enlarger may read and write, grant more, take some back':
    'elenca le cartelle in cui Enlarger può leggere e scrivere, ne autorizza altre, revoca autorizzazioni',
  'list the folders': 'elenca le cartelle',
  'grant folders, or single files': 'autorizza cartelle o singoli file',
  'take grants back': 'revoca autorizzazioni',
  'as `list` shows it': 'come la mostra `list`',
  'let this machine help the others of a pool':
    'lascia che questo computer aiuti gli altri di un gruppo',
  'a folder that all machines see, or s3://bucket/prefix?endpoint=https://nas:9000':
    'una cartella che tutti i computer vedono, o s3://bucket/prefix?endpoint=https://nas:9000',
  "the queue's password (default: ENLARGER_POOL_PASSWORD)":
    'la password della coda (predefinito: ENLARGER_POOL_PASSWORD)',
  'encrypts pictures on their way; `enlarger pool key` makes one':
    'chiave che cifra le immagini in transito; `enlarger pool key` ne crea una',
  'of Valkey or Redis: redis://nas:6379, rediss://user@nas:6379':
    'di Valkey o Redis: redis://nas:6379, rediss://user@nas:6379',
  'say who helps, and how fast all are together':
    'mostra chi aiuta, e quanto sono veloci tutti insieme',
  'as JSON': 'come JSON',
  "let a pool's helpers run this machine's tasks":
    'lascia che i computer di un gruppo elaborino le attività di questo',
  'use and help no pool any more': 'lascia il gruppo: non lo usa e non lo aiuta più',
  'make a file with a new key; all machines of a pool need the same one':
    'crea un file con una nuova chiave; tutti i computer di un gruppo hanno bisogno della stessa',
  'open the page of the running service, or of its own one':
    'apre la pagina del servizio attivo, o di uno proprio',
  'run the service without a window, for other programs, until Ctrl+C':
    'avvia il servizio senza finestra, per altri programmi, fino a Ctrl+C',
  '8617 or the next free one by default; 0: any free one':
    'in genere 8617 o la prossima libera; 0: una qualsiasi libera',
  'answers programs written for other services (remove.bg, rembg, OpenAI, AUTOMATIC1111) there too; 0: any free one':
    'lì risponde anche ai programmi scritti per altri servizi (remove.bg, rembg, OpenAI, AUTOMATIC1111); 0: una qualsiasi libera',
  'its files may be named as file: sources and saveTo; may be given several times':
    'i suoi file si possono indicare come sorgenti file: e saveTo; ripetibile',
  'is in the queue of its page; may be given several times, as a file or a folder':
    'è nella coda della sua pagina; ripetibile, come file o cartella',
  'fetch pictures from this machine and its network too':
    'recupera immagini anche da questo computer e dalla sua rete',
  'serve the tools for agents (Model Context Protocol) on standard input and output':
    'offre gli strumenti per agenti (Model Context Protocol) su standard input e output',
  "a folder that may be read and written, beside those granted and the client's roots; may be given several times":
    'una cartella in cui si può leggere e scrivere, oltre a quelle autorizzate e alle radici del client; si può indicare più volte',
  'print the manual page, for man -l -': 'stampa la pagina di manuale, per man -l -',
  'Generate shell completion scripts': 'genera gli script di completamento della shell',
  'Shell type for completion script': 'tipo di shell per lo script di completamento',
  'Generate completion suggestions': 'genera suggerimenti di completamento',
  'Usage:': 'Uso:',
  'Options:': 'Opzioni:',
  'Commands:': 'Comandi:',
  'Arguments:': 'Argomenti:',
  "error: unknown option '{first}'": 'errore: opzione sconosciuta «{first}»',
  "error: unknown command '{first}'": 'errore: comando sconosciuto «{first}»',
  "error: too many arguments for '{first}'. {rest}":
    'errore: troppi argomenti per «{first}». {rest}',
  'Expected {count} arguments but got {second}.': 'Attesi: {count}; ricevuti: {second}.',
  'Expected 1 argument but got {second}.': 'Attesi: 1; ricevuti: {second}.',
  "error: missing required argument '{first}'": 'errore: manca l’argomento obbligatorio «{first}»',
  "error: required option '{first}' not specified":
    'errore: manca l’opzione obbligatoria «{first}»',
  "error: option '{first}' argument missing": 'errore: manca il valore dell’opzione «{first}»',
  "error: option '{first}' argument '{second}' is invalid. {rest}":
    'errore: il valore «{second}» dell’opzione «{first}» non è valido. {rest}',
  "error: command-argument value '{first}' is invalid for argument '{second}'. {rest}":
    'errore: il valore «{first}» non è valido per l’argomento «{second}». {rest}',
  '(Did you mean one of {first}?)': '(Forse intendevi uno di questi: {first}?)',
  'Allowed choices are {choices}.': 'I valori possibili sono {choices}.',
  'the fields {fields}': 'i campi {fields}',
  '(Did you mean {first}?)': '(Forse intendevi {first}?)',
  'you have no right to write there.': 'non hai il permesso di scrivere lì.',
  'there is no such folder or file, or none can be made there.':
    'questa cartella o questo file non esiste, o non si può creare lì.',
  'the disk is full. Free some space, or choose another folder.':
    'il disco è pieno. Libera spazio o scegli un’altra cartella.',
  'your share of the disk is used up. Free some space, or choose another folder.':
    'la tua quota di disco è esaurita. Libera spazio o scegli un’altra cartella.',
  'a file or folder is not there (any more).': 'un file o una cartella non c’è (o non c’è più).',
  'the system does not allow it.': 'il sistema non lo permette.',
  'the disk is read-only.': 'il disco è di sola lettura.',
  'the disk is full.': 'il disco è pieno.',
  'too many files are open.': 'ci sono troppi file aperti.',
  'another program holds a file.': 'un altro programma occupa un file.',
  'a folder is where a file was expected.': 'c’è una cartella dove ci si aspettava un file.',
  'there is something of that name already.': 'esiste già qualcosa con questo nome.',
  'a name is too long.': 'un nome è troppo lungo.',
  'another program uses that port.': 'un altro programma usa questa porta.',
  'the disk reports a fault.': 'il disco segnala un guasto.',
  'the folder of the network was mounted anew or is gone.':
    'la cartella di rete è stata montata di nuovo o non c’è più.',
  'the folder of the network is gone.': 'la cartella di rete non c’è più.',
  'links lead round in circles.': 'dei collegamenti girano in tondo.',
  '{count} done': { one: '{count} completata', other: '{count} completate' },
  '{count} presets': { one: '{count} predefinito', other: '{count} predefiniti' },
  'This command was interrupted before (begun {time}) and goes on: {count} pictures had been given to the queue. --again makes all anew.':
    {
      one: 'Questo comando è stato interrotto prima (inizio: {time}) e riprende: {count} immagine era già stata messa in coda. --again rifà tutto.',
      other:
        'Questo comando è stato interrotto prima (inizio: {time}) e riprende: {count} immagini erano già state messe in coda. --again rifà tutto.',
    },
  '{count} pictures that waited before go on now, too; `enlarger tasks` lists them.': {
    one: 'Ora riprende anche {count} immagine che era già in attesa; la elenca `enlarger tasks`.',
    other:
      'Ora riprendono anche {count} immagini che erano già in attesa; le elenca `enlarger tasks`.',
  },
  '{count} files that are no pictures were left out: {endings}.': {
    one: '{count} file che non è un’immagine è stato escluso: {endings}.',
    other: '{count} file che non sono immagini sono stati esclusi: {endings}.',
  },
  '{count} pictures that Enlarger made were left out; --include-results takes them too.': {
    one: '{count} immagine creata da Enlarger è stata esclusa; --include-results include anche quella.',
    other:
      '{count} immagini create da Enlarger sono state escluse; --include-results include anche quelle.',
  },
  'Of {count} pictures: {note}': {
    one: 'Per {count} immagine: {note}',
    other: 'Per {count} immagini: {note}',
  },
  '{count} frames': { one: '{count} fotogramma', other: '{count} fotogrammi' },
  '{count} skipped': { one: '{count} saltata', other: '{count} saltate' },
  '{count} failed': { one: '{count} con errori', other: '{count} con errori' },
  '{count} stopped': { one: '{count} interrotta', other: '{count} interrotte' },
  '{count} not begun': { one: '{count} non avviata', other: '{count} non avviate' },
  '{count} pictures in {time}': {
    one: '{count} immagine in {time}',
    other: '{count} immagini in {time}',
  },
  idle: 'libero',
  working: 'al lavoro',
  busy: 'occupato',
  away: 'assente',
  'left out': 'escluso',
  watching: 'monitorata',
  paused: 'in pausa',
  unavailable: 'non raggiungibile',
  unchecked: 'non verificato',
  'in use': 'in uso',
  available: 'disponibile',
  'not used': 'non usato',
  NAME: 'NOME',
  SYNOPSIS: 'SINTASSI',
  DESCRIPTION: 'DESCRIZIONE',
  COMMANDS: 'COMANDI',
  'EXIT STATUS': 'CODICE DI USCITA',
  command: 'comando',
  options: 'opzioni',
  'files and folders': 'file e cartelle',
};
