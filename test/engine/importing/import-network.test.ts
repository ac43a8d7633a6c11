import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importNetwork } from '../../../electron/engine/importing/import-network.ts';
import { openTrial } from '../../../electron/engine/inference/sessions/trial-session.ts';
import { blurNetwork, nearestNetwork } from '../../support/networks-made.ts';
import { photograph } from '../../../electron/engine/importing/trial/sample.ts';
import { onnxModel, scalar, type OnnxNode } from '../../support/networks-onnx.ts';
import { networks } from '../../support/shared.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const folder = temporaryFolder();

let made = 0;
function importFiles(...paths: string[]) {
  made += 1;
  const toFolder = join(folder, `import-${made}`);
  mkdirSync(toFolder);
  const files = paths.map((path) => ({ path, name: path.split(/[/\\]/).at(-1) ?? '' }));
  return importNetwork({ files, toFolder });
}

function written(name: string, content: Uint8Array | string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const plain = { input: [1, 3, 'h', 'w'], output: [1, 3, 'H', 'W'] };
/** SINet's means are of values of 0 to 255, and its deviations are 255 times as large as usual. */
const asSiNet = {
  channels: 'BGR',
  range: [0, 255],
  mean: [126.91212, 111.25247, 102.890434],
};
const relu = [{ kind: 'Relu', inputs: ['input'], output: 'output' }];
/** It leaves nothing of a picture of 32 pixels, and 32 pixels less of a larger one. */
const pool: OnnxNode = {
  kind: 'AveragePool',
  inputs: ['input'],
  output: 'output',
  lists: { kernel_shape: [33, 33] },
};

describe('an ONNX file', () => {
  it('says by running what it enlarges by and how far its tiles look', async () => {
    const [variant] = blurNetwork(folder).variants;
    const { task, contract } = await importFiles(variant?.path ?? '');
    expect(task).toBe('upscale');
    expect(contract).toMatchObject({
      scale: 2,
      layout: 'NCHW',
      range: [0, 1],
      multiple: 1,
      marginPx: 4,
      tileExact: true,
    });
  });

  it('of one size has tiles of that size', async () => {
    const path = written(
      'fixed.onnx',
      onnxModel({ nodes: relu, constants: [], input: [1, 3, 64, 64], output: [1, 3, 64, 64] }),
    );
    const { contract } = await importFiles(path);
    expect(contract).toMatchObject({ scale: 1, fixedPx: 64, marginPx: 0, tileExact: true });
  });

  it('that gives one plane cuts out', async () => {
    const mean = { kind: 'ReduceMean', inputs: ['input'], output: 'output', lists: { axes: [1] } };
    const path = written(
      'mask.onnx',
      onnxModel({ nodes: [mean], constants: [], ...plain, output: [1, 1, 'H', 'W'] }),
    );
    const { task, contract } = await importFiles(path);
    expect(task).toBe('remove-bg');
    expect(contract).toMatchObject({ outputPlane: 0, size: { kind: 'free' } });
  });

  it('that finds pale things before pale ground gets the values at which it does', async () => {
    // Grey of 0.83 to 0.92, where it comes less 0.5: of the scenes, the pale mug alone.
    const nodes: OnnxNode[] = [
      { kind: 'ReduceMean', inputs: ['input'], output: 'grey', lists: { axes: [1] } },
      { kind: 'Sub', inputs: ['grey', 'darkest'], output: 'lighter' },
      { kind: 'Sub', inputs: ['lightest', 'grey'], output: 'darker' },
      { kind: 'Min', inputs: ['lighter', 'darker'], output: 'within' },
      { kind: 'Mul', inputs: ['within', 'steep'], output: 'logit' },
      { kind: 'Sigmoid', inputs: ['logit'], output: 'output' },
    ];
    const constants = [scalar('darkest', 0.33), scalar('lightest', 0.42), scalar('steep', 1000)];
    const ends = { ...plain, output: [1, 1, 'H', 'W'] };
    const path = written('pale.onnx', onnxModel({ nodes, constants, ...ends }));
    const { contract, origin } = await importFiles(path);
    expect(contract).toMatchObject({ range: [0, 1], mean: [0.5, 0.5, 0.5], deviation: [1, 1, 1] });
    expect(origin.notes).toEqual([]);
  });

  const imageNet = { mean: [0.485, 0.456, 0.406], deviation: [0.229, 0.224, 0.225] };
  const halves = { mean: [0.5, 0.5, 0.5], deviation: [0.5, 0.5, 0.5] };
  const plainValues = { mean: [0, 0, 0], deviation: [1, 1, 1] };
  const fixed = (side: number) => ({ kind: 'fixed', width: side, height: side });
  // BiRefNet and BEN2 with half their sides, which are tried in a quarter of the time.
  it.each([
    // A mask of each of its stages; the first one counts.
    { name: 'U2-Net', side: 320, values: imageNet, isLogit: false, hasMore: true },
    { name: 'MODNet', side: undefined, values: halves, isLogit: false, hasMore: false },
    { name: 'BiRefNet', side: 512, values: imageNet, isLogit: true, hasMore: false },
    { name: 'BEN2', side: 512, values: plainValues, isLogit: false, hasMore: false },
  ])('of the shape of $name is used as that', async ({ name, side, values, isLogit, hasMore }) => {
    const { mean, deviation } = values;
    const sides: [number | string, number | string] =
      side === undefined ? ['h', 'w'] : [side, side];
    // Grey from the network's values, of which 0.83 to 0.92 is the subject: of the scenes, the pale mug alone.
    const weights = deviation.map((one) => one / 3);
    const nodes: OnnxNode[] = [
      { kind: 'Conv', inputs: ['input', 'weights'], output: 'shifted' },
      { kind: 'Add', inputs: ['shifted', 'middle'], output: 'grey' },
      { kind: 'Sub', inputs: ['grey', 'darkest'], output: 'lighter' },
      { kind: 'Sub', inputs: ['lightest', 'grey'], output: 'darker' },
      { kind: 'Min', inputs: ['lighter', 'darker'], output: 'within' },
      { kind: 'Mul', inputs: ['within', 'steep'], output: isLogit ? 'output' : 'logit' },
      ...(isLogit ? [] : [{ kind: 'Sigmoid', inputs: ['logit'], output: 'output' }]),
      ...(hasMore ? [{ kind: 'Relu', inputs: ['grey'], output: 'stage' }] : []),
    ];
    const constants = [
      { name: 'weights', shape: [1, 3, 1, 1], values: weights },
      scalar(
        'middle',
        mean.reduce((sum, one) => sum + one / 3, 0),
      ),
      ...[scalar('darkest', 0.83), scalar('lightest', 0.92), scalar('steep', 1000)],
    ];
    const output = [
      1,
      1,
      ...sides.map((one) => (typeof one === 'string' ? one.toUpperCase() : one)),
    ];
    const model = onnxModel({
      ...{ nodes, constants, output, input: [1, 3, ...sides] },
      ...(hasMore && { aside: { name: 'stage', shape: output } }),
    });
    const { task, contract, origin } = await importFiles(written(`${name}.onnx`, model));
    expect(task).toBe('remove-bg');
    expect(contract).toMatchObject({
      ...{ output: 'output', outputPlane: 0, channels: 'RGB', range: [0, 1], mean, deviation },
      activation: isLogit ? 'sigmoid' : 'none',
      size: side === undefined ? { kind: 'free', shortSidePx: 512, multiple: 32 } : fixed(side),
    });
    expect(origin.notes).toEqual([]);
  });

  it('of portraits is found with the values that such networks take, blue first', async () => {
    // The network finds the ball where the red that SINet would take is more than 0.45.
    const red = { name: 'red', shape: [1, 3, 1, 1], values: [0, 0, 20 * 66.355705] };
    const shift = { name: 'shift', shape: [1], values: [20 * (126.91212 / 255 - 0.45)] };
    const nodes: OnnxNode[] = [
      { kind: 'Conv', inputs: ['input', 'red'], output: 'steep' },
      { kind: 'Add', inputs: ['steep', 'shift'], output: 'about' },
      { kind: 'Sigmoid', inputs: ['about'], output: 'output' },
    ];
    const ends = { ...plain, output: [1, 1, 'H', 'W'] };
    const path = written('portrait.onnx', onnxModel({ nodes, constants: [red, shift], ...ends }));
    expect((await importFiles(path)).contract).toMatchObject(asSiNet);
  });

  it.skipIf(!existsSync(networks.archive))(
    'SINet is used without a question (needs the shared networks)',
    async () => {
      const name = 'onnx/SINet_Softmax.onnx';
      execFileSync('tar', ['xJf', networks.archive, '-C', folder, name]);
      const { task, contract, origin } = await importFiles(join(folder, name));
      expect(task).toBe('remove-bg');
      expect(contract).toMatchObject({ ...asSiNet, outputPlane: 1, activation: 'none' });
      expect(origin.notes).toEqual([]);
    },
  );

  it('of brightness alone gets its colours by interpolation', async () => {
    const weights = { name: 'wide', shape: [4, 1, 1, 1], values: [1, 1, 1, 1] };
    const nodes: OnnxNode[] = [
      { kind: 'Conv', inputs: ['input', 'wide'], output: 'planes' },
      {
        kind: 'DepthToSpace',
        inputs: ['planes'],
        output: 'output',
        integers: { blocksize: 2 },
      },
    ];
    const ends = { input: [1, 1, 'h', 'w'], output: [1, 1, 'H', 'W'] };
    const path = written('luma.onnx', onnxModel({ nodes, constants: [weights], ...ends }));
    const { task, contract, origin, file } = await importFiles(path);
    expect([task, contract]).toMatchObject(['upscale', { scale: 2, marginPx: 2, tileExact: true }]);
    expect(origin.notes.join()).toContain('brightness alone');
    const picture = photograph(24, 24).colours.map((value, i) => value * [0.9, 0.6, 0.4][i % 3]!);
    const tensor = Float32Array.from(
      picture,
      (_, i) => picture[(i % 576) * 3 + Math.floor(i / 576)]!,
    );
    const session = await openTrial(file.path, contract.input);
    const [answer] = await session.run([1, 3, 24, 24], tensor);
    await session.close();
    const lumaOf = (planes: Float32Array, at: number) => {
      const size = planes.length / 3;
      return 0.299 * planes[at]! + 0.587 * planes[at + size]! + 0.114 * planes[at + 2 * size]!;
    };
    for (const [x, y] of [
      [10, 10],
      [11, 10],
      [27, 20],
      [40, 31],
    ] as const) {
      const found = answer!.data;
      const source = (y >> 1) * 24 + (x >> 1);
      expect(lumaOf(found, y * 48 + x)).toBeCloseTo(lumaOf(tensor, source), 5);
      // Red keeps its distance from the brightness, but for the error of interpolation.
      const own = tensor[source]! - lumaOf(tensor, source);
      expect(found[y * 48 + x]! - lumaOf(found, y * 48 + x)).toBeCloseTo(own, 1);
    }
  });

  it('of brightness alone may cut off its border', async () => {
    const mean = { name: 'mean', shape: [1, 1, 5, 5], values: Array<number>(25).fill(1 / 25) };
    const nodes: OnnxNode[] = [{ kind: 'Conv', inputs: ['input', 'mean'], output: 'output' }];
    const ends = { input: [1, 1, 'h', 'w'], output: [1, 1, 'H', 'W'] };
    const path = written('cut.onnx', onnxModel({ nodes, constants: [mean], ...ends }));
    const { contract } = await importFiles(path);
    expect(contract).toMatchObject({ scale: 1, trimPx: 2, tileExact: true });
  });

  it('that trims a small picture to nothing is tried on a larger one', async () => {
    const file = onnxModel({ nodes: [pool], constants: [], ...plain });
    const { contract, origin } = await importFiles(written('trims.onnx', file));
    expect(contract).toMatchObject({ scale: 1, trimPx: 16, tileExact: true });
    expect(origin.notes.join()).not.toContain('NaN');
  });

  it('that gives a picture is used, also where nothing is left in an output beside it', async () => {
    const aside = { name: 'aside', shape: [1, 3, 0, 0] };
    const nodes = [...relu, { ...pool, output: aside.name }];
    const sized = { input: [1, 3, 32, 32], output: [1, 3, 32, 32] };
    const file = onnxModel({ nodes, constants: [], ...sized, aside });
    const { contract } = await importFiles(written('aside.onnx', file));
    expect(contract).toMatchObject({ scale: 1 });
  });

  it('that takes blue first is found by running it', async () => {
    const weigh = { name: 'weigh', shape: [1, 3, 1, 1], values: [1, 0, -1] };
    const most = { name: 'most', shape: [1], values: [0.8] };
    const nodes: OnnxNode[] = [
      { kind: 'Conv', inputs: ['input', 'weigh'], output: 'more' },
      { kind: 'Relu', inputs: ['more'], output: 'cold' },
      { kind: 'Mul', inputs: ['cold', 'most'], output: 'much' },
      { kind: 'Sub', inputs: ['input', 'much'], output: 'output' },
    ];
    const path = written('bgr.onnx', onnxModel({ nodes, constants: [weigh, most], ...plain }));
    expect((await importFiles(path)).contract).toMatchObject({ channels: 'BGR' });
  });

  it('that takes red first and gives blue first is refused', async () => {
    const values = [0, 0, 1, 0, 1, 0, 1, 0, 0];
    const turn = { name: 'turn', shape: [3, 3, 1, 1], values };
    const nodes: OnnxNode[] = [{ kind: 'Conv', inputs: ['input', 'turn'], output: 'output' }];
    const path = written('crossed.onnx', onnxModel({ nodes, constants: [turn], ...plain }));
    await expect(importFiles(path)).rejects.toThrow(/one order of colours/);
  });

  it('keeps its own bytes and name', async () => {
    const [variant] = nearestNetwork(folder, 4).variants;
    const found = await importFiles(variant?.path ?? '');
    expect(found).toMatchObject({ name: 'nearest-x4', file: { sha256: variant?.sha256 } });
    expect(found.origin).toMatchObject({ format: 'onnx', notes: [] });
  });
});

describe('an ncnn network', () => {
  /** Each pixel becomes a square of its own colour, by 12 planes of which four show each colour. */
  const weights = Float32Array.from({ length: 36 }, (_, i) =>
    Math.floor(i / 12) === i % 3 ? 1 : 0,
  );
  const param = (layers: string[]) =>
    `7767517\n${layers.length} ${layers.length}\n${layers.join('\n')}\n`;
  const layers = [
    'Input in 0 1 data',
    'Convolution wide 1 1 data a 0=12 1=1 5=0 6=36',
    'PixelShuffle up 1 1 a out 0=2',
  ];
  const bin = Buffer.concat([Buffer.alloc(4), Buffer.from(weights.buffer)]);

  it('gives what its layers say', async () => {
    const found = await importFiles(written('near.param', param(layers)), written('near.bin', bin));
    expect(found).toMatchObject({ task: 'upscale', name: 'near', origin: { format: 'ncnn' } });
    expect(found.contract).toMatchObject({ scale: 2, marginPx: 0, tileExact: true });
    const session = await openTrial(found.file.path, found.contract.input);
    const [answer] = await session.run([1, 3, 1, 2], Float32Array.of(1, 2, 3, 4, 5, 6));
    await session.close();
    expect([...(answer?.data ?? [])]).toEqual(
      [
        [1, 1, 2, 2, 1, 1, 2, 2],
        [3, 3, 4, 4, 3, 3, 4, 4],
        [5, 5, 6, 6, 5, 5, 6, 6],
      ].flat(),
    );
  });

  it.each([
    ['without its other half', () => importFiles(written('a.param', param(layers))), /\.bin file/],
    [
      'with another file of weights',
      () => importFiles(written('b.param', param(layers)), written('b.bin', Buffer.alloc(8))),
      /cut short, or does not belong/,
    ],
    [
      'with a layer that is not known',
      () =>
        importFiles(
          written('c.param', param(['Input in 0 1 data', 'Softmax s 1 1 data out'])),
          written('c.bin', ''),
        ),
      /layer of type Softmax/,
    ],
    [
      'that is cut short',
      () =>
        importFiles(written('d.param', '7767517\n9 9\nInput in 0 1 data\n'), written('d.bin', '')),
      /announces 9 layers and has 1/,
    ],
  ])('%s is refused', async (_what, run, sentence) => {
    await expect(run()).rejects.toMatchObject({ code: 'MODEL_REFUSED' });
    await expect(run()).rejects.toThrow(sentence);
  });
});

describe('what cannot be used is refused with the reason', () => {
  const model = (parts: Partial<Parameters<typeof onnxModel>[0]>) =>
    onnxModel({ nodes: relu, constants: [], ...plain, ...parts });
  const loop = [{ kind: 'Loop', inputs: ['input'], output: 'output' }];
  const hole = [{ kind: 'Log', inputs: ['minus'], output: 'output' }];
  const minus = [{ kind: 'Sub', inputs: ['input', 'two'], output: 'minus' }];
  const two = [{ name: 'two', shape: [1], values: [2] }];
  const sized = { input: [1, 3, 32, 32], output: [1, 3, 0, 0] };
  it.each([
    ['no network', 'photo.jpg', 'x', /\.onnx, \.param with \.bin/],
    ['empty', 'empty.onnx', '', /not an ONNX file/],
    ['a text', 'text.onnx', 'This is not a network at all.', /not an ONNX file, but a text/],
    ['a page', 'page.onnx', '<!doctype html>\n<p>Nicht gefunden – später', /but a text/],
    ['cut short', 'short.onnx', model({}).subarray(0, 60), /not an ONNX file|cut short/],
    ['endless', 'loop.onnx', model({ nodes: loop }), /can run for ever/],
    ['of two channels', 'two.onnx', model({ input: [1, 2, 'h', 'w'] }), /2 channels/],
    [
      'of one channel that gives another thing',
      'colours.onnx',
      model({
        input: [1, 1, 'h', 'w'],
        nodes: [
          { kind: 'Concat', inputs: ['input', 'input'], output: 'output', integers: { axis: 1 } },
        ],
      }),
      /takes one channel and gives 1 x 2/,
    ],
    ['of four pictures', 'batch.onnx', model({ input: [4, 3, 'h', 'w'] }), /4 pictures/],
    [
      'no numbers',
      'nan.onnx',
      model({ nodes: [...minus, ...hole], constants: two }),
      /not numbers/,
    ],
    [
      'an empty picture, whatever it is given',
      'void.onnx',
      model({ ...sized, nodes: [pool] }),
      /cannot run on 32 x 32 pixels: it gives an empty picture\./,
    ],
    [
      'gigantic',
      'giant.onnx',
      model({ constants: [{ name: 'giant', shape: [2 ** 30, 2 ** 30], values: [1] }] }),
      /damaged or hostile/,
    ],
    [
      'of another length',
      'lying.onnx',
      model({ constants: [{ name: 'lying', shape: [9], values: [1] }] }),
      /36 bytes, but 4 are stored/,
    ],
  ])('%s', async (_what, name, content, sentence) => {
    await expect(importFiles(written(name, content))).rejects.toThrow(sentence);
  });
});
