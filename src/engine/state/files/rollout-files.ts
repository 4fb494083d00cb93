import { join } from 'node:path';
import { Failure } from '../../../base/failure.ts';
import type { AppendOnlyFile } from '../../../base/host/files.ts';
import type { Host } from '../../../base/host/host.ts';
import { readOrFail, systemCode } from '../../../base/read-errors.ts';
import {
  countAccounts,
  firstProgress,
  isMeant,
  mayKeep,
  parseAccount,
  parseRollout,
  type Rollout,
  type RolloutAccount,
  type Rollouts,
} from '../rollouts.ts';
import { unwritable, writing } from './ledger-file.ts';

export interface RolloutFolder {
  readonly host: Host;
  /** The state folder; rollouts lie in `rollouts` below it. */
  readonly state: string;
  /** Time for which rollouts are kept after their end, in milliseconds. */
  readonly keepMs: number;
}

/**
 * Rollouts as folders, named by their numbers: `rollout.json`, and files of accounts, one a line, of which the last
 * line counts. Each process adds to a file of its own.
 */
export function rolloutFiles({ host, state, keepMs }: RolloutFolder): Rollouts {
  const root = join(state, 'rollouts');
  const folderOf = (id: string): string => join(root, id.padStart(6, '0'));
  const recordOf = (id: string): string => join(folderOf(id), 'rollout.json');
  const growing = new Map<string, { readonly path: string; readonly file: AppendOnlyFile }>();
  /** Accounts of rollouts that this process writes, and so knows. */
  const known = new Map<string, Map<number, RolloutAccount>>();
  const idsNow = (): readonly string[] =>
    readOrFail(root, () => host.files.list(root))
      .flatMap((name) => /^0*(\d+)$/.exec(name)?.[1] ?? [])
      .toSorted((one, other) => Number(other) - Number(one));
  const read = (id: string): Rollout | undefined => {
    const text = readOrFail(recordOf(id), () => host.files.readLargeText(recordOf(id)))?.text;
    const rollout = text === undefined ? undefined : parseRollout(text);
    if (text !== undefined && rollout === undefined)
      throw new Failure('invalid', `${recordOf(id)} is damaged: it is no rollout.`);
    return rollout && { ...rollout, id };
  };
  const write = ({ id, ...rollout }: Rollout): void =>
    writing(recordOf(id), () => host.files.writePrivate(recordOf(id), `${JSON.stringify(rollout)}\n`));
  const partsOf = (id: string): readonly string[] =>
    readOrFail(folderOf(id), () => host.files.list(folderOf(id)))
      .filter((name) => /^accounts-\d+\.ndjson$/.test(name))
      .toSorted();
  const readAccounts = (id: string): Map<number, RolloutAccount> => {
    const accounts = new Map<number, RolloutAccount>();
    for (const name of partsOf(id)) {
      const path = join(folderOf(id), name);
      const text = readOrFail(path, () => host.files.readLargeText(path))?.text ?? '';
      for (const line of text.split('\n')) {
        const account = line === '' ? undefined : parseAccount(line);
        // A process that had lost the rollout may have added to its own file what is over by now.
        if (account && account.tries >= (accounts.get(account.position)?.tries ?? 0))
          accounts.set(account.position, account);
      }
    }
    return accounts;
  };
  /** Files of other processes as they were when this one read them. */
  const others = new Map<string, string>();
  const othersNow = (id: string): string =>
    partsOf(id)
      .map((name) => join(folderOf(id), name))
      .filter((path) => path !== growing.get(id)?.path)
      .map((path) => `${path} ${host.files.sizeOf(path)}`)
      .join();
  const accountsOf = (id: string): Map<number, RolloutAccount> => {
    const kept = known.get(id);
    if (kept === undefined) return readAccounts(id);
    const now = othersNow(id);
    if (now === others.get(id)) return kept;
    others.set(id, now);
    const accounts = readAccounts(id);
    known.set(id, accounts);
    return accounts;
  };
  const fileOf = (id: string): AppendOnlyFile => {
    const open = growing.get(id);
    if (open) return open.file;
    known.set(id, new Map());
    for (let number = partsOf(id).length + 1; ; number += 1) {
      const path = join(folderOf(id), `accounts-${String(number).padStart(4, '0')}.ndjson`);
      try {
        const file = host.files.openAppendOnly(path);
        growing.set(id, { path, file });
        return file;
      } catch (error) {
        if (systemCode(error) !== 'EEXIST') throw unwritable(path, error);
      }
    }
  };
  const put = (id: string, accounts: readonly RolloutAccount[]): void => {
    const file = fileOf(id);
    writing(folderOf(id), () => file.add(accounts.map((each) => `${JSON.stringify(each)}\n`).join('')));
    const now = accountsOf(id);
    for (const account of accounts) now.set(account.position, account);
  };
  const forget = (): void => {
    for (const id of idsNow().slice(1)) {
      const modifiedMs = host.files.modifiedMs(recordOf(id));
      if (modifiedMs !== undefined && host.clock.now() - modifiedMs > keepMs) host.files.remove(folderOf(id));
    }
  };
  return {
    begin: (start, accounts) =>
      host.files.withLock(join(root, 'numbers'), async () => {
        const id = String(Number(idsNow()[0] ?? 0) + 1);
        put(id, accounts);
        write({ ...start, ...firstProgress(start.state), id });
        forget();
        return id;
      }),
    async *newest({ state, origin } = {}) {
      for (const id of idsNow()) {
        const rollout = read(id);
        if (
          rollout &&
          (state ?? rollout.state) === rollout.state &&
          (origin ?? rollout.origin) === rollout.origin
        )
          yield rollout;
      }
    },
    read: async (id) => (/^\d{1,15}$/.test(id) ? read(String(Number(id))) : undefined),
    change: (id, change) =>
      host.files.withLock(recordOf(id), async () => {
        const now = read(id);
        const changes = now && change(now);
        if (now === undefined || changes === undefined) return undefined;
        const after = { ...now, ...changes };
        write(after);
        return after;
      }),
    counts: async (id) => countAccounts(accountsOf(id).values()),
    async *accounts(id, filter = {}) {
      const accounts = [...accountsOf(id).values()].toSorted((one, other) => one.position - other.position);
      for (const account of accounts) if (isMeant(account, filter)) yield account;
    },
    account: async (id, position) => accountsOf(id).get(position),
    async put(id, account) {
      const before = accountsOf(id).get(account.position);
      if (before && !mayKeep(account, before, read(id)?.state)) return false;
      put(id, [account]);
      return true;
    },
    close: async () => {
      for (const { file } of growing.values()) file.close();
      growing.clear();
      known.clear();
      others.clear();
    },
  };
}
