/** What an import begins with. */
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
