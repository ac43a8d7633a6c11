/** An import's request, the steps that its processes are sent, and their answers. None holds weights. */
import { join } from 'node:path';
import type { TaskErrorCode, RequestErrorCode } from '../../contract/errors.ts';
import type {
  MaskNetworkDescriptor,
  ModelFormat,
  ModelOrigin,
  NetworkDescriptor,
} from '../../contract/models/model.ts';
import type { Value } from '../onnx/read-onnx.ts';

/** A file that was given to an import. */
export interface GivenFile {
  /** The name that the file had where it came from, without folders. */
  name: string;
  path: string;
}

/** What running a network shows of it. */
export type UpscalerContract = Omit<NetworkDescriptor, 'variants'>;
export type MaskContract = Omit<MaskNetworkDescriptor, 'variants'>;

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

/** Each step has a process, so that the memory of reading is given back before the network runs. */
export type ImportStep =
  | { kind: 'read'; request: ImportRequest }
  | { kind: 'try'; request: ImportRequest; read: ReadNetwork };

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
  input: Value;
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

interface ImportedFile {
  name: string;
  licence?: string;
  author?: string;
  file: { path: string; sha256: string; sizeBytes: number };
  origin: ModelOrigin;
}

/** The result of an import: the network's file and its contract. */
export type ImportedNetwork = ImportedFile &
  ({ task: 'upscale'; contract: UpscalerContract } | { task: 'remove-bg'; contract: MaskContract });

export type ImportAnswer =
  | { kind: 'read'; read: ReadNetwork }
  | { kind: 'imported'; network: ImportedNetwork }
  | { kind: 'refused'; code: RequestErrorCode | TaskErrorCode; message: string };
