import { dirname, isAbsolute, join, resolve } from 'node:path';
import { Failure } from '../../../base/failure.ts';
import type { Host } from '../../../base/host/host.ts';
import { isObject, parseJson, textOrUndefined } from '../../../base/json.ts';
import { refuseSpecialFile, systemCode, systemReason } from '../../../base/read-errors.ts';
import { accountFile, changedLedger, isChange, type Ledger, withoutGuessable } from '../ledger.ts';
import { type Account, alreadyExistsFailure, type LedgerStore } from '../state.ts';
import { type LedgerText, ledgerInLines, parseLedger } from './read-ledger.ts';

export interface LedgerFolder {
  readonly host: Host;
  readonly folder: string;
  /** Returns true if this telctl version has the kind of objects. */
  knows(kind: string): boolean;
}

/** Keeps the ledger in the state folder, or in the file `named`. */
export function ledgerFile(parts: LedgerFolder, account: Account, named?: string): LedgerStore {
  const { host, folder } = parts;
  const { path, shown, file } = ledgerPlace(host, folder, account, named);
  const read = createLedgerReader(parts, path, { shown, knows: parts.knows, ...account });
  const format = file === undefined ? ledgerText : sharedLedgerText;
  return {
    ...account,
    shown,
    file,
    seenFrom: file === undefined ? undefined : dirname(file),
    read: async () => read(),
    async update(change) {
      try {
        return await host.files.withLock(path, async () => {
          const known = read();
          const before = known ?? newLedger(host, account);
          const wanted = change(before);
          if (known && !isChange(known, wanted)) return known;
          const after = changedLedger(before, wanted);
          await host.files.writePrivateLater(path, format(after));
          return after;
        });
      } catch (error) {
        throw toLedgerFailure(shown, 'written', error);
      }
    },
    async take(ledger) {
      await host.files.withLock(path, async () => {
        if (read() !== undefined) throw alreadyExistsFailure(`the ledger ${shown}`);
        writeOrFail(path, () => host.files.writePrivate(path, format(ledger)));
      });
    },
    ...pendingRunStore(host, join(folder, `${accountFile(account)}.behind`), path),
  };
}

/** Parses the text only if it has changed, because ledgers are large. */
function createLedgerReader({ host }: LedgerFolder, path: string, text: LedgerText) {
  let last: { readonly content: string; readonly ledger: Ledger } | undefined;
  return (): Ledger | undefined => {
    const content = readLedger(host, path, text.shown);
    if (content === undefined) last = undefined;
    else if (content !== last?.content) last = { content, ledger: parseLedger(content, text) };
    return last?.ledger;
  };
}

/** Stores the run whose changes a ledger may not contain yet. The file is only valid for that ledger. */
const pendingRunStore = (
  host: Host,
  path: string,
  ledger: string,
): Pick<LedgerStore, 'behind' | 'setBehind'> => ({
  async behind() {
    // If the file is damaged, objects are found by their names.
    const noted = parseJson(host.files.readLargeText(path)?.text ?? '');
    return isObject(noted) && noted.ledger === ledger ? textOrUndefined(noted.run) : undefined;
  },
  async setBehind(run) {
    if (run === undefined) return host.files.remove(path);
    await host.files.writePrivateLater(path, JSON.stringify({ run, ledger })).catch((error: unknown) => {
      throw toWriteFailure(path, error);
    });
  },
});

export const listLedgerAccounts = ({ host, folder, knows }: LedgerFolder): readonly Account[] =>
  host.files.list(folder).flatMap((name) => {
    if (!name.endsWith('.json')) return [];
    const path = join(folder, name);
    const head = parseJson(readLedger(host, path, path) ?? '');
    if (!isObject(head) || typeof head.origin !== 'string' || typeof head.accountId !== 'string') return [];
    const account = { origin: head.origin, accountId: head.accountId };
    return ledgerFile({ host, folder, knows }, account).shown === path ? [account] : [];
  });

/** Returns the path and the name for messages. */
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

export const newLedger = ({ random }: Pick<Host, 'random'>, account: Account): Ledger => ({
  version: 1,
  ...account,
  salt: Buffer.from(random.bytes(16)).toString('hex'),
  entries: [],
});

function ledgerText({ entries, ...head }: Ledger): string {
  const lines = entries.map((entry) => `    ${JSON.stringify(entry)}`);
  const top = JSON.stringify({ ...head, entries: [] }, undefined, 2).replace(/\[\]\n\}$/, '');
  return lines.length === 0 ? `${top}[]\n}\n` : `${top}[\n${lines.join(',\n')}\n  ]\n}\n`;
}

/** Others can read this ledger and merge it by lines, so it has no hashes that can be guessed. */
const sharedLedgerText = (ledger: Ledger): string =>
  ledgerInLines({ ...ledger, entries: ledger.entries.map(withoutGuessable) });

function readLedger({ files }: Host, path: string, shown: string): string | undefined {
  try {
    return files.readLargeText(path)?.text;
  } catch (error) {
    throw toLedgerFailure(shown, 'read', error);
  }
}

/** Converts a file system error to `failed`. Returns other errors unchanged. */
function toLedgerFailure(shown: string, what: 'read' | 'written', error: unknown): unknown {
  const reason = error instanceof Failure ? undefined : systemReason(error);
  if (reason === undefined) return error;
  return new Failure('failed', `The ledger ${shown} cannot be ${what} (${reason}).`, {
    hint: 'telctl needs it to know what it manages. Fix the file, or pass another one with --ledger, and repeat.',
    cause: error,
  });
}

/** These errors disappear when the disk has free space again. */
const noRoom = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** Throws `Failure` if the log cannot be written. */
export function writeOrFail<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw toWriteFailure(path, error);
  }
}

export function toWriteFailure(path: string, error: unknown): unknown {
  const reason = systemReason(error);
  if (reason === undefined) return error;
  return new Failure('failed', `${path} cannot be written (${reason}).`, {
    hint: `Every change is written to the log first, so nothing more was sent. ${noRoom.has(systemCode(error) ?? '') ? 'Free some space, then repeat.' : 'Repeat with another folder in TELCTL_STATE_DIR.'}`,
    cause: error,
  });
}
