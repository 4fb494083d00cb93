import fs from 'node:fs';
import { join } from 'node:path';
import { nextStep } from '../../../base/failure.ts';
import { isObject, type JsonObject, textAt } from '../../../base/json.ts';
import { forgetAccounts } from '../calls/call-account.ts';
import { requireAccount } from '../calls/call-request.ts';
import type { ControlHandlers } from '../control-operations.ts';
import { invalidRequest, Refusal } from '../refusal.ts';
import type { Seed } from '../running-state.ts';
import { resetRecords, seedSetting } from '../seed.ts';
import type { Services } from '../services.ts';
import { settingsIn } from '../store/sqlite-copy.ts';
import type { Store, StoredRecord } from '../store/store.ts';
import type { AdjustableClock } from './adjustable-clock.ts';
import type { Faults } from './faults.ts';

const savedAtSetting = 'saved_at';

/** The folder of snapshots, and functions that run when a snapshot is loaded. */
export interface SnapshotParts {
  readonly folder: string;
  /** Returns the current accounts and users of the sandbox. */
  seed(): Seed;
  /** Stops background work before the records are replaced. */
  pause(): Promise<void>;
  /** Continues with the new records and their seed. */
  resume(seed: Seed): Promise<void>;
}

/** Name of the copy of the initial state. Snapshots cannot have this name. */
const initialState = '.beginning';

const fileExtension = '.db';
const namePattern = /^\w[\w.-]{0,63}$/;

/** Refuses (400) names that are not plain file names. */
function checkName(name: string): string {
  if (namePattern.test(name)) return name;
  throw invalidRequest(`"${name}" is not a valid snapshot name.`, {
    hint: 'Use letters, digits, dots, dashes and underscores.',
  });
}

const unknownSnapshot = (name: string): Refusal =>
  new Refusal(404, 'not_found', `Snapshot ${name} not found.`, {
    hint: nextStep`sandbox snapshot list`.line,
  });

/** Flushes a file or the entries of a folder to the disk. */
function flush(path: string): void {
  const handle = fs.openSync(path, 'r');
  try {
    fs.fsyncSync(handle);
  } finally {
    fs.closeSync(handle);
  }
}

/** Snapshots of a sandbox, stored as files by name. Writes are atomic. */
export class Snapshots {
  readonly #store: Store;
  readonly #clock: AdjustableClock;
  readonly #parts: SnapshotParts;
  #drafts = 0;

  /** Deletes incomplete files of a crashed sandbox. Only one sandbox uses the folder. */
  constructor(store: Store, clock: AdjustableClock, parts: SnapshotParts) {
    this.#store = store;
    this.#clock = clock;
    this.#parts = parts;
    const { folder } = parts;
    const files = fs.existsSync(folder) ? fs.readdirSync(folder) : [];
    for (const file of files) if (/^\..*\.tmp/.test(file)) fs.rmSync(join(folder, file), { force: true });
  }

  /** Saves a snapshot. Refuses an existing name unless `replace` is set. */
  async save(name: string, replace: boolean): Promise<JsonObject> {
    const path = this.#pathOf(checkName(name));
    if (!replace && fs.existsSync(path)) {
      throw new Refusal(409, 'snapshot_exists', `Snapshot ${name} already exists.`);
    }
    await this.#copy(name);
    return this.#describe(name);
  }

  saveInitialState(): Promise<void> {
    return this.#copy(initialState);
  }

  async #copy(name: string): Promise<void> {
    const { folder } = this.#parts;
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.#drafts += 1;
    const draft = join(folder, `.${name}.${this.#drafts}.tmp`);
    try {
      // The empty file is created with mode 0600, because it will contain secrets.
      fs.closeSync(fs.openSync(draft, 'wx', 0o600));
      await this.#store.copyTo(draft, {
        [seedSetting]: JSON.stringify(this.#parts.seed()),
        [savedAtSetting]: new Date(this.#clock.now()).toISOString(),
      });
      flush(draft);
      fs.renameSync(draft, this.#pathOf(name));
      flush(folder);
    } finally {
      for (const end of ['', '-journal', '-wal', '-shm']) fs.rmSync(draft + end, { force: true });
    }
  }

