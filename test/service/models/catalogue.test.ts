import { createHash } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ModelDescriptor } from '../../../packages/contract/src/models/model.ts';
import type { SpeedMeasurement } from '../../../electron/engine/protocol/messages.ts';
import { openCatalogue } from '../../../electron/service/models/catalogue.ts';
import { planScales, possibleScales } from '../../../electron/service/models/plan-scales.ts';
import { testRemover } from '../../support/service.ts';
import { plainContract } from '../../support/networks.ts';
import { root } from '../../support/program.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const own = join(import.meta.dirname, '../../../models');

function network(scale: number, content: string) {
  const sha256 = createHash('sha256').update(content).digest('hex');
  const variants = [
    { precision: 'fp32', file: `x${scale}.onnx`, sha256, sizeBytes: content.length },
  ];
  return { ...plainContract, scale, marginPx: 3, variants };
}

async function writeCatalogue(
  change: (model: Record<string, unknown>) => void = () => undefined,
  others: ModelDescriptor[] = [],
) {
  const dir = temporaryFolder();
  const model = {
    id: 'tiny',
    name: 'Tiny',
    task: 'upscale',
    description: 'For tests.',
    licence: 'MIT',
    author: 'Nobody',
    networks: [network(2, 'two'), network(4, 'four')],
  };
  change(model);
  await writeFile(join(dir, 'x2.onnx'), 'two');
  await writeFile(join(dir, 'x4.onnx'), 'four');
  await writeFile(join(dir, 'catalogue.json'), JSON.stringify({ models: [model, ...others] }));
  return dir;
}

describe('the passes of a scale', () => {
  it.each([
    [[2, 4], 2, [2]],
    [[2, 4], 4, [4]],
    [[2, 4], 8, [4, 2]],
    [[2, 4], 16, [4, 4]],
    [[2], 8, [2, 2, 2]],
    [[4], 8, undefined],
    [[3], 2, undefined],
    [[8, 4, 2], 16, [8, 2]],
    [[1], 2, undefined],
  ])('of networks %j for %d are %j', (available, wanted, passes) => {
    expect(planScales(available, wanted)).toEqual(passes);
  });

  it('tell which of the four scales can be made', () => {
    expect(possibleScales([4])).toEqual([4, 16]);
    expect(possibleScales([2, 4])).toEqual([2, 4, 8, 16]);
  });
});

const defaults = { defaultUpscaler: 'faithful', defaultRemover: 'cutout', defaultSelector: '' };

