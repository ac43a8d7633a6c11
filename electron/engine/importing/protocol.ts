/** What the service asks of an import, and what it is told. Paths and words, never weights. */
import type { TaskErrorCode, RequestErrorCode } from '../../contract/errors.ts';
import type {
  MaskNetworkDescriptor,
  ModelOrigin,
  NetworkDescriptor,
} from '../../contract/model.ts';
import type { ImportRequest } from './import-request.ts';
import type { ReadNetwork } from './read-network.ts';

/** Reading and trying are a process each, so that what reading held is given back before the network runs. */
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
