import { join } from 'node:path';
import { Failure } from '../../../base/failure.ts';
import type { AppendOnlyFile } from '../../../base/host/files.ts';
import type { Host } from '../../../base/host/host.ts';
import { readOrFail, systemCode } from '../../../base/read-errors.ts';
import {
  canReplaceAccount,
  countAccounts,
  firstProgress,
  matchesAccountFilter,
  parseAccount,
  parseRollout,
  type Rollout,
  type RolloutAccount,
  type Rollouts,
} from '../rollouts.ts';
import { toWriteFailure, writeOrFail } from './ledger-file.ts';

export interface RolloutFolder {
  readonly host: Host;
  /** The `rollouts` folder below it contains the rollouts. */
  readonly state: string;
  /** Rollouts are kept for this time after their end. */
  readonly keepMs: number;
}

/**
 * Keeps rollouts as folders, named by number. Each process appends accounts to its own file, one per line. The last
 * line of an account counts.
 */
export function rolloutFiles(folder: RolloutFolder): Rollouts {
  const store = new RolloutStore(folder);
  const { files } = folder.host;
  return {
    begin: (start, accounts) =>
      files.withLock(store.numbersLock, async () => {
        const id = String(Number(store.ids()[0] ?? 0) + 1);
        store.put(id, accounts);
        store.write({ ...start, ...firstProgress(start.state), id });
        store.removeExpired();
        return id;
      }),
    async *newest({ state, origin } = {}) {
      for (const id of store.ids()) {
        const rollout = store.read(id);
        if (
          rollout &&
          (state ?? rollout.state) === rollout.state &&
          (origin ?? rollout.origin) === rollout.origin
        )
          yield rollout;
      }
    },
    read: async (id) => (/^\d{1,15}$/.test(id) ? store.read(String(Number(id))) : undefined),
    change: (id, change) =>
      files.withLock(store.recordPath(id), async () => {
        const now = store.read(id);
        const changes = now && change(now);
        if (now === undefined || changes === undefined) return undefined;
        const after = { ...now, ...changes };
        store.write(after);
        return after;
      }),
    counts: async (id) => countAccounts(store.accounts(id).values()),
    async *accounts(id, filter = {}) {
      const accounts = [...store.accounts(id).values()].toSorted(
        (one, other) => one.position - other.position,
      );
      for (const account of accounts) if (matchesAccountFilter(account, filter)) yield account;
    },
    account: async (id, position) => store.accounts(id).get(position),
    async put(id, account) {
      const before = store.accounts(id).get(account.position);
      if (before && !canReplaceAccount(account, before, store.read(id)?.state)) return false;
      store.put(id, [account]);
      return true;
    },
    close: async () => store.close(),
  };
}

/** Caches the accounts of rollouts that this process writes. */
class RolloutStore {
  readonly #host: Host;
  readonly #root: string;
  readonly #keepMs: number;
  readonly #open = new Map<string, { readonly path: string; readonly file: AppendOnlyFile }>();
  readonly #cached = new Map<string, Map<number, RolloutAccount>>();
  /** File sizes of other processes when the accounts were cached. */
  readonly #otherSizes = new Map<string, string>();

  constructor({ host, state, keepMs }: RolloutFolder) {
    this.#host = host;
    this.#root = join(state, 'rollouts');
    this.#keepMs = keepMs;
  }

  get numbersLock(): string {
    return join(this.#root, 'numbers');
  }

  recordPath(id: string): string {
    return join(this.#folder(id), 'rollout.json');
  }

  #folder(id: string): string {
    return join(this.#root, id.padStart(6, '0'));
  }

  ids(): readonly string[] {
    return readOrFail(this.#root, () => this.#host.files.list(this.#root))
      .flatMap((name) => /^0*(\d+)$/.exec(name)?.[1] ?? [])
      .toSorted((one, other) => Number(other) - Number(one));
  }

  read(id: string): Rollout | undefined {
    const path = this.recordPath(id);
    const text = readOrFail(path, () => this.#host.files.readLargeText(path))?.text;
    if (text === undefined) return undefined;
    const rollout = parseRollout(text);
    if (rollout === undefined) throw new Failure('invalid', `${path} is damaged: it is not a rollout.`);
    return { ...rollout, id };
  }

  write({ id, ...rollout }: Rollout): void {
    const path = this.recordPath(id);
    writeOrFail(path, () => this.#host.files.writePrivate(path, `${JSON.stringify(rollout)}\n`));
  }

  /** Returns accounts by position. Reads them again if another process has added some. */
  accounts(id: string): Map<number, RolloutAccount> {
    const cached = this.#cached.get(id);
    if (cached === undefined) return this.#readAccounts(id);
    const sizes = this.#sizesOfOthers(id);
    if (sizes === this.#otherSizes.get(id)) return cached;
    this.#otherSizes.set(id, sizes);
    const accounts = this.#readAccounts(id);
    this.#cached.set(id, accounts);
    return accounts;
  }

  put(id: string, accounts: readonly RolloutAccount[]): void {
    const file = this.#fileFor(id);
    const lines = accounts.map((each) => `${JSON.stringify(each)}\n`);
    writeOrFail(this.#folder(id), () => file.add(lines.join('')));
    const known = this.accounts(id);
    for (const account of accounts) known.set(account.position, account);
  }

  /** Keeps the newest rollout. */
  removeExpired(): void {
    const { files, clock } = this.#host;
    for (const id of this.ids().slice(1)) {
      const modifiedMs = files.modifiedMs(this.recordPath(id));
      if (modifiedMs !== undefined && clock.now() - modifiedMs > this.#keepMs) files.remove(this.#folder(id));
    }
  }

  close(): void {
    for (const { file } of this.#open.values()) file.close();
    this.#open.clear();
    this.#cached.clear();
    this.#otherSizes.clear();
  }

  #accountFiles(id: string): readonly string[] {
    return readOrFail(this.#folder(id), () => this.#host.files.list(this.#folder(id)))
      .filter((name) => /^accounts-\d+\.ndjson$/.test(name))
      .toSorted()
      .map((name) => join(this.#folder(id), name));
  }

  #readAccounts(id: string): Map<number, RolloutAccount> {
    const accounts = new Map<number, RolloutAccount>();
    for (const path of this.#accountFiles(id)) {
      const text = readOrFail(path, () => this.#host.files.readLargeText(path))?.text ?? '';
      for (const line of text.split('\n')) {
        const account = line === '' ? undefined : parseAccount(line);
        // A process that lost the rollout may have appended outdated attempts.
        if (account && account.tries >= (accounts.get(account.position)?.tries ?? 0))
          accounts.set(account.position, account);
      }
    }
    return accounts;
  }

  #sizesOfOthers(id: string): string {
    return this.#accountFiles(id)
      .filter((path) => path !== this.#open.get(id)?.path)
      .map((path) => `${path} ${this.#host.files.sizeOf(path)}`)
      .join();
  }

  #fileFor(id: string): AppendOnlyFile {
    const open = this.#open.get(id);
    if (open) return open.file;
    this.#cached.set(id, new Map());
    for (let number = this.#accountFiles(id).length + 1; ; number += 1) {
      const path = join(this.#folder(id), `accounts-${String(number).padStart(4, '0')}.ndjson`);
      try {
        const file = this.#host.files.openAppendOnly(path);
        this.#open.set(id, { path, file });
        return file;
      } catch (error) {
        if (systemCode(error) !== 'EEXIST') throw toWriteFailure(path, error);
      }
    }
  }
}
