import { expect, it } from 'vitest';
import type { ModelOrigin } from '../../../../packages/contract/src/models/model.ts';
import { isInstalledFrom } from '../../../../packages/contract/src/models/downloads.ts';

const urls = ['https://example.org/net.onnx'];
const origin = (files: string[], sha256: string[]): { origin: ModelOrigin } => ({
  origin: { format: 'onnx', files, sha256, notes: [] },
});

it('knows what is installed by its bytes, whatever it is called here and however it came', () => {
  const thing = { files: [{ name: 'net.onnx', sha256: 'a'.repeat(64), urls }] };
  expect(isInstalledFrom(thing, [origin(['mine.onnx'], ['a'.repeat(64)])])).toBe(true);
  expect(isInstalledFrom(thing, [origin(['net.onnx'], ['b'.repeat(64)]), {}])).toBe(false);
});

it('goes by the name of the file where no hash is published', () => {
  const thing = { files: [{ name: 'net.onnx', urls }] };
  expect(isInstalledFrom(thing, [origin(['net.onnx'], ['b'.repeat(64)])])).toBe(true);
  expect(isInstalledFrom(thing, [origin(['other.onnx'], ['b'.repeat(64)])])).toBe(false);
});
