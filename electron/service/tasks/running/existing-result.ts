/**
 * `onConflict: skip`: if a file of the result's name exists in the folder, it is taken as the result, and no
 * network runs.
 */
import { writeFile } from 'node:fs/promises';
import { EnlargerError } from '../../../../packages/contract/src/errors.ts';
import { planName, defaultTemplate } from '../../../../packages/contract/src/naming.ts';
import type { PictureInfo } from '../../../../packages/contract/src/task.ts';
import type { JobReport } from '../../../engine/protocol/messages.ts';
import { namedResult } from '../../results/named-result.ts';
import type { ResultPaths } from '../../results/results.ts';
import type { FolderHandle } from '../../../../packages/files/src/folder-handle.ts';
import { openPlainFile } from '../../../../packages/files/src/plain-file.ts';
import type { Task } from '../../store/tasks/task.ts';
import { grantedTo, type ExistingFileSteps, type FolderSteps } from './steps.ts';

/**
 * Copies the existing file and makes its thumbnail.
 * @returns undefined if the name is free, depends on the network's output, or belongs to a file of another
 *   format
 */
export async function useExistingFile(
  task: Task,
  steps: ExistingFileSteps,
  sourcePath: string,
  to: ResultPaths & { scratchDir: string },
): Promise<JobReport | undefined> {
  const { saveTo, onConflict, crop, name } = task.options;
  if (saveTo === undefined || onConflict !== 'skip' || task.operation === 'convert')
    return undefined;
  // The size of a cropped subject is known only after the network ran.
  if (crop !== undefined && /\{(scale|size)\}/.test(name ?? '')) return undefined;
  const folder = await openFolderIfExists(saveTo, task, steps);
  if (!folder) return undefined;
  try {
    return await copyExisting(folder, task, steps, sourcePath, to);
  } catch (thrown) {
    // The job will meet the same refusal, or the file is no picture.
    if (thrown instanceof EnlargerError) return undefined;
    throw thrown;
  } finally {
    await folder.close();
  }
}

async function copyExisting(
  folder: FolderHandle,
  task: Task,
  steps: ExistingFileSteps,
  sourcePath: string,
  { imagePath, thumbPath, scratchDir }: ResultPaths & { scratchDir: string },
): Promise<JobReport | undefined> {
  const { input, output } = await steps.planPreview(task, sourcePath);
  const result = namedResult(task, { input, output }, steps.wallMs());
  const name = planName(task.options.name ?? defaultTemplate(task.operation), result, 1);
  const path = folder.pathOf(name);
  // Opened and then checked: others who can write there could exchange the file for a link in between.
  const existing = await openPlainFile(path).catch(() => undefined);
  if (!existing) return undefined;
  await writeFile(imagePath, existing.createReadStream({ highWaterMark: 1 << 20 }));
  await folder.assertSame();
  const found = await steps.inspectResult(imagePath);
  if (found.format !== output.format) return undefined;
  await steps.makeThumbnail(imagePath, thumbPath, scratchDir);
  return reportOf(input, found);
}

function reportOf(input: PictureInfo, output: PictureInfo): JobReport {
  const tiles = { count: 0, sizePx: 0, computedPerCore: 1 };
  return { input, output, timings: {}, notes: [], ran: [], tiles };
}

/**
 * Returns undefined for a subfolder that does not exist yet or is not granted; the latter is refused again
 * when the result is written.
 */
async function openFolderIfExists(
  saveTo: string,
  task: Task,
  steps: FolderSteps,
): Promise<FolderHandle | undefined> {
  try {
    return await steps.openGrantedFolder(saveTo, grantedTo(task, steps));
  } catch (thrown) {
    if (thrown instanceof EnlargerError) return undefined;
    throw thrown;
  }
}
