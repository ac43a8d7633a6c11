/** Sends changed choices of waiting tasks to the service. */
import type { Choices } from '../../../packages/contract/src/settings/page.ts';
import {
  sizeFields,
  type ChangedOptions,
  type RequestFields,
} from '../../../packages/contract/src/request.ts';
import type { Client } from '../../../packages/api-client/src/client.ts';
import { eachConcurrently, refusalOf, type Problem } from '../../api/calls.svelte.ts';
import { requestOf } from '../options/choices.ts';
import type { DestinationFacts } from '../options/destination.ts';
import type { SizeFacts } from '../options/fit-to-photo.ts';
import type { Photo } from '../photo/photo.svelte.ts';

/** Concurrent calls. */
const changeConcurrency = 4;
/** Changes are debounced by this time, so that a slider that is dragged is sent once. */
const debounceMs = 250;

export class OptionChanges {
  readonly #client: Client;
  readonly #onRefused: (problem: Problem) => void;
  /** The changes of these photos are not sent yet; the choices are those from before. */
  readonly #unsent = new Map<Photo, Choices>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(client: Client, onRefused: (problem: Problem) => void) {
    this.#client = client;
    this.#onRefused = onRefused;
  }

  /** Notes that the photo's choices are about to change; they are sent soon after. */
  note(photo: Photo): void {
    if (!this.#unsent.has(photo)) this.#unsent.set(photo, photo.choices);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#send(), debounceMs);
  }

  async #send(): Promise<void> {
    const batch = [...this.#unsent];
    this.#unsent.clear();
    await eachConcurrently(batch, changeConcurrency, async ([photo, before]) => {
      try {
        await this.#client.change(photo.taskId ?? '', changeOf(before, photo.choices, photo));
      } catch (error) {
        const refusal = refusalOf(error);
        photo.choices = before;
        this.#onRefused(refusal);
      }
    });
  }
}

/** Both operations take these fields. They stay when that changes, so those not asked for are set back. */
const shared = ['model', 'format', 'quality', 'bitDepth', 'metadata'] as const;
const saving = ['saveTo', 'name', 'onConflict', 'oneVersion', 'onlyAccepted'] as const;
/** One size takes the place of another, so none of them is set back. */
const sizes: readonly string[] = sizeFields;

/** Returns the change as PATCH /api/task takes it, in which null sets a field back to its default. */
export function changeOf(
  before: Choices,
  after: Choices,
  photo: DestinationFacts & SizeFacts = {},
) {
  const from = requestOf(before, [], photo);
  const { operation, options } = requestOf(after, [], photo);
  const kept: readonly string[] =
    from.operation === operation ? Object.keys(from.options) : [...shared, ...saving];
  const gone = kept.filter(
    (name) => name in from.options && !(name in options) && !sizes.includes(name),
  );
  const cleared: Partial<Record<keyof RequestFields, null>> = Object.fromEntries(
    gone.map((name) => [name, null]),
  );
  const changed: ChangedOptions = { ...options, ...cleared };
  return { ...(from.operation !== operation && { operation }), options: changed };
}
