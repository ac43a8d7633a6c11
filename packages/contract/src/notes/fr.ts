import type { NoteWords } from './en.ts';

export const notesFr: NoteWords = {
  notes: {
    DEPTH_COMPUTED:
      'La photo a 8 bits par couleur ; les niveaux plus fins des 16 bits du résultat sont calculés, non photographiés.',
    DEPTH_REDUCED: '{format} contient {max} bits par couleur ; il y en avait {bits}.',
    DEPTH_NOT_HELD: '{format} contient {max} bits par couleur ; {bits} étaient demandés.',
    JXL_COLOURS:
      'Le JPEG XL avec perte garde l’aspect des couleurs : des programmes peuvent les lire dans un autre profil. La qualité 100 garde chaque valeur et le profil.',
    GIF_COLOURS:
      'GIF contient 256 couleurs par image, et des pixels entièrement transparents ou opaques. WebP et PNG contiennent tout.',
    TIFF_INSTEAD: '{objection} ; il a donc été écrit en TIFF.',
    TRANSPARENCY_FILLED: 'JPEG ne contient pas de transparence ; du blanc est derrière l’image.',
    LOSSY_SOURCE:
      'Il a été fait à partir du résultat {format}, qui avait perdu un peu de détail. Pour tout garder, relancez la tâche dans ce format.',
    NOT_SAVED_OVER:
      'Il n’a pas été enregistré dans {folder} : un fichier de ce nom s’y trouve, et onConflict est skip.',

    FRAMES_ENLARGED:
      'Les {frames} images de l’animation ont été agrandies, et chacune dure autant qu’avant.',
    FRAMES_NOT_HELD: '{format} ne contient pas d’animation ; WebP, PNG et GIF oui.',
    FRAMES_TOO_LARGE:
      'Les {frames} images du résultat auraient trop de pixels ensemble ; choisissez une échelle plus petite.',
    FRAMES_LIMIT:
      'Les animations sont agrandies en entier jusqu’à {frames} images de {megapixels} mégapixels chacune, et d’autant de pixels en tout qu’une photo peut avoir.',
    FRAMES_STILL: 'C’est une animation : le résultat ne bouge pas.',
    FRAMES_CUT_OUT:
      'Un détourage est une image fixe : l’arrière-plan a été retiré de la première des {frames} images.',
    GIF_WITHOUT_END:
      'Le GIF n’a pas de marqueur de fin : toutes les images présentes ont été lues ({frames}).',
    PAGE_TAKEN: 'La page {page} sur {pages} a été prise ; les précédentes sont ses aperçus.',
    PICTURE_TAKEN: 'L’image {page} sur {pages} a été prise, celle que le fichier nomme en premier.',
    FIRST_TAKEN: 'La première des {pages} images du fichier a été prise.',
    FILE_REPAIRED:
      'Le fichier enfreint les règles de son format ({faults}), mais son image est entière : tout a été lu.',

    HDR_KEPT:
      'C’est une photo HDR (PQ ou HLG) : l’AVIF garde sa luminosité telle quelle, par nclx.',
    HDR_MAPPED:
      'Sa luminosité HDR ({curve}, {where}) a été ramenée à celle d’un écran ordinaire, selon ITU-R BT.2390.',
    COLOURS_KEPT: 'Le PNG déclare ses couleurs par cICP ou gAMA, et le résultat aussi.',
    COLOURS_DECLARED: 'Ses couleurs sont {colours} ({where}) ; le résultat le dit par un profil.',
    LINEAR_ENCODED: 'Sa lumière linéaire ({where}) a été codée par la courbe de sRGB.',
    GAMMA_DECLARED:
      'Ses valeurs sont codées avec {curve} (gAMA) ; le résultat le dit par un profil.',
    FLOATS_ENCODED:
      'Ses valeurs à virgule flottante ont été prises pour de la lumière linéaire et codées par la courbe de sRGB.',
    FLOATS_ENCODED_TO:
      'Ses valeurs à virgule flottante ont été prises pour de la lumière linéaire jusqu’à {white}, devenu blanc, et codées par la courbe de sRGB.',
    RAW_DEVELOPED:
      'Elle a été développée avec la balance des blancs de l’appareil dans l’espace ProPhoto : en sRGB, elle perdrait ses couleurs les plus vives.',
    COLOURS_CONVERTED: 'Ses couleurs ont été converties de {space} en sRGB.',
    ALPHA_DIVIDED:
      'Ses couleurs étaient multipliées par sa transparence ; celles du résultat ne le sont pas.',
    CHANNEL_DROPPED:
      'Une couche supplémentaire du TIFF (sélections enregistrées, par exemple) a été omise.',
    CHANNELS_DROPPED:
      '{count} couches supplémentaires du TIFF (sélections enregistrées, par exemple) ont été omises.',
    GAIN_MAP_ENLARGED:
      'C’est une photo HDR : sa carte de gain a été agrandie avec elle (Ultra HDR).',
    GAIN_MAP_NOT_HELD:
      'C’est une photo HDR avec carte de gain (Ultra HDR, par exemple) : le résultat est son image de base, sans la carte, que seul un JPEG garde.',
    GAIN_MAP_UNREADABLE:
      'C’est une photo HDR avec carte de gain (Ultra HDR, par exemple) : le résultat est son image de base, sans la carte, qui n’a pas pu être lue.',
    GAIN_MAP_DROPPED:
      'C’est une photo HDR avec carte de gain (Ultra HDR, par exemple) : le résultat est son image de base, sans la carte.',

    MAKER_NOTES_TOO_FAR:
      'Les notes du fabricant dans l’EXIF ont été omises : un TIFF de plus de 4 Go ne peut pas les contenir à leur place.',
    MAKER_NOTES_DROPPED:
      'Les notes du fabricant dans l’EXIF ont été omises : {format} ne peut pas les contenir à leur place.',
    EXIF_TOO_LONG_MORE:
      'De l’EXIF, {names} et {count} autres valeurs ont été omis : il contient 65 ko.',
    EXIF_TOO_LONG: 'De l’EXIF, {names} a été omis : il contient 65 ko.',
    EXIF_NOT_HELD: 'L’EXIF a été omis : {format} ne contient que XMP.',
    IPTC_NOT_HELD: 'L’IPTC a été omis : {format} contient EXIF et XMP.',
    IPTC_NOT_HELD_XMP: 'L’IPTC a été omis : {format} ne contient que XMP.',
    XMP_UNREADABLE: 'Son XMP n’a pas pu être lu ; il a donc été omis.',
    PNG_TEXT_NOT_HELD: 'Le texte du PNG a été omis : {format} n’a pas de place pour lui.',
    COMMENT_NOT_HELD: 'Le commentaire du JPEG a été omis : {format} n’a pas de place pour lui.',
    GREY_NOT_HELD: '{format} ne contient pas de niveaux de gris ; son profil a donc été appliqué.',
    DEPTH_TOO_SMALL:
      '{format} contient 8 bits, trop peu pour ses couleurs telles quelles : elles ont été converties en sRGB.',
    PROFILE_NOT_HELD:
      '{format} ne contient pas de profil : ses couleurs ont été converties en sRGB.',
    FILM_DROPPED: 'Son film (une photo animée) a été omis.',
    DEPTH_MAP_DROPPED: 'Sa carte de profondeur a été omise.',
    CANON_RECIPE_DROPPED:
      'La recette de retouche du logiciel de Canon (VRD) a été omise : elle valait pour l’ancienne image.',
    PHOTO_MECHANIC_DROPPED: 'Ce que Photo Mechanic a ajouté au fichier a été omis.',
    FOTOSTATION_DROPPED: 'Ce que FotoStation a ajouté au fichier a été omis.',
    AFCP_DROPPED: 'Ce qu’un programme d’archivage a ajouté au fichier (AFCP) a été omis.',
    SAMSUNG_DROPPED:
      'Ce que l’appareil Samsung a ajouté au fichier (profondeur, ou comment le retoucher à nouveau) a été omis.',
    CREDENTIALS_DROPPED:
      'Ses Content Credentials (C2PA) ont été omis : ils sont signés pour le fichier d’origine.',
    GEOTIFF_DROPPED:
      'Sa place sur une carte (GeoTIFF) a été omise : elle ne vaut que pour les anciens pixels.',
    LAYERS_DROPPED:
      'Ses calques Photoshop ont été omis : c’est l’image que le fichier montre sans eux qui a été agrandie.',

    REDUCED_PLAINLY:
      'Le résultat est plus petit que la photo ; elle a donc été réduite sans modèle.',
    ENLARGED_PLAINLY:
      'L’intensité est 0 ; la photo a donc été agrandie par interpolation, sans modèle.',
    NO_NETWORK_RAN: 'Rien n’était à agrandir ou à nettoyer ; aucun réseau n’a donc tourné.',
    RESTORE_UNUSED:
      'On ne peut pas dire à {model} combien enlever ; restore {amount} n’a donc rien changé.',
    NOT_FAITHFUL:
      'Il n’a pas pu être amené partout à {levels} niveau de la photo : après {rounds} corrections, il s’en écarte de {largest} au plus, et de plus de 2 sur {percent} % de sa surface.',
    COMPARED_BEFORE: 'L’écart entre le réseau et la photo a été mesuré avant ces étapes : {steps}.',
    HELD_BEFORE:
      'Il a été tenu à la photo avant ces étapes : {steps}. Le fichier peut donc s’en écarter de plus de {levels} niveau.',
    SUBJECT_STRETCHED:
      'Le sujet a été étiré {factor} fois et peut paraître flou. Pour plus de détails, agrandissez davantage la photo ou choisissez une zone de travail plus petite.',
    GREY_BECAME_RGB: 'L’image en gris est devenue RVB, car son arrière-plan a une couleur.',
    BACKGROUND_FLATTENED:
      'Du blanc est derrière les parties transparentes de l’image d’arrière-plan.',

    DEVICE_LEFT: 'Le CPU a été utilisé au lieu de {device}. Raison : {reason}',
    TILES_SMALLER:
      'Des tuiles de {size} au lieu de {planned} pixels ont été utilisées, car la mémoire de {device} n’a pas suffi.',
    BATCH_SMALLER_MEMORY:
      'Tuiles traitées à la fois : {count} au lieu de {planned}, car la mémoire de {device} n’a pas suffi.',
    BATCH_SMALLER:
      'Tuiles traitées à la fois : {count} au lieu de {planned}, car {device} a échoué : {reason}',
    RUN_AGAIN: 'Recalculé ({next}), car {device} a échoué en {precision} : {reason}',
    RAN_HERE: 'Il a été traité ici, car le groupe ne l’a pas fait : {reason}',

    BRIGHTNESS_ONLY:
      'Il ne prend que la luminosité ; les couleurs sont agrandies par interpolation.',
    HARDLY_RESEMBLES:
      'Ce qu’il donne ne ressemble guère à ce qu’il a reçu (écart de {percent} % de la plage).',
    CLICKS_TRIED:
      'Des clics sur {scenes} sujets dessinés en ont sélectionné {found} (recouvrement moyen de {percent} %). Il prend {width} x {height} pixels.',
    NO_SUBJECT_FOUND:
      'Il n’a trouvé le sujet dans aucune des six scènes dessinées : il est peut-être fait pour d’autres sujets, ou prend les valeurs autrement. Regardez un résultat et corrigez son contrat au besoin.',
  },
  parts: {
    SIDE_TOO_LONG:
      '{format} contient au plus {max} pixels par côté, et le résultat a {width} x {height}',
    MEMORY_TOO_SMALL:
      '{format} peut être écrit jusqu’à {max} mégapixels dans la mémoire de cette machine, et le résultat a {width} x {height} pixels',
    PIXELS_TOO_MANY:
      '{format} peut être écrit jusqu’à {max} mégapixels, et le résultat a {width} x {height} pixels',
    SHARPENING: 'netteté',
    GRAIN: 'grain',
    COMPRESSION: 'compression',
    STRAY_BYTES: 'octets étrangers entre ses parties',
    JFIF_VERSION: 'version inconnue de JFIF',
    ADOBE_CODE: 'code inconnu dans le segment d’Adobe',
    SCAN_HEADER: 'en-tête de balayage qui ne convient pas à son type',
    END_MARKER: 'marqueur de fin manquant',
    DIRECTORY: 'entrées dans le répertoire du fichier',
    DEVICE_SLOWER: 'il est plus lent ici que le CPU, {speed} contre {cpu} mégapixels par seconde.',
    DEVICE_MEMORY: 'sa mémoire n’a pas suffi.',
    DEVICE_LOST: 'son pilote s’est arrêté et a redémarré.',
    DEVICE_MISSING: 'le système n’offre pas un tel appareil aux programmes.',
    DEVICE_FAULT:
      'son pilote a signalé une erreur, que logs/enlarger.log dans le dossier de données nomme.',
    THE_CPU: 'CPU',
    ONE: '1',
  },
};
