/**
 * Messages of an import: its request, the steps sent to its processes, and their responses. No weights are
 * sent.
 */
import type { ImportProgress } from '../../../packages/contract/src/models/import-progress.ts';
import type { TaskErrorCode, RequestErrorCode } from '../../../packages/contract/src/errors.ts';
import type {
  MaskNetworkDescriptor,
  ModelOrigin,
  NetworkDescriptor,
  PromptDecoderDescriptor,
  PromptNetworkDescriptor,
} from '../../../packages/contract/src/models/model.ts';
import type { ImportRequest, ReadNetwork } from '../../../packages/network-import/src/index.ts';

/** What can be learned of a network by running it. */
export type UpscalerContract = Omit<NetworkDescriptor, 'variants' | 'blurNetwork'>;
export type MaskNetworkContract = Omit<MaskNetworkDescriptor, 'variants' | 'clicks'>;

export type PromptNetworkContract = Omit<PromptNetworkDescriptor, 'variants' | 'decoder'> & {
  decoder: Omit<PromptDecoderDescriptor, 'variants'>;
};

export type { ImportRequest, ReadNetwork };

/** Each step runs in a process of its own, so that the memory of reading is freed before the network runs. */
export type ImportStep =
  | { kind: 'read'; request: ImportRequest }
  | { kind: 'try'; request: ImportRequest; read: ReadNetwork };

interface WrittenFile {
  path: string;
  sha256: string;
  sizeBytes: number;
}

interface ImportedFile {
  name: string;
  licence?: string;
  author?: string;
  file: WrittenFile;
  origin: ModelOrigin;
}

/** Result of an import: the network's file and its contract. */
export type ImportedNetwork = ImportedFile &
  (
    | { task: 'upscale'; contract: UpscalerContract }
    | { task: 'remove-bg'; contract: MaskNetworkContract }
    | { task: 'select'; contract: PromptNetworkContract; decoderFile: WrittenFile }
  );

/** What a process of an import sends before its response. */
export interface ImportProgressMessage {
  kind: 'progress';
  progress: ImportProgress;
}

export type ImportResponse =
  | { kind: 'read'; read: ReadNetwork }
  | { kind: 'imported'; network: ImportedNetwork }
  | { kind: 'refused'; code: RequestErrorCode | TaskErrorCode; message: string };
