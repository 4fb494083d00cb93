import { resolve } from 'node:path';
import { createHint, Failure, nextStep } from '../../../base/failure.ts';
import type { Host } from '../../../base/host/host.ts';
import type { JsonObject } from '../../../base/json.ts';
import { findNearest } from '../../../base/nearest.ts';
import { systemReason } from '../../../base/read-errors.ts';
import { didYouMean, formatCount } from '../../../base/wording.ts';
import { checkStateAddress, trustState } from '../../../client/session/state-address.ts';
import type { LedgerEntry } from '../../../engine/state/ledger.ts';
import { mergeLedgerTexts } from '../../../engine/state/merge-ledgers.ts';
import type { Account, State } from '../../../engine/state/state.ts';
import type { InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import { plainColumns, type Result } from '../../command/result.ts';
import { confirmChange } from '../change.ts';
import type {
  forgetArguments,
  forgetOptions,
  mergeArguments,
  migrateOptions,
  shownLedgerArguments,
  trustArguments,
} from './commands.ts';
import { openStateAt } from './open-state.ts';

const lookedThrough = 200;

async function accountNames({ log }: State): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  let looked = 0;
  for await (const { lines } of log.newest()) {
    for (const line of lines)
      if (line.line === 'start' && line.account.id !== undefined && !names.has(line.account.id))
        names.set(line.account.id, line.account.name);
    looked += 1;
    if (looked === lookedThrough) break;
  }
  return names;
}

export async function listLedgers(_: unknown, context: Context): Promise<Result> {
  const state = await context.state();
  const names = await accountNames(state);
  const items: JsonObject[] = [];
  for (const account of await state.accounts()) {
    const store = state.ledger(account);
    const [ledger, holder, behind] = await Promise.all([store.read(), state.holder(account), store.behind()]);
    const entries = ledger?.entries ?? [];
    items.push({
      account: names.get(account.accountId) ?? account.accountId,
      account_id: account.accountId,
      service: account.origin,
      sets: [...new Set(entries.map(({ set }) => set))],
      objects: entries.length,
      locked_by: holder ?? null,
      behind: behind ?? null,
    });
  }
  return {
    kind: 'list',
    items,
    columns: [
      ...plainColumns('account', 'service', 'sets', 'objects'),
      { header: 'LOCKED BY', paths: ['locked_by'], sparse: true },
    ],
    noun: 'accounts',
    message: `State: ${state.shown}`,
  };
}

/** Finds an account of the state by its id or name. Throws `not_found`, or `usage` if several match. */
async function findStateAccount(state: State, word: string): Promise<Account & { readonly name: string }> {
  const names = await accountNames(state);
  const known = (await state.accounts()).map((account) => ({
    ...account,
    name: names.get(account.accountId) ?? account.accountId,
  }));
  const found = known.filter(({ accountId, name, origin }) =>
    [accountId, name, `${accountId}@${origin}`, `${name}@${origin}`].includes(word),
  );
  const meant =
    found.length > 0 || word.length < 6 ? found : known.filter((each) => each.accountId.startsWith(word));
  const [account] = meant;
  if (account && meant.length === 1) return account;
  if (account)
    throw new Failure('usage', `${JSON.stringify(word)} matches ${meant.length} accounts of the state.`, {
      hint: `Use one of: ${meant.map(({ accountId, origin }) => `${accountId}@${origin}`).join(', ')}`,
    });
  const near = findNearest(
    word,
    known.map(({ name }) => name),
  );
  throw new Failure(
    'not_found',
    `The state ${state.shown} has no account ${JSON.stringify(word)}.${didYouMean(near)}`,
    { hint: createHint`${nextStep`state list`} lists its accounts.` },
  );
}

export async function showLedger(
  { account: word }: InputOf<Record<never, never>, typeof shownLedgerArguments>,
  context: Context,
): Promise<Result> {
  const state = await context.state();
  const ledger = await state.ledger(await findStateAccount(state, word)).read();
  return {
    kind: 'list',
    items: (ledger?.entries ?? []).map(({ key, kind, id, set, origin, protect, appliedMs }) => ({
      key,
      kind,
      id,
      set,
      origin,
      protect,
      applied_at: new Date(appliedMs).toISOString(),
    })),
    columns: [
      { header: 'OBJECT', paths: ['key'] },
      { header: 'ID', paths: ['id'], show: 'id' },
      ...plainColumns('set', 'origin'),
      { header: 'PROTECTED', paths: ['protect'], show: 'flag' },
      { header: 'APPLIED', paths: ['applied_at'], show: 'time' },
    ],
    noun: 'objects',
  };
}

