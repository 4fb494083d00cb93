import type { Change, Store } from './store.ts';

/** The world moved between reading and committing; nothing was written. */
export class StoreConflict extends Error {
  override readonly name = 'StoreConflict';
  /** `revision`: a record was written since it was read; `claim`: another record took a value first. */
  readonly over: 'revision' | 'claim';

  constructor(over: StoreConflict['over'], message: string) {
    super(message);
    this.over = over;
  }
}

/**
 * Requests that are under way, each with the records that were written since it came. A service in the field reads a
 * record, changes it and saves it, and refuses to save what was saved meanwhile (as recorded).
 */
export class Overlaps {
  readonly #underWay = new Set<Set<string>>();

  constructor(store: Store) {
    store.watch((changes) => {
      const written = changes.flatMap((change) => writtenBy(change) ?? []);
      for (const since of this.#underWay) for (const name of written) since.add(name);
    });
  }

  /** Does the work of a request. It is given what throws `StoreConflict` for a write over one that came meanwhile. */
  async during<T>(work: (refuse: (changes: readonly Change[]) => void) => Promise<T>): Promise<T> {
    const since = new Set<string>();
    this.#underWay.add(since);
    try {
      return await work((changes) => {
        const stale = changes.map(writtenBy).find((name) => name !== undefined && since.has(name));
        if (stale !== undefined)
          throw new StoreConflict('revision', `${stale} was changed by another request`);
      });
    } finally {
      this.#underWay.delete(since);
    }
  }
}

/** The record that a change writes anew, by kind, account and id. */
const writtenBy = (change: Change): string | undefined =>
  change.change === 'put' && change.record.revision > 0
    ? `${change.record.kind} ${change.record.scope} ${change.record.id}`
    : undefined;