  /** Loads a snapshot. The caller must block other requests. */
  async load(name: string): Promise<JsonObject> {
    if (!fs.existsSync(this.#pathOf(checkName(name)))) throw unknownSnapshot(name);
    await this.#restore(name);
    return this.#describe(name);
  }

  /** Restores the initial state. Returns false if no initial state was saved. */
  async loadInitialState(): Promise<boolean> {
    if (!fs.existsSync(this.#pathOf(initialState))) return false;
    await this.#restore(initialState);
    return true;
  }

  async #restore(name: string): Promise<void> {
    const seed = this.#seedIn(name);
    await this.#parts.pause();
    try {
      await this.#store.replaceWith(this.#pathOf(name));
    } catch (error) {
      await this.#parts.resume(this.#parts.seed());
      throw this.#damaged(name, error);
    }
    forgetAccounts(this.#store);
    await this.#clock.reload();
    await this.#parts.resume(seed);
  }

  list(): readonly JsonObject[] {
    const { folder } = this.#parts;
    const files = fs.existsSync(folder) ? fs.readdirSync(folder).sort() : [];
    return files
      .filter((file) => file.endsWith(fileExtension) && namePattern.test(file))
      .map((file) => this.#describe(file.slice(0, -fileExtension.length)));
  }

  delete(name: string): void {
    const path = this.#pathOf(checkName(name));
    if (!fs.existsSync(path)) throw unknownSnapshot(name);
    fs.rmSync(path);
  }

  #pathOf(name: string): string {
    return join(this.#parts.folder, name + fileExtension);
  }

  #describe(name: string): JsonObject {
    const path = this.#pathOf(name);
    const { size, mtimeMs } = fs.statSync(path);
    return { name, bytes: size, created_at: new Date(mtimeMs).toISOString() };
  }

  #seedIn(name: string): Seed {
    let text: string | undefined;
    try {
      text = settingsIn(this.#pathOf(name), [seedSetting]).get(seedSetting);
    } catch (error) {
      throw this.#damaged(name, error);
    }
    const value: unknown = text === undefined ? undefined : JSON.parse(text);
    // Written by `#copy`.
    if (isObject(value)) return value as unknown as Seed;
    throw this.#damaged(name, undefined);
  }

  #damaged(name: string, cause: unknown): Refusal {
    const why = cause instanceof Error ? `: ${cause.message}` : '';
    return new Refusal(409, 'snapshot_damaged', `The snapshot ${name} cannot be read${why}.`);
  }
}

export const snapshotHandlers = (
  snapshots: Snapshots,
  faults: Faults,
): Pick<ControlHandlers, 'snapshots' | 'saveSnapshot' | 'loadSnapshot' | 'deleteSnapshot' | 'reset'> => ({
  snapshots: async () => ({ snapshots: snapshots.list() }),
  saveSnapshot: ({ name, replace = false }) => snapshots.save(name, replace),
  loadSnapshot: ({ name }) => snapshots.load(name),
  async deleteSnapshot({ name }) {
    snapshots.delete(name);
    return { deleted: name };
  },
  async reset() {
    if (!(await snapshots.loadInitialState()))
      throw new Refusal(409, 'no_beginning', 'This sandbox did not save its initial state.');
    faults.clearAll();
    return {};
  },
});

/**
 * Creates handlers for one account. A reset erases its records and restores the seeded ones. The account keeps its
 * id, API key and descendants.
 */
export function accountSnapshotHandlers(
  services: Services,
  seed: () => Seed,
): Pick<ControlHandlers, 'findAccount' | 'resetAccount'> {
  const accountRow = ({ id, body }: StoredRecord) => ({ account_id: id, name: textAt(body, 'name') ?? id });
  return {
    findAccount: async ({ account }) => accountRow(await requireAccount(services.store, account)),
    async resetAccount(input) {
      const account = await requireAccount(services.store, input.account);
      const { allRecordsOf } = await import('../operations/accounts.ts');
      const records = await allRecordsOf(account, services.store);
      await services.store.commit([
        ...records.map((record) => ({ change: 'remove', record, erase: true }) as const),
        { change: 'forget-account', accountId: account.id },
        ...resetRecords(account, seed(), services),
      ]);
      return { ...accountRow(account), erased: records.length };
    },
  };
}
