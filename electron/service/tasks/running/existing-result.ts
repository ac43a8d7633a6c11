/**
 * Where the name of a result is taken in its folder and the rule is to skip, the file that has the name is the
 * result: no network runs for it.
 */
import { constants } from 'node:fs';
import { copyFile, lstat } from 'node:fs/promises';
import { EnlargerError } from '../../../contract/errors.ts';
import { planName, usualTemplate } from '../../../contract/naming.ts';
import type { PictureInfo } from '../../../contract/task.ts';
import type { JobReport } from '../../../engine/protocol/messages.ts';
import { namedResult } from '../../results/named-result.ts';
import type { ResultPaths } from '../../results/results.ts';
import type { FolderHandle } from '../../grants/folder-handle.ts';
import type { Task } from '../../store/tasks/task.ts';
import { grantedTo, type TaskSteps } from './steps.ts';

/**
 * Copies the file that is there and makes its thumbnail. The answer is undefined when the name is free, cannot be
 * told before the network ran, or belongs to no picture of the planned format: then there is work to do.
 */
export async function takeExistingResult(
  task: Task,
  steps: TaskSteps,
  sourcePath: string,
  to: ResultPaths & { scratchDir: string },
): Promise<JobReport | undefined> {
  const { saveTo, onConflict, crop, name } = task.options;
  if (saveTo === undefined || onConflict !== 'skip' || task.operation === 'convert')
    return undefined;
  // Only the network finds out how wide a cropped subject is.
  if (crop !== undefined && name?.includes('{scale}')) return undefined;
  const folder = await folderIfThere(saveTo, task, steps);
  if (!folder) return undefined;
  try {
    return await takeFrom(folder, task, steps, sourcePath, to);
  } catch (thrown) {
    // What it is refused for, the work itself will meet again, or it is no picture.
    if (thrown instanceof EnlargerError) return undefined;
    throw thrown;
  } finally {
    await folder.close();
  }
}

async function takeFrom(
  folder: FolderHandle,
  task: Task,
  steps: TaskSteps,
  sourcePath: string,
  { imagePath, thumbPath, scratchDir }: ResultPaths & { scratchDir: string },
): Promise<JobReport | undefined> {
  const { input, output } = await steps.planPreview(task, sourcePath);
  const result = namedResult(task, { input, output }, steps.wallMs());
  const name = planName(task.options.name ?? usualTemplate(task.operation), result, 1);
  const path = folder.pathOf(name);
  const there = await lstat(path).catch(() => undefined);
  if (!there?.isFile()) return undefined;
  await folder.assertSame();
  await copyFile(path, imagePath, constants.COPYFILE_FICLONE);
  const found = await steps.inspectResult(imagePath);
  if (found.format !== output.format) return undefined;
  await steps.makeThumbnail(imagePath, thumbPath, scratchDir);
  return reportOf(input, found);
}

function reportOf(input: PictureInfo, output: PictureInfo): JobReport {
  const tiles = { count: 0, sizePx: 0, computedPerCore: 1 };
  return { input, output, timings: {}, notes: [], ran: [], tiles };
}

/** A subfolder that is not there yet holds no names; one that may not be used is refused when it is written in. */
async function folderIfThere(
  saveTo: string,
  task: Task,
  steps: TaskSteps,
): Promise<FolderHandle | undefined> {
  try {
    return await steps.openGrantedFolder(saveTo, grantedTo(task, steps));
  } catch (thrown) {
    if (thrown instanceof EnlargerError) return undefined;
    throw thrown;
  }
}