describe('the catalogue', () => {
  it('that ships says of each model what its card and the page of models say', async () => {
    const { models } = openCatalogue(own);
    expect(models.map(({ id }) => id)).toEqual([
      'natural',
      'detail',
      'faithful',
      'restore',
      'cutout',
    ]);
    const page = await readFile(join(root, 'docs/models.md'), 'utf8');
    for (const { id, name, description } of models) {
      const card = await readFile(join(own, `${id}.md`), 'utf8');
      const [, firstParagraph = ''] = card.split('\n\n');
      expect(firstParagraph).toContain(description);
      expect(page).toContain(`| [${name}](../models/${id}.md) | ${description} |`);
    }
  });

  it('that ships is valid, and its files are what it says', async () => {
    const catalogue = openCatalogue(own);
    for (const view of catalogue.list([], defaults)) {
      if (view.task === 'remove-bg') await catalogue.openMaskNetwork(view.id);
      for (const scale of view.scales) {
        const passes = await catalogue.openPasses(view.id, scale);
        expect(passes.reduce((product, pass) => product * pass.scale, 1)).toBe(scale);
      }
    }
    expect(catalogue.find('faithful')).toBeDefined();
  });

  it('gives each pass its descriptor and absolute paths', async () => {
    const dir = await writeCatalogue();
    const passes = await openCatalogue(dir).openPasses('tiny', 8);
    expect(passes.map(({ modelId, scale }) => [modelId, scale])).toEqual([
      ['tiny', 4],
      ['tiny', 2],
    ]);
    expect(passes[0]?.variants[0]?.path).toBe(join(dir, 'x4.onnx'));
  });

  it('shows a rough speed where other programs always ran, once three photos have shown it', async () => {
    const catalogue = openCatalogue(await writeCatalogue());
    const own = { scale: 2, provider: 'cpu', precision: 'fp32' } as const;
    const busy = { modelId: 'tiny', ...own, megapixelsPerSecond: 0.4, isBusy: true } as const;
    const shown = (...speeds: SpeedMeasurement[]) => catalogue.list(speeds, defaults)[0]?.speed;
    expect(shown({ ...busy, recent: [0.1, 0.4] })).toEqual([]);
    const rough = { ...busy, recent: [0.1, 0.4, 0.5] };
    expect(shown(rough)).toEqual([{ ...own, megapixelsPerSecond: 0.4 }]);
    const calm = { modelId: 'tiny', ...own, scale: 4, megapixelsPerSecond: 0.6 };
    expect(shown(calm, rough)).toEqual([{ ...own, scale: 4, megapixelsPerSecond: 0.6 }]);
  });

  it('shows models with scales, size and speed', async () => {
    const speed = {
      scale: 2,
      provider: 'cpu',
      precision: 'fp32',
      megapixelsPerSecond: 0.5,
    } as const;
    const known = { modelId: 'tiny', ...speed, megapixelsPerSecond: 9 };
    const [view] = openCatalogue(await writeCatalogue()).list(
      [
        { modelId: 'tiny', ...speed },
        // Measured beside other programs, they would be far from what a photo takes.
        { ...known, isDoubtful: true },
        { ...known, scale: 4, isBusy: true },
      ],
      { ...defaults, defaultUpscaler: 'tiny' },
    );
    expect(view).toMatchObject({
      id: 'tiny',
      scales: [2, 4, 8, 16],
      sizeBytes: 7,
      isDefault: true,
      speed: [speed],
    });
    expect(view?.takesRestore).toBe(false);
    const shipped = openCatalogue(join(root, 'models')).list([], defaults);
    const takes = shipped.filter(({ takesRestore }) => takesRestore).map(({ id }) => id);
    expect(takes).toEqual(['natural', 'detail']);
    expect(view?.takesDetail).toBe(false);
    expect(shipped.filter(({ takesDetail }) => takesDetail).map(({ id }) => id)).toEqual([
      'detail',
    ]);
    expect(view?.files.map(({ file, sizeBytes }) => [file, sizeBytes])).toEqual([
      ['x2.onnx', 3],
      ['x4.onnx', 4],
    ]);
    for (const { sha256 } of view?.files ?? []) expect(sha256).toMatch(/^[0-9a-f]{64}$/);
  });

  it('shows removers without scales, and gives their network with absolute paths', async () => {
    const dir = await writeCatalogue(undefined, [testRemover]);
    await writeFile(join(dir, 'weights.onnx'), 'weights');
    const catalogue = openCatalogue(dir);
    const view = catalogue.list([], defaults).find(({ task }) => task === 'remove-bg');
    expect(view).toMatchObject({ id: 'cutout', scales: [], sizeBytes: 7, isDefault: true });
    const network = await catalogue.openMaskNetwork('cutout');
    expect(network.variants[0]?.path).toBe(join(dir, 'weights.onnx'));
    expect(() => catalogue.maskNetwork('tiny')).toThrow(
      /no model tiny for remove-bg\. Installed are cutout\./,
    );
    expect(() => catalogue.planPasses('cutout', 2)).toThrow(/no model cutout for upscale/);
    expect(catalogue.scalesOf('cutout')).toEqual([]);
  });

  it('refuses a model that is not there, and a scale that it cannot make, with a sentence', async () => {
    const dir = await writeCatalogue((model) => (model.networks = [network(4, 'four')]));
    const catalogue = openCatalogue(dir);
    expect(() => catalogue.planPasses('huge', 2)).toThrow(
      /no model huge for upscale\. Installed are tiny\./,
    );
    expect(() => catalogue.planPasses('tiny', 8)).toThrow(/cannot enlarge 8 times; it can 4, 16\./);
  });

  it('refuses a damaged or missing file at its use, and takes it once it is right', async () => {
    const dir = await writeCatalogue();
    const catalogue = openCatalogue(dir);
    await writeFile(join(dir, 'x2.onnx'), 'tow');
    const damaged = { code: 'MODEL_UNAVAILABLE', message: /x2\.onnx is damaged/ };
    await expect(catalogue.openPasses('tiny', 2)).rejects.toMatchObject(damaged);
    await rm(join(dir, 'x2.onnx'));
    await expect(catalogue.openPasses('tiny', 2)).rejects.toMatchObject({ message: /is missing/ });
    await writeFile(join(dir, 'x2.onnx'), 'two');
    expect(await catalogue.openPasses('tiny', 2)).toHaveLength(1);
  });

  it('that is missing or not valid is told in a sentence that names the file', async () => {
    expect(() => openCatalogue('/nowhere')).toThrow(/\/nowhere.catalogue\.json cannot be read/);
    const dir = await writeCatalogue((model) => (model.networks = []));
    expect(() => openCatalogue(dir)).toThrow(/catalogue\.json is not valid: \/models\/0\/networks/);
  });
});
