/** Decides which of the messages of the page is shown. It is pure. */

/** What the page has to say; another `about` is another message. */
interface PresentMessage {
  readonly about: unknown;
  readonly action?: { readonly isUndo?: boolean };
}

export interface ShownMessages {
  /** What the messages are about, the latest first. */
  readonly arrived: readonly unknown[];
  /** They went by themselves; Ctrl+Z still undoes what they were about. */
  readonly gone: readonly unknown[];
}

/** A later message replaces those that offer to undo something: one that came back would offer to undo the wrong thing. */
export function arrive(
  { arrived, gone }: ShownMessages,
  messages: readonly PresentMessage[],
): ShownMessages {
  const present = messages.map(({ about }) => about);
  const later = present.filter((about) => !arrived.includes(about));
  const before = arrived.filter((about) => present.includes(about));
  const replaced = messages.filter(
    ({ about, action }) => action?.isUndo === true && before.includes(about),
  );
  return {
    arrived: [...later, ...before],
    gone: later.length === 0 ? gone : [...gone, ...replaced.map(({ about }) => about)],
  };
}

/** What the shown message is about; undefined if there is none. */
export const latestOf = ({ arrived, gone }: ShownMessages): unknown =>
  arrived.find((about) => !gone.includes(about));
