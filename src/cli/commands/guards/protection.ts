import { createHint, Failure, nextStep } from '../../../base/failure.ts';
import { type JsonObject, textsIn } from '../../../base/json.ts';
import { joinUpTo } from '../../../base/wording.ts';
import type { GuardedRequest } from '../../../client/api/api.ts';
import { resourceOf } from '../../../contract/resource.ts';
import { accounts } from '../../../contract/resources/accounts.ts';
import { kinds } from '../../../engine/manifest/kinds.ts';
import type { LedgerEntry } from '../../../engine/state/ledger.ts';
import type { Context, NamingContext } from '../../command/context.ts';
import { labelOf } from '../labels.ts';

type LedgerContext = Pick<Context, 'state'> & Pick<NamingContext, 'session' | 'accountId'>;

/** Returns the objects of an account that are protected in the current ledger (`protect: true` in a manifest). */
async function protectedEntries(context: LedgerContext, accountId: string): Promise<readonly LedgerEntry[]> {
  const { profile } = await context.session();
  const ledger = await (await context.state()).ledger({ origin: profile.baseUrl, accountId }).read();
  return ledger?.entries.filter(({ protect }) => protect) ?? [];
}

/** Throws `refused` if a request deletes an object that a manifest protects, or an account with such objects. */
export async function refuseProtectedRequest(
  context: LedgerContext,
  { operation, path, record, label }: GuardedRequest & { readonly label?: string },
): Promise<void> {
  const { profile } = await context.session();
  const { account_id: accountId = profile.accountId } = path;
  if (operation.path === '/accounts/{account_id}') return refuseProtectedAccount(context, accountId, record);
  const [, last] = /\{(\w+)\}$/.exec(operation.path) ?? [];
  const resource = resourceOf(operation);
  const names = new Map(
    kinds.flatMap(({ name, shape, calls, resource: { name: whose } }) => {
      const id = shape === 'one' ? (last === undefined ? name : undefined) : path[last ?? ''];
      return whose === resource.name && calls.delete && id !== undefined ? [[name as string, id]] : [];
    }),
  );
  if (names.size === 0) return;
  const entries = await protectedEntries(context, accountId);
  const entry = entries.find((each) => names.get(each.kind) === each.id);
  if (entry)
    throw protectedFailure(label ?? (record ? labelOf(resource, record) : `The ${resource.singular}`), entry);
}

/** Throws if a manifest protects an account, or an object in it, in its ledger or in that of an account above. */
async function refuseProtectedAccount(
  context: LedgerContext,
  id: string,
  record: JsonObject | undefined,
): Promise<void> {
  const label = record ? labelOf(accounts, record) : `The account ${id}`;
  const inside = await protectedEntries(context, id);
  const [first] = inside;
  if (first) {
    const keys = inside.map(({ key }) => key);
    throw new Failure(
      'refused',
      `${label} contains objects that the manifest set ${JSON.stringify(first.set)} protects: ${listed(keys)}. Nothing was deleted.`,
      { hint: 'Remove "protect: true" from the manifest and apply it first.', details: { protected: keys } },
    );
  }
  const { profile } = await context.session();
  const { tree } = record ?? {};
  const above = textsIn(tree);
  for (const ancestor of new Set([await context.accountId(), profile.accountId, ...above])) {
    const entries = await protectedEntries(context, ancestor);
    const entry = entries.find((each) => each.kind === 'accounts' && each.id === id);
    if (entry) throw protectedFailure(label, entry);
  }
}

/** Limit for the names in a list. Further names are counted. */
export const namedAtMost = 5;

export const listed = (names: readonly string[]): string => joinUpTo(names, namedAtMost);

export const protectedFailure = (label: string, { set, key }: LedgerEntry): Failure =>
  new Failure(
    'refused',
    `${label} is protected by the manifest set ${JSON.stringify(set)} (${key}). Nothing was deleted.`,
    { hint: 'Remove "protect: true" from the manifest and apply it first.', details: { protected: [key] } },
  );

/** Throws `refused` if another name is typed or passed with `--confirm`, and `usage` without a terminal. */
export async function confirmByName(
  { ask, options }: Pick<Context, 'ask'> & { readonly options: Pick<Context['options'], 'yes'> },
  question: { name: string; given: string | undefined; yesAnswers: boolean },
): Promise<void> {
  const { name, given, yesAnswers } = question;
  if (given === undefined && yesAnswers && options.yes) return;
  const fits =
    given === undefined
      ? await ask.typed(`Type ${name} to continue:`, name, { option: `--confirm ${name}` })
      : given === name;
  if (!fits) throw new Failure('refused', `That is not ${name}. Nothing was changed.`);
}

/** Throws `refused` for changes with a read-only profile. `what`: the refused action. `other`: the alternative. */
export async function refuseReadOnly(
  { session }: Pick<Context, 'session'>,
  what: string,
  other?: string,
): Promise<void> {
  const { profile } = await session();
  if (profile.protect !== 'read-only') return;
  throw new Failure('refused', `Profile "${profile.name}" is read-only; ${what} would change something.`, {
    hint:
      other ?? createHint`Use another profile, or: ${nextStep`profiles set ${profile.name} --protect none`}`,
  });
}
