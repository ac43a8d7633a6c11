/**
 * Process that reads one network, or tries one, and ends: whatever an untrusted file does to a parser or to
 * onnxruntime happens here. It receives one step and sends one response.
 */
import { constants, setPriority } from 'node:os';
import type { OnImportProgress } from '../../../packages/contract/src/models/import-progress.ts';
import { EnlargerError } from '../../../packages/contract/src/errors.ts';
import type { ImportProgressMessage, ImportResponse, ImportStep } from '../protocol/importing.ts';

/** Runs the step; only the code of that step is loaded. */
async function runStep(step: ImportStep): Promise<ImportResponse> {
  if (step.kind === 'read') {
    const { readNetwork } = await import('../../../packages/network-import/src/index.ts');
    return { kind: 'read', read: await readNetwork(step.request) };
  }
  const { tryNetwork } = await import('./import-network.ts');
  return { kind: 'imported', network: await tryNetwork(step.request, step.read, sendProgress) };
}

/** Sends at most one message in this time, and that of the first run. */
const progressMs = 500;
let lastProgressMs = -Infinity;

const sendProgress: OnImportProgress = (progress) => {
  const now = performance.now();
  if (progress.runs > 1 && now - lastProgressMs < progressMs) return;
  lastProgressMs = now;
  process.send?.({ kind: 'progress', progress } satisfies ImportProgressMessage);
};

async function responseTo(step: ImportStep): Promise<ImportResponse> {
  try {
    return await runStep(step);
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
process.once('message', (step: ImportStep) => {
  void responseTo(step).then((answer) => process.send?.(answer));
});
