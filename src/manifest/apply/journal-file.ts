import { join } from 'node:path';
import { Failure } from '../../base/failure.ts';
import { isObject } from '../../base/json.ts';
import { reading } from '../../base/reading.ts';
import { systemCode, systemReason } from '../../base/system-trouble.ts';
import type { Host } from '../../host/host.ts';
import { saltedHash } from '../ledger/hashing.ts';
import type { JournalLine } from './journal.ts';

/** How many runs of an account are kept. */
const keptRuns = 100;

/** Whose journals they are: an account of a service. */
export interface JournalOwner {
  readonly origin: string;
  readonly accountId: string;
}

/** A journal that is being written. */
export interface JournalFile {
  /** Name of the run. */
  readonly run: string;
  readonly owner: JournalOwner;
  /** Adds a line; the system has it when this returns. Throws `Failure` where it cannot be written. */
  write(line: JournalLine): void;
  /** Lets the disk have what was written. Throws `Failure`. */
  flush(): void;
  close(): void;
}

/** The folder of an account's journals: `<state>/journals/<host>-<account>-<hash>`. */
export function journalFolder({ folders }: Host, { origin, accountId }: JournalOwner): string {
  const host = URL.parse(origin)?.hostname.replaceAll(/[^\w.-]/g, '_') ?? 'service';
  const own = saltedHash(origin, accountId).slice(0, 6);
  return join(folders.state, 'journals', `${host}-${accountId.slice(0, 8).replaceAll(/\W/g, '_')}-${own}`);
}

/**
 * Begins a journal under a name made of the time, and removes the oldest ones. To be called while the account is
 * locked. Throws `Failure` where it cannot be written.
 */
export function beginJournal(host: Host, owner: JournalOwner): JournalFile {
  const folder = journalFolder(host, owner);
  const names = runNames(host, owner);
  const run = freeName(new Date(host.clock.now()), new Set(names));
  const path = join(folder, `${run}.ndjson`);
  const held = <T>(work: () => T): T => writing(path, work);
  const file = held(() => host.files.growPrivate(path));
  for (const old of names.slice(0, Math.max(0, names.length + 1 - keptRuns)))
    host.files.remove(join(folder, `${old}.ndjson`));
  return {
    run,
    owner,
    write: (line) => held(() => file.add(`${JSON.stringify(line)}\n`)),
    flush: () => held(() => file.flush()),
    close: () => file.close(),
  };
}

/** Does what writes to a file of the journals. Throws `Failure` where that cannot be done. */
export function writing<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw unwritable(path, error);
  }
}

/** `20250115T090000Z`, with a number behind it where a run of that second has it already. */
function freeName(now: Date, taken: ReadonlySet<string>): string {
  const name = now.toISOString().replaceAll(/[-:]|\.\d+/g, '');
  if (!taken.has(name)) return name;
  for (let number = 2; ; number += 1) {
    const other = `${name}-${String(number).padStart(3, '0')}`;
    if (!taken.has(other)) return other;
  }
}

/** What goes away where there is room. */
const noRoom = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** Why a file of the journals cannot be written, as a `Failure`; what is no trouble of the system comes back as it is. */
export function unwritable(path: string, error: unknown): unknown {
  const reason = systemReason(error);
  if (reason === undefined) return error;
  return new Failure('failed', `${path} cannot be written (${reason}).`, {
    hint: `Every change stands in a journal before it is made, so nothing more was sent. ${noRoom.has(systemCode(error) ?? '') ? 'Make room, then repeat.' : 'Repeat with another folder in TELCTL_STATE_DIR.'}`,
    cause: error,
  });
}

/** Names of the runs of an account, oldest first. */
export function runNames(host: Host, owner: JournalOwner): readonly string[] {
  const folder = journalFolder(host, owner);
  return reading(folder, () => host.files.list(folder))
    .flatMap((name) => (name.endsWith('.ndjson') ? [name.slice(0, -'.ndjson'.length)] : []))
    .sort();
}

/** A journal that was read. */
export interface Journal {
  /** A last one that was broken off is left out. */
  readonly lines: readonly JournalLine[];
  /** A line was written whole: before that nothing is sent. */
  readonly begun: boolean;
}

/** The journal of a run. `undefined`: there is no such run. */
export function readJournal(host: Host, owner: JournalOwner, run: string): Journal | undefined {
  const path = join(journalFolder(host, owner), `${run}.ndjson`);
  const text = reading(path, () => host.files.readKept(path))?.text;
  if (text === undefined) return undefined;
  return { lines: text.split('\n').flatMap((line) => parsed(line) ?? []), begun: text.includes('\n') };
}

const lineKinds = new Set(['start', 'begin', 'end', 'finish']);

function parsed(line: string): JournalLine | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isLine(value) ? value : undefined;
  } catch {
    // The process was killed, or the disk full, in the middle of the line.
    return undefined;
  }
}

/** Lines are telctl's own, in a private file: what kind they are is all that is looked at. */
const isLine = (value: unknown): value is JournalLine =>
  isObject(value) && typeof value.line === 'string' && lineKinds.has(value.line);
