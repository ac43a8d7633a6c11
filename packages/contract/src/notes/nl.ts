import type { NoteWords } from './en.ts';

export const notesNl: NoteWords = {
  notes: {
    DEPTH_COMPUTED:
      'De foto heeft 8 bits per kleur; de fijnere stappen in de 16 van het resultaat zijn berekend, niet gefotografeerd.',
    DEPTH_REDUCED: '{format} bevat {max} bits per kleur; er waren er {bits}.',
    DEPTH_NOT_HELD: '{format} bevat {max} bits per kleur; er zijn er {bits} gevraagd.',
    JXL_COLOURS:
      'JPEG XL met verlies bewaart hoe de kleuren eruitzien: programma’s kunnen ze in een ander profiel lezen. Kwaliteit 100 bewaart elk getal en het profiel.',
    GIF_COLOURS:
      'GIF bevat 256 kleuren per beeld, en pixels die helemaal of helemaal niet doorzichtig zijn. WebP en PNG bevatten alles.',
    TIFF_INSTEAD: '{objection}; daarom is het als TIFF geschreven.',
    TRANSPARENCY_FILLED: 'JPEG bevat geen transparantie; achter de afbeelding staat wit.',
    LOSSY_SOURCE:
      'Het is gemaakt van het {format}-resultaat, dat al wat detail had verloren. Voer de taak opnieuw uit in dit formaat om alles te krijgen.',
    NOT_SAVED_OVER:
      'Het is niet opgeslagen in {folder}: daar staat een bestand met die naam, en onConflict is skip.',

    FRAMES_ENLARGED:
      'Alle {frames} beelden zijn vergroot, en elk is even lang te zien als voorheen.',
    FRAMES_NOT_HELD: '{format} bevat geen animatie; WebP, PNG en GIF wel.',
    FRAMES_TOO_LARGE:
      'De {frames} beelden van het resultaat zouden samen te veel pixels hebben; kies een kleinere schaal.',
    FRAMES_LIMIT:
      'Animaties worden heel vergroot tot {frames} beelden van elk {megapixels} megapixel, en samen zoveel pixels als een foto mag hebben.',
    FRAMES_STILL: 'Het is een animatie: het resultaat beweegt niet.',
    FRAMES_CUT_OUT:
      'Een uitsnede staat stil: de achtergrond is verwijderd van het eerste van de {frames} beelden.',
    GIF_WITHOUT_END:
      'De GIF heeft geen eindmarkering: alle aanwezige beelden zijn gelezen ({frames}).',
    PAGE_TAKEN: 'Pagina {page} van {pages} is genomen; die ervoor zijn de voorbeelden ervan.',
    PICTURE_TAKEN: 'Afbeelding {page} van {pages} is genomen, die het bestand als eerste noemt.',
    FIRST_TAKEN: 'De eerste van {pages} afbeeldingen in het bestand is genomen.',
    FILE_REPAIRED:
      'Het bestand schendt de regels van zijn formaat ({faults}), maar de afbeelding is heel: alles is gelezen.',

    HDR_KEPT:
      'Het is een HDR-foto (PQ of HLG): de AVIF bewaart de helderheid zoals die is, via nclx.',
    HDR_MAPPED:
      'De HDR-helderheid ({curve}, {where}) is volgens ITU-R BT.2390 omgezet naar die van een gewoon scherm.',
    COLOURS_KEPT: 'De PNG beschrijft zijn kleuren met cICP of gAMA, en het resultaat ook.',
    COLOURS_DECLARED:
      'De kleuren zijn {colours} ({where}); het resultaat zegt dat met een profiel.',
    LINEAR_ENCODED: 'Het lineaire licht ({where}) is gecodeerd met de curve van sRGB.',
    GAMMA_DECLARED:
      'De getallen zijn gecodeerd met {curve} (gAMA); het resultaat zegt dat met een profiel.',
    FLOATS_ENCODED:
      'De drijvendekommagetallen zijn als lineair licht opgevat en gecodeerd met de curve van sRGB.',
    FLOATS_ENCODED_TO:
      'De drijvendekommagetallen zijn als lineair licht tot {white} opgevat, dat wit werd, en gecodeerd met de curve van sRGB.',
    RAW_DEVELOPED:
      'De foto is ontwikkeld met de witbalans van de camera in het ProPhoto-gamut: in sRGB zou hij zijn sterkste kleuren verliezen.',
    COLOURS_CONVERTED: 'De kleuren zijn omgezet van {space} naar sRGB.',
    ALPHA_DIVIDED:
      'De kleuren waren vermenigvuldigd met de transparantie; die van het resultaat zijn dat niet.',
    CHANNEL_DROPPED:
      'Een extra kanaal van de TIFF (bewaarde selecties, bijvoorbeeld) is weggelaten.',
    CHANNELS_DROPPED:
      '{count} extra kanalen van de TIFF (bewaarde selecties, bijvoorbeeld) zijn weggelaten.',
    GAIN_MAP_ENLARGED: 'Het is een HDR-foto: de gainmap is mee vergroot (Ultra HDR).',
    GAIN_MAP_NOT_HELD:
      'Het is een HDR-foto met een gainmap (Ultra HDR, bijvoorbeeld): het resultaat is de basisafbeelding, zonder de map, die alleen een JPEG bewaart.',
    GAIN_MAP_UNREADABLE:
      'Het is een HDR-foto met een gainmap (Ultra HDR, bijvoorbeeld): het resultaat is de basisafbeelding, zonder de map, die niet te lezen was.',
    GAIN_MAP_DROPPED:
      'Het is een HDR-foto met een gainmap (Ultra HDR, bijvoorbeeld): het resultaat is de basisafbeelding, zonder de map.',

    MAKER_NOTES_TOO_FAR:
      'De notities van de fabrikant in de EXIF zijn weggelaten: een TIFF van meer dan 4 GB kan ze niet op hun plaats bevatten.',
    MAKER_NOTES_DROPPED:
      'De notities van de fabrikant in de EXIF zijn weggelaten: {format} kan ze niet op hun plaats bevatten.',
    EXIF_TOO_LONG_MORE:
      'Van de EXIF zijn {names} en nog {count} waarden weggelaten: er past 65 kB in.',
    EXIF_TOO_LONG: 'Van de EXIF is {names} weggelaten: er past 65 kB in.',
    EXIF_NOT_HELD: 'De EXIF is weggelaten: {format} bevat alleen XMP.',
    IPTC_NOT_HELD: 'De IPTC is weggelaten: {format} bevat EXIF en XMP.',
    IPTC_NOT_HELD_XMP: 'De IPTC is weggelaten: {format} bevat alleen XMP.',
    XMP_UNREADABLE: 'De XMP was niet te lezen en is weggelaten.',
    PNG_TEXT_NOT_HELD: 'De tekst van de PNG is weggelaten: {format} heeft er geen plaats voor.',
    COMMENT_NOT_HELD: 'De opmerking van de JPEG is weggelaten: {format} heeft er geen plaats voor.',
    GREY_NOT_HELD: '{format} bevat geen grijs; daarom is het profiel toegepast.',
    DEPTH_TOO_SMALL:
      '{format} bevat 8 bits, te weinig voor de kleuren zoals ze zijn: ze zijn omgezet naar sRGB.',
    PROFILE_NOT_HELD: '{format} bevat geen profiel: de kleuren zijn omgezet naar sRGB.',
    FILM_DROPPED: 'De film (een bewegende foto) is weggelaten.',
    DEPTH_MAP_DROPPED: 'De dieptekaart is weggelaten.',
    CANON_RECIPE_DROPPED:
      'Het bewerkingsrecept van de Canon-software (VRD) is weggelaten: het gold voor de oude afbeelding.',
    PHOTO_MECHANIC_DROPPED: 'Wat Photo Mechanic aan het bestand toevoegde, is weggelaten.',
    FOTOSTATION_DROPPED: 'Wat FotoStation aan het bestand toevoegde, is weggelaten.',
    AFCP_DROPPED: 'Wat een archiefprogramma aan het bestand toevoegde (AFCP), is weggelaten.',
    SAMSUNG_DROPPED:
      'Wat de Samsung-camera aan het bestand toevoegde (diepte, of hoe het opnieuw te bewerken), is weggelaten.',
    CREDENTIALS_DROPPED:
      'De Content Credentials (C2PA) zijn weggelaten: ze zijn ondertekend voor het oorspronkelijke bestand.',
    GEOTIFF_DROPPED:
      'De plaats op een kaart (GeoTIFF) is weggelaten: die geldt alleen voor de oude pixels.',
    LAYERS_DROPPED:
      'De Photoshop-lagen zijn weggelaten: de afbeelding die het bestand zonder lagen toont, is vergroot.',

    REDUCED_PLAINLY: 'Het resultaat is kleiner dan de foto; die is daarom zonder model verkleind.',
    ENLARGED_PLAINLY:
      'De sterkte is 0; de foto is daarom vergroot door interpolatie, zonder model.',
    NO_NETWORK_RAN: 'Er was niets te vergroten of te reinigen; er liep dus geen netwerk.',
    RESTORE_UNUSED:
      '{model} kan niet verteld worden hoeveel weg moet; restore {amount} veranderde dus niets.',
    NOT_FAITHFUL:
      'Het kon niet overal tot op {levels} niveau van de foto gebracht worden: na {rounds} correcties wijkt het hooguit {largest} af, en op {percent} % ervan meer dan 2.',
    COMPARED_BEFORE:
      'Hoezeer het netwerk de foto veranderde, is gemeten vóór deze stappen: {steps}.',
    HELD_BEFORE:
      'Het is bij de foto gehouden vóór deze stappen: {steps}. Het bestand kan er dus meer dan {levels} niveau van afwijken.',
    SUBJECT_STRETCHED:
      'Het onderwerp is {factor} keer uitgerekt en kan onscherp lijken. Vergroot de foto verder voor meer detail, of kies een kleiner canvas.',
    GREY_BECAME_RGB: 'De grijze afbeelding werd RGB, want de achtergrond heeft een kleur.',
    BACKGROUND_FLATTENED: 'Achter de doorzichtige delen van de achtergrondafbeelding staat wit.',

    DEVICE_LEFT: 'In plaats van {device} is de CPU gebruikt. Reden: {reason}',
    TILES_SMALLER:
      'Er zijn tegels van {size} in plaats van {planned} pixels gebruikt, want het geheugen van {device} was niet genoeg.',
    BATCH_SMALLER_MEMORY:
      'Tegels tegelijk: {count} in plaats van {planned}, want het geheugen van {device} was niet genoeg.',
    BATCH_SMALLER:
      'Tegels tegelijk: {count} in plaats van {planned}, want {device} faalde: {reason}',
    RUN_AGAIN: 'Opnieuw uitgevoerd ({next}), want {device} faalde in {precision}: {reason}',
    RAN_HERE: 'Het liep hier, omdat de groep het niet deed: {reason}',

    BRIGHTNESS_ONLY: 'Het neemt alleen de helderheid; kleuren worden vergroot door interpolatie.',
    HARDLY_RESEMBLES:
      'Wat het geeft, lijkt nauwelijks op wat het kreeg (verschil van {percent} % van het bereik).',
    CLICKS_TRIED:
      'Klikken op {scenes} getekende onderwerpen selecteerden er {found} (overlap gemiddeld {percent} %). Het neemt {width} x {height} pixels.',
    NO_SUBJECT_FOUND:
      'Het vond in geen van zes getekende scènes het onderwerp: misschien is het voor andere onderwerpen gemaakt, of neemt het waarden anders. Bekijk een resultaat en corrigeer zo nodig het contract.',
  },
  parts: {
    SIDE_TOO_LONG:
      '{format} bevat hooguit {max} pixels per zijde, en het resultaat heeft {width} x {height}',
    MEMORY_TOO_SMALL:
      '{format} kan in het geheugen van deze machine tot {max} megapixel geschreven worden, en het resultaat heeft {width} x {height} pixels',
    PIXELS_TOO_MANY:
      '{format} kan tot {max} megapixel geschreven worden, en het resultaat heeft {width} x {height} pixels',
    SHARPENING: 'verscherpen',
    GRAIN: 'korrel',
    COMPRESSION: 'compressie',
    STRAY_BYTES: 'losse bytes tussen de delen',
    JFIF_VERSION: 'een onbekende versie van JFIF',
    ADOBE_CODE: 'een onbekende code in het segment van Adobe',
    SCAN_HEADER: 'een scankop die niet bij zijn soort past',
    END_MARKER: 'een ontbrekende eindmarkering',
    DIRECTORY: 'vermeldingen in de map van het bestand',
    DEVICE_SLOWER: 'hier is het trager dan de CPU, {speed} tegen {cpu} megapixel per seconde.',
    DEVICE_MEMORY: 'het geheugen was niet genoeg.',
    DEVICE_LOST: 'het stuurprogramma stopte en startte opnieuw.',
    DEVICE_MISSING: 'het systeem biedt programma’s zo’n apparaat niet aan.',
    DEVICE_FAULT:
      'het stuurprogramma meldde een fout, die logs/enlarger.log in de gegevensmap noemt.',
    THE_CPU: 'CPU',
    ONE: '1',
  },
};
