import { isAbsolute, join, resolve } from 'node:path';
import { Failure } from '../../base/failure.ts';
import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { refuseUnplain } from '../../base/reading.ts';
import type { Host } from '../../host/host.ts';
import { type KindName, kindOf } from '../kinds.ts';
import { saltedHash, withoutGuessable } from './hashing.ts';
import type { Ledger } from './ledger.ts';
import { ledgerTrouble } from './ledger-trouble.ts';
import { readEntry } from './read-entry.ts';

/** Where the ledger of an account is kept. */
export interface LedgerPlace {
  /** Absolute path of the file. */
  readonly path: string;
  /** As people know it: the option's value, or the path. */
  readonly shown: string;
  /** The user named it: it may leave this machine. */
  readonly named: boolean;
  readonly origin: string;
  readonly accountId: string;
}

/**
 * The place of an account's ledger: `<state>/ledgers/<host>-<account>-<hash>.json`, or what `--ledger` names. A
 * folder (one that is there, or is named with a slash at its end) holds one file for each account. Throws `Failure` of kind `usage` for a device or a pipe.
 */
export function ledgerPlace(
  host: Host,
  {
    file,
    origin,
    accountId,
  }: { readonly file?: string | undefined; readonly origin: string; readonly accountId: string },
): LedgerPlace {
  const own = `${URL.parse(origin)?.hostname.replaceAll(/[^\w.-]/g, '_') ?? 'service'}-${accountId.slice(0, 8)}-${saltedHash(origin, accountId).slice(0, 6)}.json`;
  if (file === undefined) {
    const path = join(host.folders.state, 'ledgers', own);
    return { path, shown: path, named: false, origin, accountId };
  }
  const named = isAbsolute(file) ? file : resolve(host.cwd, file);
  if (/[/\\]$/.test(file) || host.files.kindOf(named) === 'folder')
    return { path: join(named, own), shown: join(file, own), named: true, origin, accountId };
  refuseUnplain(host, named, file, '--ledger');
  return { path: named, shown: file, named: true, origin, accountId };
}

/** An empty ledger with a salt of its own. */
export function newLedger(
  host: Host,
  { origin, accountId }: Pick<LedgerPlace, 'origin' | 'accountId'>,
): Ledger {
  return {
    version: 1,
    origin,
    accountId,
    salt: Buffer.from(host.random.bytes(16)).toString('hex'),
    entries: [],
  };
}

/**
 * The ledger of an account; `undefined` where none was written yet. Throws `Failure`: `invalid` where the file is
 * no ledger, `conflict` where it is that of another account or service. Neither is ever written over.
 */
export function readLedger(host: Host, place: LedgerPlace): Ledger | undefined {
  const text = textAt(host, place);
  return text === undefined ? undefined : parseLedger(text, place);
}

function textAt({ files }: Host, { path, shown }: LedgerPlace): string | undefined {
  try {
    return files.readKept(path)?.text;
  } catch (error) {
    throw ledgerTrouble(shown, 'read', error);
  }
}

/**
 * Writes a ledger (0600, whole or not at all), one entry a line. Whoever calls has read what is there, so that it is
 * a ledger of that account.
 */
export function writeLedger(host: Host, place: LedgerPlace, ledger: Ledger): void {
  const { entries, ...head } = ledger;
  const lines = entries.map(
    (entry) => `    ${JSON.stringify(place.named ? withoutGuessable(entry) : entry)}`,
  );
  const top = JSON.stringify({ ...head, entries: [] }, undefined, 2).replace(/\[\]\n\}$/, '');
  host.files.writePrivate(
    place.path,
    lines.length === 0 ? `${top}[]\n}\n` : `${top}[\n${lines.join(',\n')}\n  ]\n}\n`,
  );
}

function parseLedger(text: string, { shown, origin, accountId }: LedgerPlace): Ledger {
  const found = headOf(text, shown);
  if (found.origin !== origin || found.accountId !== accountId)
    throw new Failure(
      'conflict',
      `The ledger ${shown} is that of account ${String(found.accountId)} at ${String(found.origin)}, not of ${accountId} at ${origin}. Nothing was done.`,
      {
        hint: 'Name another file with --ledger; a folder (with a slash at its end) holds one for each account.',
      },
    );
  const { salt, entries, unfiltered, sources } = found;
  if (typeof salt !== 'string' || !/^[0-9a-f]{8,}$/.test(salt) || !Array.isArray(entries))
    throw noLedger(shown, 'it has no salt, or no entries');
  return {
    version: 1,
    origin,
    accountId,
    salt,
    ...(Array.isArray(unfiltered) ? { unfiltered: kindNames(unfiltered) } : {}),
    ...(isObject(sources) ? { sources: sourcesIn(sources) } : {}),
    entries: entries.map((entry, index) =>
      readEntry(entry, () => noLedger(shown, `entry ${index + 1} is damaged`)),
    ),
  };
}

const sourcesIn = (sources: JsonObject): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    Object.entries(sources).map(([set, paths]) => [
      set,
      Array.isArray(paths) ? paths.filter((path: Json): path is string => typeof path === 'string') : [],
    ]),
  );

const kindNames = (names: readonly Json[]): readonly KindName[] =>
  names.flatMap((name) => (typeof name === 'string' ? (kindOf(name)?.name ?? []) : []));

function headOf(text: string, shown: string): JsonObject {
  const value = parsed(text, shown);
  if (!isObject(value) || typeof value.origin !== 'string' || typeof value.accountId !== 'string')
    throw noLedger(shown, 'it names no account and no service');
  if (value.version !== 1)
    throw noLedger(
      shown,
      `its version is ${JSON.stringify(value.version ?? null)}, and this telctl reads version 1`,
    );
  return value;
}

function parsed(text: string, shown: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw noLedger(shown, 'it is no JSON', error);
  }
}

const noLedger = (shown: string, why: string, cause?: unknown): Failure =>
  new Failure('invalid', `${shown} is no ledger of telctl: ${why}. It was left as it is.`, {
    hint: 'Name another file with --ledger, or move this one away; without it nothing is pruned before telctl adopt.',
    cause,
  });
