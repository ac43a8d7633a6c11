import type { NoteWords } from './en.ts';

export const notesIt: NoteWords = {
  notes: {
    DEPTH_COMPUTED:
      'La foto ha 8 bit per colore; i livelli più fini dei 16 del risultato sono calcolati, non fotografati.',
    DEPTH_REDUCED: '{format} contiene {max} bit per colore; ce n’erano {bits}.',
    DEPTH_NOT_HELD: '{format} contiene {max} bit per colore; ne erano richiesti {bits}.',
    JXL_COLOURS:
      'JPEG XL con perdita mantiene l’aspetto dei colori: alcuni programmi possono leggerli in un altro profilo. La qualità 100 mantiene ogni valore e il profilo.',
    GIF_COLOURS:
      'GIF contiene 256 colori per fotogramma e pixel del tutto trasparenti o per niente. WebP e PNG contengono tutto.',
    TIFF_INSTEAD: '{objection}; perciò è stato scritto come TIFF.',
    TRANSPARENCY_FILLED: 'JPEG non contiene trasparenza; dietro l’immagine c’è il bianco.',
    LOSSY_SOURCE:
      'È stato fatto dal risultato {format}, che aveva perso un po’ di dettaglio. Per averlo tutto, ripeti l’attività in questo formato.',
    NOT_SAVED_OVER:
      'Non è stato salvato in {folder}: c’è già un file con quel nome e onConflict è skip.',

    FRAMES_ENLARGED:
      'Tutti i {frames} fotogrammi sono stati ingranditi e ciascuno dura quanto prima.',
    FRAMES_NOT_HELD: '{format} non contiene animazioni; WebP, PNG e GIF sì.',
    FRAMES_TOO_LARGE:
      'I {frames} fotogrammi del risultato avrebbero troppi pixel in tutto; scegli una scala minore.',
    FRAMES_LIMIT:
      'Le animazioni sono ingrandite per intero fino a {frames} fotogrammi di {megapixels} megapixel ciascuno, e in tutto con tanti pixel quanti può averne una foto.',
    FRAMES_STILL: 'È un’animazione: il risultato non si muove.',
    FRAMES_CUT_OUT:
      'Uno scontorno è un’immagine fissa: lo sfondo è stato rimosso dal primo dei {frames} fotogrammi.',
    GIF_WITHOUT_END:
      'La GIF non ha un marcatore di fine: tutti i fotogrammi presenti sono stati letti ({frames}).',
    PAGE_TAKEN: 'È stata presa la pagina {page} di {pages}; quelle prima sono le sue anteprime.',
    PICTURE_TAKEN: 'È stata presa l’immagine {page} di {pages}, che il file nomina per prima.',
    FIRST_TAKEN: 'È stata presa la prima delle {pages} immagini del file.',
    FILE_REPAIRED:
      'Il file viola le regole del suo formato ({faults}), ma la sua immagine è intera: è stata letta tutta.',

    HDR_KEPT:
      'È una foto HDR (PQ o HLG): l’AVIF mantiene la sua luminosità così com’è, tramite nclx.',
    HDR_MAPPED:
      'La sua luminosità HDR ({curve}, {where}) è stata portata a quella di uno schermo comune, secondo ITU-R BT.2390.',
    COLOURS_KEPT: 'Il PNG dichiara i suoi colori con cICP o gAMA, e così il risultato.',
    COLOURS_DECLARED:
      'I suoi colori sono {colours} ({where}); il risultato lo indica con un profilo.',
    LINEAR_ENCODED: 'La sua luce lineare ({where}) è stata codificata con la curva di sRGB.',
    GAMMA_DECLARED:
      'I suoi valori sono codificati con {curve} (gAMA); il risultato lo indica con un profilo.',
    FLOATS_ENCODED:
      'I suoi valori in virgola mobile sono stati intesi come luce lineare e codificati con la curva di sRGB.',
    FLOATS_ENCODED_TO:
      'I suoi valori in virgola mobile sono stati intesi come luce lineare fino a {white}, diventato bianco, e codificati con la curva di sRGB.',
    RAW_DEVELOPED:
      'È stata sviluppata con il bilanciamento del bianco della fotocamera nello spazio ProPhoto: in sRGB perderebbe i colori più intensi.',
    COLOURS_CONVERTED: 'I suoi colori sono stati convertiti da {space} a sRGB.',
    ALPHA_DIVIDED:
      'I suoi colori erano moltiplicati per la trasparenza; quelli del risultato non lo sono.',
    CHANNEL_DROPPED:
      'Un canale aggiuntivo del TIFF (selezioni salvate, ad esempio) è stato omesso.',
    CHANNELS_DROPPED:
      '{count} canali aggiuntivi del TIFF (selezioni salvate, ad esempio) sono stati omessi.',
    GAIN_MAP_ENLARGED:
      'È una foto HDR: la sua mappa di guadagno è stata ingrandita con lei (Ultra HDR).',
    GAIN_MAP_NOT_HELD:
      'È una foto HDR con mappa di guadagno (Ultra HDR, ad esempio): il risultato è la sua immagine di base, senza la mappa, che solo un JPEG mantiene.',
    GAIN_MAP_UNREADABLE:
      'È una foto HDR con mappa di guadagno (Ultra HDR, ad esempio): il risultato è la sua immagine di base, senza la mappa, che non si è potuta leggere.',
    GAIN_MAP_DROPPED:
      'È una foto HDR con mappa di guadagno (Ultra HDR, ad esempio): il risultato è la sua immagine di base, senza la mappa.',

    MAKER_NOTES_TOO_FAR:
      'Le note del produttore nell’EXIF sono state omesse: un TIFF di più di 4 GB non può contenerle al loro posto.',
    MAKER_NOTES_DROPPED:
      'Le note del produttore nell’EXIF sono state omesse: {format} non può contenerle al loro posto.',
    EXIF_TOO_LONG_MORE:
      'Dell’EXIF sono stati omessi {names} e altri {count} valori: contiene 65 kB.',
    EXIF_TOO_LONG: 'Dell’EXIF è stato omesso {names}: contiene 65 kB.',
    EXIF_NOT_HELD: 'L’EXIF è stato omesso: {format} contiene solo XMP.',
    IPTC_NOT_HELD: 'L’IPTC è stato omesso: {format} contiene EXIF e XMP.',
    IPTC_NOT_HELD_XMP: 'L’IPTC è stato omesso: {format} contiene solo XMP.',
    XMP_UNREADABLE: 'Il suo XMP non si è potuto leggere ed è stato omesso.',
    PNG_TEXT_NOT_HELD: 'Il testo del PNG è stato omesso: {format} non ha posto per esso.',
    COMMENT_NOT_HELD: 'Il commento del JPEG è stato omesso: {format} non ha posto per esso.',
    GREY_NOT_HELD: '{format} non contiene grigi; perciò è stato applicato il suo profilo.',
    DEPTH_TOO_SMALL:
      '{format} contiene 8 bit, troppo pochi per i suoi colori così come sono: sono stati convertiti in sRGB.',
    PROFILE_NOT_HELD: '{format} non contiene profili: i suoi colori sono stati convertiti in sRGB.',
    FILM_DROPPED: 'Il suo filmato (una foto in movimento) è stato omesso.',
    DEPTH_MAP_DROPPED: 'La sua mappa di profondità è stata omessa.',
    CANON_RECIPE_DROPPED:
      'La ricetta di modifica del software Canon (VRD) è stata omessa: valeva per la vecchia immagine.',
    PHOTO_MECHANIC_DROPPED: 'Ciò che Photo Mechanic ha aggiunto al file è stato omesso.',
    FOTOSTATION_DROPPED: 'Ciò che FotoStation ha aggiunto al file è stato omesso.',
    AFCP_DROPPED:
      'Ciò che un programma di archiviazione ha aggiunto al file (AFCP) è stato omesso.',
    SAMSUNG_DROPPED:
      'Ciò che la fotocamera Samsung ha aggiunto al file (profondità, o come modificarlo di nuovo) è stato omesso.',
    CREDENTIALS_DROPPED:
      'Le sue Content Credentials (C2PA) sono state omesse: sono firmate per il file originale.',
    GEOTIFF_DROPPED:
      'La sua posizione su una mappa (GeoTIFF) è stata omessa: vale solo per i vecchi pixel.',
    LAYERS_DROPPED:
      'I suoi livelli Photoshop sono stati omessi: è stata ingrandita l’immagine che il file mostra senza di essi.',

    REDUCED_PLAINLY: 'Il risultato è più piccolo della foto; perciò è stata ridotta senza modello.',
    ENLARGED_PLAINLY:
      'L’intensità è 0; perciò la foto è stata ingrandita per interpolazione, senza modello.',
    NO_NETWORK_RAN:
      'Non c’era nulla da ingrandire o ripulire; perciò nessuna rete è stata eseguita.',
    RESTORE_UNUSED:
      'A {model} non si può dire quanto togliere; perciò restore {amount} non ha cambiato nulla.',
    NOT_FAITHFUL:
      'Non si è potuto portarlo ovunque a {levels} livello dalla foto: dopo {rounds} correzioni differisce al massimo di {largest}, e di oltre 2 sul {percent} % dell’immagine.',
    COMPARED_BEFORE:
      'Quanto la rete ha cambiato la foto è stato misurato prima di questi passaggi: {steps}.',
    HELD_BEFORE:
      'È stato tenuto vicino alla foto prima di questi passaggi: {steps}. Perciò il file può differirne di più di {levels} livello.',
    SUBJECT_STRETCHED:
      'Il soggetto è stato allargato {factor} volte e può sembrare sfocato. Per avere più dettagli, ingrandisci di più la foto o scegli un’area di lavoro più piccola.',
    GREY_BECAME_RGB: 'L’immagine in grigio è diventata RGB, perché il suo sfondo ha un colore.',
    BACKGROUND_FLATTENED: 'Dietro le parti trasparenti dell’immagine di sfondo c’è il bianco.',

    DEVICE_LEFT: 'È stata usata la CPU al posto di {device}. Motivo: {reason}',
    TILES_SMALLER:
      'Sono stati usati riquadri di {size} invece di {planned} pixel, perché la memoria di {device} non è bastata.',
    BATCH_SMALLER_MEMORY:
      'Riquadri alla volta: {count} invece di {planned}, perché la memoria di {device} non è bastata.',
    BATCH_SMALLER:
      'Riquadri alla volta: {count} invece di {planned}, perché {device} ha fallito: {reason}',
    RUN_AGAIN: 'Eseguito di nuovo ({next}), perché {device} ha fallito in {precision}: {reason}',
    RAN_HERE: 'È stato eseguito qui perché il gruppo non l’ha fatto: {reason}',

    BRIGHTNESS_ONLY: 'Prende solo la luminosità; i colori sono ingranditi per interpolazione.',
    HARDLY_RESEMBLES:
      'Ciò che dà somiglia poco a ciò che ha ricevuto (differenza del {percent} % dell’intervallo).',
    CLICKS_TRIED:
      'I clic su {scenes} soggetti disegnati ne hanno selezionati {found} (sovrapposizione media del {percent} %). Prende {width} x {height} pixel.',
    NO_SUBJECT_FOUND:
      'Non ha trovato il soggetto in nessuna di sei scene disegnate: forse è fatto per altri soggetti o prende i valori in altro modo. Guarda un risultato e correggi il suo contratto se serve.',
  },
  parts: {
    SIDE_TOO_LONG:
      '{format} contiene al massimo {max} pixel per lato, e il risultato ha {width} x {height}',
    MEMORY_TOO_SMALL:
      '{format} si può scrivere fino a {max} megapixel nella memoria di questo computer, e il risultato ha {width} x {height} pixel',
    PIXELS_TOO_MANY:
      '{format} si può scrivere fino a {max} megapixel, e il risultato ha {width} x {height} pixel',
    SHARPENING: 'nitidezza',
    GRAIN: 'grana',
    COMPRESSION: 'compressione',
    STRAY_BYTES: 'byte estranei tra le sue parti',
    JFIF_VERSION: 'una versione sconosciuta di JFIF',
    ADOBE_CODE: 'un codice sconosciuto nel segmento di Adobe',
    SCAN_HEADER: 'un’intestazione di scansione che non corrisponde al suo tipo',
    END_MARKER: 'un marcatore di fine mancante',
    DIRECTORY: 'voci nella directory del file',
    DEVICE_SLOWER: 'qui è più lento della CPU, {speed} contro {cpu} megapixel al secondo.',
    DEVICE_MEMORY: 'la sua memoria non è bastata.',
    DEVICE_LOST: 'il suo driver si è fermato e riavviato.',
    DEVICE_MISSING: 'il sistema non offre un dispositivo simile ai programmi.',
    DEVICE_FAULT:
      'il suo driver ha segnalato un errore, indicato in logs/enlarger.log nella cartella dei dati.',
    THE_CPU: 'CPU',
    ONE: '1',
  },
};
