import type { NoteWords } from './en.ts';

export const notesJa: NoteWords = {
  notes: {
    DEPTH_COMPUTED:
      '写真は各色8ビットです。結果の16ビットにある細かい階調は、撮影されたものではなく計算されたものです。',
    DEPTH_REDUCED: '{format}に入るのは各色{max}ビットです。元は{bits}ビットでした。',
    DEPTH_NOT_HELD: '{format}に入るのは各色{max}ビットです。指定は{bits}ビットでした。',
    JXL_COLOURS:
      '非可逆のJPEG XLは色の見え方を保ちます。プログラムが別のプロファイルで読むことがあります。品質100なら、すべての値とプロファイルが残ります。',
    GIF_COLOURS:
      'GIFに入るのは1フレームにつき256色と、完全に透明か不透明のピクセルだけです。WebPとPNGならすべて入ります。',
    TIFF_INSTEAD: '{objection}。そのためTIFFで書き出しました。',
    TRANSPARENCY_FILLED: 'JPEGには透明部分が入りません。画像の背後は白になります。',
    LOSSY_SOURCE:
      '{format}の結果から作成しましたが、そこでは細部が少し失われていました。すべての細部が必要なら、この形式でもう一度処理してください。',
    NOT_SAVED_OVER:
      '{folder}には保存していません。同じ名前のファイルがあり、onConflictがskipです。',

    FRAMES_ENLARGED: '{frames}フレームすべてを拡大しました。表示時間は元のままです。',
    FRAMES_NOT_HELD: '{format}にはアニメーションが入りません。WebP、PNG、GIFには入ります。',
    FRAMES_TOO_LARGE:
      '結果の{frames}フレームは合計のピクセル数が多すぎます。倍率を小さくしてください。',
    FRAMES_LIMIT:
      'アニメーション全体を拡大できるのは、1フレーム{megapixels}メガピクセル以下、{frames}フレームまで、合計で写真1枚に許されるピクセル数までです。',
    FRAMES_STILL: 'これはアニメーションです。結果は動きません。',
    FRAMES_CUT_OUT:
      '切り抜きは静止画です。{frames}フレームのうち最初のものから背景を取り除きました。',
    GIF_WITHOUT_END:
      'GIFに終端マーカーがありません。そこにある{frames}フレームをすべて読み込みました。',
    PAGE_TAKEN: '{pages}ページのうち{page}ページ目を使いました。その前のページはプレビューです。',
    PICTURE_TAKEN:
      '{pages}枚のうち{page}枚目の画像を使いました。ファイルが最初に指定している画像です。',
    FIRST_TAKEN: 'ファイル内の{pages}枚の画像のうち最初のものを使いました。',
    FILE_REPAIRED:
      'ファイルは形式の規則に反していますが（{faults}）、画像は完全です。すべて読み込みました。',

    HDR_KEPT: 'HDR写真（PQまたはHLG）です。AVIFはnclxによって明るさをそのまま保ちます。',
    HDR_MAPPED:
      'HDRの明るさ（{curve}、{where}）を、ITU-R BT.2390により通常の画面の明るさに変換しました。',
    COLOURS_KEPT: 'PNGは色をcICPまたはgAMAで示しています。結果も同じです。',
    COLOURS_DECLARED: '色は{colours}（{where}）です。結果ではプロファイルで示しています。',
    LINEAR_ENCODED: 'リニアな光の値（{where}）をsRGBのカーブで符号化しました。',
    GAMMA_DECLARED: '値は{curve}で符号化されています（gAMA）。結果ではプロファイルで示しています。',
    FLOATS_ENCODED: '浮動小数点の値をリニアな光とみなし、sRGBのカーブで符号化しました。',
    FLOATS_ENCODED_TO:
      '浮動小数点の値を{white}まで（これを白とする）のリニアな光とみなし、sRGBのカーブで符号化しました。',
    RAW_DEVELOPED:
      'カメラのホワイトバランスを使い、ProPhotoの色域で現像しました。sRGBでは最も鮮やかな色が失われるためです。',
    COLOURS_CONVERTED: '色を{space}からsRGBに変換しました。',
    ALPHA_DIVIDED: '元の色には透明度が掛けられていました。結果の色には掛けられていません。',
    CHANNEL_DROPPED: 'TIFFの追加チャンネル（保存した選択範囲など）を1つ省きました。',
    CHANNELS_DROPPED: 'TIFFの追加チャンネル（保存した選択範囲など）を{count}個省きました。',
    GAIN_MAP_ENLARGED: 'HDR写真です。ゲインマップも一緒に拡大しました（Ultra HDR）。',
    GAIN_MAP_NOT_HELD:
      'ゲインマップ付きのHDR写真（Ultra HDRなど）です。結果は基本画像で、JPEGにしか残せないマップは付きません。',
    GAIN_MAP_UNREADABLE:
      'ゲインマップ付きのHDR写真（Ultra HDRなど）です。結果は基本画像で、読み込めなかったマップは付きません。',
    GAIN_MAP_DROPPED:
      'ゲインマップ付きのHDR写真（Ultra HDRなど）です。結果は基本画像で、マップは付きません。',

    MAKER_NOTES_TOO_FAR:
      'EXIF内のメーカーノートを省きました。4 GBを超えるTIFFでは、本来の位置に置けません。',
    MAKER_NOTES_DROPPED:
      'EXIF内のメーカーノートを省きました。{format}では、本来の位置に置けません。',
    EXIF_TOO_LONG_MORE: 'EXIFから{names}ほか{count}件を省きました。EXIFに入るのは65 kBです。',
    EXIF_TOO_LONG: 'EXIFから{names}を省きました。EXIFに入るのは65 kBです。',
    EXIF_NOT_HELD: 'EXIFを省きました。{format}に入るのはXMPだけです。',
    IPTC_NOT_HELD: 'IPTCを省きました。{format}に入るのはEXIFとXMPです。',
    IPTC_NOT_HELD_XMP: 'IPTCを省きました。{format}に入るのはXMPだけです。',
    XMP_UNREADABLE: 'XMPを読み込めなかったため省きました。',
    PNG_TEXT_NOT_HELD: 'PNGのテキストを省きました。{format}には入りません。',
    COMMENT_NOT_HELD: 'JPEGのコメントを省きました。{format}には入りません。',
    GREY_NOT_HELD: '{format}にはグレースケールがないため、プロファイルを適用しました。',
    DEPTH_TOO_SMALL:
      '{format}に入るのは8ビットで、元の色のままでは足りません。sRGBに変換しました。',
    PROFILE_NOT_HELD: '{format}にはプロファイルが入りません。色をsRGBに変換しました。',
    FILM_DROPPED: '動画部分（モーションフォト）を省きました。',
    DEPTH_MAP_DROPPED: '深度マップを省きました。',
    CANON_RECIPE_DROPPED:
      'Canonのソフトウェアの編集レシピ（VRD）を省きました。元の画像のためのものです。',
    PHOTO_MECHANIC_DROPPED: 'Photo Mechanicがファイルに追加した情報を省きました。',
    FOTOSTATION_DROPPED: 'FotoStationがファイルに追加した情報を省きました。',
    AFCP_DROPPED: 'アーカイブソフトがファイルに追加した情報（AFCP）を省きました。',
    SAMSUNG_DROPPED: 'Samsungのカメラがファイルに追加した情報（深度や再編集の情報）を省きました。',
    CREDENTIALS_DROPPED:
      'Content Credentials（C2PA）を省きました。元のファイルに対して署名されたものです。',
    GEOTIFF_DROPPED: '地図上の位置（GeoTIFF）を省きました。元のピクセルにしか当てはまりません。',
    LAYERS_DROPPED: 'Photoshopのレイヤーを省きました。レイヤーなしで表示される画像を拡大しました。',

    REDUCED_PLAINLY: '結果は写真より小さいため、モデルを使わずに縮小しました。',
    ENLARGED_PLAINLY: '適用量が0のため、モデルを使わず補間で拡大しました。',
    NO_NETWORK_RAN: '拡大も補正も不要だったため、ネットワークは動いていません。',
    RESTORE_UNUSED: '{model}には補正の量を指定できないため、restore {amount}は効果がありません。',
    NOT_FAITHFUL:
      'すべての場所で写真との差を{levels}階調以内にはできませんでした。{rounds}回の補正後、差は最大{largest}階調、{percent} %の部分で2階調を超えます。',
    COMPARED_BEFORE: 'ネットワークが写真をどれだけ変えたかは、次の処理の前に測りました：{steps}。',
    HELD_BEFORE:
      '次の処理の前に写真に合わせました：{steps}。ファイルは写真と{levels}階調を超えて異なることがあります。',
    SUBJECT_STRETCHED:
      '被写体を{factor}倍に引き伸ばしたため、ぼやけて見えることがあります。細部を増やすには、写真をさらに拡大するか、小さいカンバスを選んでください。',
    GREY_BECAME_RGB: '背景に色があるため、グレースケールの画像をRGBにしました。',
    BACKGROUND_FLATTENED: '背景画像の透明な部分の背後は白になります。',

    DEVICE_LEFT: '{device}の代わりにCPUを使いました。{reason}',
    TILES_SMALLER:
      '{device}のメモリが足りなかったため、タイルを{planned}ピクセルから{size}ピクセルにしました。',
    BATCH_SMALLER_MEMORY:
      '{device}のメモリが足りなかったため、同時に処理するタイルを{planned}枚から{count}枚にしました。',
    BATCH_SMALLER:
      '{device}で失敗したため、同時に処理するタイルを{planned}枚から{count}枚にしました。{reason}',
    RUN_AGAIN: '{device}（{precision}）で失敗したため、もう一度実行しました：{next}。{reason}',
    RAN_HERE: 'プールで処理されなかったため、ここで実行しました：{reason}',

    BRIGHTNESS_ONLY: 'このモデルが扱うのは明るさだけです。色は補間で拡大します。',
    HARDLY_RESEMBLES: '出力が入力とほとんど似ていません（差は値の範囲の{percent} %）。',
    CLICKS_TRIED:
      '描画した被写体{scenes}個をクリックし、{found}個を選択できました（重なりは平均{percent} %）。入力は{width} x {height}ピクセルです。',
    NO_SUBJECT_FOUND:
      '描画した6つの場面のどれでも被写体を見つけられませんでした。別の種類の被写体向けか、値の受け取り方が異なるのかもしれません。結果を確認し、必要なら仕様を修正してください。',
  },
  parts: {
    SIDE_TOO_LONG: '{format}の一辺は最大{max}ピクセルですが、結果は{width} x {height}です',
    MEMORY_TOO_SMALL:
      'このコンピューターのメモリで{format}を書き出せるのは{max}メガピクセルまでですが、結果は{width} x {height}ピクセルです',
    PIXELS_TOO_MANY:
      '{format}で書き出せるのは{max}メガピクセルまでですが、結果は{width} x {height}ピクセルです',
    SHARPENING: 'シャープ',
    GRAIN: '粒状感',
    COMPRESSION: '圧縮',
    STRAY_BYTES: '部分の間の余分なバイト',
    JFIF_VERSION: '未知のJFIFバージョン',
    ADOBE_CODE: 'Adobeセグメント内の未知のコード',
    SCAN_HEADER: '種類に合わないスキャンヘッダー',
    END_MARKER: '終端マーカーの欠落',
    DIRECTORY: 'ファイルのディレクトリ内の項目',
    DEVICE_SLOWER: 'ここではCPUより遅いためです（毎秒{speed}メガピクセル、CPUは{cpu}）。',
    DEVICE_MEMORY: 'メモリが足りませんでした。',
    DEVICE_LOST: 'ドライバーが停止して再起動しました。',
    DEVICE_MISSING: 'システムはこの種のデバイスをプログラムに提供していません。',
    DEVICE_FAULT:
      'ドライバーがエラーを報告しました。内容はデータフォルダーのlogs/enlarger.logにあります。',
    THE_CPU: 'CPU',
    ONE: '1',
  },
};
