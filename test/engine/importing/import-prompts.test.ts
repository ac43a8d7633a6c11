import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importNetwork } from '../../../electron/engine/importing/import-network.ts';
import { onnxModel } from '../../support/networks-onnx.ts';
import { promptPair, promptSidePx, type PromptExport } from '../../support/networks-prompts.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const folder = temporaryFolder();

let made = 0;
function importFiles(...paths: string[]) {
  made += 1;
  const toFolder = join(folder, `import-${made}`);
  mkdirSync(toFolder);
  const files = paths.map((path) => ({ path, name: basename(path) }));
  return importNetwork({ files, toFolder });
}

const pair = (kind: PromptExport) => promptPair(folder, kind);

describe('an encoder and its decoder', () => {
  it.each([
    ['sam', { fit: 'longSide', layout: 'NCHW', matting: false }],
    ['sam-preprocessed', { fit: 'longSide', layout: 'HWC', range: [0, 255] }],
    ['sam2', { fit: 'stretch', layout: 'NCHW', matting: false }],
    ['zim', { fit: 'longSide', layout: 'NCHW', matting: true }],
  ] as const)('as %s is exported select objects', async (kind, contract) => {
    const found = await importFiles(...pair(kind));
    expect(found).toMatchObject({
      task: 'select',
      name: kind,
      contract: { ...contract, sidePx: promptSidePx },
    });
    expect(found.origin.notes[0]).toMatch(/Clicks on 3 drawn subjects selected [23] of them/);
  });

  it('are told apart by what they take, in whatever order they come', async () => {
    const [encoder, decoder] = pair('sam');
    const found = await importFiles(decoder, encoder);
    expect(found.file.path).toMatch(/network\.onnx$/);
    expect(found).toMatchObject({
      contract: {
        input: 'input',
        decoder: {
          features: [{ output: 'image_embeddings', input: 'image_embeddings' }],
          isPadded: true,
          maskBefore: { mask: 'mask_input', width: promptSidePx / 4 },
          pictureSize: 'orig_im_size',
          output: 'low_res_masks',
          scores: 'iou_predictions',
          spansPadding: true,
        },
      },
    });
  });

  it('of different exports are refused', async () => {
    const [encoder] = pair('sam');
    const [, decoder] = pair('sam2');
    await expect(importFiles(encoder, decoder)).rejects.toThrow(
      /makes image_embeddings, but the decoder takes image_embed\b.*one export/,
    );
  });

  it('of which a click selects nothing are refused', async () => {
    const [, decoder] = pair('sam');
    const blind = join(folder, 'blind.encoder.onnx');
    const square = [1, 1, promptSidePx, promptSidePx];
    writeFileSync(
      blind,
      onnxModel({
        nodes: [{ kind: 'Conv', inputs: ['input', 'none'], output: 'image_embeddings' }],
        constants: [{ name: 'none', shape: [1, 3, 1, 1], values: [0, 0, 0] }],
        input: [1, 3, promptSidePx, promptSidePx],
        outputs: [{ name: 'image_embeddings', shape: square }],
      }),
    );
    await expect(importFiles(blind, decoder)).rejects.toThrow(
      /click on a drawn subject selected it in none of the known ways/,
    );
  });

  it('need each other', async () => {
    const [, decoder] = pair('sam2');
    await expect(importFiles(decoder)).rejects.toThrow(/Bring its encoder together with it/);
    await expect(importFiles(decoder, decoder)).rejects.toThrow(/Both files are decoders/);
    const alone = join(folder, 'alone.encoder.onnx');
    const weights = Array.from({ length: 24 }, () => 1);
    writeFileSync(
      alone,
      onnxModel({
        nodes: [{ kind: 'Conv', inputs: ['input', 'planes'], output: 'image_embeddings' }],
        constants: [{ name: 'planes', shape: [8, 3, 1, 1], values: weights }],
        input: [1, 3, 32, 32],
        outputs: [{ name: 'image_embeddings', shape: [1, 8, 32, 32] }],
      }),
    );
    await expect(importFiles(alone)).rejects.toThrow(/bring its decoder together with it/);
  });
});
