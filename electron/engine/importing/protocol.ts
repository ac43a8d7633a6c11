/** What an import begins with, what is asked of its processes, and what they tell. Paths and words, never weights. */
import type { TaskErrorCode, RequestErrorCode } from '../../contract/errors.ts';
import type {
  MaskNetworkDescriptor,
  ModelFormat,
  ModelOrigin,
  NetworkDescriptor,
} from '../../contract/model.ts';
import type { Value } from './onnx/read-onnx.ts';
import { join } from 'node:path';

export interface ImportRequest {
  /** All files that were brought, with their own names. Absolute paths. */
  files: { name: string; path: string }[];
  /** The files are two networks of one structure, to be made one: how much of the second, 0 to 1. */
  blend?: { share: number; name: string };
  /** An empty folder; `network.onnx` appears in it. */
  toFolder: string;
}

/** Where the network that is read is written. */
export const networkPath = ({ toFolder }: ImportRequest) => join(toFolder, 'network.onnx');

/** Reading and trying are a process each, so that what reading held is given back before the network runs. */
export type ImportStep =
  | { kind: 'read'; request: ImportRequest }
  | { kind: 'try'; request: ImportRequest; read: ReadNetwork };

/** What is known of a network before it runs. */
export interface ReadNetwork {
  name: string;
  format: ModelFormat;
  ends: Ends;
  /** Of the files that were brought, in their order. */
  hashes: FileHashes[];
}

/** What the network that was written takes and gives. */
export interface Ends {
  input: Value;
  outputs: string[];
  architecture?: string;
  /** What was noticed before it was tried. */
  notes?: string[];
}

export interface FileHashes {
  sha256: string;
  /** rembg lists its files by it. */
  md5: string;
  sizeBytes: number;
}

interface ImportedFile {
  name: string;
  licence?: string;
  author?: string;
  file: { path: string; sha256: string; sizeBytes: number };
  origin: ModelOrigin;
}

/** What was found out of a network. */
export type ImportedNetwork = ImportedFile &
  (
    | { task: 'upscale'; contract: Omit<NetworkDescriptor, 'variants'> }
    | { task: 'remove-bg'; contract: Omit<MaskNetworkDescriptor, 'variants'> }
  );

export type ImportAnswer =
  | { kind: 'read'; read: ReadNetwork }
  | { kind: 'imported'; network: ImportedNetwork }
  | { kind: 'refused'; code: RequestErrorCode | TaskErrorCode; message: string };
