import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { networksAmong } from '../../../../packages/command-line/src/models/model-files.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
  mkdirSync(path.join(folder, 'ncnn'));
  for (const name of ['a.onnx', 'b.pth', 'b.txt', 'ncnn/x4.param', 'ncnn/x4.bin', 'ncnn/x2.bin'])
    writeFileSync(path.join(folder, name), '');
  writeFileSync(path.join(folder, 'ncnn/x2.param'), '');
});

/** As paths inside the folder. */
const among = async (...names: string[]) =>
  (await networksAmong(names.map((name) => path.join(folder, name)))).map((files) =>
    files.map((file) => path.relative(folder, file)),
  );

it('takes each network of a folder and of those below it with its own files', async () => {
  expect(await among('.')).toEqual([
    ['a.onnx'],
    ['b.pth'],
    ['ncnn/x2.param', 'ncnn/x2.bin'],
    ['ncnn/x4.param', 'ncnn/x4.bin'],
  ]);
});

it('takes the file beside a network that is called as it is, once', async () => {
  expect(await among('ncnn/x4.param')).toEqual([['ncnn/x4.param', 'ncnn/x4.bin']]);
  expect(await among('ncnn/x4.param', 'ncnn/x4.bin')).toEqual([['ncnn/x4.param', 'ncnn/x4.bin']]);
  expect(await among('a.onnx', 'b.pth')).toEqual([['a.onnx'], ['b.pth']]);
});

it('takes an encoder and its decoder together', async () => {
  const names = ['sam_vit_b.encoder.onnx', 'sam_vit_b.decoder.onnx', 'sam_vit_b.encoder.data'];
  const more = ['mobile_image_encoder.onnx', 'sam_mask_decoder_single.onnx'];
  for (const name of ['sam', 'both', 'three']) mkdirSync(path.join(folder, name));
  const write = (to: string, files: string[]) => {
    for (const name of files) writeFileSync(path.join(folder, to, name), '');
  };
  write('sam', [...names, 'a.onnx']);
  write('both', more);
  write('three', [...more, 'a.onnx']);
  const within = async (name: string) =>
    (await among(name)).map((files) => files.map((file) => path.basename(file)).toSorted());
  expect(await within('sam')).toEqual([['a.onnx'], names.toSorted()]);
  expect(await within('both')).toEqual([more.toSorted()]);
  expect(await within('three')).toEqual([['a.onnx'], ...more.map((name) => [name])]);
});

it('hands on what belongs to no network, so that the service says what is missing', async () => {
  expect(await among('ncnn/x4.bin')).toEqual([['ncnn/x4.bin']]);
  expect(await among('b.txt')).toEqual([['b.txt']]);
});

it('says what is not there', async () => {
  await expect(among('nothing.onnx')).rejects.toThrow(/There is no file or folder .*nothing\.onnx/);
  mkdirSync(path.join(folder, 'empty'));
  await expect(among('empty')).rejects.toThrow(/There is no network in the folder .*empty/);
});
