/**
 * All properties of XMP that count pixels of the picture and must be scaled with it. Those in shares of the
 * picture (most of camera-raw settings, MWG's and Microsoft's regions) apply to any size.
 */

const spaces = {
  tiff: 'http://ns.adobe.com/tiff/1.0/',
  exif: 'http://ns.adobe.com/exif/1.0/',
  crs: 'http://ns.adobe.com/camera-raw-settings/1.0/',
  /** Camera Raw's defaults, with the properties of `crs`. */
  crd: 'http://ns.adobe.com/camera-raw-defaults/1.0/',
  gPano: 'http://ns.google.com/photos/1.0/panorama/',
  gSpherical: 'http://ns.google.com/videos/1.0/spherical/',
  gDepth: 'http://ns.google.com/photos/1.0/depthmap/',
  imagingModel: 'http://ns.google.com/photos/dd/1.0/imagingmodel/',
  appleAdjustments: 'http://ns.apple.com/adjustment-settings/1.0/',
  stArea: 'http://ns.adobe.com/xmp/sType/Area#',
  stDim: 'http://ns.adobe.com/xap/1.0/sType/Dimensions#',
  acdseeDim: 'http://ns.acdsee.com/sType/Dimensions#',
  iptcExt: 'http://iptc.org/std/Iptc4xmpExt/2008-02-29/',
  dji: 'http://www.dji.com/drone-dji/1.0/',
} as const;

/** How a property changes with the picture's size. */
type PixelScaling =
  /** Width or height of the whole picture. */
  | 'width'
  | 'height'
  /** Length or position in pixels, or pixels per unit of the sensor. */
  | 'scaled'
  /** As `scaled`, but only if a neighbouring property gives the pixel as unit. */
  | { ifUnit: string; is: readonly string[] }
  /** DJI's list of a date, four lengths in pixels and five coefficients of distortion. */
  | 'dewarping';

const all = (space: string, how: PixelScaling, ...names: string[]) =>
  names.map((name) => [`${space}${name}`, how] as const);

const iptcPixels = { ifUnit: 'rbUnit', is: ['pixel'] };
const areaPixels = { ifUnit: 'unit', is: ['pixel'] };
/** Camera Raw counts a crop's size in pixels if its units are 0. */
const cropPixels = { ifUnit: 'CropUnits', is: ['0'] };

const panoramaAreas = [
  'CroppedAreaImageWidthPixels',
  'CroppedAreaImageHeightPixels',
  'CroppedAreaLeftPixels',
  'CroppedAreaTopPixels',
  'FullPanoWidthPixels',
  'FullPanoHeightPixels',
];

const table: ReadonlyMap<string, PixelScaling> = new Map([
  ...all(spaces.tiff, 'width', 'ImageWidth'),
  ...all(spaces.tiff, 'height', 'ImageLength'),
  ...all(spaces.exif, 'width', 'PixelXDimension'),
  ...all(spaces.exif, 'height', 'PixelYDimension'),
  ...all(spaces.exif, 'scaled', 'FocalPlaneXResolution', 'FocalPlaneYResolution'),
  ...all(spaces.crs, cropPixels, 'CropWidth', 'CropHeight'),
  ...all(spaces.crd, cropPixels, 'CropWidth', 'CropHeight'),
  ...all(spaces.gPano, 'scaled', ...panoramaAreas),
  ...all(spaces.gSpherical, 'scaled', ...panoramaAreas),
  // Of the photo that a depth map or a camera's model belongs to.
  ...all(spaces.gDepth, 'scaled', 'ImageWidth', 'ImageHeight'),
  ...all(spaces.imagingModel, 'scaled', 'ImageWidth', 'ImageHeight'),
  ...all(spaces.appleAdjustments, 'scaled', 'CropX', 'CropY', 'CropW', 'CropH'),
  ...all(spaces.appleAdjustments, 'scaled', 'AffineX', 'AffineY'),
  ...all(
    spaces.gPano,
    'scaled',
    'LargestValidInteriorRectLeft',
    'LargestValidInteriorRectTop',
    'LargestValidInteriorRectWidth',
    'LargestValidInteriorRectHeight',
  ),
  ...all(spaces.stArea, areaPixels, 'x', 'y', 'w', 'h', 'd'),
  ...all(spaces.stDim, areaPixels, 'w', 'h'),
  ...all(spaces.acdseeDim, areaPixels, 'w', 'h'),
  ...all(spaces.iptcExt, iptcPixels, 'rbX', 'rbY', 'rbW', 'rbH', 'rbRx'),
  ...all(
    spaces.dji,
    'scaled',
    'CalibratedFocalLength',
    'CalibratedOpticalCenterX',
    'CalibratedOpticalCenterY',
  ),
  ...all(spaces.dji, 'dewarping', 'DewarpData'),
]);

/** Lists of positions in pixels, which are dropped if the picture was turned. */
export const isPixelList = (space: string, name: string): boolean =>
  space === spaces.exif && (name === 'SubjectArea' || name === 'SubjectLocation');

export const scalingOf = (space: string, name: string): PixelScaling | undefined =>
  table.get(`${space}${name}`);

/**
 * Scales a number in XMP's notation: integer, decimal or fraction. Integers stay integers. Undefined for
 * other text.
 */
export function scaledText(text: string, scale: number): string | undefined {
  const [, over = '', under] = /^\s*([+-]?\d+(?:\.\d+)?)(?:\/(\d+))?\s*$/.exec(text) ?? [];
  if (over === '') return undefined;
  const value = Number(over) * scale;
  if (under !== undefined)
    return Number.isInteger(value) ? `${value}/${under}` : fraction(value, under);
  return over.includes('.') ? String(Number(value.toFixed(6))) : String(Math.round(value));
}

const fraction = (value: number, under: string): string =>
  `${Math.round(value * 1000)}/${Number(under) * 1000}`;

/** Scales the focal lengths and the centre of DJI's list; undefined for other text. */
export function scaledDewarping(text: string, scale: number): string | undefined {
  const [, date, list] = /^([^;]*;)(.+)$/s.exec(text) ?? [];
  if (date === undefined || list === undefined) return undefined;
  const numbers = list.split(',');
  const lengths = numbers.slice(0, 4).map((number) => scaledText(number, scale));
  if (lengths.length < 4 || lengths.includes(undefined)) return undefined;
  return date + [...lengths, ...numbers.slice(4)].join(',');
}
