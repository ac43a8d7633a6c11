/** An import's request, the steps that its processes are sent, and their answers. None holds weights. */
import type { TaskErrorCode, RequestErrorCode } from '../../contract/errors.ts';
import type {
  MaskNetworkDescriptor,
  ModelOrigin,
  NetworkDescriptor,
} from '../../contract/models/model.ts';
import type { ImportRequest, ReadNetwork } from '../../../packages/network-import/src/index.ts';

/** What running a network shows of it. */
export type UpscalerContract = Omit<NetworkDescriptor, 'variants'>;
export type MaskContract = Omit<MaskNetworkDescriptor, 'variants'>;

export type { ImportRequest, ReadNetwork };

/** Each step has a process, so that the memory of reading is given back before the network runs. */
export type ImportStep =
  | { kind: 'read'; request: ImportRequest }
  | { kind: 'try'; request: ImportRequest; read: ReadNetwork };

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
