import type { NoteWords } from './en.ts';

export const notesDe: NoteWords = {
  notes: {
    DEPTH_COMPUTED:
      'Das Foto hat 8 Bit je Farbe; die feineren Stufen in den 16 des Ergebnisses sind berechnet, nicht fotografiert.',
    DEPTH_REDUCED: '{format} fasst {max} Bit je Farbe; vorhanden waren {bits}.',
    DEPTH_NOT_HELD: '{format} fasst {max} Bit je Farbe; verlangt waren {bits}.',
    JXL_COLOURS:
      'JPEG XL mit Verlust hält die Farben so, wie sie aussehen: Programme lesen sie vielleicht in einem anderen Profil. Qualität 100 behält jede Zahl und das Profil.',
    GIF_COLOURS:
      'GIF fasst 256 Farben je Bild und Pixel, die ganz oder gar nicht durchsichtig sind. WebP und PNG fassen alle.',
    TIFF_INSTEAD: '{objection}; darum wurde es als TIFF geschrieben.',
    TRANSPARENCY_FILLED: 'JPEG fasst keine Transparenz; hinter dem Bild steht Weiß.',
    LOSSY_SOURCE:
      'Es entstand aus dem {format}-Ergebnis, dem schon ein wenig Detail fehlte. Für alles die Aufgabe in diesem Format noch einmal ausführen.',
    NOT_SAVED_OVER:
      'Es wurde nicht in {folder} gespeichert: Dort gibt es eine Datei seines Namens, und onConflict ist skip.',

    FRAMES_ENLARGED:
      'Alle {frames} Einzelbilder wurden vergrößert, und jedes ist so lange zu sehen wie zuvor.',
    FRAMES_NOT_HELD: '{format} fasst keine Animation; WebP, PNG und GIF schon.',
    FRAMES_TOO_LARGE:
      'Die {frames} Einzelbilder des Ergebnisses hätten zusammen zu viele Pixel; eine kleinere Vergrößerung wählen.',
    FRAMES_LIMIT:
      'Animationen werden ganz vergrößert bis zu {frames} Einzelbildern von je {megapixels} Megapixeln, zusammen mit höchstens so vielen Pixeln wie ein Foto.',
    FRAMES_STILL: 'Es ist eine Animation: Das Ergebnis bewegt sich nicht.',
    FRAMES_CUT_OUT:
      'Ein freigestelltes Bild steht still: Der Hintergrund wurde vom ersten der {frames} Einzelbilder entfernt.',
    GIF_WITHOUT_END:
      'Dem GIF fehlt die Endmarke: Alle vorhandenen Einzelbilder wurden gelesen ({frames}).',
    PAGE_TAKEN: 'Genommen wurde Seite {page} von {pages}; die davor sind ihre Vorschauen.',
    PICTURE_TAKEN: 'Genommen wurde Bild {page} von {pages}, das die Datei als erstes nennt.',
    FIRST_TAKEN: 'Genommen wurde das erste von {pages} Bildern in der Datei.',
    FILE_REPAIRED:
      'Die Datei verletzt die Regeln ihres Formats ({faults}), doch ihr Bild ist unversehrt: Es wurde ganz gelesen.',

    HDR_KEPT:
      'Es ist ein HDR-Foto (PQ oder HLG): Das AVIF behält seine Helligkeit, wie sie ist, durch nclx.',
    HDR_MAPPED:
      'Seine HDR-Helligkeit ({curve}, {where}) wurde nach ITU-R BT.2390 auf die eines gewöhnlichen Bildschirms abgebildet.',
    COLOURS_KEPT: 'Das PNG beschreibt seine Farben durch cICP oder gAMA, und das Ergebnis auch.',
    COLOURS_DECLARED:
      'Seine Farben sind {colours} ({where}); das Ergebnis sagt es durch ein Profil.',
    LINEAR_ENCODED: 'Sein lineares Licht ({where}) wurde mit der Kurve von sRGB kodiert.',
    GAMMA_DECLARED:
      'Seine Zahlen sind mit {curve} kodiert (gAMA); das Ergebnis sagt es durch ein Profil.',
    FLOATS_ENCODED:
      'Seine Gleitkommazahlen wurden als lineares Licht verstanden und mit der Kurve von sRGB kodiert.',
    FLOATS_ENCODED_TO:
      'Seine Gleitkommazahlen wurden als lineares Licht bis {white} verstanden, das Weiß wurde, und mit der Kurve von sRGB kodiert.',
    RAW_DEVELOPED:
      'Es wurde mit dem Weißabgleich der Kamera im Farbraum ProPhoto entwickelt: In sRGB verlöre es seine kräftigsten Farben.',
    COLOURS_CONVERTED: 'Seine Farben wurden von {space} in sRGB umgewandelt.',
    ALPHA_DIVIDED:
      'Seine Farben waren mit seiner Transparenz multipliziert; die des Ergebnisses sind es nicht.',
    CHANNEL_DROPPED: 'Ein weiterer Kanal des TIFF (gespeicherte Auswahlen etwa) wurde weggelassen.',
    CHANNELS_DROPPED:
      '{count} weitere Kanäle des TIFF (gespeicherte Auswahlen etwa) wurden weggelassen.',
    GAIN_MAP_ENLARGED: 'Es ist ein HDR-Foto: Seine Gain Map wurde mit ihm vergrößert (Ultra HDR).',
    GAIN_MAP_NOT_HELD:
      'Es ist ein HDR-Foto mit Gain Map (Ultra HDR etwa): Das Ergebnis ist sein Grundbild ohne die Map, die nur ein JPEG behält.',
    GAIN_MAP_UNREADABLE:
      'Es ist ein HDR-Foto mit Gain Map (Ultra HDR etwa): Das Ergebnis ist sein Grundbild ohne die Map, die nicht lesbar war.',
    GAIN_MAP_DROPPED:
      'Es ist ein HDR-Foto mit Gain Map (Ultra HDR etwa): Das Ergebnis ist sein Grundbild ohne die Map.',

    MAKER_NOTES_TOO_FAR:
      'Die Herstellernotizen im EXIF wurden weggelassen: Ein TIFF von mehr als 4 GB kann sie dort, wo sie lägen, nicht halten.',
    MAKER_NOTES_DROPPED:
      'Die Herstellernotizen im EXIF wurden weggelassen: {format} kann sie dort, wo sie lägen, nicht halten.',
    EXIF_TOO_LONG_MORE:
      'Vom EXIF wurden {names} und {count} weitere Einträge weggelassen: Es fasst 65 kB.',
    EXIF_TOO_LONG: 'Vom EXIF wurde {names} weggelassen: Es fasst 65 kB.',
    EXIF_NOT_HELD: 'Das EXIF wurde weggelassen: {format} fasst nur XMP.',
    IPTC_NOT_HELD: 'Das IPTC wurde weggelassen: {format} fasst EXIF und XMP.',
    IPTC_NOT_HELD_XMP: 'Das IPTC wurde weggelassen: {format} fasst nur XMP.',
    XMP_UNREADABLE: 'Sein XMP war nicht lesbar und wurde weggelassen.',
    PNG_TEXT_NOT_HELD: 'Der Text des PNG wurde weggelassen: {format} hat keinen Platz dafür.',
    COMMENT_NOT_HELD: 'Der Kommentar des JPEG wurde weggelassen: {format} hat keinen Platz dafür.',
    GREY_NOT_HELD: '{format} fasst kein Grau; darum wurde sein Profil angewandt.',
    DEPTH_TOO_SMALL:
      '{format} fasst 8 Bit, zu wenig für seine Farben, wie sie sind: Sie wurden in sRGB umgewandelt.',
    PROFILE_NOT_HELD: '{format} fasst kein Profil: Die Farben wurden in sRGB umgewandelt.',
    FILM_DROPPED: 'Sein Film (ein Bewegungsfoto) wurde weggelassen.',
    DEPTH_MAP_DROPPED: 'Seine Tiefenkarte wurde weggelassen.',
    CANON_RECIPE_DROPPED:
      'Das Bearbeitungsrezept von Canons Software (VRD) wurde weggelassen: Es galt dem alten Bild.',
    PHOTO_MECHANIC_DROPPED: 'Was Photo Mechanic an die Datei gehängt hat, wurde weggelassen.',
    FOTOSTATION_DROPPED: 'Was FotoStation an die Datei gehängt hat, wurde weggelassen.',
    AFCP_DROPPED: 'Was ein Archivprogramm an die Datei gehängt hat (AFCP), wurde weggelassen.',
    SAMSUNG_DROPPED:
      'Was Samsungs Kamera an die Datei gehängt hat (Tiefe, oder wie man es neu bearbeitet), wurde weggelassen.',
    CREDENTIALS_DROPPED:
      'Seine Content Credentials (C2PA) wurden weggelassen: Sie sind für die ursprüngliche Datei signiert.',
    GEOTIFF_DROPPED:
      'Seine Lage auf einer Karte (GeoTIFF) wurde weggelassen: Sie gilt nur für die alten Pixel.',
    LAYERS_DROPPED:
      'Seine Photoshop-Ebenen wurden weggelassen: Vergrößert wurde das Bild, das die Datei ohne sie zeigt.',

    REDUCED_PLAINLY:
      'Das Ergebnis ist kleiner als das Foto und wurde darum ohne Modell verkleinert.',
    ENLARGED_PLAINLY:
      'Die Stärke ist 0; darum wurde das Foto durch Interpolation vergrößert, ohne Modell.',
    NO_NETWORK_RAN: 'Es war nichts zu vergrößern oder zu reinigen; darum lief kein Netz.',
    RESTORE_UNUSED:
      '{model} lässt sich nicht sagen, wie viel wegzunehmen ist; restore {amount} änderte daher nichts.',
    NOT_FAITHFUL:
      'Es ließ sich nicht überall auf {levels} Stufe an das Foto heranbringen: Nach {rounds} Korrekturen weicht es höchstens um {largest} ab, auf {percent} % der Fläche um mehr als 2.',
    COMPARED_BEFORE:
      'Wie sehr das Netz das Foto verändert hat, wurde vor diesen Schritten gemessen: {steps}.',
    HELD_BEFORE:
      'Vor diesen Schritten wurde es am Foto gehalten: {steps}. Die Datei kann daher um mehr als {levels} Stufe abweichen.',
    SUBJECT_STRETCHED:
      'Das Motiv wurde für seine Arbeitsfläche {factor}-fach gestreckt und wirkt vielleicht weich. Für mehr Detail das Foto stärker vergrößern oder eine kleinere Arbeitsfläche wählen.',
    GREY_BECAME_RGB: 'Das graue Bild wurde RGB, denn sein Hintergrund hat eine Farbe.',
    BACKGROUND_FLATTENED: 'Hinter den durchsichtigen Teilen des Hintergrundbilds steht Weiß.',

    DEVICE_LEFT: 'Statt {device} rechnete die CPU. Grund: {reason}',
    TILES_SMALLER:
      'Es liefen Kacheln von {size} statt {planned} Pixeln, denn der Speicher reichte nicht: {device}.',
    BATCH_SMALLER_MEMORY:
      'Gleichzeitig liefen {count} statt {planned} Kacheln, denn der Speicher reichte nicht: {device}.',
    BATCH_SMALLER:
      'Gleichzeitig liefen {count} statt {planned} Kacheln, denn {device} versagte: {reason}',
    RUN_AGAIN:
      'Es wurde noch einmal gerechnet ({next}), denn {device} versagte mit {precision}: {reason}',
    RAN_HERE: 'Es lief hier, weil der Verbund es nicht erledigt hat: {reason}',

    BRIGHTNESS_ONLY: 'Es nimmt nur die Helligkeit; Farben werden durch Interpolation vergrößert.',
    HARDLY_RESEMBLES:
      'Was es liefert, gleicht kaum dem, was es bekam (Abweichung {percent} % des Wertebereichs).',
    CLICKS_TRIED:
      'Klicks auf {scenes} gezeichnete Motive wählten {found} davon aus (Überdeckung im Mittel {percent} %). Es nimmt {width} x {height} Pixel.',
    NO_SUBJECT_FOUND:
      'Es fand in keiner von sechs gezeichneten Szenen das Motiv: Vielleicht ist es für andere Motive gemacht oder nimmt Werte anders entgegen. Ein Ergebnis ansehen und den Kontrakt nötigenfalls korrigieren.',
  },
  parts: {
    SIDE_TOO_LONG:
      '{format} fasst höchstens {max} Pixel je Seite, und das Ergebnis hat {width} x {height}',
    MEMORY_TOO_SMALL:
      '{format} lässt sich im Speicher dieses Rechners bis {max} Megapixel schreiben, und das Ergebnis hat {width} x {height} Pixel',
    PIXELS_TOO_MANY:
      '{format} lässt sich bis {max} Megapixel schreiben, und das Ergebnis hat {width} x {height} Pixel',
    SHARPENING: 'Schärfen',
    GRAIN: 'Korn',
    COMPRESSION: 'Kompression',
    STRAY_BYTES: 'fremde Bytes zwischen ihren Teilen',
    JFIF_VERSION: 'eine unbekannte Version von JFIF',
    ADOBE_CODE: 'ein unbekannter Code in Adobes Segment',
    SCAN_HEADER: 'ein Scan-Kopf, der nicht zu seiner Art passt',
    END_MARKER: 'eine fehlende Endmarke',
    DIRECTORY: 'Einträge im Verzeichnis der Datei',
    DEVICE_SLOWER: 'Hier ist es langsamer als die CPU, {speed} gegen {cpu} Megapixel je Sekunde.',
    DEVICE_MEMORY: 'Der Speicher reichte nicht.',
    DEVICE_LOST: 'Der Treiber hielt an und startete neu.',
    DEVICE_MISSING: 'Das System bietet Programmen kein solches Gerät an.',
    DEVICE_FAULT: 'Der Treiber meldete einen Fehler, den logs/enlarger.log im Datenordner nennt.',
    THE_CPU: 'CPU',
    ONE: '1',
  },
};
