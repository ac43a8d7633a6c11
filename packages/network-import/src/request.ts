/** What is asked of an import, and what reading a network tells of it. None of it holds weights. */
import { join } from 'node:path';
import type { ModelFormat } from '../../../electron/contract/models/model.ts';
import type { TensorInfo } from '../../../electron/engine/onnx/read-onnx.ts';

/** A file that was given to an import. */
export interface GivenFile {
  /** The name that the file had where it came from, without folders. */
  name: string;
  path: string;
}

export interface ImportRequest {
  /** All files that were brought, with their own names. The paths are absolute. */
  files: GivenFile[];
  /** The files are two networks of one structure, to be blended; `share` is the second's, 0 to 1. */
  blend?: { share: number; name: string };
  /** This folder is empty at first; `network.onnx` is written into it. */
  toFolder: string;
}

/** Gives the path to which the network is written once it is read. */
export const networkPath = ({ toFolder }: ImportRequest) => join(toFolder, 'network.onnx');

/** This much is known of a network before it runs. */
export interface ReadNetwork {
  name: string;
  format: ModelFormat;
  ends: Ends;
  /** The hashes of the files that were brought, in their order. */
  hashes: FileHashes[];
}

/** The ends of the network that was written: what it takes and what it gives. */
export interface Ends {
  input: TensorInfo;
  outputs: string[];
  architecture?: string;
  /** Notes for the user from before the network was tried. */
  notes?: string[];
}

export interface FileHashes {
  sha256: string;
  /** rembg lists its files by their MD5. */
  md5: string;
  sizeBytes: number;
}
