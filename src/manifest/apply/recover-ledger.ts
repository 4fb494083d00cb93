import { join } from 'node:path';
import { isObject } from '../../base/json.ts';
import type { Host } from '../../host/host.ts';
import type { LedgerChange } from '../ledger/change-ledger.ts';
import type { LedgerEntry } from '../ledger/ledger.ts';
import type { LedgerPlace } from '../ledger/ledger-file.ts';
import { updateLedger } from '../ledger/update-ledger.ts';
import { type JournalFile, type JournalOwner, journalFolder, writing } from './journal-file.ts';
import { withoutHashes } from './keep-ledger.ts';
import { isDone, type RunPart, readRun } from './runs.ts';

/** A run of which an account's ledger may not know all yet. */
interface Pending {
  /** Whose journals it is among. */
  readonly owner: JournalOwner;
  readonly run: string;
  /** Path of the ledger. */
  readonly ledger: string;
}

const pendingFile = (host: Host, { origin, accountId }: JournalOwner): string =>
  join(journalFolder(host, { origin, accountId }), 'pending');

/** Notes that a run is about to change an account: its ledger is behind until `nothingPending`. */
export function notePending(host: Host, place: LedgerPlace, { owner, run }: JournalFile): void {
  const pending: Pending = { owner, run, ledger: place.path };
  const path = pendingFile(host, place);
  writing(path, () => host.files.writePrivate(path, JSON.stringify(pending)));
}

/** The ledger of an account knows all that was done. */
export const nothingPending = (host: Host, place: LedgerPlace): void =>
  host.files.remove(pendingFile(host, place));

/**
 * Makes the ledger of an account good after a run that was killed, from its journal. To be called while the account
 * is locked, before anything is planned.
 */
export async function recoverLedger(host: Host, place: LedgerPlace): Promise<void> {
  const { origin, accountId } = place;
  const pending = readPending(host, place);
  // Another ledger than the one of then knows nothing of it.
  if (pending?.ledger !== place.path) return;
  const run = readRun(host, pending.owner, pending.run);
  const parts = run?.parts.filter(
    ({ start }) => start.account.id === accountId && start.account.origin === origin,
  );
  for (const part of parts ?? []) {
    const change = changeOf(part);
    await updateLedger(host, place, (now) =>
      now.salt === part.start.salt ? change : { ...change, put: change.put.map(withoutHashes) },
    );
  }
  nothingPending(host, place);
}

function readPending(host: Host, place: LedgerPlace): Pending | undefined {
  const text = host.files.readKept(pendingFile(host, place))?.text;
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (!isObject(value) || !isObject(value.owner)) return undefined;
    const { origin, accountId } = value.owner;
    const { run, ledger } = value;
    const texts = [origin, accountId, run, ledger].filter((each) => typeof each === 'string');
    const [ownOrigin, ownAccount, name, path] = texts;
    if (ownOrigin === undefined || ownAccount === undefined || name === undefined || path === undefined)
      return undefined;
    return { owner: { origin: ownOrigin, accountId: ownAccount }, run: name, ledger: path };
  } catch {
    // Nothing of it can be used; the objects are found by their names.
    return undefined;
  }
}

function changeOf({ start: { set }, steps }: RunPart): LedgerChange {
  const done = steps.filter(isDone);
  return {
    put: done.flatMap(({ end }): readonly LedgerEntry[] => (end?.entry ? [end.entry] : [])),
    removed: done.flatMap(({ planned, end }) =>
      planned.action === 'delete' && !end?.entry ? [{ set, key: planned.key }] : [],
    ),
  };
}