export async function forgetObjects(
  { account: word, objects, set }: InputOf<typeof forgetOptions, typeof forgetArguments>,
  context: Context,
): Promise<Result> {
  const state = await context.state();
  const account = await findStateAccount(state, word);
  const store = state.ledger(account);
  const isSelectedEntry = (entry: LedgerEntry): boolean =>
    (set === undefined || entry.set === set) && (objects.length === 0 || objects.includes(entry.key));
  const entries = (await store.read())?.entries.filter(isSelectedEntry) ?? [];
  const missing = objects.find((key) => !entries.some((entry) => entry.key === key));
  if (missing !== undefined || entries.length === 0)
    throw new Failure(
      'not_found',
      `The state has no ${missing === undefined ? 'such object' : `object ${JSON.stringify(missing)}`} of ${account.name}.`,
      { hint: createHint`${nextStep`state show ${account.accountId}`} lists them.` },
    );
  const what = formatCount(entries.length, 'object');
  const question = `Forget ${what} of ${account.name}? They stay at the service, and telctl no longer prunes them.`;
  await confirmChange(context, question, 'Nothing was forgotten.');
  await store.update(() => ({
    put: [],
    removed: entries.map((entry) => ({ set: entry.set, key: entry.key })),
  }));
  return { kind: 'done', message: `Forgot ${what} of ${account.name}.` };
}

/** Merges the ledger files of two branches, as a merge driver of Git. Throws `conflict` if conflicts remain. */
export async function mergeLedgerFiles(
  { base, ours, theirs }: InputOf<Record<never, never>, typeof mergeArguments>,
  { host }: Context,
): Promise<Result> {
  const texts = { base: fileText(host, base), ours: fileText(host, ours), theirs: fileText(host, theirs) };
  const { text, conflicts, entries } = mergeLedgerTexts(texts, { base, ours, theirs });
  host.files.writePrivate(resolve(host.cwd, ours), text);
  if (conflicts.length === 0)
    return { kind: 'done', message: `Merged the ledger: ${formatCount(entries, 'entry', 'entries')}.` };
  throw new Failure(
    'conflict',
    [
      `The ledger has ${formatCount(conflicts.length, 'object')} that cannot be merged:`,
      ...conflicts.map(({ key, set, why }) => `  ${key} of the manifest set ${JSON.stringify(set)}: ${why}`),
    ],
    {
      hint: 'For each conflict in the file, keep one line, remove the marks, and git add the file. An object that both sides created exists twice in the account.',
      details: { conflicts: conflicts.map(({ key, set, why }) => ({ key, set, why })) },
    },
  );
}

function fileText({ files, cwd }: Pick<Host, 'files' | 'cwd'>, name: string): string | undefined {
  try {
    const text = files.readText(resolve(cwd, name))?.text;
    return text?.trim() === '' ? undefined : text;
  } catch (error) {
    const reason = systemReason(error);
    if (reason === undefined) throw error;
    throw new Failure('usage', `${name} cannot be read (${reason}).`, { cause: error });
  }
}

export async function migrateState(
  { from, to }: InputOf<typeof migrateOptions>,
  context: Context,
): Promise<Result> {
  const source = await openStateAt(context, checkStateAddress(from, '--from', false));
  try {
    const target = await openStateAt(context, checkStateAddress(to, '--to', false));
    try {
      return await copyState(source, target);
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

async function copyState(source: State, target: State): Promise<Result> {
  const [runs, accounts] = await Promise.all([target.log.ids(), target.accounts()]);
  if (runs.length + accounts.length > 0)
    throw new Failure(
      'conflict',
      `${target.shown} has ${formatCount(runs.length, 'run')} and ${formatCount(accounts.length, 'ledger')} already. Nothing was copied.`,
      { hint: 'Copy into an empty state: a new folder, or a new database.' },
    );
  const known = await source.accounts();
  for (const account of known) {
    const holder = await source.holder(account);
    if (holder !== undefined)
      throw new Failure(
        'conflict',
        `Account ${account.accountId} is locked by ${holder}. Nothing was copied.`,
        { hint: 'Run the command again when the lock is released.' },
      );
  }
  const ids = await source.log.ids();
  for (const id of ids) {
    const run = await source.log.read(id);
    if (run) await target.log.take(run);
  }
  for (const account of known) {
    const [from, to] = [source.ledger(account), target.ledger(account)];
    const ledger = await from.read();
    // Paths of manifests differ between states. The next apply records its own.
    if (ledger) await to.take({ ...ledger, sources: {} });
    await to.setBehind(await from.behind());
  }
  return {
    kind: 'done',
    message: `Copied ${formatCount(known.length, 'ledger')} and ${formatCount(ids.length, 'run')} from ${source.shown} to ${target.shown}.`,
  };
}

export async function trustAddress(
  { url }: InputOf<Record<never, never>, typeof trustArguments>,
  { host }: Context,
): Promise<Result> {
  const address = checkStateAddress(url, 'URL', false);
  trustState(host, address);
  return { kind: 'done', message: `.telctl.yaml files may choose the state ${address}.` };
}
