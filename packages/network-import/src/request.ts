/** Request and result of reading a network's files. Neither contains weights. */
import { join } from 'node:path';
import type { ModelFormat } from '../../contract/src/models/model.ts';
import type { PromptDecoderPorts, TensorInfo } from '../../onnx/src/index.ts';

/** A file of an import. */
export interface ImportFile {
  /** Original file name without folders, chosen by the user. Not a path. */
  name: string;
  path: string;
}

export interface ImportRequest {
  /** All files of the import, with absolute paths. */
  files: ImportFile[];
  /**
   * If set, the files are two networks of the same structure to be blended. `share` is the weight of the
   * second,
   * 0..1.
   */
  blend?: { share: number; name: string };
  /** Empty folder for `network.onnx`, and `decoder.onnx` beside an encoder. */
  toFolder: string;
}

/** Path of the converted network in the request's folder. */
export const networkPath = ({ toFolder }: ImportRequest) => join(toFolder, 'network.onnx');

/** Path of the decoder, if the network has one. */
export const decoderPath = ({ toFolder }: ImportRequest) => join(toFolder, 'decoder.onnx');

/** Facts about a network that do not need a run of it. */
export interface ReadNetwork {
  name: string;
  format: ModelFormat;
  /** Of an encoder the outputs are those that its decoder takes, in the decoder's order. */
  ports: NetworkPorts;
  /** Set when the network is an encoder, for prompts. */
  decoder?: PromptDecoderPorts;
  /** Hashes of the files in their order. */
  hashes: FileHashes[];
}

/** Input and outputs of the converted network. */
export interface NetworkPorts {
  input: TensorInfo;
  outputs: string[];
  architecture?: string;
  /** Notes for the user from the conversion. */
  notes?: string[];
}

export interface FileHashes {
  sha256: string;
  /** Catalogues such as rembg's identify files by MD5. */
  md5: string;
  sizeBytes: number;
}
