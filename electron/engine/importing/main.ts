/**
 * A process that imports one network and ends: what a file of a stranger does to a parser or to
 * onnxruntime happens here. It is told one request and says one answer.
 */
import { constants, setPriority } from 'node:os';
import { EnlargerError } from '../../contract/errors.ts';
import { importNetwork } from './import-network.ts';
import type { ImportAnswer, ImportRequest } from './protocol.ts';

async function answerTo(request: ImportRequest): Promise<ImportAnswer> {
  try {
    return { kind: 'imported', network: await importNetwork(request) };
  } catch (error) {
    if (error instanceof EnlargerError)
      return { kind: 'refused', code: error.code, message: error.message };
    process.stderr.write(
      `${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    );
    return {
      kind: 'refused',
      code: 'MODEL_REFUSED',
      message: 'The file is damaged, or not what its name says: reading it failed.',
    };
  }
}

setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
process.once('disconnect', () => process.exit(1));
process.once('message', (request: ImportRequest) => {
  void answerTo(request).then((answer) => process.send?.(answer));
});
