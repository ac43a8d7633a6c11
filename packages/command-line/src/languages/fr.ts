import type { Catalogue } from '../catalogue.ts';

export const fr: Catalogue = {
  'a file of that name is there.': 'un fichier de ce nom existe déjà.',
  'The folder {folder} cannot be made: {reason}':
    'Le dossier {folder} ne peut pas être créé : {reason}',
  'The result cannot be written to standard output: {reason}':
    'Le résultat ne peut pas être écrit sur la sortie standard : {reason}',
  '{file} cannot be read: {reason}': '{file} ne peut pas être lu : {reason}',
  'Interrupted.': 'Interrompu.',
  'The program that started this one is gone.': 'Le programme qui a lancé celui-ci n’est plus là.',
  'The reader of the output is gone.': 'Plus rien ne lit la sortie.',
  'error: {message}': 'erreur : {message}',
  'No task has the id {id}.': 'Aucune tâche n’a l’ID {id}.',
  '`{command}` lists no {id}.': '`{command}` ne liste aucun {id}.',
  'There are no tasks.': 'Il n’y a pas de tâches.',
  waiting: 'en attente',
  running: 'en cours',
  finished: 'terminée',
  failed: 'échec',
  cancelled: 'annulée',
  'The queue is paused.': 'La file d’attente est en pause.',
  'The queue runs.': 'La file d’attente est en marche.',
  'Expected --url to be an address but received {url}.':
    '--url demande une adresse, mais a reçu {url}.',
  'No service answers at {url}.': 'Aucun service ne répond à {url}.',
  '{file} is written. Start darktable again, and export to "enlarge with Enlarger".':
    '{file} est écrit. Redémarrez darktable et exportez vers "enlarge with Enlarger".',
  'Expected Windows or macOS, where Lightroom Classic runs.':
    'Il faut Windows ou macOS, où Lightroom Classic fonctionne.',
  '{file} is written. Start Lightroom Classic again; it stands under Photo, Edit In.':
    '{file} est écrit. Redémarrez Lightroom Classic ; Enlarger se trouve sous Photo, Modifier dans.',
  'Its results went to {folder} until now.': 'Jusqu’ici, ses résultats allaient dans {folder}.',
  'Expected a folder that `enlarger watches` lists; nothing was removed.':
    'Il faut un dossier que liste `enlarger watches` ; rien n’a été retiré.',
  'No folders are granted.': 'Aucun dossier n’est autorisé.',
  'Expected a folder that `enlarger grants` lists; nothing was taken back.':
    'Il faut un dossier que liste `enlarger grants` ; aucune autorisation n’a été retirée.',
  'The service was started with this folder, and keeps it until it ends.':
    'Le service a été lancé avec ce dossier et le garde jusqu’à son arrêt.',
  choices: 'choix ',
  default: 'par défaut ',
  'Each command uses the service that runs on this machine, or one of its own that ends with it.':
    'Chaque commande utilise le service qui tourne sur cet ordinateur, ou le sien, qui se termine avec elle.',
  'Nothing leaves the machine but requests for what you name: addresses of photos, and models to fetch.':
    'Rien ne quitte l’ordinateur, sauf les requêtes pour ce que vous indiquez : adresses de photos et modèles à télécharger.',
  'All is well.': 'Tout s’est bien passé.',
  'A picture or the command failed.': 'Une image ou la commande a échoué.',
  'The words were wrong.': 'La commande n’a pas été comprise.',
  'It was interrupted; its own tasks were cancelled first.':
    'Elle a été interrompue ; ses propres tâches ont d’abord été annulées.',
  'Expected a length such as 40cm, 16in, short:30cm or width:400mm, and after an @ from 10 to 4800 pixels an inch.':
    'Il faut une longueur comme 40cm, 16in, short:30cm ou width:400mm et, après un @, de 10 à 4800 pixels par pouce.',
  'Expected width and height in pixels, as in 2000x2000.':
    'Il faut la largeur et la hauteur en pixels, comme 2000x2000.',
  'Expected two numbers from 0 to 100, as in 50,100.':
    'Il faut deux nombres de 0 à 100, comme 50,100.',
  "Expected a place as shares of the photo's width and height, as in 0.4,0.25 or 40%,25%.":
    'Il faut un endroit en fractions de la largeur et de la hauteur de la photo, comme 0.4,0.25 ou 40%,25%.',
  "Expected x, y, width and height as shares of the photo's width and height, as in 0.1,0.2,0.5,0.6 or 10%,20%,50%,60%.":
    'Il faut x, y, largeur et hauteur en fractions de la largeur et de la hauteur de la photo, comme 0.1,0.2,0.5,0.6 ou 10%,20%,50%,60%.',
  'Expected a list of strokes, as in {example}.': 'Il faut une liste de traits, comme {example}.',
  'Expected a file with JSON: {reason}.': 'Il faut un fichier avec du JSON : {reason}.',
  'Expected JSON with {what}.': 'Il faut du JSON avec {what}.',
  'more than {min}, up to {max}': 'plus de {min}, jusqu’à {max}',
  '{min} to {max}': '{min} à {max}',
  'a whole number from {min} to {max}': 'un nombre entier de {min} à {max}',
  'a number from {min} to {max}': 'un nombre de {min} à {max}',
  'Expected {what}.': 'Valeur attendue : {what}.',
  'Expected a file name for --name but received a path: {name}':
    '--name demande un nom de fichier, mais a reçu un chemin : {name}',
  'Expected {fields} in --name but received {name}': '--name accepte {fields}, mais a reçu {name}',
  'No browser could be opened here: open the link above in one, once.':
    'Aucun navigateur n’a pu être ouvert ici : ouvrez le lien ci-dessus dans un navigateur ; il sert une seule fois.',
  'The page works until you end this command with Ctrl+C.':
    'La page fonctionne jusqu’à ce que vous arrêtiez cette commande avec Ctrl+C.',
  'The pool does not answer.': 'Le groupe ne répond pas.',
  'This machine helps. Its own tasks go first.':
    'Cet ordinateur aide. Ses propres tâches passent en premier.',
  'It helps until you end this command with Ctrl+C.':
    'Il aide jusqu’à ce que vous arrêtiez cette commande avec Ctrl+C.',
  'Until the pool answers, tasks run here.':
    'En attendant que le groupe réponde, les tâches sont traitées sur cet ordinateur.',
  'This machine is in no pool.': 'Cet ordinateur n’est dans aucun groupe.',
  'There is no pool.': 'Il n’y a pas de groupe.',
  'Connecting.': 'Connexion en cours.',
  'Connected.': 'Connecté.',
  'Nobody helps yet.': 'Personne n’aide encore.',
  'Together {times} times as fast as this machine.':
    'Ensemble, {times} fois plus rapides que cet ordinateur.',
  'this machine': 'cet ordinateur',
  '{number} megapixels/s': '{number} mégapixels/s',
  '{file} cannot be written: {reason}': '{file} ne peut pas être écrit : {reason}',
  '{file}: bring it to every machine of the pool, and name it there with --key-file.':
    '{file} : copiez-le sur chaque ordinateur du groupe et indiquez-le avec --key-file.',
  'Expected the password in the address or in --password-file, not in both.':
    'Il faut le mot de passe dans l’adresse ou dans --password-file, pas dans les deux.',
  'Other users of this machine see the password in the address while this command runs: leave it out, and give it by --password-file or {variable}.':
    'D’autres utilisateurs de cet ordinateur voient le mot de passe de l’adresse pendant l’exécution de cette commande : omettez-le et donnez-le par --password-file ou {variable}.',
  'Other users of this machine see the secret in --storage while this command runs: leave KEY:SECRET out, and set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or use ~/.aws/credentials.':
    'D’autres utilisateurs de cet ordinateur voient le secret de --storage pendant l’exécution de cette commande : omettez KEY:SECRET et définissez AWS_ACCESS_KEY_ID et AWS_SECRET_ACCESS_KEY, ou utilisez ~/.aws/credentials.',
  'Expected a password in {file}, which is empty.':
    'Il faut un mot de passe dans {file}, qui est vide.',
  'There are no presets.': 'Il n’y a pas de préréglages.',
  'Expected {file} to be a file that `presets export` wrote.':
    '{file} doit être un fichier écrit par `presets export`.',
  'none yet': 'aucun pour l’instant',
  'No preset is called {name}; there are {presets}.':
    'Aucun préréglage ne s’appelle {name} ; disponibles : {presets}.',
  'output the version number': 'afficher la version',
  'display help for command': 'afficher l’aide de la commande',
  'It is watched as long as Enlarger, with or without a window, is running.':
    'Il est surveillé tant qu’Enlarger tourne, avec ou sans fenêtre.',
  'It is watched until you end this command with Ctrl+C.':
    'Il est surveillé jusqu’à ce que vous arrêtiez cette commande avec Ctrl+C.',
  'It failed.': 'Échec.',
  skipped: 'ignorée',
  'No folders are watched.': 'Aucun dossier n’est surveillé.',
  '{done} of {count} done, {failed} failed': '{done} sur {count} terminées, {failed} en échec',
  'Added {id}.': 'Ajouté : {id}.',
  'Expected a whole number from 0 to 15.': 'Il faut un nombre entier de 0 à 15.',
  'Expected a card that `enlarger devices` lists, but it is number {number} and the system lists {count}.':
    'Il faut une carte que liste `enlarger devices` ; le numéro {number} a été indiqué et le système en compte {count}.',
  'this system has none': 'ce système n’en a pas',
  'Chosen: {device}': 'Choisi : {device}',
  'Chosen: {device}, which cannot be used: {reason}':
    'Choisi : {device}, qui est inutilisable : {reason}',
  'card {number}: {name}': 'carte {number} : {name}',
  'Needs {needs}.': 'Demande {needs}.',
  'No device of this system needs files beside Enlarger.':
    'Aucun appareil de ce système ne demande de fichiers en plus d’Enlarger.',
  'There are no models to fetch.': 'Il n’y a pas de modèles à télécharger.',
  'Recommended for a machine whose networks run on its processor:':
    'Recommandés pour un ordinateur dont les réseaux tournent sur le processeur :',
  'Recommended for a machine with built-in graphics:':
    'Recommandés pour un ordinateur avec une puce graphique intégrée :',
  'Recommended for a machine with this graphics card:':
    'Recommandés pour un ordinateur avec cette carte graphique :',
  'Recommended for a Mac with Apple silicon:': 'Recommandés pour un Mac avec puce Apple :',
  installed: 'installé',
  'Fetch them? [Y/n]': 'Les télécharger ? [O/n]',
  y: 'o',
  'Nothing was fetched.': 'Rien n’a été téléchargé.',
  'There is nothing to fetch.': 'Il n’y a rien à télécharger.',
  'To fetch: {size}.': 'À télécharger : {size}.',
  '{model} becomes the default of its task if a photo of 12 megapixels takes at most {seconds} s here, and no other was chosen.':
    '{model} devient le modèle par défaut pour son usage si une photo de 12 mégapixels prend ici au plus {seconds} s et qu’aucun autre n’a été choisi.',
  'The download was cancelled; what came stays.':
    'Le téléchargement a été annulé ; ce qui est arrivé est conservé.',
  'size not published': 'taille non publiée',
  'not published': 'non publié',
  'trained on: {data}': 'entraîné sur : {data}',
  'its memory was not measured': 'mémoire non mesurée',
  'takes about {size} of memory, as others measured it':
    'occupe environ {size} de mémoire, selon des mesures d’autrui',
  'takes about {size} of memory': 'occupe environ {size} de mémoire',
  'Trying it out.': 'Essai en cours.',
  '{size} are here.': '{size} reçus.',
  'Waiting for its turn.': 'En attente de son tour.',
  'Reading the files.': 'Lecture des fichiers.',
  'Trying it out on test pictures.': 'Essai sur des images de test.',
  '{done} of at most {count}': '{done} sur {count} au plus',
  'Trying it out on test pictures: {done}.': 'Essai sur des images de test : {done}.',
  'Trying it out on test pictures: {done}, at most {time} left.':
    'Essai sur des images de test : {done}, encore {time} au plus.',
  'Expected a model that `enlarger models` lists, or {own}, but received {id}.':
    'Il faut un modèle que liste `enlarger models`, ou {own}, et non {id}.',
  '--name is for one network, but {count} were given.':
    '--name vaut pour un seul réseau, mais {count} ont été donnés.',
  'It enlarges {scales}:': 'Il agrandit {scales} :',
  'It cuts out subjects:': 'Il détoure les sujets :',
  'It selects what clicks and boxes point at, once it is in use:':
    'Il sélectionne ce que désignent les clics et les cadres, une fois utilisé :',
  'Found: {facts}': 'Détecté : {facts}',
  'Note: {note}': 'Remarque : {note}',
  'There is no file or folder {name}.': 'Il n’y a pas de fichier ni de dossier {name}.',
  'There is no network in the folder {folder}.': 'Il n’y a pas de réseau dans le dossier {folder}.',
  'The service that was in use has ended. This command goes on without it.':
    'Le service utilisé s’est arrêté. Cette commande continue sans lui.',
  'The service has ended. The same command goes on with what is not done.':
    'Le service s’est arrêté. Relancez la même commande pour reprendre ce qui n’est pas fait.',
  'The queue is paused, so nothing begins: `enlarger resume` or the window lets it go on.':
    'La file d’attente est en pause, donc rien ne commence : `enlarger resume` ou la fenêtre la fait reprendre.',
  'Expected a file but {file} is none.': 'Il faut un fichier, mais {file} n’en est pas un.',
  '{file} cannot be edited in its place: {reason}':
    '{file} ne peut pas être modifié sur place : {reason}',
  'Expected a result that has the format of {file}, but it became {result}. Choose a smaller scale, or enlarge it into a file of its own with `enlarger upscale`.':
    'Le résultat doit avoir le format de {file}, mais voici ce qui a été obtenu : {result}. Choisissez un facteur plus petit, ou agrandissez la photo dans un fichier à part avec `enlarger upscale`.',
  none: 'rien',
  '{file} was changed by another program meanwhile, so it was left as it is.':
    '{file} a été modifié entre-temps par un autre programme et est donc resté tel quel.',
  '{count} originals of {file} are kept already; remove some.':
    '{count} originaux de {file} sont déjà conservés ; supprimez-en quelques-uns.',
  'Its name is not UTF-8 and cannot be opened; rename it (convmv does so for many).':
    'Son nom n’est pas en UTF-8 et il ne peut pas être ouvert ; renommez-le (convmv le fait pour de nombreux fichiers).',
  'All pictures in this folder were made by Enlarger; --include-results takes them too.':
    'Toutes les images de ce dossier ont été faites par Enlarger ; --include-results les prend aussi.',
  'There are no pictures in this folder. Links in it are not followed; name what they lead to.':
    'Il n’y a pas d’images dans ce dossier. Ses liens ne sont pas suivis ; indiquez ce à quoi ils mènent.',
  'It cannot be read: you have no right to read it.':
    'Lecture impossible : vous n’avez pas l’autorisation de lecture.',
  'No file matches this pattern.': 'Aucun fichier ne correspond à ce motif.',
  'There is no such file.': 'Ce fichier n’existe pas.',
  'The result cannot be saved in {folder}: {reason}':
    'Le résultat ne peut pas être enregistré dans {folder} : {reason}',
  'Expected --amount-mask everywhere, subject, background or painted beside --strokes.':
    'Avec --strokes, il faut --amount-mask everywhere, subject, background ou painted.',
  'for {formats}': 'pour {formats}',
  'how many times as wide; 1 only cleans (default: 2)':
    'facteur de largeur et de hauteur ; 1 nettoie seulement (par défaut : 2)',
  'also enlarges, this many times as wide; 1 only cleans':
    'agrandir aussi, de ce facteur ; 1 nettoie seulement',
  'Expected a background beside --format jpeg, which holds no transparency: --background white, another colour or blur, or --background-image.':
    'Avec --format jpeg, qui ne connaît pas la transparence, il faut un arrière-plan : --background white, une autre couleur ou blur, ou --background-image.',
  'Expected --canvas beside --position, which is a place on it.':
    'Avec --position, qui est un endroit de la zone de travail, il faut --canvas.',
  'Expected --scale or another size beside {flag}, which is about enlarging.':
    'Avec {flag}, qui concerne l’agrandissement, il faut --scale ou une autre taille.',
  'Expected only one of {flags}.': 'Une seule de ces options est possible : {flags}.',
  'standard output': 'sortie standard',
  'standard input': 'entrée standard',
  'Expected one picture for standard output but received {count}.':
    'La sortie standard ne reçoit qu’une image, mais {count} ont été indiquées.',
  '{model} has no strength of detail: --detail {detail} changes nothing.':
    '{model} n’a pas d’intensité de détail : --detail {detail} ne change rien.',
  '{model} cannot be told how much to take off: --restore {restore} changes nothing.':
    '{model} n’a pas d’intensité de nettoyage réglable : --restore {restore} ne change rien.',
  '{flag}: {model} is no model that enlarges; there are {models}.':
    '{flag} : {model} n’est pas un modèle d’agrandissement ; disponibles : {models}.',
  '{flag}: {model} is no model that cuts out; there are {models}.':
    '{flag} : {model} n’est pas un modèle de détourage ; disponibles : {models}.',
  '{flag}: no model is called {model}; there are {models}.':
    '{flag} : aucun modèle ne s’appelle {model} ; disponibles : {models}.',
  'without an ending': 'sans extension',
  ', and others': ' et d’autres',
  '--preset: {preset} is for `enlarger {command}`.':
    '--preset : {preset} est pour `enlarger {command}`.',
  'The task has no result.': 'La tâche n’a pas de résultat.',
  'Then: {command}': 'Ensuite : {command}',
  'It cannot be read: {reason}': 'Lecture impossible : {reason}',
  '{photo}: failed': '{photo} : échec',
  '{time} left': 'encore {time}',
  '{photo}: skipped, {result} is there': '{photo} : ignorée, {result} existe déjà',
  'look at it, the network was not sure': 'à vérifier, le réseau n’était pas sûr',
  'probably poor, look at it': 'probablement mauvais, à vérifier',
  'The same command goes on with them.':
    'Relancez la même commande pour reprendre celles qui restent.',
  '--out: no result is written as {ending}; there are {endings}.':
    '--out : aucun résultat ne s’écrit en {ending} ; formats possibles : {endings}.',
  'Expected - alone, because standard input is one photo.':
    'Indiquez - seul, car l’entrée standard est une seule photo.',
  'Expected a photo on standard input, as in - < photo.jpg.':
    'Il faut une photo sur l’entrée standard, comme - < photo.jpg.',
  'Expected --json or the result on standard output, not both.':
    'Choisissez --json ou le résultat sur la sortie standard, pas les deux.',
  'Expected --out, a pipe or > for the result, not a terminal.':
    'Il faut --out, un tube ou > pour le résultat, pas un terminal.',
  'Expected --name or a file behind --out, not both.':
    'Indiquez --name ou un fichier après --out, pas les deux.',
  'There is no file {file}. If the result is to be called so: --out {file}.':
    'Le fichier {file} n’existe pas. Si le résultat doit s’appeler ainsi : --out {file}.',
  'Expected a folder behind --out for {count} pictures but received {file}.':
    'Il faut un dossier après --out pour {count} images, et non {file}.',
  'Expected one format, but --format is {format} and --out ends in {ending}.':
    'Il faut un seul format, mais --format est {format} et --out se termine par {ending}.',
  'Its result would take its own place. Choose another --name or --out; `enlarger edit-in` enlarges in place and keeps the original.':
    'Le résultat prendrait la place de la photo elle-même. Choisissez un autre --name ou --out ; `enlarger edit-in` agrandit sur place et garde l’original.',
  'Its result would be called as that of {photo}. Choose --on-conflict number, or a --name with {n}.':
    'Le résultat s’appellerait comme celui de {photo}. Choisissez --on-conflict number, ou un --name avec {n}.',
  'The result ended after {size} of {total} bytes.':
    'Le résultat s’est arrêté après {size} octets sur {total}.',
  'The service answered without a result.': 'Le service a répondu sans résultat.',
  'width instead of a scale; the nearest scale is made, then resampled':
    'largeur au lieu d’un facteur ; agrandissement au facteur le plus proche, puis rééchantillonnage',
  'height instead of a scale': 'hauteur au lieu d’un facteur',
  'longer side instead of a scale': 'côté long au lieu d’un facteur',
  'megapixels instead of a scale': 'mégapixels au lieu d’un facteur',
  'sharpens the result': 'accentuer la netteté du résultat',
  'how much compression, noise and softness is removed; auto: as measured':
    'force de la correction de la compression, du bruit et du flou ; auto : selon la mesure',
  "adds grain; auto: like the photo's own": 'ajouter du grain ; auto : comme celui de la photo',
  "faithful: reduced with the cubic kernel, the result equals the photo within 1 level; colours: it has the photo's colours":
    'faithful : réduit avec le filtre cubique, le résultat égale la photo à 1 niveau près ; colours : il a les couleurs de la photo',
  'how much --model detail adds beyond Natural': 'ce que --model detail ajoute au-delà de Natural',
  "opacity of the model's result over a plain enlargement":
    'opacité du résultat du modèle sur un agrandissement simple',
  "where the model's result is used; elsewhere a plain enlargement":
    'où le résultat du modèle est utilisé ; ailleurs, un agrandissement simple',
  'file format': 'format de fichier',
  'bits per channel': 'bits par canal',
  'which metadata is copied': 'quelles métadonnées sont copiées',
  'higher priorities run first': 'les priorités les plus hautes passent en premier',
  'when the name is taken': 'si le nom existe déjà',
  'what comes first, beside a size': 'ce qui se fait d’abord, si une taille est indiquée',
  'transparent, blur or a colour such as #ffffff, white or teal':
    'transparent, blur ou une couleur comme #ffffff, white ou teal',
  'crops to the subject, with this margin': 'recadrer sur le sujet, avec cette marge',
  'soft shadow under the subject': 'ombre douce sous le sujet',
  'how much of the canvas the subject fills': 'part de la zone de travail que remplit le sujet',
  'softens the edge inwards': 'adoucir le bord vers l’intérieur',
  "how much of the background's colour is removed from the edge":
    'part de la couleur du fond retirée du bord',
  'how many': 'combien',
  'Enlarges photographs and cuts out their subjects with neural networks on this machine.':
    'Agrandit des photographies et détoure leurs sujets avec des réseaux de neurones sur cet ordinateur.',
  'enlarge photos, whole folders and patterns such as "shots/**/*.jpg"':
    'agrandir des photos, des dossiers entiers et des motifs comme "shots/**/*.jpg"',
  'JSON: strokes over --amount-mask': 'JSON : traits sur --amount-mask',
  'length on paper instead of a scale: 40cm, 16in, width:400mm; @240 for another resolution than 300 pixels per inch':
    'longueur sur papier au lieu d’un facteur : 40cm, 16in, width:400mm ; @240 pour une autre résolution que 300 pixels par pouce',
  'a model that `enlarger models` lists': 'un modèle que liste `enlarger models`',
  'a preset of `enlarger presets`, which other options override':
    'un préréglage de `enlarger presets`, sur lequel les autres options l’emportent',
  'folder of the results, or file of a single one, or - for standard output (default: beside each photo)':
    'dossier des résultats, ou fichier d’un seul, ou - pour la sortie standard (par défaut : à côté de chaque photo)',
  'name of the results': 'nom des résultats',
  'the same as --on-conflict overwrite': 'comme --on-conflict overwrite',
  'include pictures that Enlarger made': 'inclure les images faites par Enlarger',
  'make everything anew, even if this command was interrupted before':
    'tout refaire, même si cette commande a été interrompue auparavant',
  'send the photos instead of granting access to their folders':
    'envoyer les photos au lieu d’autoriser leurs dossiers',
  'one line of JSON per picture': 'une ligne de JSON par image',
  "the service's data folder": 'le dossier de données du service',
  'the address of a running service': 'l’adresse d’un service en marche',
  'its API key (default: cli.key in the data folder)':
    'sa clé d’API (par défaut : cli.key dans le dossier de données)',
  'files, folders or patterns; - for standard input':
    'fichiers, dossiers ou motifs ; - pour l’entrée standard',
  'cut out the subjects of photos': 'détourer les sujets de photos',
  'a point on an object that belongs to the subject, as in 0.4,0.25; repeatable':
    'un point sur un objet qui fait partie du sujet, comme 0.4,0.25 ; répétable',
  'a point on an object that does not; repeatable':
    'un point sur un objet qui n’en fait pas partie ; répétable',
  'a box around the subject, as in 0.1,0.2,0.5,0.6; repeatable':
    'un cadre autour du sujet, comme 0.1,0.2,0.5,0.6 ; répétable',
  'a box around an object that does not belong to it; repeatable':
    'un cadre autour d’un objet qui n’en fait pas partie ; répétable',
  'JSON: strokes over the mask that was found': 'JSON : traits sur le masque trouvé',
  'model that enlarges, beside a size': 'modèle d’agrandissement, si une taille est indiquée',
  'picture behind the subject: a file or an address':
    'image derrière le sujet : un fichier ou une adresse',
  'size of the result, as in 2000x2000': 'taille du résultat, comme 2000x2000',
  'place of the subject on the canvas in percent, as in 50,100':
    'position du sujet dans la zone de travail en pourcentage, comme 50,100',
  'makes the mask itself, as a grey picture of 16 bits':
    'produire le masque lui-même, en image grise de 16 bits',
  'enlarge a file in its place, as "edit in" of other programs needs it':
    'agrandir un fichier sur place, comme le demande « modifier dans » d’autres programmes',
  'keep no copy of the original beside it': 'ne pas garder de copie de l’original à côté',
  'keeps its name, format, depth, profile and metadata':
    'garde son nom, son format, sa profondeur, son profil et ses métadonnées',
  "install the script that enlarges as a target of darktable's export":
    'installer le script qui agrandit comme cible de l’export de darktable',
  "darktable's folder": 'le dossier de darktable',
  "install the preset that enlarges under Lightroom Classic's Edit In":
    'installer le préréglage qui agrandit dans Modifier dans de Lightroom Classic',
  "Lightroom's folder (default: where it makes it)":
    'le dossier de Lightroom (par défaut : là où il le crée)',
  'how many times as wide; 1 only cleans': 'facteur de largeur et de hauteur ; 1 nettoie seulement',
  'list the newest tasks': 'lister les tâches les plus récentes',
  'one JSON line a task': 'une ligne JSON par tâche',
  'cancel waiting or running tasks': 'annuler des tâches en attente ou en cours',
  'try failed tasks again; what only could not be saved is not enlarged again':
    'relancer des tâches en échec ; ce qui n’a échoué qu’à l’enregistrement n’est pas agrandi de nouveau',
  'as `enlarger tasks` lists them': 'comme les liste `enlarger tasks`',
  'let no task begin': 'suspendre la file d’attente : aucune tâche ne commence',
  'let the queue go on': 'reprendre la file d’attente',
  'list, add and remove models': 'lister, ajouter et retirer des modèles',
  'fetch the recommended ones without a question':
    'télécharger les modèles recommandés sans demander',
  'list the models': 'lister les modèles',
  'one JSON line a model': 'une ligne JSON par modèle',
  'add models from their files': 'ajouter des modèles à partir de leurs fichiers',
  'what it is called here': 'son nom ici',
  'on what terms it may be used': 'à quelles conditions il peut être utilisé',
  'who made it': 'qui l’a fait',
  'the model as JSON': 'le modèle en JSON',
  '.onnx (with its data file, or an encoder with its decoder), .param and .bin, .pth, .safetensors, or a folder with one or more':
    '.onnx (avec son fichier de données, ou un encodeur avec son décodeur), .param et .bin, .pth, .safetensors, ou un dossier qui en contient',
  'fetch a model from its publisher; without an id: list them':
    'télécharger un modèle chez son éditeur ; sans id : les lister',
  'recommended: those for this machine; their sizes are printed first':
    'recommended : ceux pour cet ordinateur ; leurs tailles sont d’abord affichées',
  'use a model where none is named; of those that select, for clicks and boxes':
    'utiliser ce modèle quand aucun n’est indiqué ; un modèle qui sélectionne sert aux clics et aux cadres',
  'own: the model that cuts out selects by itself':
    'own : le modèle de détourage sélectionne lui-même',
  'put right how an added model is used': 'corriger l’utilisation d’un modèle ajouté',
  'as in \'{"channels":"BGR","marginPx":24}\'': 'comme \'{"channels":"BGR","marginPx":24}\'',
  'a third model between two that were added': 'mélanger deux modèles ajoutés en un troisième',
  'how much of the other one, 0 to 1': 'part de l’autre, de 0 à 1',
  'remove models that were added': 'retirer des modèles ajoutés',
  'also while tasks wait for them': 'même si des tâches les attendent',
  'list what networks run on, choose one, and fetch or remove files that it needs':
    'lister les appareils pour les réseaux, en choisir un, et télécharger ou retirer les fichiers qu’il demande',
  'list the devices, and why one is not used':
    'lister les appareils, et pourquoi l’un n’est pas utilisé',
  'choose what networks run on, unless a photo says otherwise':
    'choisir l’appareil des réseaux, sauf si une photo en indique un autre',
  'which of several graphics cards, by its number in `list`':
    'laquelle de plusieurs cartes graphiques, par son numéro dans `list`',
  'auto: the fastest': 'auto : le plus rapide',
  "fetch a device's files; without an id: list what there is":
    'télécharger les fichiers d’un appareil ; sans id : lister ce qu’il y a',
  'such as cuda-12': 'comme cuda-12',
  "install a device's files from their archive on this machine":
    'installer les fichiers d’un appareil depuis leur archive sur cet ordinateur',
  'as its publisher has it, .tgz': 'telle que son éditeur la fournit, .tgz',
  "remove a device's files": 'retirer les fichiers d’un appareil',
  'process what arrives in a folder': 'traiter ce qui arrive dans un dossier',
  'a preset that `enlarger presets` lists (required)':
    'un préréglage que liste `enlarger presets` (obligatoire)',
  'where the results go, in the same subfolders (required)':
    'où vont les résultats, dans les mêmes sous-dossiers (obligatoire)',
  'leave subfolders out': 'laisser de côté les sous-dossiers',
  'leave out what is there already': 'laisser de côté ce qu’il contient déjà',
  'list the watched folders, remove some': 'lister les dossiers surveillés, en retirer',
  'watch folders no more; what was made of them stays':
    'ne plus surveiller des dossiers ; les résultats restent',
  'list the watched folders': 'lister les dossiers surveillés',
  'one JSON line a folder': 'une ligne JSON par dossier',
  'list, make and remove presets': 'lister, créer et retirer des préréglages',
  'list the presets': 'lister les préréglages',
  'one JSON line a preset': 'une ligne JSON par préréglage',
  'keep options of `enlarger upscale` under a name':
    'enregistrer des options de `enlarger upscale` sous un nom',
  'keep options of `enlarger cutout` under a name':
    'enregistrer des options de `enlarger cutout` sous un nom',
  'write presets to a JSON file': 'écrire des préréglages dans un fichier JSON',
  'the page and `presets import` read it': 'la page et `presets import` le lisent',
  'all when none is named': 'tous si aucun n’est indiqué',
  'take presets from such a file': 'importer les préréglages d’un tel fichier',
  'remove presets': 'retirer des préréglages',
  'list the folders that Enlarger may read and write, grant more, take some back':
    'lister les dossiers qu’Enlarger peut lire et écrire, en autoriser d’autres, retirer des autorisations',
  'list the folders': 'lister les dossiers',
  'grant folders, or single files': 'autoriser des dossiers, ou des fichiers seuls',
  'take grants back': 'retirer des autorisations',
  'as `list` shows it': 'comme l’affiche `list`',
  'let this machine help the others of a pool':
    'laisser cet ordinateur aider les autres d’un groupe',
  'a folder that all machines see, or s3://bucket/prefix?endpoint=https://nas:9000':
    'un dossier que voient tous les ordinateurs, ou s3://bucket/prefix?endpoint=https://nas:9000',
  "the queue's password (default: ENLARGER_POOL_PASSWORD)":
    'le mot de passe de la file d’attente (par défaut : ENLARGER_POOL_PASSWORD)',
  'encrypts pictures on their way; `enlarger pool key` makes one':
    'clé qui chiffre les images en transit ; `enlarger pool key` en crée une',
  'of Valkey or Redis: redis://nas:6379, rediss://user@nas:6379':
    'de Valkey ou Redis : redis://nas:6379, rediss://user@nas:6379',
  'say who helps, and how fast all are together':
    'afficher qui aide, et la vitesse de tous ensemble',
  'as JSON': 'en JSON',
  "let a pool's helpers run this machine's tasks":
    'laisser les ordinateurs d’un groupe traiter les tâches de celui-ci',
  'use and help no pool any more': 'quitter le groupe : ne plus l’utiliser ni l’aider',
  'make a file with a new key; all machines of a pool need the same one':
    'créer un fichier avec une nouvelle clé ; tous les ordinateurs d’un groupe ont besoin de la même',
  'open the page of the running service, or of its own one':
    'ouvrir la page du service en marche, ou d’un service propre à la commande',
  'run the service without a window, for other programs, until Ctrl+C':
    'lancer le service sans fenêtre, pour d’autres programmes, jusqu’à Ctrl+C',
  '8617 or the next free one by default; 0: any free one':
    'par défaut 8617 ou le prochain libre ; 0 : n’importe lequel de libre',
  'answers programs written for other services (remove.bg, rembg, OpenAI, AUTOMATIC1111) there too; 0: any free one':
    'y répond aussi aux programmes écrits pour d’autres services (remove.bg, rembg, OpenAI, AUTOMATIC1111) ; 0 : n’importe lequel de libre',
  'its files may be named as file: sources and saveTo; may be given several times':
    'ses fichiers peuvent servir de sources file: et de saveTo ; répétable',
  'is in the queue of its page; may be given several times, as a file or a folder':
    'est dans la file de sa page ; répétable, comme fichier ou dossier',
  'fetch pictures from this machine and its network too':
    'récupérer aussi des images de cette machine et de son réseau',
  'serve the tools for agents (Model Context Protocol) on standard input and output':
    'offrir les outils pour agents (Model Context Protocol) sur l’entrée et la sortie standard',
  "a folder that may be read and written, beside those granted and the client's roots; may be given several times":
    'un dossier à lire et à écrire, en plus de ceux autorisés et des racines du client ; peut être indiqué plusieurs fois',
  'print the manual page, for man -l -': 'afficher la page de manuel, pour man -l -',
  'Generate shell completion scripts': 'générer les scripts de complétion du shell',
  'Shell type for completion script': 'type de shell du script de complétion',
  'Generate completion suggestions': 'générer des suggestions de complétion',
  'Usage:': 'Utilisation :',
  'Options:': 'Options :',
  'Commands:': 'Commandes :',
  'Arguments:': 'Arguments :',
  "error: unknown option '{first}'": 'erreur : option inconnue « {first} »',
  "error: unknown command '{first}'": 'erreur : commande inconnue « {first} »',
  "error: too many arguments for '{first}'. {rest}":
    'erreur : trop d’arguments pour « {first} ». {rest}',
  'Expected {count} arguments but got {second}.': 'Attendus : {count} ; reçus : {second}.',
  'Expected 1 argument but got {second}.': 'Attendus : 1 ; reçus : {second}.',
  "error: missing required argument '{first}'":
    'erreur : l’argument obligatoire « {first} » manque',
  "error: required option '{first}' not specified":
    'erreur : l’option obligatoire « {first} » manque',
  "error: option '{first}' argument missing": 'erreur : la valeur de l’option « {first} » manque',
  "error: option '{first}' argument '{second}' is invalid. {rest}":
    'erreur : la valeur « {second} » de l’option « {first} » n’est pas valable. {rest}',
  "error: command-argument value '{first}' is invalid for argument '{second}'. {rest}":
    'erreur : la valeur « {first} » n’est pas valable pour l’argument « {second} ». {rest}',
  '(Did you mean one of {first}?)': '(Vouliez-vous dire l’un de ceux-ci : {first} ?)',
  'Allowed choices are {choices}.': 'Les valeurs possibles sont {choices}.',
  'the fields {fields}': 'les champs {fields}',
  '(Did you mean {first}?)': '(Vouliez-vous dire {first} ?)',
  'you have no right to write there.': 'vous n’avez pas l’autorisation d’y écrire.',
  'there is no such folder or file, or none can be made there.':
    'ce dossier ou fichier n’existe pas, ou ne peut pas y être créé.',
  'the disk is full. Free some space, or choose another folder.':
    'le disque est plein. Libérez de la place ou choisissez un autre dossier.',
  'your share of the disk is used up. Free some space, or choose another folder.':
    'votre quota de disque est épuisé. Libérez de la place ou choisissez un autre dossier.',
  'a file or folder is not there (any more).': 'un fichier ou un dossier n’est pas là (ou plus).',
  'the system does not allow it.': 'le système ne le permet pas.',
  'the disk is read-only.': 'le disque est en lecture seule.',
  'the disk is full.': 'le disque est plein.',
  'too many files are open.': 'trop de fichiers sont ouverts.',
  'another program holds a file.': 'un autre programme occupe un fichier.',
  'a folder is where a file was expected.': 'un dossier se trouve là où un fichier était attendu.',
  'there is something of that name already.': 'quelque chose de ce nom existe déjà.',
  'a name is too long.': 'un nom est trop long.',
  'another program uses that port.': 'un autre programme utilise ce port.',
  'the disk reports a fault.': 'le disque signale une défaillance.',
  'the folder of the network was mounted anew or is gone.':
    'le dossier du réseau a été remonté ou n’est plus là.',
  'the folder of the network is gone.': 'le dossier du réseau n’est plus là.',
  'links lead round in circles.': 'des liens tournent en rond.',
  '{count} done': { one: '{count} terminée', other: '{count} terminées' },
  '{count} presets': { one: '{count} préréglage', other: '{count} préréglages' },
  'This command was interrupted before (begun {time}) and goes on: {count} pictures had been given to the queue. --again makes all anew.':
    {
      one: 'Cette commande a été interrompue auparavant (début : {time}) et reprend : {count} image était déjà dans la file d’attente. --again refait tout.',
      other:
        'Cette commande a été interrompue auparavant (début : {time}) et reprend : {count} images étaient déjà dans la file d’attente. --again refait tout.',
    },
  '{count} pictures that waited before go on now, too; `enlarger tasks` lists them.': {
    one: '{count} image déjà en attente reprend aussi maintenant ; `enlarger tasks` la liste.',
    other:
      '{count} images déjà en attente reprennent aussi maintenant ; `enlarger tasks` les liste.',
  },
  '{count} files that are no pictures were left out: {endings}.': {
    one: '{count} fichier qui n’est pas une image a été laissé de côté : {endings}.',
    other: '{count} fichiers qui ne sont pas des images ont été laissés de côté : {endings}.',
  },
  '{count} pictures that Enlarger made were left out; --include-results takes them too.': {
    one: '{count} image faite par Enlarger a été laissée de côté ; --include-results la prend aussi.',
    other:
      '{count} images faites par Enlarger ont été laissées de côté ; --include-results les prend aussi.',
  },
  'Of {count} pictures: {note}': {
    one: 'Pour {count} image : {note}',
    other: 'Pour {count} images : {note}',
  },
  '{count} frames': { one: '{count} image', other: '{count} images' },
  '{count} skipped': { one: '{count} ignorée', other: '{count} ignorées' },
  '{count} failed': { one: '{count} en échec', other: '{count} en échec' },
  '{count} stopped': { one: '{count} arrêtée', other: '{count} arrêtées' },
  '{count} not begun': { one: '{count} non commencée', other: '{count} non commencées' },
  '{count} pictures in {time}': {
    one: '{count} image en {time}',
    other: '{count} images en {time}',
  },
  idle: 'libre',
  working: 'au travail',
  busy: 'occupé',
  away: 'absent',
  'left out': 'mis de côté',
  watching: 'surveillé',
  paused: 'en pause',
  unavailable: 'inaccessible',
  unchecked: 'non vérifié',
  'in use': 'utilisé',
  available: 'disponible',
  'not used': 'non utilisé',
  NAME: 'NOM',
  SYNOPSIS: 'SYNOPSIS',
  DESCRIPTION: 'DESCRIPTION',
  COMMANDS: 'COMMANDES',
  'EXIT STATUS': 'CODE DE RETOUR',
  command: 'commande',
  options: 'options',
  'files and folders': 'fichiers et dossiers',
};
