import type { NoteWords } from './en.ts';

export const notesEs: NoteWords = {
  notes: {
    DEPTH_COMPUTED:
      'La foto tiene 8 bits por color; los niveles más finos de los 16 del resultado están calculados, no fotografiados.',
    DEPTH_REDUCED: '{format} admite {max} bits por color; había {bits}.',
    DEPTH_NOT_HELD: '{format} admite {max} bits por color; se pidieron {bits}.',
    JXL_COLOURS:
      'JPEG XL con pérdida conserva el aspecto de los colores: algunos programas pueden leerlos en otro perfil. La calidad 100 conserva cada valor y el perfil.',
    GIF_COLOURS:
      'GIF admite 256 colores por fotograma y píxeles transparentes del todo o nada. WebP y PNG admiten todos.',
    TIFF_INSTEAD: '{objection}; por eso se escribió como TIFF.',
    TRANSPARENCY_FILLED: 'JPEG no admite transparencia; detrás de la imagen hay blanco.',
    LOSSY_SOURCE:
      'Se hizo a partir del resultado en {format}, que había perdido un poco de detalle. Para tenerlo todo, repita la tarea en este formato.',
    NOT_SAVED_OVER:
      'No se guardó en {folder}: ya hay un archivo con ese nombre y onConflict es skip.',

    FRAMES_ENLARGED:
      'Se ampliaron los {frames} fotogramas, y cada uno se muestra tanto tiempo como antes.',
    FRAMES_NOT_HELD: '{format} no admite animaciones; WebP, PNG y GIF sí.',
    FRAMES_TOO_LARGE:
      'Los {frames} fotogramas del resultado tendrían demasiados píxeles en total; elija una escala menor.',
    FRAMES_LIMIT:
      'Las animaciones se amplían enteras hasta {frames} fotogramas de {megapixels} megapíxeles cada uno, y en total con tantos píxeles como puede tener una foto.',
    FRAMES_STILL: 'Es una animación: el resultado no se mueve.',
    FRAMES_CUT_OUT:
      'Un recorte es una imagen fija: se quitó el fondo del primero de los {frames} fotogramas.',
    GIF_WITHOUT_END:
      'El GIF no tiene marca de fin: se leyeron todos los fotogramas que hay ({frames}).',
    PAGE_TAKEN: 'Se tomó la página {page} de {pages}; las anteriores son sus vistas previas.',
    PICTURE_TAKEN: 'Se tomó la imagen {page} de {pages}, la que el archivo nombra primero.',
    FIRST_TAKEN: 'Se tomó la primera de las {pages} imágenes del archivo.',
    FILE_REPAIRED:
      'El archivo incumple las reglas de su formato ({faults}), pero su imagen está entera: se leyó toda.',

    HDR_KEPT: 'Es una foto HDR (PQ o HLG): el AVIF conserva su brillo tal como es, con nclx.',
    HDR_MAPPED:
      'Su brillo HDR ({curve}, {where}) se adaptó al de una pantalla corriente, según ITU-R BT.2390.',
    COLOURS_KEPT: 'El PNG declara sus colores con cICP o gAMA, y el resultado también.',
    COLOURS_DECLARED: 'Sus colores son {colours} ({where}); el resultado lo indica con un perfil.',
    LINEAR_ENCODED: 'Su luz lineal ({where}) se codificó con la curva de sRGB.',
    GAMMA_DECLARED:
      'Sus valores están codificados con {curve} (gAMA); el resultado lo indica con un perfil.',
    FLOATS_ENCODED:
      'Sus valores de coma flotante se tomaron por luz lineal y se codificaron con la curva de sRGB.',
    FLOATS_ENCODED_TO:
      'Sus valores de coma flotante se tomaron por luz lineal hasta {white}, que pasó a ser blanco, y se codificaron con la curva de sRGB.',
    RAW_DEVELOPED:
      'Se reveló con el balance de blancos de la cámara en el espacio ProPhoto: en sRGB perdería sus colores más intensos.',
    COLOURS_CONVERTED: 'Sus colores se convirtieron de {space} a sRGB.',
    ALPHA_DIVIDED:
      'Sus colores estaban multiplicados por su transparencia; los del resultado no lo están.',
    CHANNEL_DROPPED: 'Se omitió un canal adicional del TIFF (selecciones guardadas, por ejemplo).',
    CHANNELS_DROPPED:
      'Se omitieron {count} canales adicionales del TIFF (selecciones guardadas, por ejemplo).',
    GAIN_MAP_ENLARGED: 'Es una foto HDR: su mapa de ganancia se amplió con ella (Ultra HDR).',
    GAIN_MAP_NOT_HELD:
      'Es una foto HDR con mapa de ganancia (Ultra HDR, por ejemplo): el resultado es su imagen base, sin el mapa, que solo conserva un JPEG.',
    GAIN_MAP_UNREADABLE:
      'Es una foto HDR con mapa de ganancia (Ultra HDR, por ejemplo): el resultado es su imagen base, sin el mapa, que no se pudo leer.',
    GAIN_MAP_DROPPED:
      'Es una foto HDR con mapa de ganancia (Ultra HDR, por ejemplo): el resultado es su imagen base, sin el mapa.',

    MAKER_NOTES_TOO_FAR:
      'Se omitieron las notas del fabricante en el EXIF: un TIFF de más de 4 GB no puede tenerlas donde irían.',
    MAKER_NOTES_DROPPED:
      'Se omitieron las notas del fabricante en el EXIF: {format} no puede tenerlas donde irían.',
    EXIF_TOO_LONG_MORE: 'Del EXIF se omitieron {names} y {count} valores más: caben 65 kB.',
    EXIF_TOO_LONG: 'Del EXIF se omitió {names}: caben 65 kB.',
    EXIF_NOT_HELD: 'Se omitió el EXIF: {format} solo admite XMP.',
    IPTC_NOT_HELD: 'Se omitió el IPTC: {format} admite EXIF y XMP.',
    IPTC_NOT_HELD_XMP: 'Se omitió el IPTC: {format} solo admite XMP.',
    XMP_UNREADABLE: 'Su XMP no se pudo leer y se omitió.',
    PNG_TEXT_NOT_HELD: 'Se omitió el texto del PNG: {format} no tiene sitio para él.',
    COMMENT_NOT_HELD: 'Se omitió el comentario del JPEG: {format} no tiene sitio para él.',
    GREY_NOT_HELD: '{format} no admite grises; por eso se aplicó su perfil.',
    DEPTH_TOO_SMALL:
      '{format} admite 8 bits, muy pocos para sus colores tal como son: se convirtieron a sRGB.',
    PROFILE_NOT_HELD: '{format} no admite perfil: sus colores se convirtieron a sRGB.',
    FILM_DROPPED: 'Se omitió su vídeo (una foto en movimiento).',
    DEPTH_MAP_DROPPED: 'Se omitió su mapa de profundidad.',
    CANON_RECIPE_DROPPED:
      'Se omitió la receta de edición del programa de Canon (VRD): era para la imagen antigua.',
    PHOTO_MECHANIC_DROPPED: 'Se omitió lo que Photo Mechanic añadió al archivo.',
    FOTOSTATION_DROPPED: 'Se omitió lo que FotoStation añadió al archivo.',
    AFCP_DROPPED: 'Se omitió lo que un programa de archivo añadió al archivo (AFCP).',
    SAMSUNG_DROPPED:
      'Se omitió lo que la cámara de Samsung añadió al archivo (profundidad, o cómo volver a editarlo).',
    CREDENTIALS_DROPPED:
      'Se omitieron sus Content Credentials (C2PA): están firmadas para el archivo original.',
    GEOTIFF_DROPPED:
      'Se omitió su lugar en un mapa (GeoTIFF): solo vale para los píxeles antiguos.',
    LAYERS_DROPPED:
      'Se omitieron sus capas de Photoshop: se amplió la imagen que el archivo muestra sin ellas.',

    REDUCED_PLAINLY: 'El resultado es menor que la foto; por eso se redujo sin modelo.',
    ENLARGED_PLAINLY:
      'La intensidad es 0; por eso la foto se amplió por interpolación, sin modelo.',
    NO_NETWORK_RAN: 'No había nada que ampliar ni limpiar; por eso no se ejecutó ninguna red.',
    RESTORE_UNUSED:
      'A {model} no se le puede indicar cuánto quitar; por eso restore {amount} no cambió nada.',
    NOT_FAITHFUL:
      'No se pudo acercar en todas partes a {levels} nivel de la foto: tras {rounds} correcciones difiere en {largest} como máximo, y en más de 2 en el {percent} % de la imagen.',
    COMPARED_BEFORE: 'Cuánto cambió la red la foto se midió antes de estos pasos: {steps}.',
    HELD_BEFORE:
      'Se ajustó a la foto antes de estos pasos: {steps}. Por eso el archivo puede diferir de ella en más de {levels} nivel.',
    SUBJECT_STRETCHED:
      'El sujeto se estiró {factor} veces y puede verse borroso. Para más detalle, amplíe más la foto o elija un lienzo más pequeño.',
    GREY_BECAME_RGB: 'La imagen gris pasó a RGB, porque su fondo tiene color.',
    BACKGROUND_FLATTENED: 'Detrás de las partes transparentes de la imagen de fondo hay blanco.',

    DEVICE_LEFT: 'Se usó la CPU en lugar de {device}. Motivo: {reason}',
    TILES_SMALLER:
      'Se usaron teselas de {size} en lugar de {planned} píxeles, porque la memoria de {device} no bastó.',
    BATCH_SMALLER_MEMORY:
      'Teselas a la vez: {count} en lugar de {planned}, porque la memoria de {device} no bastó.',
    BATCH_SMALLER:
      'Teselas a la vez: {count} en lugar de {planned}, porque {device} falló: {reason}',
    RUN_AGAIN: 'Se calculó de nuevo ({next}), porque {device} falló en {precision}: {reason}',
    RAN_HERE: 'Se ejecutó aquí porque el grupo no lo hizo: {reason}',

    BRIGHTNESS_ONLY: 'Solo toma el brillo; los colores se amplían por interpolación.',
    HARDLY_RESEMBLES:
      'Lo que da apenas se parece a lo que recibió (difieren en un {percent} % del rango).',
    CLICKS_TRIED:
      'Los clics sobre {scenes} sujetos dibujados seleccionaron {found} (coincidencia media del {percent} %). Toma {width} x {height} píxeles.',
    NO_SUBJECT_FOUND:
      'No encontró el sujeto en ninguna de seis escenas dibujadas: quizá esté hecho para otros sujetos o tome los valores de otra manera. Mire un resultado y corrija su contrato si hace falta.',
  },
  parts: {
    SIDE_TOO_LONG:
      '{format} admite como máximo {max} píxeles por lado, y el resultado tiene {width} x {height}',
    MEMORY_TOO_SMALL:
      '{format} se puede escribir hasta {max} megapíxeles en la memoria de este equipo, y el resultado tiene {width} x {height} píxeles',
    PIXELS_TOO_MANY:
      '{format} se puede escribir hasta {max} megapíxeles, y el resultado tiene {width} x {height} píxeles',
    SHARPENING: 'enfoque',
    GRAIN: 'grano',
    COMPRESSION: 'compresión',
    STRAY_BYTES: 'bytes sueltos entre sus partes',
    JFIF_VERSION: 'una versión desconocida de JFIF',
    ADOBE_CODE: 'un código desconocido en el segmento de Adobe',
    SCAN_HEADER: 'una cabecera de exploración que no corresponde a su tipo',
    END_MARKER: 'falta la marca de fin',
    DIRECTORY: 'entradas en el directorio del archivo',
    DEVICE_SLOWER: 'aquí es más lento que la CPU, {speed} frente a {cpu} megapíxeles por segundo.',
    DEVICE_MEMORY: 'su memoria no bastó.',
    DEVICE_LOST: 'su controlador se detuvo y se reinició.',
    DEVICE_MISSING: 'el sistema no ofrece ese dispositivo a los programas.',
    DEVICE_FAULT:
      'su controlador notificó un error, que figura en logs/enlarger.log en la carpeta de datos.',
    THE_CPU: 'CPU',
    ONE: '1',
  },
};
