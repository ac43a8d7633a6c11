/** Runs a command on photos: finds them, settles its options, opens the journal, and hands all to a batch. */
import path from 'node:path';
import { InvalidArgumentError } from 'commander';
import type { Client } from '../../../api-client/src/client.ts';
import type { ModelView } from '../../../contract/src/models/model.ts';
import type { Operation } from '../../../contract/src/request.ts';
import { readDataDir } from '../../../files/src/data-dir.ts';
import { makeFolder } from '../local-files.ts';
import { withService, type CommandConnection, type Running } from '../connect.ts';
import { presetNamed } from '../preset-commands.ts';
import { runBatch } from './batch.ts';
import { noJournal, openBatchJournal, type BatchJournal } from './batch-journal.ts';
import { editInPlace } from './edit-in.ts';
import { findPictures, type Inputs, type Picture } from './inputs.ts';
import { noPlaces, openLocalPlaces } from './local-places.ts';
import type { EditCommand, PhotoCommand } from './photo-commands.ts';
import { optionsWithPreset } from './preset-work.ts';
import { createReport, type Report } from './report.ts';
import {
  assertDestination,
  destinationOf,
  inOwnFolder,
  optionsForFile,
  printFileIn,
  savedInput,
  standardStream,
  type OutputKind,
} from './result-file.ts';
import type { ProcessOptions } from './result-target.ts';
import { t, tn } from '../text.ts';
import { reportWaiting } from '../waiting.ts';

/**
 * Enlarges or cuts out, as the command's options say, and returns the exit code.
 *
 * @param shownAs is the path that the report gives for a result which does not stay where it is made
 */
export async function workOnPhotos(
  command: PhotoCommand,
  running: Running,
  shownAs?: string,
): Promise<number> {
  const destination = await destinationOf(command);
  await assertDestination(command, destination);
  const isInput = command.names.includes(standardStream);
  if (!isInput && destination !== 'stdout')
    return runPhotos({ ...command, shownAs }, destination, running);
  return inOwnFolder(async (folder) => {
    const names = isInput ? [await savedInput(folder)] : command.names;
    if (destination !== 'stdout')
      return runPhotos(
        { ...command, names, shownAs, isInput, isTransient: true },
        destination,
        running,
      );
    return inOwnFolder((outDir) => {
      const { options } = command;
      return runPhotos(
        {
          ...command,
          names,
          out: standardStream,
          options: { ...options, outDir, nameTemplate: '{name}.{ext}' },
          shownAs: t('standard output'),
          isInput,
          isTransient: true,
          deliver: () => printFileIn(outDir),
        },
        destination,
        running,
      );
    });
  });
}

interface PhotoRun extends PhotoCommand {
  shownAs?: string | undefined;
  /** The photo or its result is a file of this process, so no later command can go on with the batch. */
  isTransient?: boolean;
  /** The photo came from standard input. */
  isInput?: boolean;
  /** Brings the result to standard output. @throws Error a sentence */
  deliver?: () => Promise<void>;
}

