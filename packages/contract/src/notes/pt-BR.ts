import type { NoteWords } from './en.ts';

export const notesPtBR: NoteWords = {
  notes: {
    DEPTH_COMPUTED:
      'A foto tem 8 bits por cor; os níveis mais finos nos 16 do resultado são calculados, não fotografados.',
    DEPTH_REDUCED: '{format} comporta {max} bits por cor; havia {bits}.',
    DEPTH_NOT_HELD: '{format} comporta {max} bits por cor; foram pedidos {bits}.',
    JXL_COLOURS:
      'JPEG XL com perda mantém a aparência das cores: programas podem lê-las em outro perfil. A qualidade 100 mantém cada valor e o perfil.',
    GIF_COLOURS:
      'GIF comporta 256 cores por quadro e pixels totalmente transparentes ou nada. WebP e PNG comportam tudo.',
    TIFF_INSTEAD: '{objection}; por isso foi gravado como TIFF.',
    TRANSPARENCY_FILLED: 'JPEG não comporta transparência; há branco atrás da imagem.',
    LOSSY_SOURCE:
      'Foi feito a partir do resultado em {format}, que tinha perdido um pouco de detalhe. Para ter tudo, execute a tarefa de novo neste formato.',
    NOT_SAVED_OVER:
      'Não foi salvo em {folder}: já há um arquivo com esse nome, e onConflict é skip.',

    FRAMES_ENLARGED:
      'Todos os {frames} quadros foram ampliados, e cada um é mostrado por tanto tempo quanto antes.',
    FRAMES_NOT_HELD: '{format} não comporta animação; WebP, PNG e GIF comportam.',
    FRAMES_TOO_LARGE:
      'Os {frames} quadros do resultado teriam pixels demais no total; escolha uma escala menor.',
    FRAMES_LIMIT:
      'Animações são ampliadas por inteiro até {frames} quadros de {megapixels} megapixels cada, e no total com tantos pixels quantos uma foto pode ter.',
    FRAMES_STILL: 'É uma animação: o resultado não se move.',
    FRAMES_CUT_OUT:
      'Um recorte é uma imagem parada: o fundo foi removido do primeiro dos {frames} quadros.',
    GIF_WITHOUT_END:
      'O GIF não tem marca de fim: todos os quadros presentes foram lidos ({frames}).',
    PAGE_TAKEN: 'Foi usada a página {page} de {pages}; as anteriores são as prévias dela.',
    PICTURE_TAKEN: 'Foi usada a imagem {page} de {pages}, que o arquivo indica primeiro.',
    FIRST_TAKEN: 'Foi usada a primeira das {pages} imagens do arquivo.',
    FILE_REPAIRED:
      'O arquivo viola as regras do seu formato ({faults}), mas sua imagem está inteira: tudo foi lido.',

    HDR_KEPT: 'É uma foto HDR (PQ ou HLG): o AVIF mantém seu brilho como é, por nclx.',
    HDR_MAPPED:
      'Seu brilho HDR ({curve}, {where}) foi adaptado ao de uma tela comum, segundo ITU-R BT.2390.',
    COLOURS_KEPT: 'O PNG declara suas cores por cICP ou gAMA, e o resultado também.',
    COLOURS_DECLARED: 'Suas cores são {colours} ({where}); o resultado indica isso por um perfil.',
    LINEAR_ENCODED: 'Sua luz linear ({where}) foi codificada pela curva de sRGB.',
    GAMMA_DECLARED:
      'Seus valores estão codificados com {curve} (gAMA); o resultado indica isso por um perfil.',
    FLOATS_ENCODED:
      'Seus valores de ponto flutuante foram tomados por luz linear e codificados pela curva de sRGB.',
    FLOATS_ENCODED_TO:
      'Seus valores de ponto flutuante foram tomados por luz linear até {white}, que virou branco, e codificados pela curva de sRGB.',
    RAW_DEVELOPED:
      'Foi revelada com o balanço de branco da câmera no espaço ProPhoto: em sRGB perderia suas cores mais fortes.',
    COLOURS_CONVERTED: 'Suas cores foram convertidas de {space} para sRGB.',
    ALPHA_DIVIDED:
      'Suas cores estavam multiplicadas pela transparência; as do resultado não estão.',
    CHANNEL_DROPPED: 'Um canal adicional do TIFF (seleções salvas, por exemplo) foi omitido.',
    CHANNELS_DROPPED:
      '{count} canais adicionais do TIFF (seleções salvas, por exemplo) foram omitidos.',
    GAIN_MAP_ENLARGED: 'É uma foto HDR: seu mapa de ganho foi ampliado com ela (Ultra HDR).',
    GAIN_MAP_NOT_HELD:
      'É uma foto HDR com mapa de ganho (Ultra HDR, por exemplo): o resultado é sua imagem de base, sem o mapa, que só um JPEG mantém.',
    GAIN_MAP_UNREADABLE:
      'É uma foto HDR com mapa de ganho (Ultra HDR, por exemplo): o resultado é sua imagem de base, sem o mapa, que não pôde ser lido.',
    GAIN_MAP_DROPPED:
      'É uma foto HDR com mapa de ganho (Ultra HDR, por exemplo): o resultado é sua imagem de base, sem o mapa.',

    MAKER_NOTES_TOO_FAR:
      'As notas do fabricante no EXIF foram omitidas: um TIFF com mais de 4 GB não pode tê-las em seu lugar.',
    MAKER_NOTES_DROPPED:
      'As notas do fabricante no EXIF foram omitidas: {format} não pode tê-las em seu lugar.',
    EXIF_TOO_LONG_MORE: 'Do EXIF foram omitidos {names} e mais {count} valores: cabem 65 kB.',
    EXIF_TOO_LONG: 'Do EXIF foi omitido {names}: cabem 65 kB.',
    EXIF_NOT_HELD: 'O EXIF foi omitido: {format} só comporta XMP.',
    IPTC_NOT_HELD: 'O IPTC foi omitido: {format} comporta EXIF e XMP.',
    IPTC_NOT_HELD_XMP: 'O IPTC foi omitido: {format} só comporta XMP.',
    XMP_UNREADABLE: 'Seu XMP não pôde ser lido e foi omitido.',
    PNG_TEXT_NOT_HELD: 'O texto do PNG foi omitido: {format} não tem lugar para ele.',
    COMMENT_NOT_HELD: 'O comentário do JPEG foi omitido: {format} não tem lugar para ele.',
    GREY_NOT_HELD: '{format} não comporta cinza; por isso seu perfil foi aplicado.',
    DEPTH_TOO_SMALL:
      '{format} comporta 8 bits, poucos para suas cores como são: foram convertidas para sRGB.',
    PROFILE_NOT_HELD: '{format} não comporta perfil: suas cores foram convertidas para sRGB.',
    FILM_DROPPED: 'Seu filme (uma foto em movimento) foi omitido.',
    DEPTH_MAP_DROPPED: 'Seu mapa de profundidade foi omitido.',
    CANON_RECIPE_DROPPED:
      'A receita de edição do software da Canon (VRD) foi omitida: valia para a imagem antiga.',
    PHOTO_MECHANIC_DROPPED: 'O que o Photo Mechanic acrescentou ao arquivo foi omitido.',
    FOTOSTATION_DROPPED: 'O que o FotoStation acrescentou ao arquivo foi omitido.',
    AFCP_DROPPED: 'O que um programa de arquivamento acrescentou ao arquivo (AFCP) foi omitido.',
    SAMSUNG_DROPPED:
      'O que a câmera da Samsung acrescentou ao arquivo (profundidade, ou como editá-lo de novo) foi omitido.',
    CREDENTIALS_DROPPED:
      'Suas Content Credentials (C2PA) foram omitidas: estão assinadas para o arquivo original.',
    GEOTIFF_DROPPED: 'Seu lugar em um mapa (GeoTIFF) foi omitido: vale só para os pixels antigos.',
    LAYERS_DROPPED:
      'Suas camadas do Photoshop foram omitidas: foi ampliada a imagem que o arquivo mostra sem elas.',

    REDUCED_PLAINLY: 'O resultado é menor que a foto; por isso foi reduzida sem modelo.',
    ENLARGED_PLAINLY:
      'A intensidade é 0; por isso a foto foi ampliada por interpolação, sem modelo.',
    NO_NETWORK_RAN: 'Não havia nada a ampliar nem a limpar; por isso nenhuma rede foi executada.',
    RESTORE_UNUSED:
      'Não se pode dizer a {model} quanto tirar; por isso restore {amount} não mudou nada.',
    NOT_FAITHFUL:
      'Não foi possível trazê-lo em toda parte a {levels} nível da foto: após {rounds} correções, difere no máximo {largest}, e mais de 2 em {percent} % da imagem.',
    COMPARED_BEFORE: 'Quanto a rede mudou a foto foi medido antes destas etapas: {steps}.',
    HELD_BEFORE:
      'Foi mantido junto à foto antes destas etapas: {steps}. Por isso o arquivo pode diferir dela em mais de {levels} nível.',
    SUBJECT_STRETCHED:
      'O assunto foi esticado {factor} vezes e pode parecer sem nitidez. Para mais detalhes, amplie mais a foto ou escolha uma tela de pintura menor.',
    GREY_BECAME_RGB: 'A imagem cinza virou RGB, pois seu fundo tem uma cor.',
    BACKGROUND_FLATTENED: 'Há branco atrás das partes transparentes da imagem de fundo.',

    DEVICE_LEFT: 'A CPU foi usada em vez de {device}. Motivo: {reason}',
    TILES_SMALLER:
      'Foram usados blocos de {size} em vez de {planned} pixels, pois a memória de {device} não bastou.',
    BATCH_SMALLER_MEMORY:
      'Blocos por vez: {count} em vez de {planned}, pois a memória de {device} não bastou.',
    BATCH_SMALLER: 'Blocos por vez: {count} em vez de {planned}, pois {device} falhou: {reason}',
    RUN_AGAIN: 'Executado de novo ({next}), pois {device} falhou em {precision}: {reason}',
    RAN_HERE: 'Foi executado aqui porque o grupo não o fez: {reason}',

    BRIGHTNESS_ONLY: 'Usa só o brilho; as cores são ampliadas por interpolação.',
    HARDLY_RESEMBLES:
      'O que ele dá mal se parece com o que recebeu (diferença de {percent} % do intervalo).',
    CLICKS_TRIED:
      'Cliques em {scenes} assuntos desenhados selecionaram {found} deles (sobreposição média de {percent} %). Ele usa {width} x {height} pixels.',
    NO_SUBJECT_FOUND:
      'Não encontrou o assunto em nenhuma de seis cenas desenhadas: talvez seja feito para outros assuntos ou receba valores de outra forma. Veja um resultado e corrija o contrato, se preciso.',
  },
  parts: {
    SIDE_TOO_LONG:
      '{format} comporta no máximo {max} pixels por lado, e o resultado tem {width} x {height}',
    MEMORY_TOO_SMALL:
      '{format} pode ser gravado até {max} megapixels na memória desta máquina, e o resultado tem {width} x {height} pixels',
    PIXELS_TOO_MANY:
      '{format} pode ser gravado até {max} megapixels, e o resultado tem {width} x {height} pixels',
    SHARPENING: 'nitidez',
    GRAIN: 'granulação',
    COMPRESSION: 'compactação',
    STRAY_BYTES: 'bytes estranhos entre suas partes',
    JFIF_VERSION: 'uma versão desconhecida de JFIF',
    ADOBE_CODE: 'um código desconhecido no segmento da Adobe',
    SCAN_HEADER: 'um cabeçalho de varredura que não combina com seu tipo',
    END_MARKER: 'falta a marca de fim',
    DIRECTORY: 'entradas no diretório do arquivo',
    DEVICE_SLOWER: 'aqui é mais lento que a CPU, {speed} contra {cpu} megapixels por segundo.',
    DEVICE_MEMORY: 'sua memória não bastou.',
    DEVICE_LOST: 'seu driver parou e reiniciou.',
    DEVICE_MISSING: 'o sistema não oferece esse dispositivo aos programas.',
    DEVICE_FAULT: 'seu driver relatou uma falha, que logs/enlarger.log na pasta de dados informa.',
    THE_CPU: 'CPU',
    ONE: '1',
  },
};
