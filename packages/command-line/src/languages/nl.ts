import type { Catalogue } from '../catalogue.ts';

export const nl: Catalogue = {
  'a file of that name is there.': 'er is al een bestand met die naam.',
  'The folder {folder} cannot be made: {reason}':
    'De map {folder} kan niet worden gemaakt: {reason}',
  'The result cannot be written to standard output: {reason}':
    'Het resultaat kan niet naar de standaarduitvoer worden geschreven: {reason}',
  '{file} cannot be read: {reason}': '{file} kan niet worden gelezen: {reason}',
  'Interrupted.': 'Onderbroken.',
  'The program that started this one is gone.':
    'Het programma dat dit heeft gestart, is er niet meer.',
  'The reader of the output is gone.': 'De uitvoer wordt niet meer gelezen.',
  'error: {message}': 'fout: {message}',
  'No task has the id {id}.': 'Geen taak heeft de ID {id}.',
  '`{command}` lists no {id}.': '`{command}` toont geen {id}.',
  'There are no tasks.': 'Er zijn geen taken.',
  waiting: 'wacht',
  running: 'loopt',
  finished: 'voltooid',
  failed: 'mislukt',
  cancelled: 'geannuleerd',
  'The queue is paused.': 'De wachtrij is gepauzeerd.',
  'The queue runs.': 'De wachtrij loopt.',
  'Expected --url to be an address but received {url}.':
    '--url verwacht een adres, maar opgegeven is {url}.',
  'No service answers at {url}.': 'Op {url} antwoordt geen service.',
  '{file} is written. Start darktable again, and export to "enlarge with Enlarger".':
    '{file} is geschreven. Start darktable opnieuw en exporteer naar "enlarge with Enlarger".',
  'Expected Windows or macOS, where Lightroom Classic runs.':
    'Dit kan op Windows en macOS, waar Lightroom Classic draait.',
  '{file} is written. Start Lightroom Classic again; it stands under Photo, Edit In.':
    '{file} is geschreven. Start Lightroom Classic opnieuw; de voorinstelling staat onder Foto, Bewerken in.',
  'Its results went to {folder} until now.': 'De resultaten gingen tot nu toe naar {folder}.',
  'Expected a folder that `enlarger watches` lists; nothing was removed.':
    'Geef een map op die `enlarger watches` toont; er is niets verwijderd.',
  'No folders are granted.': 'Er zijn geen mappen vrijgegeven.',
  'Expected a folder that `enlarger grants` lists; nothing was taken back.':
    'Geef een map op die `enlarger grants` toont; er is niets ingetrokken.',
  'The service was started with this folder, and keeps it until it ends.':
    'De service is met deze map gestart en houdt die tot hij stopt.',
  choices: 'keuzes',
  default: 'standaard',
  'Each command uses the service that runs on this machine, or one of its own that ends with it.':
    'Elke opdracht gebruikt de service die op deze computer draait, of een eigen die met de opdracht stopt.',
  'Nothing leaves the machine but requests for what you name: addresses of photos, and models to fetch.':
    'Niets verlaat de computer, behalve aanvragen voor wat u opgeeft: adressen van foto’s en modellen om te downloaden.',
  'All is well.': 'Alles is gelukt.',
  'A picture or the command failed.': 'Een foto of de opdracht is mislukt.',
  'The words were wrong.': 'De opdracht was zo niet te begrijpen.',
  'It was interrupted; its own tasks were cancelled first.':
    'De opdracht is onderbroken; eerst zijn de eigen taken geannuleerd.',
  'Expected a length such as 40cm, 16in, short:30cm or width:400mm, and after an @ from 10 to 4800 pixels an inch.':
    'Geef een lengte op zoals 40cm, 16in, short:30cm of width:400mm, en na een @ 10 tot 4800 pixels per inch.',
  'Expected width and height in pixels, as in 2000x2000.':
    'Geef breedte en hoogte op in pixels, zoals 2000x2000.',
  'Expected two numbers from 0 to 100, as in 50,100.':
    'Geef twee getallen van 0 tot 100 op, zoals 50,100.',
  "Expected a place as shares of the photo's width and height, as in 0.4,0.25 or 40%,25%.":
    'Geef een plek op als deel van de breedte en hoogte van de foto, zoals 0.4,0.25 of 40%,25%.',
  "Expected x, y, width and height as shares of the photo's width and height, as in 0.1,0.2,0.5,0.6 or 10%,20%,50%,60%.":
    'Geef x, y, breedte en hoogte op als deel van de breedte en hoogte van de foto, zoals 0.1,0.2,0.5,0.6 of 10%,20%,50%,60%.',
  'Expected a list of strokes, as in {example}.': 'Geef een lijst met streken op, zoals {example}.',
  'Expected a file with JSON: {reason}.': 'Geef een bestand met JSON op: {reason}.',
  'Expected JSON with {what}.': 'Geef JSON op met {what}.',
  'more than {min}, up to {max}': 'meer dan {min}, tot {max}',
  '{min} to {max}': '{min} tot {max}',
  'a whole number from {min} to {max}': 'een geheel getal van {min} tot {max}',
  'a number from {min} to {max}': 'een getal van {min} tot {max}',
  'Expected {what}.': 'Verwacht wordt: {what}.',
  'Expected a file name for --name but received a path: {name}':
    '--name verwacht een bestandsnaam, maar opgegeven is een pad: {name}',
  'Expected {fields} in --name but received {name}':
    'In --name kunnen {fields} staan, maar opgegeven is {name}',
  'No browser could be opened here: open the link above in one, once.':
    'Hier kon geen browser worden geopend: open de link hierboven in een browser; hij werkt één keer.',
  'The page works until you end this command with Ctrl+C.':
    'De pagina werkt tot u deze opdracht met Ctrl+C beëindigt.',
  'The pool does not answer.': 'De groep antwoordt niet.',
  'This machine helps. Its own tasks go first.': 'Deze computer helpt. Zijn eigen taken gaan voor.',
  'It helps until you end this command with Ctrl+C.':
    'Hij helpt tot u deze opdracht met Ctrl+C beëindigt.',
  'Until the pool answers, tasks run here.':
    'Tot de groep antwoordt, lopen taken op deze computer.',
  'This machine is in no pool.': 'Deze computer zit in geen groep.',
  'There is no pool.': 'Er is geen groep.',
  'Connecting.': 'Verbinden.',
  'Connected.': 'Verbonden.',
  'Nobody helps yet.': 'Nog niemand helpt.',
  'Together {times} times as fast as this machine.':
    'Samen {times} keer zo snel als deze computer.',
  'this machine': 'deze computer',
  '{number} megapixels/s': '{number} megapixels/s',
  '{file} cannot be written: {reason}': '{file} kan niet worden geschreven: {reason}',
  '{file}: bring it to every machine of the pool, and name it there with --key-file.':
    '{file}: kopieer dit bestand naar elke computer van de groep en noem het daar met --key-file.',
  'Expected the password in the address or in --password-file, not in both.':
    'Het wachtwoord hoort in het adres of in --password-file, niet in beide.',
  'Other users of this machine see the password in the address while this command runs: leave it out, and give it by --password-file or {variable}.':
    'Andere gebruikers van deze computer zien het wachtwoord in het adres zolang deze opdracht loopt: laat het weg en geef het op met --password-file of {variable}.',
  'Other users of this machine see the secret in --storage while this command runs: leave KEY:SECRET out, and set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or use ~/.aws/credentials.':
    'Andere gebruikers van deze computer zien het geheim in --storage zolang deze opdracht loopt: laat KEY:SECRET weg en stel AWS_ACCESS_KEY_ID en AWS_SECRET_ACCESS_KEY in, of gebruik ~/.aws/credentials.',
  'Expected a password in {file}, which is empty.':
    '{file} zou een wachtwoord moeten bevatten, maar is leeg.',
  'There are no presets.': 'Er zijn geen voorinstellingen.',
  'Expected {file} to be a file that `presets export` wrote.':
    '{file} zou een bestand moeten zijn dat `presets export` heeft geschreven.',
  'none yet': 'nog geen',
  'No preset is called {name}; there are {presets}.':
    'Geen voorinstelling heet {name}; beschikbaar: {presets}.',
  'output the version number': 'het versienummer tonen',
  'display help for command': 'hulp bij de opdracht tonen',
  'It is watched as long as Enlarger, with or without a window, is running.':
    'De map wordt gevolgd zolang Enlarger draait, met of zonder venster.',
  'It is watched until you end this command with Ctrl+C.':
    'De map wordt gevolgd tot u deze opdracht met Ctrl+C beëindigt.',
  'It failed.': 'Het is mislukt.',
  skipped: 'overgeslagen',
  'No folders are watched.': 'Er worden geen mappen gevolgd.',
  '{done} of {count} done, {failed} failed': '{done} van {count} voltooid, {failed} mislukt',
  'Added {id}.': '{id} is toegevoegd.',
  'Expected a whole number from 0 to 15.': 'Geef een geheel getal van 0 tot 15 op.',
  'Expected a card that `enlarger devices` lists, but it is number {number} and the system lists {count}.':
    'Geef een kaart op die `enlarger devices` toont; opgegeven is nummer {number} en het systeem telt er {count}.',
  'this system has none': 'niet aanwezig in dit systeem',
  'Chosen: {device}': 'Gekozen: {device}',
  'Chosen: {device}, which cannot be used: {reason}':
    'Gekozen: {device}, maar niet te gebruiken: {reason}',
  'card {number}: {name}': 'kaart {number}: {name}',
  'Needs {needs}.': 'Heeft {needs} nodig.',
  'No device of this system needs files beside Enlarger.':
    'Geen apparaat van dit systeem heeft extra bestanden nodig.',
  'There are no models to fetch.': 'Er zijn geen modellen om te downloaden.',
  'Recommended for a machine whose networks run on its processor:':
    'Aanbevolen voor een computer waarop netwerken op de processor draaien:',
  'Recommended for a machine with built-in graphics:':
    'Aanbevolen voor een computer met ingebouwde grafische chip:',
  'Recommended for a machine with this graphics card:':
    'Aanbevolen voor een computer met deze grafische kaart:',
  'Recommended for a Mac with Apple silicon:': 'Aanbevolen voor een Mac met Apple silicon:',
  installed: 'geïnstalleerd',
  'Fetch them? [Y/n]': 'Downloaden? [J/n]',
  y: 'j',
  'Nothing was fetched.': 'Er is niets gedownload.',
  'There is nothing to fetch.': 'Er is niets te downloaden.',
  'To fetch: {size}.': 'Te downloaden: {size}.',
  '{model} becomes the default of its task if a photo of 12 megapixels takes at most {seconds} s here, and no other was chosen.':
    '{model} wordt het standaardmodel voor zijn doel als een foto van 12 megapixel hier hoogstens {seconds} s duurt en er geen ander model is gekozen.',
  'The download was cancelled; what came stays.':
    'De download is geannuleerd; wat al is gedownload, blijft bewaard.',
  'size not published': 'grootte niet gepubliceerd',
  'not published': 'niet gepubliceerd',
  'trained on: {data}': 'getraind op: {data}',
  'its memory was not measured': 'geheugengebruik niet gemeten',
  'takes about {size} of memory, as others measured it':
    'neemt ongeveer {size} geheugen, gemeten door anderen',
  'takes about {size} of memory': 'neemt ongeveer {size} geheugen',
  'Trying it out.': 'Wordt uitgeprobeerd.',
  '{size} are here.': '{size} is gedownload.',
  'Waiting for its turn.': 'Wacht op zijn beurt.',
  'Reading the files.': 'De bestanden worden gelezen.',
  'Trying it out on test pictures.': 'Wordt op testbeelden uitgeprobeerd.',
  '{done} of at most {count}': '{done} van hoogstens {count}',
  'Trying it out on test pictures: {done}.': 'Wordt op testbeelden uitgeprobeerd: {done}.',
  'Trying it out on test pictures: {done}, at most {time} left.':
    'Wordt op testbeelden uitgeprobeerd: {done}, nog hoogstens {time}.',
  'Expected a model that `enlarger models` lists, or {own}, but received {id}.':
    'Geef een model op dat `enlarger models` toont, of {own}; opgegeven is {id}.',
  '--name is for one network, but {count} were given.':
    '--name is voor één netwerk, maar er zijn er {count} opgegeven.',
  'It enlarges {scales}:': 'Het vergroot {scales}:',
  'It cuts out subjects:': 'Het stelt onderwerpen vrij:',
  'It selects what clicks and boxes point at, once it is in use:':
    'Het selecteert wat klikken en kaders aanwijzen, zodra het in gebruik is:',
  'Found: {facts}': 'Vastgesteld: {facts}',
  'Note: {note}': 'Opmerking: {note}',
  'There is no file or folder {name}.': 'Er is geen bestand of map {name}.',
  'There is no network in the folder {folder}.': 'In de map {folder} staat geen netwerk.',
  'The service that was in use has ended. This command goes on without it.':
    'De gebruikte dienst is gestopt. Deze opdracht gaat zonder hem verder.',
  'The service has ended. The same command goes on with what is not done.':
    'De service is gestopt. Dezelfde opdracht gaat verder met wat nog niet klaar is.',
  'The queue is paused, so nothing begins: `enlarger resume` or the window lets it go on.':
    'De wachtrij is gepauzeerd, dus er begint niets: met `enlarger resume` of in het venster gaat die verder.',
  'Expected a file but {file} is none.': 'Geef een bestand op; {file} is dat niet.',
  '{file} cannot be edited in its place: {reason}':
    '{file} kan niet ter plekke worden bewerkt: {reason}',
  'Expected a result that has the format of {file}, but it became {result}. Choose a smaller scale, or enlarge it into a file of its own with `enlarger upscale`.':
    'Het resultaat moest het formaat van {file} hebben, maar dit is gemaakt: {result}. Kies een kleinere factor, of vergroot de foto met `enlarger upscale` naar een eigen bestand.',
  none: 'niets',
  '{file} was changed by another program meanwhile, so it was left as it is.':
    '{file} is intussen door een ander programma gewijzigd en is daarom gelaten zoals het is.',
  '{count} originals of {file} are kept already; remove some.':
    'Van {file} worden al {count} originelen bewaard; verwijder er enkele.',
  'Its name is not UTF-8 and cannot be opened; rename it (convmv does so for many).':
    'De naam is geen UTF-8 en kan niet worden geopend; wijzig die (convmv doet dat voor veel bestanden).',
  'All pictures in this folder were made by Enlarger; --include-results takes them too.':
    'Alle beelden in deze map heeft Enlarger gemaakt; --include-results neemt ook die mee.',
  'There are no pictures in this folder. Links in it are not followed; name what they lead to.':
    'In deze map staan geen beelden. Koppelingen erin worden niet gevolgd; noem waar ze naartoe leiden.',
  'It cannot be read: you have no right to read it.':
    'Het kan niet worden gelezen: u hebt er geen leesrechten voor.',
  'No file matches this pattern.': 'Geen bestand past bij dit patroon.',
  'There is no such file.': 'Dit bestand bestaat niet.',
  'The result cannot be saved in {folder}: {reason}':
    'Het resultaat kan niet in {folder} worden opgeslagen: {reason}',
  'Expected --amount-mask everywhere, subject, background or painted beside --strokes.':
    'Bij --strokes hoort --amount-mask everywhere, subject, background of painted.',
  'for {formats}': 'voor {formats}',
  'how many times as wide; 1 only cleans (default: 2)':
    'factor voor breedte en hoogte; 1 schoont alleen op (standaard: 2)',
  'also enlarges, this many times as wide; 1 only cleans':
    'ook vergroten, met deze factor; 1 schoont alleen op',
  'Expected a background beside --format jpeg, which holds no transparency: --background white, another colour or blur, or --background-image.':
    'JPEG kent geen transparantie; bij --format jpeg hoort een achtergrond: --background white, een andere kleur of blur, of --background-image.',
  'Expected --canvas beside --position, which is a place on it.':
    'Bij --position hoort --canvas, het canvas waarop die plek ligt.',
  'Expected --scale or another size beside {flag}, which is about enlarging.':
    'Bij {flag} hoort --scale of een andere grootte, want het gaat over vergroten.',
  'Expected only one of {flags}.': 'Slechts één hiervan kan: {flags}.',
  'standard output': 'standaarduitvoer',
  'standard input': 'standaardinvoer',
  'Expected one picture for standard output but received {count}.':
    'Naar de standaarduitvoer kan één foto, maar er zijn er {count} opgegeven.',
  '{model} has no strength of detail: --detail {detail} changes nothing.':
    '{model} heeft geen sterkte van detail: --detail {detail} verandert niets.',
  '{model} cannot be told how much to take off: --restore {restore} changes nothing.':
    'Bij {model} is niet in te stellen hoeveel het opschoont: --restore {restore} verandert niets.',
  '{flag}: {model} is no model that enlarges; there are {models}.':
    '{flag}: {model} is geen model dat vergroot; beschikbaar: {models}.',
  '{flag}: {model} is no model that cuts out; there are {models}.':
    '{flag}: {model} is geen model dat vrijstelt; beschikbaar: {models}.',
  '{flag}: no model is called {model}; there are {models}.':
    '{flag}: geen model heet {model}; beschikbaar: {models}.',
  'without an ending': 'zonder extensie',
  ', and others': ' en andere',
  '--preset: {preset} is for `enlarger {command}`.':
    '--preset: {preset} is voor `enlarger {command}`.',
  'The task has no result.': 'De taak heeft geen resultaat.',
  'Then: {command}': 'Daarna: {command}',
  'It cannot be read: {reason}': 'Het kan niet worden gelezen: {reason}',
  '{photo}: failed': '{photo}: mislukt',
  '{time} left': 'nog {time}',
  '{photo}: skipped, {result} is there': '{photo}: overgeslagen, {result} is er al',
  'look at it, the network was not sure': 'controleer het, het netwerk was onzeker',
  'probably poor, look at it': 'waarschijnlijk mislukt, controleer het',
  'The same command goes on with them.': 'Dezelfde opdracht gaat ermee verder.',
  '--out: no result is written as {ending}; there are {endings}.':
    '--out: als {ending} wordt geen resultaat geschreven; mogelijk: {endings}.',
  'Expected - alone, because standard input is one photo.':
    '- staat alleen, want de standaardinvoer is één foto.',
  'Expected a photo on standard input, as in - < photo.jpg.':
    'Geef een foto op de standaardinvoer, zoals - < photo.jpg.',
  'Expected --json or the result on standard output, not both.':
    'Mogelijk is --json of het resultaat op de standaarduitvoer, niet beide.',
  'Expected --out, a pipe or > for the result, not a terminal.':
    'Gebruik voor het resultaat --out, een pipe of >, geen terminal.',
  'Expected --name or a file behind --out, not both.':
    'Mogelijk is --name of een bestand achter --out, niet beide.',
  'There is no file {file}. If the result is to be called so: --out {file}.':
    'Er is geen bestand {file}. Als het resultaat zo moet heten: --out {file}.',
  'Expected a folder behind --out for {count} pictures but received {file}.':
    'Voor {count} foto’s hoort achter --out een map, maar opgegeven is {file}.',
  'Expected one format, but --format is {format} and --out ends in {ending}.':
    'Er is één formaat mogelijk, maar --format is {format} en --out eindigt op {ending}.',
  'Its result would take its own place. Choose another --name or --out; `enlarger edit-in` enlarges in place and keeps the original.':
    'Het resultaat zou de foto zelf vervangen. Kies een andere --name of --out; `enlarger edit-in` vergroot ter plekke en bewaart het origineel.',
  'Its result would be called as that of {photo}. Choose --on-conflict number, or a --name with {n}.':
    'Het resultaat zou net zo heten als dat van {photo}. Kies --on-conflict number, of een --name met {n}.',
  'The result ended after {size} of {total} bytes.':
    'Het resultaat hield op na {size} van {total} bytes.',
  'The service answered without a result.': 'De service antwoordde zonder resultaat.',
  'width instead of a scale; the nearest scale is made, then resampled':
    'breedte in plaats van een factor; vergroot met de dichtstbijzijnde factor en schaalt dan',
  'height instead of a scale': 'hoogte in plaats van een factor',
  'longer side instead of a scale': 'lange zijde in plaats van een factor',
  'megapixels instead of a scale': 'megapixels in plaats van een factor',
  'sharpens the result': 'het resultaat verscherpen',
  'how much compression, noise and softness is removed; auto: as measured':
    'hoe sterk compressiesporen, ruis en onscherpte worden verwijderd; auto: volgens de meting',
  "adds grain; auto: like the photo's own": 'korrel toevoegen; auto: zoals die van de foto',
  "faithful: reduced with the cubic kernel, the result equals the photo within 1 level; colours: it has the photo's colours":
    'faithful: bicubisch verkleind is het resultaat op 1 niveau na gelijk aan de foto; colours: het heeft de kleuren van de foto',
  'how much --model detail adds beyond Natural': 'hoeveel --model detail toevoegt boven Natural',
  "opacity of the model's result over a plain enlargement":
    'dekking van het resultaat van het model over een gewone vergroting',
  "where the model's result is used; elsewhere a plain enlargement":
    'waar het resultaat van het model wordt gebruikt; elders een gewone vergroting',
  'file format': 'bestandsformaat',
  'bits per channel': 'bits per kanaal',
  'which metadata is copied': 'welke metagegevens worden gekopieerd',
  'higher priorities run first': 'hogere prioriteiten gaan eerst',
  'when the name is taken': 'als de naam al bestaat',
  'what comes first, beside a size': 'wat eerst gebeurt, als er een grootte is opgegeven',
  'transparent, blur or a colour such as #ffffff, white or teal':
    'transparent, blur of een kleur zoals #ffffff, white of teal',
  'crops to the subject, with this margin': 'bijsnijden tot het onderwerp, met deze marge',
  'soft shadow under the subject': 'zachte schaduw onder het onderwerp',
  'how much of the canvas the subject fills': 'hoeveel van het canvas het onderwerp vult',
  'softens the edge inwards': 'de rand naar binnen verzachten',
  "how much of the background's colour is removed from the edge":
    'hoeveel kleur van de achtergrond uit de rand wordt gehaald',
  'how many': 'hoeveel',
  'Enlarges photographs and cuts out their subjects with neural networks on this machine.':
    'Vergroot foto’s en stelt onderwerpen vrij, met neurale netwerken op deze computer.',
  'enlarge photos, whole folders and patterns such as "shots/**/*.jpg"':
    'foto’s vergroten, ook hele mappen en patronen zoals "shots/**/*.jpg"',
  'JSON: strokes over --amount-mask': 'JSON: streken over --amount-mask',
  'length on paper instead of a scale: 40cm, 16in, width:400mm; @240 for another resolution than 300 pixels per inch':
    'lengte op papier in plaats van een factor: 40cm, 16in, width:400mm; @240 voor een andere resolutie dan 300 pixels per inch',
  'a model that `enlarger models` lists': 'een model dat `enlarger models` toont',
  'a preset of `enlarger presets`, which other options override':
    'een voorinstelling uit `enlarger presets`; andere opties gaan voor',
  'folder of the results, or file of a single one, or - for standard output (default: beside each photo)':
    'map voor de resultaten, of bestand voor één resultaat, of - voor de standaarduitvoer (standaard: naast elke foto)',
  'name of the results': 'naam van de resultaten',
  'the same as --on-conflict overwrite': 'hetzelfde als --on-conflict overwrite',
  'include pictures that Enlarger made': 'ook beelden meenemen die Enlarger heeft gemaakt',
  'make everything anew, even if this command was interrupted before':
    'alles opnieuw maken, ook als deze opdracht eerder is onderbroken',
  'send the photos instead of granting access to their folders':
    'de foto’s versturen in plaats van hun mappen vrij te geven',
  'one line of JSON per picture': 'één regel JSON per foto',
  "the service's data folder": 'gegevensmap van de service',
  'the address of a running service': 'adres van een service die al draait',
  'its API key (default: cli.key in the data folder)':
    'de API-sleutel ervan (standaard: cli.key in de gegevensmap)',
  'files, folders or patterns; - for standard input':
    'bestanden, mappen of patronen; - voor de standaardinvoer',
  'cut out the subjects of photos': 'onderwerpen in foto’s vrijstellen',
  'a point on an object that belongs to the subject, as in 0.4,0.25; repeatable':
    'een punt op een object dat bij het onderwerp hoort, zoals 0.4,0.25; herhaalbaar',
  'a point on an object that does not; repeatable':
    'een punt op een object dat er niet bij hoort; herhaalbaar',
  'a box around the subject, as in 0.1,0.2,0.5,0.6; repeatable':
    'een kader om het onderwerp, zoals 0.1,0.2,0.5,0.6; herhaalbaar',
  'a box around an object that does not belong to it; repeatable':
    'een kader om een object dat er niet bij hoort; herhaalbaar',
  'JSON: strokes over the mask that was found': 'JSON: streken over het gevonden masker',
  'model that enlarges, beside a size': 'model dat vergroot, als er een grootte is opgegeven',
  'picture behind the subject: a file or an address':
    'beeld achter het onderwerp: een bestand of een adres',
  'size of the result, as in 2000x2000': 'grootte van het resultaat, zoals 2000x2000',
  'place of the subject on the canvas in percent, as in 50,100':
    'plek van het onderwerp op het canvas in procenten, zoals 50,100',
  'makes the mask itself, as a grey picture of 16 bits':
    'het masker zelf maken, als grijswaardenbeeld van 16 bits',
  'enlarge a file in its place, as "edit in" of other programs needs it':
    'een bestand ter plekke vergroten, zoals "bewerken in" van andere programma’s vraagt',
  'keep no copy of the original beside it': 'geen kopie van het origineel ernaast bewaren',
  'keeps its name, format, depth, profile and metadata':
    'behoudt naam, formaat, bitdiepte, profiel en metagegevens',
  "install the script that enlarges as a target of darktable's export":
    'het script installeren dat als exportdoel van darktable vergroot',
  "darktable's folder": 'map van darktable',
  "install the preset that enlarges under Lightroom Classic's Edit In":
    'de voorinstelling installeren die onder "Bewerken in" van Lightroom Classic vergroot',
  "Lightroom's folder (default: where it makes it)":
    'map van Lightroom (standaard: waar Lightroom die maakt)',
  'how many times as wide; 1 only cleans': 'factor voor breedte en hoogte; 1 schoont alleen op',
  'list the newest tasks': 'de nieuwste taken tonen',
  'one JSON line a task': 'één regel JSON per taak',
  'cancel waiting or running tasks': 'wachtende of lopende taken annuleren',
  'try failed tasks again; what only could not be saved is not enlarged again':
    'mislukte taken opnieuw proberen; wat alleen niet kon worden opgeslagen, wordt niet opnieuw vergroot',
  'as `enlarger tasks` lists them': 'zoals `enlarger tasks` ze toont',
  'let no task begin': 'de wachtrij pauzeren: er begint geen taak',
  'let the queue go on': 'de wachtrij hervatten',
  'list, add and remove models': 'modellen tonen, toevoegen en verwijderen',
  'fetch the recommended ones without a question': 'de aanbevolen modellen zonder vraag downloaden',
  'list the models': 'de modellen tonen',
  'one JSON line a model': 'één regel JSON per model',
  'add models from their files': 'modellen uit hun bestanden toevoegen',
  'what it is called here': 'hoe het hier heet',
  'on what terms it may be used': 'onder welke voorwaarden het mag worden gebruikt',
  'who made it': 'wie het heeft gemaakt',
  'the model as JSON': 'het model als JSON',
  '.onnx (with its data file, or an encoder with its decoder), .param and .bin, .pth, .safetensors, or a folder with one or more':
    '.onnx (met het databestand, of een encoder met zijn decoder), .param en .bin, .pth, .safetensors, of een map met een of meer modellen',
  'fetch a model from its publisher; without an id: list them':
    'een model bij de uitgever downloaden; zonder id: ze tonen',
  'recommended: those for this machine; their sizes are printed first':
    'recommended: die voor deze computer; hun grootte wordt eerst getoond',
  'use a model where none is named; of those that select, for clicks and boxes':
    'dit model gebruiken waar er geen is genoemd; een model dat selecteert, dient voor klikken en kaders',
  'own: the model that cuts out selects by itself': 'own: het model dat vrijstelt, selecteert zelf',
  'put right how an added model is used': 'corrigeren hoe een toegevoegd model wordt gebruikt',
  'as in \'{"channels":"BGR","marginPx":24}\'': 'zoals \'{"channels":"BGR","marginPx":24}\'',
  'a third model between two that were added':
    'een derde model mengen uit twee die zijn toegevoegd',
  'how much of the other one, 0 to 1': 'aandeel van het andere, 0 tot 1',
  'remove models that were added': 'toegevoegde modellen verwijderen',
  'also while tasks wait for them': 'ook als er taken op wachten',
  'list what networks run on, choose one, and fetch or remove files that it needs':
    'apparaten tonen waarop netwerken draaien, er een kiezen, bestanden ervoor downloaden of verwijderen',
  'list the devices, and why one is not used':
    'de apparaten tonen, en waarom er een niet wordt gebruikt',
  'choose what networks run on, unless a photo says otherwise':
    'kiezen waarop netwerken draaien, tenzij een foto iets anders vraagt',
  'which of several graphics cards, by its number in `list`':
    'bij meerdere grafische kaarten het nummer dat `list` eraan geeft',
  'auto: the fastest': 'auto: het snelste',
  "fetch a device's files; without an id: list what there is":
    'bestanden van een apparaat downloaden; zonder id: tonen wat er is',
  'such as cuda-12': 'zoals cuda-12',
  "install a device's files from their archive on this machine":
    'bestanden van een apparaat installeren uit hun archief op deze computer',
  'as its publisher has it, .tgz': 'zoals van de uitgever, .tgz',
  "remove a device's files": 'bestanden van een apparaat verwijderen',
  'process what arrives in a folder': 'verwerken wat in een map aankomt',
  'a preset that `enlarger presets` lists (required)':
    'een voorinstelling die `enlarger presets` toont (verplicht)',
  'where the results go, in the same subfolders (required)':
    'waar de resultaten komen, in dezelfde submappen (verplicht)',
  'leave subfolders out': 'zonder submappen',
  'leave out what is there already': 'zonder wat er al in staat',
  'list the watched folders, remove some': 'de gevolgde mappen tonen, er verwijderen',
  'watch folders no more; what was made of them stays':
    'mappen niet meer volgen; de resultaten blijven',
  'list the watched folders': 'de gevolgde mappen tonen',
  'one JSON line a folder': 'één regel JSON per map',
  'list, make and remove presets': 'voorinstellingen tonen, maken en verwijderen',
  'list the presets': 'de voorinstellingen tonen',
  'one JSON line a preset': 'één regel JSON per voorinstelling',
  'keep options of `enlarger upscale` under a name':
    'opties van `enlarger upscale` onder een naam bewaren',
  'keep options of `enlarger cutout` under a name':
    'opties van `enlarger cutout` onder een naam bewaren',
  'write presets to a JSON file': 'voorinstellingen naar een JSON-bestand schrijven',
  'the page and `presets import` read it': 'de pagina en `presets import` lezen het',
  'all when none is named': 'alle als er geen is genoemd',
  'take presets from such a file': 'voorinstellingen uit zo’n bestand overnemen',
  'remove presets': 'voorinstellingen verwijderen',
  'list the folders that Enlarger may read and write, grant more, take some back':
    'de mappen tonen die Enlarger mag lezen en beschrijven, meer vrijgeven, vrijgaven intrekken',
  'list the folders': 'de mappen tonen',
  'grant folders, or single files': 'mappen of losse bestanden vrijgeven',
  'take grants back': 'vrijgaven intrekken',
  'as `list` shows it': 'zoals `list` het toont',
  'let this machine help the others of a pool':
    'deze computer de andere van een groep laten helpen',
  'a folder that all machines see, or s3://bucket/prefix?endpoint=https://nas:9000':
    'een map die alle computers zien, of s3://bucket/prefix?endpoint=https://nas:9000',
  "the queue's password (default: ENLARGER_POOL_PASSWORD)":
    'wachtwoord van de wachtrij (standaard: ENLARGER_POOL_PASSWORD)',
  'encrypts pictures on their way; `enlarger pool key` makes one':
    'versleutelt beelden onderweg; `enlarger pool key` maakt er een',
  'of Valkey or Redis: redis://nas:6379, rediss://user@nas:6379':
    'van Valkey of Redis: redis://nas:6379, rediss://user@nas:6379',
  'say who helps, and how fast all are together': 'tonen wie helpt en hoe snel alle samen zijn',
  'as JSON': 'als JSON',
  "let a pool's helpers run this machine's tasks":
    'andere computers van een groep de taken van deze computer laten uitvoeren',
  'use and help no pool any more': 'geen groep meer gebruiken of helpen',
  'make a file with a new key; all machines of a pool need the same one':
    'een bestand met een nieuwe sleutel maken; alle computers van een groep hebben dezelfde nodig',
  'open the page of the running service, or of its own one':
    'de pagina van de draaiende service openen, of van een eigen service',
  'run the service without a window, for other programs, until Ctrl+C':
    'de service zonder venster draaien, voor andere programma’s, tot Ctrl+C',
  '8617 or the next free one by default; 0: any free one':
    'standaard 8617 of de volgende vrije; 0: een willekeurige vrije',
  'answers programs written for other services (remove.bg, rembg, OpenAI, AUTOMATIC1111) there too; 0: any free one':
    'beantwoordt daar ook programma’s die voor andere diensten zijn geschreven (remove.bg, rembg, OpenAI, AUTOMATIC1111); 0: een willekeurige vrije',
  'its files may be named as file: sources and saveTo; may be given several times':
    'de bestanden erin mogen als file:-bron en saveTo worden opgegeven; herhaalbaar',
  'is in the queue of its page; may be given several times, as a file or a folder':
    'staat in de wachtrij van de pagina; herhaalbaar, als bestand of map',
  'fetch pictures from this machine and its network too':
    'ook afbeeldingen van deze computer en het netwerk ophalen',
  'serve the tools for agents (Model Context Protocol) on standard input and output':
    'de hulpmiddelen voor agents (Model Context Protocol) aanbieden via standaardinvoer en -uitvoer',
  "a folder that may be read and written, beside those granted and the client's roots; may be given several times":
    'een map die mag worden gelezen en beschreven, naast de vrijgegeven mappen en de roots van de client; herhaalbaar',
  'print the manual page, for man -l -': 'de handleidingpagina tonen, voor man -l -',
  'Generate shell completion scripts': 'scripts voor aanvulling in de shell maken',
  'Shell type for completion script': 'soort shell',
  'Generate completion suggestions': 'voorstellen voor aanvulling maken',
  'Usage:': 'Gebruik:',
  'Options:': 'Opties:',
  'Commands:': 'Opdrachten:',
  'Arguments:': 'Argumenten:',
  "error: unknown option '{first}'": "fout: onbekende optie '{first}'",
  "error: unknown command '{first}'": "fout: onbekende opdracht '{first}'",
  "error: too many arguments for '{first}'. {rest}":
    "fout: te veel argumenten voor '{first}'. {rest}",
  'Expected {count} arguments but got {second}.': 'Verwacht: {count}, gekregen: {second}.',
  'Expected 1 argument but got {second}.': 'Verwacht: 1, gekregen: {second}.',
  "error: missing required argument '{first}'": "fout: het argument '{first}' ontbreekt",
  "error: required option '{first}' not specified": "fout: de verplichte optie '{first}' ontbreekt",
  "error: option '{first}' argument missing": "fout: bij de optie '{first}' ontbreekt de waarde",
  "error: option '{first}' argument '{second}' is invalid. {rest}":
    "fout: de optie '{first}' kan niet '{second}' zijn. {rest}",
  "error: command-argument value '{first}' is invalid for argument '{second}'. {rest}":
    "fout: '{first}' is geen waarde voor het argument '{second}'. {rest}",
  '(Did you mean one of {first}?)': '(Bedoelde u een van deze: {first}?)',
  'Allowed choices are {choices}.': 'Mogelijk zijn {choices}.',
  'the fields {fields}': 'de velden {fields}',
  '(Did you mean {first}?)': '(Bedoelde u {first}?)',
  'you have no right to write there.': 'u hebt daar geen schrijfrechten.',
  'there is no such folder or file, or none can be made there.':
    'die map of dat bestand bestaat niet, of kan daar niet worden gemaakt.',
  'the disk is full. Free some space, or choose another folder.':
    'de schijf is vol. Maak ruimte vrij, of kies een andere map.',
  'your share of the disk is used up. Free some space, or choose another folder.':
    'uw deel van de schijf is op. Maak ruimte vrij, of kies een andere map.',
  'a file or folder is not there (any more).': 'een bestand of map is er niet (meer).',
  'the system does not allow it.': 'het systeem staat het niet toe.',
  'the disk is read-only.': 'de schijf is alleen-lezen.',
  'the disk is full.': 'de schijf is vol.',
  'too many files are open.': 'er zijn te veel bestanden geopend.',
  'another program holds a file.': 'een ander programma houdt een bestand bezet.',
  'a folder is where a file was expected.': 'er is een map waar een bestand werd verwacht.',
  'there is something of that name already.': 'er is al iets met die naam.',
  'a name is too long.': 'een naam is te lang.',
  'another program uses that port.': 'een ander programma gebruikt die poort.',
  'the disk reports a fault.': 'de schijf meldt een fout.',
  'the folder of the network was mounted anew or is gone.':
    'de netwerkmap is opnieuw aangekoppeld of is er niet meer.',
  'the folder of the network is gone.': 'de netwerkmap is er niet meer.',
  'links lead round in circles.': 'koppelingen lopen in een kring.',
  '{count} done': { one: '{count} voltooid', other: '{count} voltooid' },
  '{count} presets': { one: '{count} voorinstelling', other: '{count} voorinstellingen' },
  'This command was interrupted before (begun {time}) and goes on: {count} pictures had been given to the queue. --again makes all anew.':
    {
      one: 'Deze opdracht is eerder onderbroken (begonnen {time}) en gaat verder: {count} foto was al in de wachtrij gezet. --again maakt alles opnieuw.',
      other:
        'Deze opdracht is eerder onderbroken (begonnen {time}) en gaat verder: {count} foto’s waren al in de wachtrij gezet. --again maakt alles opnieuw.',
    },
  '{count} pictures that waited before go on now, too; `enlarger tasks` lists them.': {
    one: '{count} foto die al wachtte, gaat nu ook verder; `enlarger tasks` toont die.',
    other: '{count} foto’s die al wachtten, gaan nu ook verder; `enlarger tasks` toont ze.',
  },
  '{count} files that are no pictures were left out: {endings}.': {
    one: '{count} bestand dat geen afbeelding is, is overgeslagen: {endings}.',
    other: '{count} bestanden die geen afbeeldingen zijn, zijn overgeslagen: {endings}.',
  },
  '{count} pictures that Enlarger made were left out; --include-results takes them too.': {
    one: '{count} beeld dat Enlarger heeft gemaakt, is overgeslagen; --include-results neemt het ook mee.',
    other:
      '{count} beelden die Enlarger heeft gemaakt, zijn overgeslagen; --include-results neemt ze ook mee.',
  },
  'Of {count} pictures: {note}': {
    one: 'Bij {count} foto: {note}',
    other: 'Bij {count} foto’s: {note}',
  },
  '{count} frames': { one: '{count} frame', other: '{count} frames' },
  '{count} skipped': { one: '{count} overgeslagen', other: '{count} overgeslagen' },
  '{count} failed': { one: '{count} mislukt', other: '{count} mislukt' },
  '{count} stopped': { one: '{count} gestopt', other: '{count} gestopt' },
  '{count} not begun': { one: '{count} niet begonnen', other: '{count} niet begonnen' },
  '{count} pictures in {time}': {
    one: '{count} foto in {time}',
    other: '{count} foto’s in {time}',
  },
  idle: 'vrij',
  working: 'aan het werk',
  busy: 'bezet',
  away: 'afwezig',
  'left out': 'overgeslagen',
  watching: 'gevolgd',
  paused: 'gepauzeerd',
  unavailable: 'niet bereikbaar',
  unchecked: 'niet getest',
  'in use': 'in gebruik',
  available: 'beschikbaar',
  'not used': 'niet gebruikt',
  NAME: 'NAAM',
  SYNOPSIS: 'SAMENVATTING',
  DESCRIPTION: 'BESCHRIJVING',
  COMMANDS: 'OPDRACHTEN',
  'EXIT STATUS': 'AFSLUITSTATUS',
  command: 'opdracht',
  options: 'opties',
  'files and folders': 'bestanden en mappen',
};