async function runPhotos(
  command: PhotoRun,
  destination: OutputKind,
  running: Running,
): Promise<number> {
  const inputs = await findInputs(command, destination);
  const { pictures } = inputs;
  const named = optionsAtDestination(command, destination, pictures.length);
  // A folder that cannot be made must be refused before anything runs.
  if (named.outDir !== undefined && pictures.length > 0) makeFolder(named.outDir);
  const { shownAs, json } = command;
  const total = pictures.length + inputs.problems.length;
  const isOutputTaken = destination === 'stdout';
  let report: Report | undefined;
  const hasOwnName = command.hasOwnName === true || destination !== 'folder';
  const reported = new Set<Picture>();
  let failures = inputs.problems.length;
  const openReport = () => {
    const opened = calledAs(shownAs, createReport({ json, total, pictures, isOutputTaken }));
    for (const { shown, message } of inputs.problems) opened.missing(shown, message);
    return opened;
  };
  const runOnce = async (connected: CommandConnection) => {
    const { client } = connected;
    const options = await optionsOf({ ...command, options: named, hasOwnName }, client);
    await checkModels(options.work, client);
    const places =
      command.access === 'upload' ? noPlaces : await openLocalPlaces(connected, inputs.places);
    const isKept = shownAs === undefined && command.isTransient !== true;
    const journal = isKept ? await openJournal({ ...command, options }, connected) : noJournal;
    if (connected.isOwn) await reportWaiting(client, journal.formerTasks);
    // The service of another command or of the window may end before this batch.
    const goesOn = isKept && !connected.isOwn && command.url === undefined;
    report ??= openReport();
    const { deliver } = command;
    const parts = { client, places, report, signal: running.signal, journal, deliver };
    const end = await runBatch(inputs, options, { ...parts, ...(goesOn && { reported }) });
    failures += end.failures;
    if (end.isServiceLost)
      console.error(
        goesOn
          ? t('The service that was in use has ended. This command goes on without it.')
          : t('The service has ended. The same command goes on with what is not done.'),
      );
    return end.isServiceLost && goesOn;
  };
  try {
    while (await withService(command, running, runOnce));
  } finally {
    report?.close();
  }
  return failures === 0 ? 0 : 1;
}

/** Finds the pictures, and says on standard error what was left out. */
async function findInputs(command: PhotoRun, destination: OutputKind): Promise<Inputs> {
  const { names, options, includeResults } = command;
  const { outDir, nameTemplate } = options;
  const inputs = await findPictures({
    names,
    outDir: destination === 'folder' ? outDir : undefined,
    nameTemplate,
    includeResults,
  });
  if (inputs.pictures.length > 0 && inputs.leftOut > 0) console.error(leftOutOf(inputs.leftOut));
  if (inputs.otherFiles && inputs.otherFiles.size > 0) console.error(othersOf(inputs.otherFiles));
  // A single result lies in no folder of its picture.
  if (destination !== 'folder') for (const picture of inputs.pictures) picture.folder = '';
  if (command.isInput) for (const picture of inputs.pictures) picture.shown = t('standard input');
  return inputs;
}

/** @throws InvalidArgumentError where one result is named for several pictures */
function optionsAtDestination(
  { options, out = '' }: PhotoRun,
  destination: OutputKind,
  pictureCount: number,
): ProcessOptions {
  if (destination === 'file') return optionsForFile(options, out, pictureCount);
  if (destination === 'stdout' && pictureCount > 1)
    throw new InvalidArgumentError(
      t('Expected one picture for standard output but received {count}.', { count: pictureCount }),
    );
  return options;
}

async function optionsOf(command: PhotoRun, client: Client): Promise<ProcessOptions> {
  const { preset, options } = command;
  if (preset === undefined) return options;
  return optionsWithPreset(command, presetNamed(preset, await client.presets(), '--preset'));
}

const calledAs = (output: string | undefined, report: Report): Report => ({
  ...report,
  ended: (picture, outcome) =>
    report.ended(
      picture,
      output !== undefined && outcome.status === 'finished' ? { ...outcome, output } : outcome,
    ),
});

/**
 * Refuses models that do not exist, and warns of a `--restore` or `--detail` that the model ignores, before anything
 * runs.
 *
 * @throws InvalidArgumentError which lists the models there are
 */
async function checkModels(
  { operation, body }: ProcessOptions['work'],
  client: Client,
): Promise<void> {
  const enlarging = operation === 'upscale' ? body : (body.enlarge ?? {});
  const isNamed = [body.model, enlarging.model, enlarging.restore, enlarging.detail].some(
    (choice) => choice !== undefined && choice !== 'auto',
  );
  if (!isNamed) return;
  const { models } = await client.models();
  assertModel('--model', body.model, models, operation);
  if (operation === 'remove-bg') assertModel('--upscaler', enlarging.model, models, 'upscale');
  const { restore, detail, model } = enlarging;
  const used = models.find(({ id, task, isDefault }) =>
    model === undefined ? isDefault && task === 'upscale' : id === model,
  );
  if (used?.task !== 'upscale') return;
  if (typeof restore === 'number' && !used.takesRestore)
    console.error(
      t('{model} cannot be told how much to take off: --restore {restore} changes nothing.', {
        model: used.id,
        restore,
      }),
    );
  if (detail !== undefined && !used.takesDetail)
    console.error(
      t('{model} has no strength of detail: --detail {detail} changes nothing.', {
        model: used.id,
        detail,
      }),
    );
}

