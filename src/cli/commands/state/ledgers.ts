import { Failure, leadsOn, nextStep } from '../../../base/failure.ts';
import type { JsonObject } from '../../../base/json.ts';
import { nearest } from '../../../base/nearest.ts';
import { counted, didYouMean } from '../../../base/wording.ts';
import type { LedgerEntry } from '../../../engine/state/ledger.ts';
import type { Account, State } from '../../../engine/state/state.ts';
import type { InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { confirmed } from '../change.ts';
import type { forgetArguments, forgetOptions, shownLedgerArguments } from './commands.ts';

/** Runs of the log in which names of accounts are looked for. */
const lookedThrough = 200;

/** Names of accounts by their ids, as the last runs of the log have them. */
async function namesIn({ log }: State): Promise<ReadonlyMap<string, string>> {
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
  const names = await namesIn(state);
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
      { header: 'ACCOUNT', paths: ['account'] },
      { header: 'SERVICE', paths: ['service'] },
      { header: 'SETS', paths: ['sets'] },
      { header: 'OBJECTS', paths: ['objects'] },
      { header: 'LOCKED BY', paths: ['locked_by'], sparse: true },
    ],
    noun: 'accounts',
    message: `State: ${state.shown}`,
  };
}

/** The account of the state that a word means. Throws `Failure`: `not_found`, or `usage` where it means several. */
async function accountNamed(state: State, word: string): Promise<Account & { readonly name: string }> {
  const names = await namesIn(state);
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
    throw new Failure('usage', `${JSON.stringify(word)} means ${meant.length} accounts of the state.`, {
      hint: `Take one of: ${meant.map(({ accountId, origin }) => `${accountId}@${origin}`).join(', ')}`,
    });
  const near = nearest(
    word,
    known.map(({ name }) => name),
  );
  throw new Failure(
    'not_found',
    `The state ${state.shown} knows no account ${JSON.stringify(word)}.${didYouMean(near)}`,
    {
      hint: leadsOn`${nextStep`state list`} shows which it knows.`,
    },
  );
}

/** Shows the objects of an account that manifests manage. */
export async function showLedger(
  { account: word }: InputOf<Record<never, never>, typeof shownLedgerArguments>,
  context: Context,
): Promise<Result> {
  const state = await context.state();
  const ledger = await state.ledger(await accountNamed(state, word)).read();
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
      { header: 'SET', paths: ['set'] },
      { header: 'ORIGIN', paths: ['origin'] },
      { header: 'PROTECTED', paths: ['protect'], show: 'flag' },
      { header: 'APPLIED', paths: ['applied_at'], show: 'time' },
    ],
    noun: 'objects',
  };
}

/** Takes objects out of the ledger of an account. */
export async function forgetObjects(
  { account: word, objects, set }: InputOf<typeof forgetOptions, typeof forgetArguments>,
  context: Context,
): Promise<Result> {
  const state = await context.state();
  const account = await accountNamed(state, word);
  const store = state.ledger(account);
  const isMeant = (entry: LedgerEntry): boolean =>
    (set === undefined || entry.set === set) && (objects.length === 0 || objects.includes(entry.key));
  const entries = (await store.read())?.entries.filter(isMeant) ?? [];
  const missing = objects.find((key) => !entries.some((entry) => entry.key === key));
  if (missing !== undefined || entries.length === 0)
    throw new Failure(
      'not_found',
      `The state knows no ${missing === undefined ? 'such object' : `object ${JSON.stringify(missing)}`} of ${account.name}.`,
      { hint: leadsOn`${nextStep`state show ${account.accountId}`} lists them.` },
    );
  const what = counted(entries.length, 'object');
  const question = `Forget ${what} of ${account.name}? They stay at the service, and telctl prunes them no longer.`;
  await confirmed(context, question, 'Nothing was forgotten.');
  await store.update(() => ({
    put: [],
    removed: entries.map((entry) => ({ set: entry.set, key: entry.key })),
  }));
  return { kind: 'done', message: `Forgot ${what} of ${account.name}.` };
}
