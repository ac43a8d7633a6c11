/** What the versions of one photo share: its row on the page, and what is asked of the next version. */
import type { Choices } from '../../electron/contract/page.ts';

let nextId = 1;

export class Versions {
  /** Of this page. */
  readonly id = `photo-${nextId++}`;
  /** The service's; tasks of the photo carry it. */
  readonly key: string;
  /** The version that a person looks at; undefined: the latest. */
  picked = $state.raw<object>();
  /** That stand beside each other, as a person chose; undefined: the latest. */
  compared = $state.raw<readonly object[]>();
  /** For the next version, where that differs from the one that is looked at. */
  draft = $state.raw<Choices>();

  constructor(key: string) {
    this.key = key;
  }
}
