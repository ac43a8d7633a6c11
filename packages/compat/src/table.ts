/** Table of the documentation: what is supported per family. */

export interface CompatRow {
  family: string;
  /** Paths below the compatibility port's address. */
  routes: readonly string[];
  /** How programs send their key. */
  key: string;
  mapped: readonly string[];
  refused: readonly string[];
  /** What to change in common clients. */
  clients: readonly (readonly [client: string, change: string])[];
}

/** ADDRESS: address of the compatibility port; KEY: a key from the Connect view. */
export const compatTable: readonly CompatRow[] = [
  {
    family: 'remove.bg 1.0',
    routes: ['POST /v1.0/removebg', 'GET /v1.0/account'],
    key: 'X-Api-Key: KEY',
    mapped: [
      'image_file, image_url, image_file_b64',
      'size: preview, small and regular reduce to 0.25 megapixels, medium to 1.5, hd to 4; full, 4k, 50MP and auto keep the size',
      'format: auto, png, jpg (on white without bg_color), webp; zip: color.jpg and alpha.png, which laid over each other are the PNG',
      'crop, crop_margin of one percentage of the longer side; scale, position; roi, outside of which all is removed',
      'channels: rgba, alpha (the mask in grey of 8 bits: a PNG, also for zip, or the format asked for)',
      'bg_color: digits or a name; bg_image_url and bg_image_file, in the middle and filling the picture',
      'add_shadow, shadow_type auto and drop, shadow_opacity: a soft shadow behind and below the subject',
      'type and type_level are answered in X-Type; one network finds every kind of subject',
      'semitransparency: always on; false is answered by X-Enlarger-Notes',
    ],
    refused: [
      'crop_margin in pixels or of several values',
      'shadow_type 3D and car; any shadow beside channels alpha',
      'position original beside a scale; several of bg_color, bg_image_url and bg_image_file',
      'improve and the other routes: 404',
    ],
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
    routes: ['GET /api/remove?url=', 'POST /api/remove', 'GET /api'],
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
  {
    family: 'OpenAI images',
    routes: [
      'GET /v1/models',
      'POST /v1/images/edits',
      'POST /v1/images/variations',
      'POST /v1/images/upscale',
    ],
    key: 'Authorization: Bearer KEY',
    mapped: [
      'model decides: enlarger-cutout, enlarger-2x to enlarger-16x, enlarger-4x-faithful and so on; ids of OpenAI (gpt-image-1) and none mean 2x, names such as RealESRGAN-x4plus the usual network at their scale',
      'background: transparent makes a cut-out, whatever the model; opaque puts a cut-out on white, and is refused for an enlargement that has transparent parts',
      'size: the picture is made to fit into it, with its own proportions; a cut-out is never enlarged',
      'output_format, output_compression, response_format (url: a link of 24 hours without a key)',
      'upscale as a form with model, image, scale (LocalAI) and as JSON with model and image in base64 (Lemonade, also below /api/v1)',
      'prompt, user, quality, input_fidelity: taken and not heeded, for nothing is painted',
    ],
    refused: [
      'n over 1, several images, mask, stream',
      'unknown fields',
      'generations and the other routes: 404',
    ],
    clients: [
      ['openai (Node, Python)', "baseURL: 'ADDRESS/v1', apiKey: 'KEY'"],
      [
        'Open WebUI',
        'IMAGES_EDIT_OPENAI_API_BASE_URL=ADDRESS/v1, its API key, and IMAGE_EDIT_MODEL=enlarger-4x',
      ],
      ['LiteLLM', 'model: openai/enlarger-4x, api_base: ADDRESS/v1'],
    ],
  },
  {
    family: 'AUTOMATIC1111',
    routes: [
      'POST /sdapi/v1/extra-single-image',
      'POST /sdapi/v1/extra-batch-images',
      'GET /sdapi/v1/upscalers',
      'GET /sdapi/v1/progress',
      'GET /sdapi/v1/options',
      'POST /sdapi/v1/interrupt',
      'GET /sdapi/v1/sd-models',
      'GET /sdapi/v1/face-restorers',
    ],
    key: 'the password of Basic (any user), or Bearer',
    mapped: [
      'image, imageList',
      'upscaler_1: Enlarger Natural and the others of /upscalers, by id too; names such as R-ESRGAN 4x+ mean the usual network',
      'resize_mode 0 with any upscaling_resize from 1 to 16; 1 with upscaling_resize_w and _h',
      'progress and interrupt are of what the same key asked for',
    ],
    refused: [
      'upscaler_1 None, Lanczos and Nearest',
      'upscaler_2 with a visibility, gfpgan_visibility, codeformer_visibility',
      'upscaling_crop where the size has other proportions than the picture',
      'txt2img, img2img and the other routes: 404',
    ],
    clients: [
      [
        'webuiapi (Python)',
        "webuiapi.WebUIApi(baseurl='ADDRESS/sdapi/v1', username='me', password='KEY')",
      ],
      ['plug-ins', 'http://127.0.0.1:7860 becomes ADDRESS, with user me and password KEY'],
    ],
  },
];
