import { valueAt } from '../../base/json.ts';
import type { Ledger } from '../state/ledger.ts';
import { type KindName, kinds } from './kinds.ts';
import { labelOf } from './label.ts';
import type { Observed } from './observed.ts';
import { listsOf } from './read-kind.ts';
import type { Service } from './service.ts';

/** What an account holds and no manifest names. */
export interface Unmanaged {
  readonly objects: readonly { readonly kind: KindName; readonly id: string; readonly label: string }[];
  /** Reasons why sections could not be read whole. */
  readonly unread: Readonly<Record<string, string>>;
}

/**
 * Lists what is in an account and neither in this manifest nor in another that was applied from this state. Phone numbers
 * are left out, since callflows hold them. Throws `Failure` where nothing can be read.
 */
export async function unmanagedIn(
  service: Service,
  { matches, listed, account }: Observed,
  ledger: Ledger | undefined,
  concurrency: number,
): Promise<Unmanaged> {
  const managed = new Set([
    ...[...matches.values()].map(({ id }) => id),
    ...(ledger?.entries ?? []).map(({ id }) => id),
    ...(account.id === undefined ? [] : [account.id]),
  ]);
  const many = kinds.filter(({ shape, name }) => shape === 'many' && name !== 'numbers');
  const open = many.filter(({ name }) => !listed.has(name));
  const read = new Map((await listsOf(service, open, concurrency)).map((list) => [list.kind.name, list]));
  return {
    objects: many.flatMap((kind) =>
      (listed.get(kind.name) ?? read.get(kind.name)?.items ?? []).flatMap((item) => {
        const id = valueAt(item, 'id');
        return typeof id !== 'string' || managed.has(id)
          ? []
          : [{ kind: kind.name, id, label: labelOf(kind, id, [item]) }];
      }),
    ),
    unread: Object.fromEntries(
      [...read.values()].flatMap(({ kind, missing }) =>
        missing === undefined ? [] : [[kind.name, missing]],
      ),
    ),
  };
}
