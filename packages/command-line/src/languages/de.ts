import type { Catalogue } from '../catalogue.ts';

export const de: Catalogue = {
  'a file of that name is there.': 'Es gibt schon eine Datei mit diesem Namen.',
  'The folder {folder} cannot be made: {reason}':
    'Der Ordner {folder} lässt sich nicht anlegen: {reason}',
  'The result cannot be written to standard output: {reason}':
    'Das Ergebnis kann nicht auf die Standardausgabe geschrieben werden: {reason}',
  '{file} cannot be read: {reason}': '{file} kann nicht gelesen werden: {reason}',
  'Interrupted.': 'Unterbrochen.',
  'The program that started this one is gone.':
    'Das Programm, das dieses gestartet hat, läuft nicht mehr.',
  'The reader of the output is gone.': 'Die Ausgabe wird nicht mehr gelesen.',
  'error: {message}': 'Fehler: {message}',
  'No task has the id {id}.': 'Keine Aufgabe hat die ID {id}.',
  '`{command}` lists no {id}.': '`{command}` listet kein {id} auf.',
  'There are no tasks.': 'Es gibt keine Aufgaben.',
  waiting: 'wartet',
  running: 'läuft',
  finished: 'fertig',
  failed: 'fehlgeschlagen',
  cancelled: 'abgebrochen',
  'The queue is paused.': 'Die Warteschlange ist angehalten.',
  'The queue runs.': 'Die Warteschlange läuft.',
  'Expected --url to be an address but received {url}.':
    '--url erwartet eine Adresse, angegeben ist {url}.',
  'No service answers at {url}.': 'Unter {url} antwortet kein Dienst.',
  '{file} is written. Start darktable again, and export to "enlarge with Enlarger".':
    '{file} ist geschrieben. Starten Sie darktable neu und exportieren Sie nach "enlarge with Enlarger".',
  'Expected Windows or macOS, where Lightroom Classic runs.':
    'Das geht unter Windows und macOS, wo Lightroom Classic läuft.',
  '{file} is written. Start Lightroom Classic again; it stands under Photo, Edit In.':
    '{file} ist geschrieben. Starten Sie Lightroom Classic neu; die Vorgabe steht unter Foto, Bearbeiten in.',
  'Its results went to {folder} until now.': 'Seine Ergebnisse kamen bisher nach {folder}.',
  'Expected a folder that `enlarger watches` lists; nothing was removed.':
    'Erwartet wird ein Ordner, den `enlarger watches` auflistet; es wurde nichts entfernt.',
  'No folders are granted.': 'Es sind keine Ordner freigegeben.',
  'Expected a folder that `enlarger grants` lists; nothing was taken back.':
    'Erwartet wird ein Ordner, den `enlarger grants` auflistet; es wurde keine Freigabe zurückgenommen.',
  'The service was started with this folder, and keeps it until it ends.':
    'Der Dienst wurde mit diesem Ordner gestartet und behält ihn bis zu seinem Ende.',
  choices: 'möglich',
  default: 'Standard',
  'Each command uses the service that runs on this machine, or one of its own that ends with it.':
    'Jeder Befehl benutzt den Dienst, der auf diesem Rechner läuft, oder einen eigenen, der mit ihm endet.',
  'Nothing leaves the machine but requests for what you name: addresses of photos, and models to fetch.':
    'Nichts verlässt den Rechner außer den Anfragen, die Sie auslösen: nach Fotos unter Adressen, die Sie nennen, und nach Modellen zum Herunterladen.',
  'All is well.': 'Alles ist gelungen.',
  'A picture or the command failed.': 'Ein Bild oder der Befehl ist fehlgeschlagen.',
  'The words were wrong.': 'Der Befehl war so nicht verständlich.',
  'It was interrupted; its own tasks were cancelled first.':
    'Der Befehl wurde unterbrochen; vorher wurden seine eigenen Aufgaben abgebrochen.',
  'Expected a length such as 40cm, 16in, short:30cm or width:400mm, and after an @ from 10 to 4800 pixels an inch.':
    'Erwartet wird eine Länge wie 40cm, 16in, short:30cm oder width:400mm, nach einem @ 10 bis 4800 Pixel je Zoll.',
  'Expected width and height in pixels, as in 2000x2000.':
    'Erwartet werden Breite und Höhe in Pixeln, etwa 2000x2000.',
  'Expected two numbers from 0 to 100, as in 50,100.':
    'Erwartet werden zwei Zahlen von 0 bis 100, etwa 50,100.',
  "Expected a place as shares of the photo's width and height, as in 0.4,0.25 or 40%,25%.":
    'Erwartet wird eine Stelle als Anteil von Breite und Höhe des Fotos, etwa 0.4,0.25 oder 40%,25%.',
  "Expected x, y, width and height as shares of the photo's width and height, as in 0.1,0.2,0.5,0.6 or 10%,20%,50%,60%.":
    'Erwartet werden x, y, Breite und Höhe als Anteile von Breite und Höhe des Fotos, etwa 0.1,0.2,0.5,0.6 oder 10%,20%,50%,60%.',
  'Expected a list of strokes, as in {example}.':
    'Erwartet wird eine Liste von Strichen, etwa {example}.',
  'Expected a file with JSON: {reason}.': 'Erwartet wird eine Datei mit JSON: {reason}.',
  'Expected JSON with {what}.': 'Erwartet wird JSON mit {what}.',
  'more than {min}, up to {max}': 'mehr als {min}, bis {max}',
  '{min} to {max}': '{min} bis {max}',
  'a whole number from {min} to {max}': 'eine ganze Zahl von {min} bis {max}',
  'a number from {min} to {max}': 'eine Zahl von {min} bis {max}',
  'Expected {what}.': 'Erwartet wird: {what}.',
  'Expected a file name for --name but received a path: {name}':
    '--name erwartet einen Dateinamen, angegeben ist ein Pfad: {name}',
  'Expected {fields} in --name but received {name}':
    'In --name sind {fields} möglich, angegeben ist {name}',
  'No browser could be opened here: open the link above in one, once.':
    'Hier ließ sich kein Browser öffnen: Öffnen Sie den Link oben in einem; er gilt einmal.',
  'The page works until you end this command with Ctrl+C.':
    'Die Seite funktioniert, bis Sie diesen Befehl mit Strg+C beenden.',
  'The pool does not answer.': 'Der Verbund antwortet nicht.',
  'This machine helps. Its own tasks go first.':
    'Dieser Rechner hilft mit. Seine eigenen Aufgaben gehen vor.',
  'It helps until you end this command with Ctrl+C.':
    'Er hilft, bis Sie diesen Befehl mit Strg+C beenden.',
  'Until the pool answers, tasks run here.': 'Bis der Verbund antwortet, laufen die Aufgaben hier.',
  'This machine is in no pool.': 'Dieser Rechner ist in keinem Verbund.',
  'There is no pool.': 'Es gibt keinen Verbund.',
  'Connecting.': 'Verbindung wird aufgebaut.',
  'Connected.': 'Verbunden.',
  'Nobody helps yet.': 'Noch hilft niemand.',
  'Together {times} times as fast as this machine.':
    'Zusammen {times}-mal so schnell wie dieser Rechner.',
  'this machine': 'dieser Rechner',
  '{number} megapixels/s': '{number} Megapixel/s',
  '{file} cannot be written: {reason}': '{file} kann nicht geschrieben werden: {reason}',
  '{file}: bring it to every machine of the pool, and name it there with --key-file.':
    '{file}: Kopieren Sie die Datei auf jeden Rechner des Verbunds und nennen Sie sie dort mit --key-file.',
  'Expected the password in the address or in --password-file, not in both.':
    'Das Passwort gehört in die Adresse oder in --password-file, nicht in beide.',
  'Other users of this machine see the password in the address while this command runs: leave it out, and give it by --password-file or {variable}.':
    'Andere Benutzer dieses Rechners sehen das Passwort in der Adresse, solange dieser Befehl läuft: Lassen Sie es weg und geben Sie es mit --password-file oder {variable} an.',
  'Other users of this machine see the secret in --storage while this command runs: leave KEY:SECRET out, and set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or use ~/.aws/credentials.':
    'Andere Benutzer dieses Rechners sehen das Geheimnis in --storage, solange dieser Befehl läuft: Lassen Sie KEY:SECRET weg und setzen Sie AWS_ACCESS_KEY_ID und AWS_SECRET_ACCESS_KEY, oder benutzen Sie ~/.aws/credentials.',
  'Expected a password in {file}, which is empty.':
    '{file} sollte ein Passwort enthalten, ist aber leer.',
  'There are no presets.': 'Es gibt keine Vorgaben.',
  'Expected {file} to be a file that `presets export` wrote.':
    '{file} sollte eine Datei sein, die `presets export` geschrieben hat.',
  'none yet': 'noch keine',
  'No preset is called {name}; there are {presets}.':
    'Keine Vorgabe heißt {name}; vorhanden: {presets}.',
  'output the version number': 'die Version ausgeben',
  'display help for command': 'Hilfe zum Befehl anzeigen',
  'It is watched as long as Enlarger, with or without a window, is running.':
    'Der Ordner wird überwacht, solange Enlarger läuft, mit oder ohne Fenster.',
  'It is watched until you end this command with Ctrl+C.':
    'Der Ordner wird überwacht, bis Sie diesen Befehl mit Strg+C beenden.',
  'It failed.': 'Es ist fehlgeschlagen.',
  skipped: 'übersprungen',
  'No folders are watched.': 'Es werden keine Ordner überwacht.',
  '{done} of {count} done, {failed} failed': '{done} von {count} fertig, {failed} fehlgeschlagen',
  'Added {id}.': '{id} ist hinzugefügt.',
  'Expected a whole number from 0 to 15.': 'Erwartet wird eine ganze Zahl von 0 bis 15.',
  'Expected a card that `enlarger devices` lists, but it is number {number} and the system lists {count}.':
    'Erwartet wird eine Karte, die `enlarger devices` auflistet; angegeben ist Nummer {number}, das System nennt {count}.',
  'this system has none': 'in diesem System nicht vorhanden',
  'Chosen: {device}': 'Gewählt: {device}',
  'Chosen: {device}, which cannot be used: {reason}':
    'Gewählt: {device}, aber nicht benutzbar: {reason}',
  'card {number}: {name}': 'Karte {number}: {name}',
  'Needs {needs}.': 'Braucht {needs}.',
  'No device of this system needs files beside Enlarger.':
    'Kein Gerät dieses Systems braucht zusätzliche Dateien.',
  'There are no models to fetch.': 'Es gibt keine Modelle zum Herunterladen.',
  'Recommended for a machine whose networks run on its processor:':
    'Empfohlen für einen Rechner, dessen Netze auf dem Prozessor laufen:',
  'Recommended for a machine with built-in graphics:':
    'Empfohlen für einen Rechner mit eingebauter Grafik:',
  'Recommended for a machine with this graphics card:':
    'Empfohlen für einen Rechner mit dieser Grafikkarte:',
  'Recommended for a Mac with Apple silicon:': 'Empfohlen für einen Mac mit Apple-Chip:',
  installed: 'installiert',
  'Fetch them? [Y/n]': 'Herunterladen? [J/n]',
  y: 'j',
  'Nothing was fetched.': 'Es wurde nichts heruntergeladen.',
  'There is nothing to fetch.': 'Es gibt nichts herunterzuladen.',
  'To fetch: {size}.': 'Herunterzuladen: {size}.',
  '{model} becomes the default of its task if a photo of 12 megapixels takes at most {seconds} s here, and no other was chosen.':
    '{model} wird zum Standardmodell für seinen Zweck, wenn ein Foto mit 12 Megapixeln hier höchstens {seconds} s dauert und kein anderes Modell gewählt wurde.',
  'The download was cancelled; what came stays.':
    'Das Herunterladen wurde abgebrochen; was schon da ist, bleibt.',
  'size not published': 'Größe nicht veröffentlicht',
  'not published': 'nicht veröffentlicht',
  'trained on: {data}': 'trainiert mit: {data}',
  'its memory was not measured': 'Speicherbedarf nicht gemessen',
  'takes about {size} of memory, as others measured it':
    'braucht etwa {size} Speicher, von anderen gemessen',
  'takes about {size} of memory': 'braucht etwa {size} Speicher',
  'Trying it out.': 'Es wird ausprobiert.',
  '{size} are here.': '{size} sind da.',
  'Waiting for its turn.': 'Es wartet, bis es an der Reihe ist.',
  'Reading the files.': 'Die Dateien werden gelesen.',
  'Trying it out on test pictures.': 'Es wird an Testbildern ausprobiert.',
  '{done} of at most {count}': '{done} von höchstens {count}',
  'Trying it out on test pictures: {done}.': 'Es wird an Testbildern ausprobiert: {done}.',
  'Trying it out on test pictures: {done}, at most {time} left.':
    'Es wird an Testbildern ausprobiert: {done}, noch höchstens {time}.',
  'Expected a model that `enlarger models` lists, or {own}, but received {id}.':
    'Erwartet wird ein Modell, das `enlarger models` auflistet, oder {own}; angegeben ist {id}.',
  '--name is for one network, but {count} were given.':
    '--name gilt für ein einziges Netz, angegeben sind {count}.',
  'It enlarges {scales}:': 'Es vergrößert {scales}:',
  'It cuts out subjects:': 'Es stellt Motive frei:',
  'It selects what clicks and boxes point at, once it is in use:':
    'Es wählt aus, worauf Klicks und Rahmen zeigen, sobald es im Einsatz ist:',
  'Found: {facts}': 'Ermittelt: {facts}',
  'Note: {note}': 'Hinweis: {note}',
  'There is no file or folder {name}.': 'Es gibt keine Datei und keinen Ordner {name}.',
  'There is no network in the folder {folder}.': 'Im Ordner {folder} gibt es kein Netz.',
  'The service that was in use has ended. This command goes on without it.':
    'Der Dienst, der benutzt wurde, hat sich beendet. Dieser Befehl macht ohne ihn weiter.',
  'The service has ended. The same command goes on with what is not done.':
    'Der Dienst wurde beendet. Derselbe Befehl macht mit dem weiter, was noch nicht fertig ist.',
  'The queue is paused, so nothing begins: `enlarger resume` or the window lets it go on.':
    'Die Warteschlange ist angehalten, deshalb beginnt nichts: `enlarger resume` oder das Fenster setzt sie fort.',
  'Expected a file but {file} is none.': 'Erwartet wird eine Datei, aber {file} ist keine.',
  '{file} cannot be edited in its place: {reason}':
    '{file} kann nicht an Ort und Stelle bearbeitet werden: {reason}',
  'Expected a result that has the format of {file}, but it became {result}. Choose a smaller scale, or enlarge it into a file of its own with `enlarger upscale`.':
    'Das Ergebnis sollte das Format von {file} haben, es entstand aber {result}. Wählen Sie einen kleineren Faktor, oder vergrößern Sie das Foto mit `enlarger upscale` in eine eigene Datei.',
  none: 'keines',
  '{file} was changed by another program meanwhile, so it was left as it is.':
    '{file} wurde inzwischen von einem anderen Programm geändert und blieb deshalb, wie es ist.',
  '{count} originals of {file} are kept already; remove some.':
    'Von {file} sind schon {count} Originale aufbewahrt; entfernen Sie einige.',
  'Its name is not UTF-8 and cannot be opened; rename it (convmv does so for many).':
    'Der Name ist nicht in UTF-8 und lässt sich nicht öffnen; benennen Sie die Datei um (für viele tut das convmv).',
  'All pictures in this folder were made by Enlarger; --include-results takes them too.':
    'Alle Bilder in diesem Ordner stammen von Enlarger; --include-results nimmt auch sie.',
  'There are no pictures in this folder. Links in it are not followed; name what they lead to.':
    'In diesem Ordner sind keine Bilder. Links darin wird nicht gefolgt; nennen Sie, wohin sie führen.',
  'It cannot be read: you have no right to read it.':
    'Es kann nicht gelesen werden: Ihnen fehlt das Recht, es zu lesen.',
  'No file matches this pattern.': 'Keine Datei passt zu diesem Muster.',
  'There is no such file.': 'Diese Datei gibt es nicht.',
  'The result cannot be saved in {folder}: {reason}':
    'Das Ergebnis kann nicht in {folder} gespeichert werden: {reason}',
  'Expected --amount-mask everywhere, subject, background or painted beside --strokes.':
    'Zu --strokes gehört --amount-mask everywhere, subject, background oder painted.',
  'for {formats}': 'für {formats}',
  'how many times as wide; 1 only cleans (default: 2)':
    'Faktor für Breite und Höhe; 1 bereinigt nur (Standard: 2)',
  'also enlarges, this many times as wide; 1 only cleans':
    'auch vergrößern, um diesen Faktor; 1 bereinigt nur',
  'Expected a background beside --format jpeg, which holds no transparency: --background white, another colour or blur, or --background-image.':
    'JPEG kennt keine Transparenz; zu --format jpeg gehört ein Hintergrund: --background white, eine andere Farbe oder blur, oder --background-image.',
  'Expected --canvas beside --position, which is a place on it.':
    'Zu --position gehört --canvas, die Arbeitsfläche, auf der die Stelle liegt.',
  'Expected --scale or another size beside {flag}, which is about enlarging.':
    'Zu {flag} gehört --scale oder eine andere Größe, denn es betrifft das Vergrößern.',
  'Expected only one of {flags}.': 'Nur eines davon ist möglich: {flags}.',
  'standard output': 'Standardausgabe',
  'standard input': 'Standardeingabe',
  'Expected one picture for standard output but received {count}.':
    'Auf die Standardausgabe kann nur ein Bild gehen, angegeben sind {count}.',
  '{model} has no strength of detail: --detail {detail} changes nothing.':
    '{model} hat keine Stärke der Details: --detail {detail} ändert nichts.',
  '{model} cannot be told how much to take off: --restore {restore} changes nothing.':
    'Bei {model} lässt sich die Stärke der Bereinigung nicht einstellen: --restore {restore} ändert nichts.',
  '{flag}: {model} is no model that enlarges; there are {models}.':
    '{flag}: {model} ist kein Modell, das vergrößert; vorhanden: {models}.',
  '{flag}: {model} is no model that cuts out; there are {models}.':
    '{flag}: {model} ist kein Modell, das freistellt; vorhanden: {models}.',
  '{flag}: no model is called {model}; there are {models}.':
    '{flag}: Kein Modell heißt {model}; vorhanden: {models}.',
  'without an ending': 'ohne Endung',
  ', and others': ' und andere',
  '--preset: {preset} is for `enlarger {command}`.':
    '--preset: {preset} ist für `enlarger {command}`.',
  'The task has no result.': 'Die Aufgabe hat kein Ergebnis.',
  'Then: {command}': 'Danach: {command}',
  'It cannot be read: {reason}': 'Es kann nicht gelesen werden: {reason}',
  '{photo}: failed': '{photo}: fehlgeschlagen',
  '{time} left': 'noch {time}',
  '{photo}: skipped, {result} is there': '{photo}: übersprungen, {result} gibt es schon',
  'look at it, the network was not sure': 'bitte prüfen, das Netz war unsicher',
  'probably poor, look at it': 'wohl misslungen, bitte prüfen',
  'The same command goes on with them.': 'Derselbe Befehl macht damit weiter.',
  '--out: no result is written as {ending}; there are {endings}.':
    '--out: Als {ending} wird kein Ergebnis geschrieben; möglich: {endings}.',
  'Expected - alone, because standard input is one photo.':
    '- steht allein, denn die Standardeingabe ist ein einziges Foto.',
  'Expected a photo on standard input, as in - < photo.jpg.':
    'Erwartet wird ein Foto auf der Standardeingabe, etwa - < photo.jpg.',
  'Expected --json or the result on standard output, not both.':
    'Möglich ist --json oder das Ergebnis auf der Standardausgabe, nicht beides.',
  'Expected --out, a pipe or > for the result, not a terminal.':
    'Für das Ergebnis wird --out, eine Pipe oder > erwartet, kein Terminal.',
  'Expected --name or a file behind --out, not both.':
    'Möglich ist --name oder eine Datei hinter --out, nicht beides.',
  'There is no file {file}. If the result is to be called so: --out {file}.':
    'Es gibt keine Datei {file}. Wenn das Ergebnis so heißen soll: --out {file}.',
  'Expected a folder behind --out for {count} pictures but received {file}.':
    'Für {count} Bilder wird hinter --out ein Ordner erwartet, angegeben ist {file}.',
  'Expected one format, but --format is {format} and --out ends in {ending}.':
    'Ein einziges Format ist möglich, aber --format ist {format} und --out endet auf {ending}.',
  'Its result would take its own place. Choose another --name or --out; `enlarger edit-in` enlarges in place and keeps the original.':
    'Das Ergebnis würde das Foto selbst ersetzen. Wählen Sie ein anderes --name oder --out; `enlarger edit-in` vergrößert an Ort und Stelle und behält das Original.',
  'Its result would be called as that of {photo}. Choose --on-conflict number, or a --name with {n}.':
    'Das Ergebnis hieße wie das von {photo}. Wählen Sie --on-conflict number oder ein --name mit {n}.',
  'The result ended after {size} of {total} bytes.':
    'Das Ergebnis endete nach {size} von {total} Byte.',
  'The service answered without a result.': 'Der Dienst antwortete ohne Ergebnis.',
  'width instead of a scale; the nearest scale is made, then resampled':
    'Breite statt eines Faktors; vergrößert mit dem nächstliegenden Faktor und rechnet dann um',
  'height instead of a scale': 'Höhe statt eines Faktors',
  'longer side instead of a scale': 'längere Seite statt eines Faktors',
  'megapixels instead of a scale': 'Megapixel statt eines Faktors',
  'sharpens the result': 'das Ergebnis schärfen',
  'how much compression, noise and softness is removed; auto: as measured':
    'wie stark Kompressionsspuren, Rauschen und Unschärfe entfernt werden; auto: je nach Messung',
  "adds grain; auto: like the photo's own": 'Korn hinzufügen; auto: wie im Foto',
  "faithful: reduced with the cubic kernel, the result equals the photo within 1 level; colours: it has the photo's colours":
    'faithful: bikubisch verkleinert, gleicht das Ergebnis dem Foto bis auf 1 Stufe; colours: es hat die Farben des Fotos',
  'how much --model detail adds beyond Natural':
    'wie viel --model detail über Natural hinaus hinzufügt',
  "opacity of the model's result over a plain enlargement":
    'Deckkraft des Modell-Ergebnisses über einer schlichten Vergrößerung',
  "where the model's result is used; elsewhere a plain enlargement":
    'wo das Ergebnis des Modells gilt; sonst eine schlichte Vergrößerung',
  'file format': 'Dateiformat',
  'bits per channel': 'Bit je Kanal',
  'which metadata is copied': 'welche Metadaten kopiert werden',
  'higher priorities run first': 'höhere Prioritäten kommen zuerst dran',
  'when the name is taken': 'wenn der Name vergeben ist',
  'what comes first, beside a size': 'was zuerst geschieht, bei Angabe einer Größe',
  'transparent, blur or a colour such as #ffffff, white or teal':
    'transparent, blur oder eine Farbe wie #ffffff, white oder teal',
  'crops to the subject, with this margin': 'auf das Motiv zuschneiden, mit diesem Rand',
  'soft shadow under the subject': 'weicher Schatten unter dem Motiv',
  'how much of the canvas the subject fills': 'wie viel der Arbeitsfläche das Motiv ausfüllt',
  'softens the edge inwards': 'die Kante nach innen weich machen',
  "how much of the background's colour is removed from the edge":
    'wie viel von der Farbe des Hintergrunds aus der Kante genommen wird',
  'how many': 'wie viele',
  'Enlarges photographs and cuts out their subjects with neural networks on this machine.':
    'Vergrößert Fotos und stellt ihre Motive frei, mit neuronalen Netzen auf diesem Rechner.',
  'enlarge photos, whole folders and patterns such as "shots/**/*.jpg"':
    'Fotos vergrößern, auch ganze Ordner und Muster wie "shots/**/*.jpg"',
  'JSON: strokes over --amount-mask': 'JSON: Striche über --amount-mask',
  'length on paper instead of a scale: 40cm, 16in, width:400mm; @240 for another resolution than 300 pixels per inch':
    'Länge auf dem Papier statt eines Faktors: 40cm, 16in, width:400mm; @240 für eine andere Auflösung als 300 Pixel je Zoll',
  'a model that `enlarger models` lists': 'ein Modell, das `enlarger models` auflistet',
  'a preset of `enlarger presets`, which other options override':
    'eine Vorgabe aus `enlarger presets`; andere Optionen gehen ihr vor',
  'folder of the results, or file of a single one, or - for standard output (default: beside each photo)':
    'Ordner der Ergebnisse, oder Datei eines einzelnen, oder - für die Standardausgabe (Standard: neben jedem Foto)',
  'name of the results': 'Name der Ergebnisse',
  'the same as --on-conflict overwrite': 'dasselbe wie --on-conflict overwrite',
  'include pictures that Enlarger made': 'auch Bilder nehmen, die Enlarger erzeugt hat',
  'make everything anew, even if this command was interrupted before':
    'alles neu berechnen, auch wenn dieser Befehl zuvor unterbrochen wurde',
  'send the photos instead of granting access to their folders':
    'die Fotos senden, statt den Zugriff auf ihre Ordner freizugeben',
  'one line of JSON per picture': 'eine Zeile JSON je Bild',
  "the service's data folder": 'Datenordner des Dienstes',
  'the address of a running service': 'Adresse eines laufenden Dienstes',
  'its API key (default: cli.key in the data folder)':
    'sein API-Schlüssel (Standard: cli.key im Datenordner)',
  'files, folders or patterns; - for standard input':
    'Dateien, Ordner oder Muster; - für die Standardeingabe',
  'cut out the subjects of photos': 'die Motive von Fotos freistellen',
  'a point on an object that belongs to the subject, as in 0.4,0.25; repeatable':
    'ein Punkt auf einem Objekt, das zum Motiv gehört, etwa 0.4,0.25; wiederholbar',
  'a point on an object that does not; repeatable':
    'ein Punkt auf einem Objekt, das nicht dazugehört; wiederholbar',
  'a box around the subject, as in 0.1,0.2,0.5,0.6; repeatable':
    'ein Rahmen um das Motiv, etwa 0.1,0.2,0.5,0.6; wiederholbar',
  'a box around an object that does not belong to it; repeatable':
    'ein Rahmen um ein Objekt, das nicht dazugehört; wiederholbar',
  'JSON: strokes over the mask that was found': 'JSON: Striche über der gefundenen Maske',
  'model that enlarges, beside a size': 'Modell, das vergrößert, bei Angabe einer Größe',
  'picture behind the subject: a file or an address':
    'Bild hinter dem Motiv: eine Datei oder eine Adresse',
  'size of the result, as in 2000x2000': 'Größe des Ergebnisses, etwa 2000x2000',
  'place of the subject on the canvas in percent, as in 50,100':
    'Stelle des Motivs auf der Arbeitsfläche in Prozent, etwa 50,100',
  'makes the mask itself, as a grey picture of 16 bits':
    'die Maske selbst ausgeben, als Graustufenbild mit 16 Bit',
  'enlarge a file in its place, as "edit in" of other programs needs it':
    'eine Datei an Ort und Stelle vergrößern, wie es "Bearbeiten in" anderer Programme braucht',
  'keep no copy of the original beside it': 'keine Kopie des Originals daneben behalten',
  'keeps its name, format, depth, profile and metadata':
    'behält Namen, Format, Farbtiefe, Profil und Metadaten',
  "install the script that enlarges as a target of darktable's export":
    'das Skript einrichten, das als Ziel für den Export von darktable vergrößert',
  "darktable's folder": 'Ordner von darktable',
  "install the preset that enlarges under Lightroom Classic's Edit In":
    'die Vorgabe einrichten, die unter "Bearbeiten in" von Lightroom Classic vergrößert',
  "Lightroom's folder (default: where it makes it)":
    'Ordner von Lightroom (Standard: wo Lightroom ihn anlegt)',
  'how many times as wide; 1 only cleans': 'Faktor für Breite und Höhe; 1 bereinigt nur',
  'list the newest tasks': 'die neuesten Aufgaben auflisten',
  'one JSON line a task': 'eine Zeile JSON je Aufgabe',
  'cancel waiting or running tasks': 'wartende oder laufende Aufgaben abbrechen',
  'try failed tasks again; what only could not be saved is not enlarged again':
    'fehlgeschlagene Aufgaben erneut versuchen; was sich nur nicht speichern ließ, wird nicht noch einmal vergrößert',
  'as `enlarger tasks` lists them': 'wie `enlarger tasks` sie auflistet',
  'let no task begin': 'die Warteschlange anhalten: keine Aufgabe beginnt',
  'let the queue go on': 'die Warteschlange fortsetzen',
  'list, add and remove models': 'Modelle auflisten, hinzufügen und entfernen',
  'fetch the recommended ones without a question': 'die empfohlenen ohne Rückfrage herunterladen',
  'list the models': 'die Modelle auflisten',
  'one JSON line a model': 'eine Zeile JSON je Modell',
  'add models from their files': 'Modelle aus ihren Dateien hinzufügen',
  'what it is called here': 'wie es hier heißt',
  'on what terms it may be used': 'unter welchen Bedingungen es benutzt werden darf',
  'who made it': 'wer es gemacht hat',
  'the model as JSON': 'das Modell als JSON',
  '.onnx (with its data file, or an encoder with its decoder), .param and .bin, .pth, .safetensors, or a folder with one or more':
    '.onnx (mit Datendatei, oder ein Encoder mit seinem Decoder), .param und .bin, .pth, .safetensors, oder ein Ordner mit einem oder mehreren Modellen',
  'fetch a model from its publisher; without an id: list them':
    'ein Modell von seinem Herausgeber herunterladen; ohne ID: auflisten, was es gibt',
  'recommended: those for this machine; their sizes are printed first':
    'recommended: die für diesen Rechner; ihre Größen werden vorher ausgegeben',
  'use a model where none is named; of those that select, for clicks and boxes':
    'dieses Modell verwenden, wo keines genannt ist; eines, das auswählt, dient für Klicks und Rahmen',
  'own: the model that cuts out selects by itself':
    'own: das Modell, das freistellt, wählt selbst aus',
  'put right how an added model is used': 'berichtigen, wie ein hinzugefügtes Modell benutzt wird',
  'as in \'{"channels":"BGR","marginPx":24}\'': 'etwa \'{"channels":"BGR","marginPx":24}\'',
  'a third model between two that were added':
    'ein drittes Modell zwischen zwei hinzugefügten mischen',
  'how much of the other one, 0 to 1': 'Anteil des anderen, 0 bis 1',
  'remove models that were added': 'hinzugefügte Modelle entfernen',
  'also while tasks wait for them': 'auch wenn Aufgaben auf sie warten',
  'list what networks run on, choose one, and fetch or remove files that it needs':
    'Geräte auflisten, auf denen Netze rechnen, eines wählen, Dateien dafür herunterladen oder entfernen',
  'list the devices, and why one is not used':
    'die Geräte auflisten, und warum eines nicht benutzt wird',
  'choose what networks run on, unless a photo says otherwise':
    'wählen, worauf die Netze rechnen, wenn ein Foto nichts anderes verlangt',
  'which of several graphics cards, by its number in `list`':
    'bei mehreren Grafikkarten die Nummer, die `list` ihr gibt',
  'auto: the fastest': 'auto: das schnellste',
  "fetch a device's files; without an id: list what there is":
    'Dateien eines Geräts herunterladen; ohne ID: auflisten, was es gibt',
  'such as cuda-12': 'etwa cuda-12',
  "install a device's files from their archive on this machine":
    'Dateien eines Geräts aus ihrem Archiv auf diesem Rechner installieren',
  'as its publisher has it, .tgz': 'wie vom Herausgeber, .tgz',
  "remove a device's files": 'Dateien eines Geräts entfernen',
  'process what arrives in a folder': 'bearbeiten, was in einem Ordner ankommt',
  'a preset that `enlarger presets` lists (required)':
    'eine Vorgabe, die `enlarger presets` auflistet (erforderlich)',
  'where the results go, in the same subfolders (required)':
    'wohin die Ergebnisse kommen, in dieselben Unterordner (erforderlich)',
  'leave subfolders out': 'ohne Unterordner',
  'leave out what is there already': 'ohne das, was schon darin liegt',
  'list the watched folders, remove some': 'die überwachten Ordner auflisten, welche entfernen',
  'watch folders no more; what was made of them stays':
    'Ordner nicht mehr überwachen; die Ergebnisse bleiben',
  'list the watched folders': 'die überwachten Ordner auflisten',
  'one JSON line a folder': 'eine Zeile JSON je Ordner',
  'list, make and remove presets': 'Vorgaben auflisten, anlegen und entfernen',
  'list the presets': 'die Vorgaben auflisten',
  'one JSON line a preset': 'eine Zeile JSON je Vorgabe',
  'keep options of `enlarger upscale` under a name':
    'Optionen von `enlarger upscale` unter einem Namen speichern',
  'keep options of `enlarger cutout` under a name':
    'Optionen von `enlarger cutout` unter einem Namen speichern',
  'write presets to a JSON file': 'Vorgaben in eine JSON-Datei schreiben',
  'the page and `presets import` read it': 'die Seite und `presets import` lesen sie',
  'all when none is named': 'alle, wenn keine genannt ist',
  'take presets from such a file': 'Vorgaben aus einer solchen Datei übernehmen',
  'remove presets': 'Vorgaben entfernen',
  'list the folders that Enlarger may read and write, grant more, take some back':
    'die Ordner auflisten, die Enlarger lesen und beschreiben darf, weitere freigeben, Freigaben zurücknehmen',
  'list the folders': 'die Ordner auflisten',
  'grant folders, or single files': 'Ordner oder einzelne Dateien freigeben',
  'take grants back': 'Freigaben zurücknehmen',
  'as `list` shows it': 'wie `list` ihn zeigt',
  'let this machine help the others of a pool':
    'diesen Rechner den anderen eines Verbunds helfen lassen',
  'a folder that all machines see, or s3://bucket/prefix?endpoint=https://nas:9000':
    'ein Ordner, den alle Rechner sehen, oder s3://bucket/prefix?endpoint=https://nas:9000',
  "the queue's password (default: ENLARGER_POOL_PASSWORD)":
    'Passwort der Warteschlange (Standard: ENLARGER_POOL_PASSWORD)',
  'encrypts pictures on their way; `enlarger pool key` makes one':
    'verschlüsselt Bilder unterwegs; `enlarger pool key` legt eine an',
  'of Valkey or Redis: redis://nas:6379, rediss://user@nas:6379':
    'von Valkey oder Redis: redis://nas:6379, rediss://user@nas:6379',
  'say who helps, and how fast all are together':
    'zeigen, wer hilft und wie schnell alle zusammen sind',
  'as JSON': 'als JSON',
  "let a pool's helpers run this machine's tasks":
    'die Helfer eines Verbunds die Aufgaben dieses Rechners ausführen lassen',
  'use and help no pool any more': 'keinen Verbund mehr benutzen und keinem mehr helfen',
  'make a file with a new key; all machines of a pool need the same one':
    'eine Datei mit einem neuen Schlüssel anlegen; alle Rechner eines Verbunds brauchen denselben',
  'open the page of the running service, or of its own one':
    'die Seite des laufenden Dienstes öffnen, oder die eines eigenen',
  'run the service without a window, for other programs, until Ctrl+C':
    'den Dienst ohne Fenster ausführen, für andere Programme, bis Strg+C',
  '8617 or the next free one by default; 0: any free one':
    'Standard: 8617 oder der nächste freie; 0: irgendein freier',
  'answers programs written for other services (remove.bg, rembg, OpenAI, AUTOMATIC1111) there too; 0: any free one':
    'beantwortet dort auch Programme, die für andere Dienste geschrieben sind (remove.bg, rembg, OpenAI, AUTOMATIC1111); 0: irgendein freier',
  'its files may be named as file: sources and saveTo; may be given several times':
    'seine Dateien dürfen als file:-Quellen und saveTo genannt werden; wiederholbar',
  'is in the queue of its page; may be given several times, as a file or a folder':
    'steht in der Warteschlange seiner Seite; wiederholbar, als Datei oder Ordner',
  'fetch pictures from this machine and its network too':
    'Bilder auch von diesem Rechner und aus seinem Netz abrufen',
  'serve the tools for agents (Model Context Protocol) on standard input and output':
    'die Werkzeuge für Agenten (Model Context Protocol) über Standardeingabe und -ausgabe anbieten',
  "a folder that may be read and written, beside those granted and the client's roots; may be given several times":
    'ein Ordner, der gelesen und beschrieben werden darf, neben den freigegebenen und den Roots des Clients; wiederholbar',
  'print the manual page, for man -l -': 'die Handbuchseite ausgeben, für man -l -',
  'Generate shell completion scripts': 'Skripte für die Vervollständigung in der Shell ausgeben',
  'Shell type for completion script': 'Art der Shell',
  'Generate completion suggestions': 'Vorschläge zur Vervollständigung ausgeben',
  'Usage:': 'Aufruf:',
  'Options:': 'Optionen:',
  'Commands:': 'Befehle:',
  'Arguments:': 'Argumente:',
  "error: unknown option '{first}'": "Fehler: unbekannte Option '{first}'",
  "error: unknown command '{first}'": "Fehler: unbekannter Befehl '{first}'",
  "error: too many arguments for '{first}'. {rest}":
    "Fehler: zu viele Argumente für '{first}'. {rest}",
  'Expected {count} arguments but got {second}.': 'Erwartet: {count}, erhalten: {second}.',
  'Expected 1 argument but got {second}.': 'Erwartet: 1, erhalten: {second}.',
  "error: missing required argument '{first}'": "Fehler: Das Argument '{first}' fehlt",
  "error: required option '{first}' not specified":
    "Fehler: Die Option '{first}' ist erforderlich und fehlt",
  "error: option '{first}' argument missing": "Fehler: Bei der Option '{first}' fehlt der Wert",
  "error: option '{first}' argument '{second}' is invalid. {rest}":
    "Fehler: Die Option '{first}' kann nicht '{second}' sein. {rest}",
  "error: command-argument value '{first}' is invalid for argument '{second}'. {rest}":
    "Fehler: '{first}' ist kein Wert für das Argument '{second}'. {rest}",
  '(Did you mean one of {first}?)': '(Meinten Sie eines von {first}?)',
  'Allowed choices are {choices}.': 'Möglich sind {choices}.',
  'the fields {fields}': 'die Felder {fields}',
  '(Did you mean {first}?)': '(Meinten Sie {first}?)',
  'you have no right to write there.': 'Ihnen fehlt das Recht, dort zu schreiben.',
  'there is no such folder or file, or none can be made there.':
    'Diesen Ordner oder diese Datei gibt es nicht, oder dort lässt sich nichts anlegen.',
  'the disk is full. Free some space, or choose another folder.':
    'Das Laufwerk ist voll. Schaffen Sie Platz, oder wählen Sie einen anderen Ordner.',
  'your share of the disk is used up. Free some space, or choose another folder.':
    'Ihr Anteil am Laufwerk ist aufgebraucht. Schaffen Sie Platz, oder wählen Sie einen anderen Ordner.',
  'a file or folder is not there (any more).': 'Eine Datei oder ein Ordner ist nicht (mehr) da.',
  'the system does not allow it.': 'Das System erlaubt es nicht.',
  'the disk is read-only.': 'Das Laufwerk ist schreibgeschützt.',
  'the disk is full.': 'Das Laufwerk ist voll.',
  'too many files are open.': 'Zu viele Dateien sind geöffnet.',
  'another program holds a file.': 'Ein anderes Programm hält eine Datei fest.',
  'a folder is where a file was expected.': 'Wo eine Datei erwartet wurde, ist ein Ordner.',
  'there is something of that name already.': 'Es gibt schon etwas mit diesem Namen.',
  'a name is too long.': 'Ein Name ist zu lang.',
  'another program uses that port.': 'Ein anderes Programm benutzt diesen Port.',
  'the disk reports a fault.': 'Das Laufwerk meldet einen Fehler.',
  'the folder of the network was mounted anew or is gone.':
    'Der Netzwerkordner wurde neu eingehängt oder ist nicht mehr da.',
  'the folder of the network is gone.': 'Der Netzwerkordner ist nicht mehr da.',
  'links lead round in circles.': 'Links führen im Kreis.',
  '{count} done': { one: '{count} fertig', other: '{count} fertig' },
  '{count} presets': { one: '{count} Vorgabe', other: '{count} Vorgaben' },
  'This command was interrupted before (begun {time}) and goes on: {count} pictures had been given to the queue. --again makes all anew.':
    {
      one: 'Dieser Befehl wurde zuvor unterbrochen (begonnen {time}) und macht weiter: {count} Bild war schon in die Warteschlange gestellt. --again berechnet alle neu.',
      other:
        'Dieser Befehl wurde zuvor unterbrochen (begonnen {time}) und macht weiter: {count} Bilder waren schon in die Warteschlange gestellt. --again berechnet alle neu.',
    },
  '{count} pictures that waited before go on now, too; `enlarger tasks` lists them.': {
    one: '{count} Bild, das schon wartete, wird jetzt auch bearbeitet; `enlarger tasks` listet es auf.',
    other:
      '{count} Bilder, die schon warteten, werden jetzt auch bearbeitet; `enlarger tasks` listet sie auf.',
  },
  '{count} files that are no pictures were left out: {endings}.': {
    one: '{count} Datei, die kein Bild ist, wurde ausgelassen: {endings}.',
    other: '{count} Dateien, die keine Bilder sind, wurden ausgelassen: {endings}.',
  },
  '{count} pictures that Enlarger made were left out; --include-results takes them too.': {
    one: '{count} Bild von Enlarger wurde ausgelassen; --include-results nimmt auch dieses.',
    other: '{count} Bilder von Enlarger wurden ausgelassen; --include-results nimmt auch diese.',
  },
  'Of {count} pictures: {note}': {
    one: 'Bei {count} Bild: {note}',
    other: 'Bei {count} Bildern: {note}',
  },
  '{count} frames': { one: '{count} Einzelbild', other: '{count} Einzelbilder' },
  '{count} skipped': { one: '{count} übersprungen', other: '{count} übersprungen' },
  '{count} failed': { one: '{count} fehlgeschlagen', other: '{count} fehlgeschlagen' },
  '{count} stopped': { one: '{count} abgebrochen', other: '{count} abgebrochen' },
  '{count} not begun': { one: '{count} nicht begonnen', other: '{count} nicht begonnen' },
  '{count} pictures in {time}': {
    one: '{count} Bild in {time}',
    other: '{count} Bilder in {time}',
  },
  idle: 'frei',
  working: 'arbeitet',
  busy: 'beschäftigt',
  away: 'nicht erreichbar',
  'left out': 'zurückgestellt',
  watching: 'überwacht',
  paused: 'angehalten',
  unavailable: 'nicht erreichbar',
  unchecked: 'ungeprüft',
  'in use': 'im Einsatz',
  available: 'verfügbar',
  'not used': 'nicht benutzt',
  NAME: 'BEZEICHNUNG',
  SYNOPSIS: 'ÜBERSICHT',
  DESCRIPTION: 'BESCHREIBUNG',
  COMMANDS: 'BEFEHLE',
  'EXIT STATUS': 'EXIT-STATUS',
  command: 'Befehl',
  options: 'Optionen',
  'files and folders': 'Dateien und Ordner',
};
