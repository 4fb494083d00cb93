import { dirname, isAbsolute, join, resolve } from 'node:path';
import { Failure } from '../../../base/failure.ts';
import type { Host } from '../../../base/host/host.ts';
import { isObject, parseJson, textOf } from '../../../base/json.ts';
import { refuseSpecialFile, systemCode, systemReason } from '../../../base/read-errors.ts';
import {
  accountFile,
  changedLedger,
  isChange,
  type Ledger,
  type LedgerChange,
  withoutGuessable,
} from '../ledger.ts';
import { type Account, alreadyThere, type LedgerStore } from '../state.ts';
import { type LedgerText, ledgerInLines, parseLedger } from './read-ledger.ts';

/** Parts for keeping ledgers. */
export interface LedgerFolder {
  readonly host: Host;
  readonly folder: string;
  /** True for a kind of objects that this telctl knows. */
  knows(kind: string): boolean;
}

export function ledgerFile(
  { host, folder, knows }: LedgerFolder,
  account: Account,
  named?: string,
): LedgerStore {
  const { path, shown, file } = ledgerPlace(host, folder, account, named);
  const text: LedgerText = { shown, knows, ...account };
  const behindPath = join(folder, `${accountFile(account)}.behind`);

  const written = file === undefined ? ledgerText : leavingText;
  let last: { readonly kept: string; readonly ledger: Ledger } | undefined;
  const read = (): Ledger | undefined => {
    const kept = readLedger(host, path, shown);
    // A run reads it before and under the lock: parsing thousands of entries takes longer than comparing the text.
    if (kept !== last?.kept)
      last = kept === undefined ? undefined : { kept, ledger: parseLedger(kept, text) };
    return last?.ledger;
  };
  const changedAt = async (change: (ledger: Ledger) => LedgerChange): Promise<Ledger> => {
    const known = read();
    const before = known ?? newLedger(host, account);
    const wanted = change(before);
    if (known && !isChange(known, wanted)) return known;
    const after = changedLedger(before, wanted);
    await host.files.writePrivateLater(path, written(after));
    return after;
  };
  return {
    ...account,
    shown,
    file,
    seenFrom: file === undefined ? undefined : dirname(file),
    read: async () => read(),
    async update(change) {
      try {
        return await host.files.withLock(path, () => changedAt(change));
      } catch (error) {
        throw ledgerTrouble(shown, 'written', error);
      }
    },
    async take(ledger) {
      await host.files.withLock(path, async () => {
        if (read() !== undefined) throw alreadyThere(`the ledger ${shown}`);
        writing(path, () => host.files.writePrivate(path, written(ledger)));
      });
    },
    async behind() {
      // Where nothing of it can be used, the objects are found by their names.
      const noted = parseJson(host.files.readLargeText(behindPath)?.text ?? '');
      // Another ledger than the one of then knows nothing of it.
      return isObject(noted) && noted.ledger === path ? textOf(noted.run) : undefined;
    },
    async setBehind(run) {
      if (run === undefined) return host.files.remove(behindPath);
      await host.files
        .writePrivateLater(behindPath, JSON.stringify({ run, ledger: path }))
        .catch((error: unknown) => {
          throw unwritable(behindPath, error);
        });
    },
  };
}

export const accountsIn = ({ host, folder, knows }: LedgerFolder): readonly Account[] =>
  host.files.list(folder).flatMap((name) => {
    if (!name.endsWith('.json')) return [];
    const path = join(folder, name);
    const head = parseJson(readLedger(host, path, path) ?? '');
    if (!isObject(head) || typeof head.origin !== 'string' || typeof head.accountId !== 'string') return [];
    const account = { origin: head.origin, accountId: head.accountId };
    return ledgerFile({ host, folder, knows }, account).shown === path ? [account] : [];
  });

/** Returns the path of a ledger, and its name for people. */
function ledgerPlace(
  host: Host,
  folder: string,
  account: Account,
  named: string | undefined,
): Pick<LedgerStore, 'shown' | 'file'> & { readonly path: string } {
  const own = `${accountFile(account)}.json`;
  if (named === undefined) {
    const path = join(folder, own);
    return { path, shown: path, file: undefined };
  }
  const path = isAbsolute(named) ? named : resolve(host.cwd, named);
  if (/[/\\]$/.test(named) || host.files.kindOf(path) === 'folder')
    return { path: join(path, own), shown: join(named, own), file: join(path, own) };
  refuseSpecialFile(host, path, named, '--ledger');
  return { path, shown: named, file: path };
}

/** An empty ledger with a new salt. */
export const newLedger = ({ random }: Pick<Host, 'random'>, account: Account): Ledger => ({
  version: 1,
  ...account,
  salt: Buffer.from(random.bytes(16)).toString('hex'),
  entries: [],
});

/** A ledger as a file of the state folder has it, one entry a line. */
function ledgerText({ entries, ...head }: Ledger): string {
  const lines = entries.map((entry) => `    ${JSON.stringify(entry)}`);
  const top = JSON.stringify({ ...head, entries: [] }, undefined, 2).replace(/\[\]\n\}$/, '');
  return lines.length === 0 ? `${top}[]\n}\n` : `${top}[\n${lines.join(',\n')}\n  ]\n}\n`;
}

/** A ledger as a file that the user named has it: it is merged by lines, and says nothing that could be guessed. */
const leavingText = (ledger: Ledger): string =>
  ledgerInLines({ ...ledger, entries: ledger.entries.map(withoutGuessable) });

function readLedger({ files }: Host, path: string, shown: string): string | undefined {
  try {
    return files.readLargeText(path)?.text;
  } catch (error) {
    throw ledgerTrouble(shown, 'read', error);
  }
}

/** A `Failure` (`failed`) for an error of the file system about a ledger; other errors as they are. */
function ledgerTrouble(shown: string, what: 'read' | 'written', error: unknown): unknown {
  const reason = error instanceof Failure ? undefined : systemReason(error);
  if (reason === undefined) return error;
  return new Failure('failed', `The ledger ${shown} cannot be ${what} (${reason}).`, {
    hint: 'It says what telctl manages. Make that possible, or name another file with --ledger, then repeat.',
    cause: error,
  });
}

/** Codes of errors that disappear when the disk has space again. */
const noRoom = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** Runs a function that writes to a file of the log. Throws `Failure` if it fails. */
export function writing<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw unwritable(path, error);
  }
}

/** A `Failure` that says why a file of the log cannot be written; other errors as they are. */
export function unwritable(path: string, error: unknown): unknown {
  const reason = systemReason(error);
  if (reason === undefined) return error;
  return new Failure('failed', `${path} cannot be written (${reason}).`, {
    hint: `Every change is written to the log first, so nothing more was sent. ${noRoom.has(systemCode(error) ?? '') ? 'Make room, then repeat.' : 'Repeat with another folder in TELCTL_STATE_DIR.'}`,
    cause: error,
  });
}