/** @throws InvalidArgumentError which lists the models of the operation */
export function assertModel(
  flag: string,
  model: string | undefined,
  models: readonly Pick<ModelView, 'id' | 'task'>[],
  operation: Operation,
): void {
  const fitting = models.filter(({ task }) => task === operation).map(({ id }) => id);
  if (model === undefined || fitting.includes(model)) return;
  const known = models.some(({ id }) => id === model);
  const values = { flag, model, models: fitting.join(', ') };
  const other =
    operation === 'upscale'
      ? t('{flag}: {model} is no model that enlarges; there are {models}.', values)
      : t('{flag}: {model} is no model that cuts out; there are {models}.', values);
  throw new InvalidArgumentError(
    known ? other : t('{flag}: no model is called {model}; there are {models}.', values),
  );
}

/**
 * Opens the journal of the batch, and says on standard error when the command goes on with an interrupted one.
 * With --again that one's waiting tasks are cancelled, and all is made anew.
 */
async function openJournal(
  command: PhotoCommand,
  { client, isOwn }: CommandConnection,
): Promise<BatchJournal> {
  const { options, names, access, includeResults, url } = command;
  const open = () =>
    openBatchJournal({
      folder: path.join(readDataDir(command.dataDir), 'batches'),
      command: [options, names.map((name) => path.resolve(name)), access, includeResults, url],
      isAlone: isOwn,
    });
  const journal = await open();
  const { resumedFrom, formerTasks } = journal;
  if (resumedFrom === undefined) return journal;
  if (!command.again) {
    console.error(resumedLine(resumedFrom, formerTasks.length));
    return journal;
  }
  // A task that has ended cannot be cancelled, and need not.
  await Promise.allSettled(formerTasks.map((taskId) => client.cancel(taskId)));
  await journal.finish();
  return open();
}

const resumedLine = (since: Date, count: number) =>
  tn(
    count,
    'This command was interrupted before (begun {time}) and goes on: {count} picture had been given to the queue. --again makes all anew.',
    'This command was interrupted before (begun {time}) and goes on: {count} pictures had been given to the queue. --again makes all anew.',
    { time: since.toLocaleString() },
  );

/** Enlarges one file in its place. The file is as it was unless the answer is 0. */
export function editIn(command: EditCommand, running: Running): Promise<number> {
  const { options } = command;
  return editInPlace(command.file, command, (outDir, file) =>
    workOnPhotos({ ...command, names: [file], options: { ...options, outDir } }, running, file),
  );
}

/** Endings that are named; the rest is counted. */
const maxEndings = 5;

/** Counts the files of folders that no program takes for pictures, by their endings, the most frequent first. */
function othersOf(otherFiles: ReadonlyMap<string, number>): string {
  const sorted = [...otherFiles].sort(([, a], [, b]) => b - a);
  const count = sorted.reduce((sum, [, n]) => sum + n, 0);
  const named = sorted
    .slice(0, maxEndings)
    .map(([ending, n]) => `${n} ${ending === '' ? t('without an ending') : ending}`);
  const more = sorted.length > maxEndings ? t(', and others') : '';
  return tn(
    count,
    '{count} file that is no picture was left out: {endings}.',
    '{count} files that are no pictures were left out: {endings}.',
    { endings: `${named.join(', ')}${more}` },
  );
}

const leftOutOf = (count: number) =>
  tn(
    count,
    '{count} picture that Enlarger made was left out; --include-results takes it too.',
    '{count} pictures that Enlarger made were left out; --include-results takes them too.',
  );
