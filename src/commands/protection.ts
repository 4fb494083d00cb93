import { decoded } from '../base/decoded.ts';
import { Failure } from '../base/failure.ts';
import type { Context } from '../command/context.ts';
import type { ResourceName } from '../contract/types.ts';
import { kinds } from '../manifest/kinds.ts';
import type { LedgerEntry } from '../state/ledger.ts';

/** Returns the objects of an account that the ledger in use knows to be protected (`protect: true` in a manifest). */
export async function protectedIn(context: Context, accountId: string): Promise<readonly LedgerEntry[]> {
  const { profile } = await context.session();
  const ledger = await (await context.state()).ledger({ origin: profile.baseUrl, accountId }).read();
  return ledger?.entries.filter(({ protect }) => protect) ?? [];
}

/**
 * Throws `Failure` of kind `refused` where a manifest protects a record of the account acted on. Nothing overrides
 * that but the manifest itself.
 */
export async function refuseProtected(
  context: Context,
  { resource, id, label }: { readonly resource: ResourceName; readonly id: string; readonly label: string },
): Promise<void> {
  const names = new Map<string, string>(
    kinds.flatMap((kind) =>
      kind.resource.name === resource && kind.calls.delete
        ? [[kind.name, kind.shape === 'one' ? kind.name : id] as const]
        : [],
    ),
  );
  if (names.size === 0) return;
  const entries = await protectedIn(context, await context.accountId());
  const entry = entries.find((each) => names.get(each.kind) === each.id);
  if (entry) throw protectedFailure(label, entry);
}

/**
 * The same for a DELETE by its path: of a protected record, of a protected account, or of one in which something is
 * protected.
 */
export async function refuseProtectedPath(context: Context, path: string): Promise<void> {
  const segments = (path.split('?')[0] ?? '').split('/').filter(Boolean).map(decoded);
  const at = segments.indexOf('accounts');
  const accountId = segments[at + 1];
  if (at < 0 || accountId === undefined) return;
  const below = segments.slice(at + 2);
  const inside = await protectedIn(context, accountId);
  const entry =
    below.length > 0
      ? inside.find(({ id }) => below.includes(id))
      : (inside[0] ??
        (await protectedIn(context, await context.accountId())).find(({ id }) => id === accountId));
  if (entry) throw protectedFailure(`What DELETE ${path} would remove`, entry);
}

/** Says which manifest set protects something. */
export const protectedFailure = (label: string, { set, key }: LedgerEntry): Failure =>
  new Failure(
    'refused',
    `${label} is protected by the manifest set ${JSON.stringify(set)} (${key}). Nothing was deleted.`,
    { hint: 'Take "protect: true" out of the manifest and apply it first.', details: { protected: [key] } },
  );

/** A question that is answered by a name. */
interface NameQuestion {
  /** Name that must be typed. */
  readonly name: string;
  /** Value of `--confirm`. */
  readonly given: string | undefined;
  /** `--yes` answers, too. */
  readonly yesAnswers: boolean;
}

/** Goes on only when the name was typed or given. Throws `Failure`: `refused` for another name, `usage` unasked. */
export async function confirmByName({ ask, options }: Context, question: NameQuestion): Promise<void> {
  const { name, given, yesAnswers } = question;
  if (given === undefined && yesAnswers && options.yes) return;
  const fits =
    given === undefined
      ? await ask.typed(`Type ${name} to go on:`, name, { option: `--confirm ${name}` })
      : given === name;
  if (!fits) throw new Failure('refused', `That is not ${name}. Nothing was changed.`);
}
