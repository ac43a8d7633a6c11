/** What of each family is answered, for the documentation: rows of its table. */

export interface CompatRow {
  family: string;
  /** Addresses below that of the port. */
  routes: readonly string[];
  /** How the key is shown. */
  key: string;
  mapped: readonly string[];
  refused: readonly string[];
  /** What to change in the usual clients. */
  clients: readonly (readonly [client: string, change: string])[];
}

/** ADDRESS stands for that of the port, KEY for one made in the Connect view. */
export const compatTable: readonly CompatRow[] = [
  {
    family: 'remove.bg 1.0',
    routes: ['POST /v1.0/removebg', 'GET /v1.0/account'],
    key: 'X-Api-Key: KEY',
    mapped: [
      'image_file, image_url, image_file_b64',
      'size: preview, small and regular reduce to 0.25 megapixels, medium to 1.5, hd to 4; full, 4k, 50MP and auto keep the size',
      'format: auto, png, jpg (on white without bg_color), webp',
      'crop, crop_margin of one percentage',
      'channels: rgba, alpha (a grey PNG of 8 bits)',
      'bg_color: digits or a name',
      'type and type_level are answered in X-Type; one network finds every kind of subject',
      'semitransparency: always on',
    ],
    refused: ['roi other than the whole picture', 'improve and the other routes: 404'],
    clients: [
      [
        'curl',
        "the address: curl -H 'X-Api-Key: KEY' -F image_file=@photo.jpg ADDRESS/v1.0/removebg",
      ],
      ['Ruby (remove_bg)', "lib/remove_bg/api.rb: URL = 'ADDRESS'"],
      ['Go (remove-bg/go)', 'client/client.go: const APIEndpoint = "ADDRESS/v1.0/removebg"'],
      ['Python (removebg)', 'removebg.API_ENDPOINT = "ADDRESS/v1.0/removebg"'],
    ],
  },
  {
    family: 'rembg',
    routes: ['GET /api/remove?url=', 'POST /api/remove'],
    key: 'its clients show none: switch on “Without a key”, or add X-Api-Key: KEY',
    mapped: [
      'file, url',
      'model: the installed network of that name or kind, else the usual one; X-Enlarger-Model says which it was',
      'om: the mask, a grey PNG of 8 bits',
      'bgc: a colour',
      'a: every edge is matted here; ppm: every mask is cleaned here, said in X-Enlarger-Notes',
    ],
    refused: ['af, ab and ae other than the usual 240, 10, 10 with a=true', 'extras'],
    clients: [
      ['curl', 'curl -F file=@photo.jpg ADDRESS/api/remove -o cut.png'],
      [
        'compose files, GIMP and Photopea plug-ins',
        'http://rembg:7000 or http://localhost:7000 becomes ADDRESS',
      ],
    ],
  },
];
