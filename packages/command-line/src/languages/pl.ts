import type { Catalogue } from '../catalogue.ts';

export const pl: Catalogue = {
  'a file of that name is there.': 'plik o tej nazwie już istnieje.',
  'The folder {folder} cannot be made: {reason}': 'Nie można utworzyć folderu {folder}: {reason}',
  'The result cannot be written to standard output: {reason}':
    'Wyniku nie można zapisać na standardowe wyjście: {reason}',
  '{file} cannot be read: {reason}': 'Nie można odczytać pliku {file}: {reason}',
  'Interrupted.': 'Przerwano.',
  'The program that started this one is gone.':
    'Program, który uruchomił to polecenie, już nie działa.',
  'The reader of the output is gone.': 'Nikt już nie odczytuje danych wyjściowych.',
  'error: {message}': 'błąd: {message}',
  'No task has the id {id}.': 'Żadne zadanie nie ma ID {id}.',
  '`{command}` lists no {id}.': 'Lista `{command}` nie zawiera {id}.',
  'There are no tasks.': 'Nie ma zadań.',
  waiting: 'oczekuje',
  running: 'w toku',
  finished: 'ukończone',
  failed: 'nieudane',
  cancelled: 'anulowane',
  'The queue is paused.': 'Kolejka jest wstrzymana.',
  'The queue runs.': 'Kolejka działa.',
  'Expected --url to be an address but received {url}.': '--url wymaga adresu, a podano {url}.',
  'No service answers at {url}.': 'Pod adresem {url} nie odpowiada żadna usługa.',
  '{file} is written. Start darktable again, and export to "enlarge with Enlarger".':
    'Zapisano {file}. Uruchom darktable ponownie i eksportuj do "enlarge with Enlarger".',
  'Expected Windows or macOS, where Lightroom Classic runs.':
    'To działa w systemach Windows i macOS, w których działa Lightroom Classic.',
  '{file} is written. Start Lightroom Classic again; it stands under Photo, Edit In.':
    'Zapisano {file}. Uruchom Lightroom Classic ponownie; Enlarger jest w menu Photo, Edit In.',
  'Its results went to {folder} until now.': 'Dotąd wyniki trafiały do {folder}.',
  'Expected a folder that `enlarger watches` lists; nothing was removed.':
    'Podaj folder z listy `enlarger watches`; niczego nie usunięto.',
  'No folders are granted.': 'Nie udostępniono żadnych folderów.',
  'Expected a folder that `enlarger grants` lists; nothing was taken back.':
    'Podaj folder z listy `enlarger grants`; niczego nie cofnięto.',
  'The service was started with this folder, and keeps it until it ends.':
    'Usługę uruchomiono z tym folderem i zachowa go, dopóki działa.',
  choices: 'możliwe',
  default: 'domyślnie',
  'Each command uses the service that runs on this machine, or one of its own that ends with it.':
    'Każde polecenie używa usługi działającej na tym komputerze albo własnej, która kończy się razem z nim.',
  'Nothing leaves the machine but requests for what you name: addresses of photos, and models to fetch.':
    'Z komputera wychodzą tylko żądania tego, co podasz: zdjęć spod adresów i modeli do pobrania.',
  'All is well.': 'Wszystko się udało.',
  'A picture or the command failed.': 'Nie powiodło się przetworzenie zdjęcia lub polecenie.',
  'The words were wrong.': 'Polecenia w tej postaci nie dało się zrozumieć.',
  'It was interrupted; its own tasks were cancelled first.':
    'Polecenie przerwano; najpierw anulowano jego zadania.',
  'Expected a length such as 40cm, 16in, short:30cm or width:400mm, and after an @ from 10 to 4800 pixels an inch.':
    'Podaj długość, np. 40cm, 16in, short:30cm lub width:400mm, a po znaku @ od 10 do 4800 pikseli na cal.',
  'Expected width and height in pixels, as in 2000x2000.':
    'Podaj szerokość i wysokość w pikselach, np. 2000x2000.',
  'Expected two numbers from 0 to 100, as in 50,100.': 'Podaj dwie liczby od 0 do 100, np. 50,100.',
  "Expected a place as shares of the photo's width and height, as in 0.4,0.25 or 40%,25%.":
    'Podaj miejsce jako część szerokości i wysokości zdjęcia, np. 0.4,0.25 lub 40%,25%.',
  "Expected x, y, width and height as shares of the photo's width and height, as in 0.1,0.2,0.5,0.6 or 10%,20%,50%,60%.":
    'Podaj x, y, szerokość i wysokość jako części szerokości i wysokości zdjęcia, np. 0.1,0.2,0.5,0.6 lub 10%,20%,50%,60%.',
  'Expected a list of strokes, as in {example}.': 'Podaj listę pociągnięć, np. {example}.',
  'Expected a file with JSON: {reason}.': 'Podaj plik z danymi JSON: {reason}.',
  'Expected JSON with {what}.': 'Podaj dane JSON, które zawierają: {what}.',
  'more than {min}, up to {max}': 'więcej niż {min}, do {max}',
  '{min} to {max}': '{min} do {max}',
  'a whole number from {min} to {max}': 'liczba całkowita od {min} do {max}',
  'a number from {min} to {max}': 'liczba od {min} do {max}',
  'Expected {what}.': 'Oczekiwana wartość: {what}.',
  'Expected a file name for --name but received a path: {name}':
    '--name wymaga nazwy pliku, a podano ścieżkę: {name}',
  'Expected {fields} in --name but received {name}':
    'W --name można użyć {fields}, a podano {name}',
  'No browser could be opened here: open the link above in one, once.':
    'Nie można tu otworzyć przeglądarki: otwórz w przeglądarce powyższy link; działa jeden raz.',
  'The page works until you end this command with Ctrl+C.':
    'Strona działa, dopóki nie zakończysz tego polecenia klawiszami Ctrl+C.',
  'The pool does not answer.': 'Pula nie odpowiada.',
  'This machine helps. Its own tasks go first.':
    'Ten komputer pomaga. Jego własne zadania mają pierwszeństwo.',
  'It helps until you end this command with Ctrl+C.':
    'Pomaga, dopóki nie zakończysz tego polecenia klawiszami Ctrl+C.',
  'Until the pool answers, tasks run here.':
    'Dopóki pula nie odpowie, zadania są wykonywane tutaj.',
  'This machine is in no pool.': 'Ten komputer nie należy do żadnej puli.',
  'There is no pool.': 'Nie ma puli.',
  'Connecting.': 'Łączenie.',
  'Connected.': 'Połączono.',
  'Nobody helps yet.': 'Nikt jeszcze nie pomaga.',
  'Together {times} times as fast as this machine.':
    'Razem {times} razy szybciej niż ten komputer.',
  'this machine': 'ten komputer',
  '{number} megapixels/s': '{number} megapikseli/s',
  '{file} cannot be written: {reason}': 'Nie można zapisać pliku {file}: {reason}',
  '{file}: bring it to every machine of the pool, and name it there with --key-file.':
    '{file}: skopiuj ten plik na każdy komputer puli i podaj go tam w --key-file.',
  'Expected the password in the address or in --password-file, not in both.':
    'Podaj hasło w adresie albo w --password-file, nie w obu miejscach.',
  'Other users of this machine see the password in the address while this command runs: leave it out, and give it by --password-file or {variable}.':
    'Inni użytkownicy tego komputera widzą hasło w adresie, dopóki działa to polecenie: pomiń je i podaj w --password-file lub {variable}.',
  'Other users of this machine see the secret in --storage while this command runs: leave KEY:SECRET out, and set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or use ~/.aws/credentials.':
    'Inni użytkownicy tego komputera widzą sekret w --storage, dopóki działa to polecenie: pomiń KEY:SECRET i ustaw AWS_ACCESS_KEY_ID oraz AWS_SECRET_ACCESS_KEY albo użyj ~/.aws/credentials.',
  'Expected a password in {file}, which is empty.':
    'Plik {file} powinien zawierać hasło, a jest pusty.',
  'There are no presets.': 'Nie ma presetów.',
  'Expected {file} to be a file that `presets export` wrote.':
    '{file} powinien być plikiem zapisanym przez `presets export`.',
  'none yet': 'na razie żadne',
  'No preset is called {name}; there are {presets}.':
    'Żaden preset nie nazywa się {name}; dostępne: {presets}.',
  'output the version number': 'wypisuje numer wersji',
  'display help for command': 'wyświetla pomoc dla polecenia',
  'It is watched as long as Enlarger, with or without a window, is running.':
    'Folder jest obserwowany, dopóki działa Enlarger, z oknem lub bez.',
  'It is watched until you end this command with Ctrl+C.':
    'Folder jest obserwowany, dopóki nie zakończysz tego polecenia klawiszami Ctrl+C.',
  'It failed.': 'Nie powiodło się.',
  skipped: 'pominięto',
  'No folders are watched.': 'Żadne foldery nie są obserwowane.',
  '{done} of {count} done, {failed} failed': 'ukończone: {done} z {count}, nieudane: {failed}',
  'Added {id}.': 'Dodano {id}.',
  'Expected a whole number from 0 to 15.': 'Podaj liczbę całkowitą od 0 do 15.',
  'Expected a card that `enlarger devices` lists, but it is number {number} and the system lists {count}.':
    'Podaj kartę z listy `enlarger devices`; podano numer {number}, a kart w systemie jest: {count}.',
  'this system has none': 'brak go w tym systemie',
  'Chosen: {device}': 'Wybrano: {device}',
  'Chosen: {device}, which cannot be used: {reason}':
    'Wybrano: {device}, ale nie można go użyć: {reason}',
  'card {number}: {name}': 'karta {number}: {name}',
  'Needs {needs}.': 'Wymaga: {needs}.',
  'No device of this system needs files beside Enlarger.':
    'Żadne urządzenie tego systemu nie wymaga dodatkowych plików.',
  'There are no models to fetch.': 'Nie ma modeli do pobrania.',
  'Recommended for a machine whose networks run on its processor:':
    'Polecane dla komputera, na którym sieci działają na procesorze:',
  'Recommended for a machine with built-in graphics:':
    'Polecane dla komputera ze zintegrowaną grafiką:',
  'Recommended for a machine with this graphics card:':
    'Polecane dla komputera z tą kartą graficzną:',
  'Recommended for a Mac with Apple silicon:': 'Polecane dla Maca z układem Apple:',
  installed: 'zainstalowany',
  'Fetch them? [Y/n]': 'Pobrać je? [T/n]',
  y: 't',
  'Nothing was fetched.': 'Niczego nie pobrano.',
  'There is nothing to fetch.': 'Nie ma nic do pobrania.',
  'To fetch: {size}.': 'Do pobrania: {size}.',
  '{model} becomes the default of its task if a photo of 12 megapixels takes at most {seconds} s here, and no other was chosen.':
    '{model} stanie się modelem domyślnym do swojego zastosowania, jeśli zdjęcie 12-megapikselowe zajmie tu najwyżej {seconds} s i nie wybrano innego modelu.',
  'The download was cancelled; what came stays.': 'Pobieranie anulowano; pobrana część zostaje.',
  'size not published': 'rozmiar nieopublikowany',
  'not published': 'nieopublikowany',
  'trained on: {data}': 'trenowany na: {data}',
  'its memory was not measured': 'zużycie pamięci niezmierzone',
  'takes about {size} of memory, as others measured it':
    'zajmuje około {size} pamięci, według pomiaru innych',
  'takes about {size} of memory': 'zajmuje około {size} pamięci',
  'Trying it out.': 'Wypróbowywanie.',
  '{size} are here.': 'Pobrano {size}.',
  'Waiting for its turn.': 'Oczekiwanie na swoją kolej.',
  'Reading the files.': 'Odczytywanie plików.',
  'Trying it out on test pictures.': 'Wypróbowywanie na obrazach testowych.',
  '{done} of at most {count}': '{done} z najwyżej {count}',
  'Trying it out on test pictures: {done}.': 'Wypróbowywanie na obrazach testowych: {done}.',
  'Trying it out on test pictures: {done}, at most {time} left.':
    'Wypróbowywanie na obrazach testowych: {done}, zostało najwyżej {time}.',
  'Expected a model that `enlarger models` lists, or {own}, but received {id}.':
    'Podaj model z listy `enlarger models` albo {own}; podano {id}.',
  '--name is for one network, but {count} were given.':
    '--name dotyczy jednej sieci, a podano ich {count}.',
  'It enlarges {scales}:': 'Powiększa {scales}:',
  'It cuts out subjects:': 'Usuwa tło:',
  'It selects what clicks and boxes point at, once it is in use:':
    'Gdy jest używany, zaznacza to, co wskazują kliknięcia i ramki:',
  'Found: {facts}': 'Ustalono: {facts}',
  'Note: {note}': 'Uwaga: {note}',
  'There is no file or folder {name}.': 'Nie ma pliku ani folderu {name}.',
  'There is no network in the folder {folder}.': 'W folderze {folder} nie ma sieci.',
  'The service that was in use has ended. This command goes on without it.':
    'Używana usługa zakończyła pracę. To polecenie działa dalej bez niej.',
  'The service has ended. The same command goes on with what is not done.':
    'Usługa zakończyła pracę. To samo polecenie dokończy to, czego nie zrobiono.',
  'The queue is paused, so nothing begins: `enlarger resume` or the window lets it go on.':
    'Kolejka jest wstrzymana, więc nic się nie zaczyna: wznawia ją `enlarger resume` lub okno.',
  'Expected a file but {file} is none.': 'Podaj plik; {file} nim nie jest.',
  '{file} cannot be edited in its place: {reason}':
    'Nie można edytować pliku {file} w miejscu: {reason}',
  'Expected a result that has the format of {file}, but it became {result}. Choose a smaller scale, or enlarge it into a file of its own with `enlarger upscale`.':
    'Wynik powinien mieć format pliku {file}, a powstało: {result}. Wybierz mniejszą skalę albo powiększ zdjęcie do osobnego pliku poleceniem `enlarger upscale`.',
  none: 'nic',
  '{file} was changed by another program meanwhile, so it was left as it is.':
    'Plik {file} został w międzyczasie zmieniony przez inny program, więc pozostawiono go bez zmian.',
  '{count} originals of {file} are kept already; remove some.':
    'Liczba przechowywanych oryginałów {file} to już {count}; usuń niektóre.',
  'Its name is not UTF-8 and cannot be opened; rename it (convmv does so for many).':
    'Nazwa nie jest w UTF-8 i nie można jej otworzyć; zmień ją (dla wielu plików robi to convmv).',
  'All pictures in this folder were made by Enlarger; --include-results takes them too.':
    'Wszystkie obrazy w tym folderze utworzył Enlarger; --include-results uwzględnia także takie obrazy.',
  'There are no pictures in this folder. Links in it are not followed; name what they lead to.':
    'W tym folderze nie ma obrazów. Dowiązania nie są w nim śledzone; podaj to, do czego prowadzą.',
  'It cannot be read: you have no right to read it.':
    'Nie można tego odczytać: brak uprawnień do odczytu.',
  'No file matches this pattern.': 'Żaden plik nie pasuje do tego wzorca.',
  'There is no such file.': 'Nie ma takiego pliku.',
  'The result cannot be saved in {folder}: {reason}':
    'Nie można zapisać wyniku w {folder}: {reason}',
  'Expected --amount-mask everywhere, subject, background or painted beside --strokes.':
    'Razem z --strokes podaj --amount-mask everywhere, subject, background lub painted.',
  'for {formats}': 'dla {formats}',
  'how many times as wide; 1 only cleans (default: 2)':
    'skala szerokości i wysokości; 1 tylko oczyszcza (domyślnie: 2)',
  'also enlarges, this many times as wide; 1 only cleans':
    'także powiększa, w tej skali; 1 tylko oczyszcza',
  'Expected a background beside --format jpeg, which holds no transparency: --background white, another colour or blur, or --background-image.':
    'JPEG nie ma przezroczystości; z --format jpeg podaj tło: --background white, inny kolor lub blur albo --background-image.',
  'Expected --canvas beside --position, which is a place on it.':
    'Razem z --position podaj --canvas, czyli obszar roboczy z tym położeniem.',
  'Expected --scale or another size beside {flag}, which is about enlarging.':
    'Razem z {flag} podaj --scale lub inny rozmiar, bo dotyczy to powiększania.',
  'Expected only one of {flags}.': 'Podaj tylko jedną z opcji: {flags}.',
  'standard output': 'standardowe wyjście',
  'standard input': 'standardowe wejście',
  'Expected one picture for standard output but received {count}.':
    'Na standardowe wyjście może trafić jedno zdjęcie, a podano ich {count}.',
  '{model} has no strength of detail: --detail {detail} changes nothing.':
    '{model} nie ma siły szczegółów: --detail {detail} niczego nie zmienia.',
  '{model} cannot be told how much to take off: --restore {restore} changes nothing.':
    'Model {model} nie ma regulowanej siły oczyszczania: --restore {restore} niczego nie zmienia.',
  '{flag}: {model} is no model that enlarges; there are {models}.':
    '{flag}: {model} nie jest modelem powiększającym; dostępne: {models}.',
  '{flag}: {model} is no model that cuts out; there are {models}.':
    '{flag}: {model} nie jest modelem usuwającym tło; dostępne: {models}.',
  '{flag}: no model is called {model}; there are {models}.':
    '{flag}: żaden model nie nazywa się {model}; dostępne: {models}.',
  'without an ending': 'bez rozszerzenia',
  ', and others': ' i inne',
  '--preset: {preset} is for `enlarger {command}`.':
    '--preset: {preset} służy do `enlarger {command}`.',
  'The task has no result.': 'Zadanie nie ma wyniku.',
  'Then: {command}': 'Potem: {command}',
  'It cannot be read: {reason}': 'Nie można tego odczytać: {reason}',
  '{photo}: failed': '{photo}: nieudane',
  '{time} left': 'zostało {time}',
  '{photo}: skipped, {result} is there': '{photo}: pominięto, {result} już istnieje',
  'look at it, the network was not sure': 'sprawdź, sieć nie miała pewności',
  'probably poor, look at it': 'prawdopodobnie nieudane, sprawdź',
  'The same command goes on with them.': 'To samo polecenie je dokończy.',
  '--out: no result is written as {ending}; there are {endings}.':
    '--out: wyników nie można zapisywać jako {ending}; możliwe: {endings}.',
  'Expected - alone, because standard input is one photo.':
    '- musi stać samo, bo standardowe wejście to jedno zdjęcie.',
  'Expected a photo on standard input, as in - < photo.jpg.':
    'Podaj zdjęcie na standardowe wejście, np. - < photo.jpg.',
  'Expected --json or the result on standard output, not both.':
    'Możliwe jest --json albo wynik na standardowym wyjściu, nie oba naraz.',
  'Expected --out, a pipe or > for the result, not a terminal.':
    'Dla wyniku użyj --out, potoku lub >, a nie terminala.',
  'Expected --name or a file behind --out, not both.':
    'Możliwe jest --name albo plik po --out, nie oba naraz.',
  'There is no file {file}. If the result is to be called so: --out {file}.':
    'Nie ma pliku {file}. Jeśli tak ma się nazywać wynik: --out {file}.',
  'Expected a folder behind --out for {count} pictures but received {file}.':
    'Przy tylu zdjęciach ({count}) po --out podaj folder; podano {file}.',
  'Expected one format, but --format is {format} and --out ends in {ending}.':
    'Możliwy jest jeden format, a --format to {format}, natomiast --out kończy się na {ending}.',
  'Its result would take its own place. Choose another --name or --out; `enlarger edit-in` enlarges in place and keeps the original.':
    'Wynik zastąpiłby samo zdjęcie. Wybierz inne --name lub --out; `enlarger edit-in` powiększa w miejscu i zachowuje oryginał.',
  'Its result would be called as that of {photo}. Choose --on-conflict number, or a --name with {n}.':
    'Wynik nazywałby się tak jak wynik {photo}. Wybierz --on-conflict number albo --name z {n}.',
  'The result ended after {size} of {total} bytes.': 'Wynik urwał się po {size} z {total} bajtów.',
  'The service answered without a result.': 'Usługa odpowiedziała bez wyniku.',
  'width instead of a scale; the nearest scale is made, then resampled':
    'szerokość zamiast skali; powiększa w najbliższej skali, potem przeskalowuje',
  'height instead of a scale': 'wysokość zamiast skali',
  'longer side instead of a scale': 'dłuższy bok zamiast skali',
  'megapixels instead of a scale': 'megapiksele zamiast skali',
  'sharpens the result': 'wyostrza wynik',
  'how much compression, noise and softness is removed; auto: as measured':
    'jak mocno usuwane są ślady kompresji, szum i rozmycie; auto: według pomiaru',
  "adds grain; auto: like the photo's own": 'dodaje ziarno; auto: jak na zdjęciu',
  "faithful: reduced with the cubic kernel, the result equals the photo within 1 level; colours: it has the photo's colours":
    'faithful: wynik pomniejszony dwusześciennie jest równy zdjęciu z dokładnością do 1 poziomu; colours: ma kolory zdjęcia',
  'how much --model detail adds beyond Natural': 'ile --model detail dodaje ponad Natural',
  "opacity of the model's result over a plain enlargement":
    'krycie wyniku modelu na zwykłym powiększeniu',
  "where the model's result is used; elsewhere a plain enlargement":
    'gdzie używany jest wynik modelu; gdzie indziej zwykłe powiększenie',
  'file format': 'format pliku',
  'bits per channel': 'bity na kanał',
  'which metadata is copied': 'które metadane są kopiowane',
  'higher priorities run first': 'wyższe priorytety są wykonywane najpierw',
  'when the name is taken': 'gdy nazwa jest zajęta',
  'what comes first, beside a size': 'co następuje najpierw, gdy podano rozmiar',
  'transparent, blur or a colour such as #ffffff, white or teal':
    'transparent, blur lub kolor, np. #ffffff, white lub teal',
  'crops to the subject, with this margin': 'kadruje do obiektu, z tym marginesem',
  'soft shadow under the subject': 'miękki cień pod obiektem',
  'how much of the canvas the subject fills': 'jaką część obszaru roboczego wypełnia obiekt',
  'softens the edge inwards': 'zmiękcza krawędź do wewnątrz',
  "how much of the background's colour is removed from the edge":
    'ile koloru tła jest usuwane z krawędzi',
  'how many': 'ile',
  'Enlarges photographs and cuts out their subjects with neural networks on this machine.':
    'Powiększa zdjęcia i usuwa z nich tło za pomocą sieci neuronowych na tym komputerze.',
  'enlarge photos, whole folders and patterns such as "shots/**/*.jpg"':
    'powiększa zdjęcia, także całe foldery i wzorce, np. "shots/**/*.jpg"',
  'JSON: strokes over --amount-mask': 'JSON: pociągnięcia na --amount-mask',
  'length on paper instead of a scale: 40cm, 16in, width:400mm; @240 for another resolution than 300 pixels per inch':
    'długość na papierze zamiast skali: 40cm, 16in, width:400mm; @240 dla rozdzielczości innej niż 300 pikseli na cal',
  'a model that `enlarger models` lists': 'model z listy `enlarger models`',
  'a preset of `enlarger presets`, which other options override':
    'preset z `enlarger presets`; inne opcje mają pierwszeństwo',
  'folder of the results, or file of a single one, or - for standard output (default: beside each photo)':
    'folder wyników albo plik jednego wyniku, albo - dla standardowego wyjścia (domyślnie: obok każdego zdjęcia)',
  'name of the results': 'nazwa wyników',
  'the same as --on-conflict overwrite': 'to samo co --on-conflict overwrite',
  'include pictures that Enlarger made': 'uwzględnia obrazy utworzone przez Enlargera',
  'make everything anew, even if this command was interrupted before':
    'tworzy wszystko od nowa, nawet jeśli to polecenie wcześniej przerwano',
  'send the photos instead of granting access to their folders':
    'wysyła zdjęcia, zamiast udostępniać ich foldery',
  'one line of JSON per picture': 'jeden wiersz JSON na zdjęcie',
  "the service's data folder": 'folder danych usługi',
  'the address of a running service': 'adres działającej usługi',
  'its API key (default: cli.key in the data folder)':
    'jej klucz API (domyślnie: cli.key w folderze danych)',
  'files, folders or patterns; - for standard input':
    'pliki, foldery lub wzorce; - dla standardowego wejścia',
  'cut out the subjects of photos': 'usuwa tło ze zdjęć i zostawia obiekt',
  'a point on an object that belongs to the subject, as in 0.4,0.25; repeatable':
    'punkt na przedmiocie, który należy do obiektu, np. 0.4,0.25; można powtarzać',
  'a point on an object that does not; repeatable':
    'punkt na przedmiocie, który do niego nie należy; można powtarzać',
  'a box around the subject, as in 0.1,0.2,0.5,0.6; repeatable':
    'ramka wokół obiektu, np. 0.1,0.2,0.5,0.6; można powtarzać',
  'a box around an object that does not belong to it; repeatable':
    'ramka wokół przedmiotu, który do niego nie należy; można powtarzać',
  'JSON: strokes over the mask that was found': 'JSON: pociągnięcia na znalezionej masce',
  'model that enlarges, beside a size': 'model, który powiększa, gdy podano rozmiar',
  'picture behind the subject: a file or an address': 'obraz za obiektem: plik lub adres',
  'size of the result, as in 2000x2000': 'rozmiar wyniku, np. 2000x2000',
  'place of the subject on the canvas in percent, as in 50,100':
    'położenie obiektu na obszarze roboczym w procentach, np. 50,100',
  'makes the mask itself, as a grey picture of 16 bits':
    'tworzy samą maskę, jako 16-bitowy obraz w odcieniach szarości',
  'enlarge a file in its place, as "edit in" of other programs needs it':
    'powiększa plik w miejscu, jak wymaga tego "edytuj w" innych programów',
  'keep no copy of the original beside it': 'nie zachowuje obok kopii oryginału',
  'keeps its name, format, depth, profile and metadata':
    'zachowuje nazwę, format, głębię bitową, profil i metadane',
  "install the script that enlarges as a target of darktable's export":
    'instaluje skrypt, który powiększa jako cel eksportu darktable',
  "darktable's folder": 'folder darktable',
  "install the preset that enlarges under Lightroom Classic's Edit In":
    'instaluje preset, który powiększa z menu "Edit In" programu Lightroom Classic',
  "Lightroom's folder (default: where it makes it)":
    'folder Lightrooma (domyślnie: tam, gdzie tworzy go Lightroom)',
  'how many times as wide; 1 only cleans': 'skala szerokości i wysokości; 1 tylko oczyszcza',
  'list the newest tasks': 'wyświetla najnowsze zadania',
  'one JSON line a task': 'jeden wiersz JSON na zadanie',
  'cancel waiting or running tasks': 'anuluje oczekujące lub trwające zadania',
  'try failed tasks again; what only could not be saved is not enlarged again':
    'ponawia nieudane zadania; to, czego nie udało się tylko zapisać, nie jest ponownie powiększane',
  'as `enlarger tasks` lists them': 'tak, jak wyświetla je `enlarger tasks`',
  'let no task begin': 'wstrzymuje kolejkę: żadne zadanie się nie zaczyna',
  'let the queue go on': 'wznawia kolejkę',
  'list, add and remove models': 'wyświetla, dodaje i usuwa modele',
  'fetch the recommended ones without a question': 'pobiera polecane bez pytania',
  'list the models': 'wyświetla modele',
  'one JSON line a model': 'jeden wiersz JSON na model',
  'add models from their files': 'dodaje modele z ich plików',
  'what it is called here': 'jak się tu nazywa',
  'on what terms it may be used': 'na jakich warunkach wolno go używać',
  'who made it': 'kto go utworzył',
  'the model as JSON': 'model jako JSON',
  '.onnx (with its data file, or an encoder with its decoder), .param and .bin, .pth, .safetensors, or a folder with one or more':
    '.onnx (z plikiem danych albo koder z dekoderem), .param i .bin, .pth, .safetensors albo folder z jednym lub kilkoma modelami',
  'fetch a model from its publisher; without an id: list them':
    'pobiera model od wydawcy; bez identyfikatora: wyświetla modele',
  'recommended: those for this machine; their sizes are printed first':
    'recommended: modele dla tego komputera; najpierw są wypisywane ich rozmiary',
  'use a model where none is named; of those that select, for clicks and boxes':
    'używa tego modelu tam, gdzie żadnego nie podano; model, który zaznacza, służy do kliknięć i ramek',
  'own: the model that cuts out selects by itself': 'own: model, który usuwa tło, sam zaznacza',
  'put right how an added model is used': 'poprawia sposób użycia dodanego modelu',
  'as in \'{"channels":"BGR","marginPx":24}\'': 'np. \'{"channels":"BGR","marginPx":24}\'',
  'a third model between two that were added': 'miesza z dwóch dodanych modeli trzeci, pośredni',
  'how much of the other one, 0 to 1': 'udział drugiego, od 0 do 1',
  'remove models that were added': 'usuwa dodane modele',
  'also while tasks wait for them': 'także gdy czekają na nie zadania',
  'list what networks run on, choose one, and fetch or remove files that it needs':
    'wyświetla urządzenia, na których działają sieci, wybiera jedno oraz pobiera lub usuwa potrzebne mu pliki',
  'list the devices, and why one is not used':
    'wyświetla urządzenia i powody, dla których któreś nie jest używane',
  'choose what networks run on, unless a photo says otherwise':
    'wybiera, na czym działają sieci, jeśli zdjęcie nie wymaga czegoś innego',
  'which of several graphics cards, by its number in `list`':
    'przy kilku kartach graficznych numer, który podaje `list`',
  'auto: the fastest': 'auto: najszybsze',
  "fetch a device's files; without an id: list what there is":
    'pobiera pliki urządzenia; bez identyfikatora: wyświetla dostępne',
  'such as cuda-12': 'np. cuda-12',
  "install a device's files from their archive on this machine":
    'instaluje pliki urządzenia z ich archiwum na tym komputerze',
  'as its publisher has it, .tgz': 'takie, jakie udostępnia wydawca, .tgz',
  "remove a device's files": 'usuwa pliki urządzenia',
  'process what arrives in a folder': 'przetwarza to, co trafia do folderu',
  'a preset that `enlarger presets` lists (required)':
    'preset z listy `enlarger presets` (wymagany)',
  'where the results go, in the same subfolders (required)':
    'dokąd trafiają wyniki, do takich samych podfolderów (wymagane)',
  'leave subfolders out': 'pomija podfoldery',
  'leave out what is there already': 'pomija to, co już w nim jest',
  'list the watched folders, remove some': 'wyświetla obserwowane foldery, usuwa je',
  'watch folders no more; what was made of them stays':
    'przestaje obserwować foldery; wyniki zostają',
  'list the watched folders': 'wyświetla obserwowane foldery',
  'one JSON line a folder': 'jeden wiersz JSON na folder',
  'list, make and remove presets': 'wyświetla, tworzy i usuwa presety',
  'list the presets': 'wyświetla presety',
  'one JSON line a preset': 'jeden wiersz JSON na preset',
  'keep options of `enlarger upscale` under a name': 'zapisuje opcje `enlarger upscale` pod nazwą',
  'keep options of `enlarger cutout` under a name': 'zapisuje opcje `enlarger cutout` pod nazwą',
  'write presets to a JSON file': 'zapisuje presety do pliku JSON',
  'the page and `presets import` read it': 'odczytują go strona i `presets import`',
  'all when none is named': 'wszystkie, gdy żadnego nie podano',
  'take presets from such a file': 'wczytuje presety z takiego pliku',
  'remove presets': 'usuwa presety',
  'list the folders that Enlarger may read and write, grant more, take some back':
    'wyświetla foldery, które Enlarger może odczytywać i zapisywać, udostępnia kolejne, cofa udostępnienia',
  'list the folders': 'wyświetla foldery',
  'grant folders, or single files': 'udostępnia foldery lub pojedyncze pliki',
  'take grants back': 'cofa udostępnienia',
  'as `list` shows it': 'tak, jak pokazuje `list`',
  'let this machine help the others of a pool': 'pozwala temu komputerowi pomagać innym w puli',
  'a folder that all machines see, or s3://bucket/prefix?endpoint=https://nas:9000':
    'folder widoczny dla wszystkich komputerów albo s3://bucket/prefix?endpoint=https://nas:9000',
  "the queue's password (default: ENLARGER_POOL_PASSWORD)":
    'hasło kolejki (domyślnie: ENLARGER_POOL_PASSWORD)',
  'encrypts pictures on their way; `enlarger pool key` makes one':
    'szyfruje przesyłane obrazy; taki plik tworzy `enlarger pool key`',
  'of Valkey or Redis: redis://nas:6379, rediss://user@nas:6379':
    'adres Valkey lub Redis: redis://nas:6379, rediss://user@nas:6379',
  'say who helps, and how fast all are together':
    'pokazuje, kto pomaga i jak szybkie są wszystkie komputery razem',
  'as JSON': 'jako JSON',
  "let a pool's helpers run this machine's tasks":
    'pozwala komputerom z puli wykonywać zadania tego komputera',
  'use and help no pool any more': 'przestaje używać puli i jej pomagać',
  'make a file with a new key; all machines of a pool need the same one':
    'tworzy plik z nowym kluczem; wszystkie komputery puli potrzebują tego samego',
  'open the page of the running service, or of its own one':
    'otwiera stronę działającej usługi albo własnej',
  'run the service without a window, for other programs, until Ctrl+C':
    'uruchamia usługę bez okna, dla innych programów, aż do Ctrl+C',
  '8617 or the next free one by default; 0: any free one':
    'domyślnie 8617 lub następny wolny; 0: dowolny wolny',
  'answers programs written for other services (remove.bg, rembg, OpenAI, AUTOMATIC1111) there too; 0: any free one':
    'odpowiada tam także programom napisanym dla innych usług (remove.bg, rembg, OpenAI, AUTOMATIC1111); 0: dowolny wolny',
  'its files may be named as file: sources and saveTo; may be given several times':
    'jego pliki można podawać jako źródła file: i saveTo; można powtarzać',
  'is in the queue of its page; may be given several times, as a file or a folder':
    'jest w kolejce jego strony; można powtarzać, jako plik lub folder',
  'fetch pictures from this machine and its network too':
    'pobiera obrazy także z tego komputera i jego sieci',
  'serve the tools for agents (Model Context Protocol) on standard input and output':
    'udostępnia narzędzia dla agentów (Model Context Protocol) na standardowym wejściu i wyjściu',
  "a folder that may be read and written, beside those granted and the client's roots; may be given several times":
    'folder, który można odczytywać i zapisywać, oprócz udostępnionych i głównych folderów klienta (roots); można powtarzać',
  'print the manual page, for man -l -': 'wypisuje stronę podręcznika, dla man -l -',
  'Generate shell completion scripts': 'tworzy skrypty uzupełniania dla powłoki',
  'Shell type for completion script': 'rodzaj powłoki',
  'Generate completion suggestions': 'tworzy propozycje uzupełnień',
  'Usage:': 'Użycie:',
  'Options:': 'Opcje:',
  'Commands:': 'Polecenia:',
  'Arguments:': 'Argumenty:',
  "error: unknown option '{first}'": "błąd: nieznana opcja '{first}'",
  "error: unknown command '{first}'": "błąd: nieznane polecenie '{first}'",
  "error: too many arguments for '{first}'. {rest}":
    "błąd: za dużo argumentów dla '{first}'. {rest}",
  'Expected {count} arguments but got {second}.': 'Oczekiwano: {count}, podano: {second}.',
  'Expected 1 argument but got {second}.': 'Oczekiwano: 1, podano: {second}.',
  "error: missing required argument '{first}'": "błąd: brak argumentu '{first}'",
  "error: required option '{first}' not specified": "błąd: brak wymaganej opcji '{first}'",
  "error: option '{first}' argument missing": "błąd: brak wartości opcji '{first}'",
  "error: option '{first}' argument '{second}' is invalid. {rest}":
    "błąd: opcja '{first}' nie przyjmuje wartości '{second}'. {rest}",
  "error: command-argument value '{first}' is invalid for argument '{second}'. {rest}":
    "błąd: '{first}' nie jest wartością argumentu '{second}'. {rest}",
  '(Did you mean one of {first}?)': '(Czy chodziło o jedno z: {first}?)',
  'Allowed choices are {choices}.': 'Dozwolone wartości: {choices}.',
  'the fields {fields}': 'pola {fields}',
  '(Did you mean {first}?)': '(Czy chodziło o {first}?)',
  'you have no right to write there.': 'brak uprawnień do zapisu w tym miejscu.',
  'there is no such folder or file, or none can be made there.':
    'nie ma takiego folderu ani pliku albo nie można go tam utworzyć.',
  'the disk is full. Free some space, or choose another folder.':
    'dysk jest pełny. Zwolnij miejsce albo wybierz inny folder.',
  'your share of the disk is used up. Free some space, or choose another folder.':
    'Twój limit miejsca na dysku jest wykorzystany. Zwolnij miejsce albo wybierz inny folder.',
  'a file or folder is not there (any more).': 'pliku lub folderu (już) nie ma.',
  'the system does not allow it.': 'system na to nie pozwala.',
  'the disk is read-only.': 'dysk jest tylko do odczytu.',
  'the disk is full.': 'dysk jest pełny.',
  'too many files are open.': 'otwarto zbyt wiele plików.',
  'another program holds a file.': 'inny program blokuje plik.',
  'a folder is where a file was expected.': 'w miejscu oczekiwanego pliku jest folder.',
  'there is something of that name already.': 'coś o tej nazwie już istnieje.',
  'a name is too long.': 'nazwa jest za długa.',
  'another program uses that port.': 'inny program używa tego portu.',
  'the disk reports a fault.': 'dysk zgłasza błąd.',
  'the folder of the network was mounted anew or is gone.':
    'folder sieciowy zamontowano na nowo lub już go nie ma.',
  'the folder of the network is gone.': 'folderu sieciowego już nie ma.',
  'links lead round in circles.': 'dowiązania tworzą pętlę.',
  '{count} done': {
    one: 'ukończone: {count}',
    few: 'ukończone: {count}',
    many: 'ukończone: {count}',
    other: 'ukończone: {count}',
  },
  '{count} presets': {
    one: '{count} preset',
    few: '{count} presety',
    many: '{count} presetów',
    other: '{count} presetu',
  },
  'This command was interrupted before (begun {time}) and goes on: {count} pictures had been given to the queue. --again makes all anew.':
    {
      one: 'To polecenie wcześniej przerwano (początek: {time}) i jest kontynuowane: w kolejce było już {count} zdjęcie. --again tworzy wszystko od nowa.',
      few: 'To polecenie wcześniej przerwano (początek: {time}) i jest kontynuowane: w kolejce były już {count} zdjęcia. --again tworzy wszystko od nowa.',
      many: 'To polecenie wcześniej przerwano (początek: {time}) i jest kontynuowane: w kolejce było już {count} zdjęć. --again tworzy wszystko od nowa.',
      other:
        'To polecenie wcześniej przerwano (początek: {time}) i jest kontynuowane: w kolejce było już {count} zdjęcia. --again tworzy wszystko od nowa.',
    },
  '{count} pictures that waited before go on now, too; `enlarger tasks` lists them.': {
    one: '{count} zdjęcie, które już oczekiwało, też jest teraz przetwarzane; wyświetla je `enlarger tasks`.',
    few: '{count} zdjęcia, które już oczekiwały, też są teraz przetwarzane; wyświetla je `enlarger tasks`.',
    many: '{count} zdjęć, które już oczekiwały, też jest teraz przetwarzanych; wyświetla je `enlarger tasks`.',
    other:
      '{count} zdjęcia, które już oczekiwało, też jest teraz przetwarzane; wyświetla je `enlarger tasks`.',
  },
  '{count} files that are no pictures were left out: {endings}.': {
    one: 'Pominięto {count} plik, który nie jest obrazem: {endings}.',
    few: 'Pominięto {count} pliki, które nie są obrazami: {endings}.',
    many: 'Pominięto {count} plików, które nie są obrazami: {endings}.',
    other: 'Pominięto {count} pliku, który nie jest obrazem: {endings}.',
  },
  '{count} pictures that Enlarger made were left out; --include-results takes them too.': {
    one: 'Pominięto {count} obraz utworzony przez Enlargera; --include-results uwzględnia także ten obraz.',
    few: 'Pominięto {count} obrazy utworzone przez Enlargera; --include-results uwzględnia także je.',
    many: 'Pominięto {count} obrazów utworzonych przez Enlargera; --include-results uwzględnia także je.',
    other:
      'Pominięto {count} obrazu utworzonego przez Enlargera; --include-results uwzględnia także je.',
  },
  'Of {count} pictures: {note}': {
    one: 'Dotyczy {count} zdjęcia: {note}',
    few: 'Dotyczy {count} zdjęć: {note}',
    many: 'Dotyczy {count} zdjęć: {note}',
    other: 'Dotyczy {count} zdjęcia: {note}',
  },
  '{count} frames': {
    one: '{count} klatka',
    few: '{count} klatki',
    many: '{count} klatek',
    other: '{count} klatki',
  },
  '{count} skipped': {
    one: 'pominięte: {count}',
    few: 'pominięte: {count}',
    many: 'pominięte: {count}',
    other: 'pominięte: {count}',
  },
  '{count} failed': {
    one: 'nieudane: {count}',
    few: 'nieudane: {count}',
    many: 'nieudane: {count}',
    other: 'nieudane: {count}',
  },
  '{count} stopped': {
    one: 'zatrzymane: {count}',
    few: 'zatrzymane: {count}',
    many: 'zatrzymane: {count}',
    other: 'zatrzymane: {count}',
  },
  '{count} not begun': {
    one: 'nierozpoczęte: {count}',
    few: 'nierozpoczęte: {count}',
    many: 'nierozpoczęte: {count}',
    other: 'nierozpoczęte: {count}',
  },
  '{count} pictures in {time}': {
    one: '{count} zdjęcie w {time}',
    few: '{count} zdjęcia w {time}',
    many: '{count} zdjęć w {time}',
    other: '{count} zdjęcia w {time}',
  },
  idle: 'wolny',
  working: 'pracuje',
  busy: 'zajęty',
  away: 'nieobecny',
  'left out': 'pominięty',
  watching: 'obserwowany',
  paused: 'wstrzymany',
  unavailable: 'niedostępny',
  unchecked: 'niesprawdzone',
  'in use': 'w użyciu',
  available: 'dostępne',
  'not used': 'nieużywane',
  NAME: 'NAZWA',
  SYNOPSIS: 'SKŁADNIA',
  DESCRIPTION: 'OPIS',
  COMMANDS: 'POLECENIA',
  'EXIT STATUS': 'KOD ZAKOŃCZENIA',
  command: 'polecenie',
  options: 'opcje',
  'files and folders': 'pliki i foldery',
};
