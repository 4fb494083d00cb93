import type { Context } from '../../../command/context.ts';
import { kindByName } from '../../../manifest/kinds.ts';
import type { Observed } from '../../../manifest/observed.ts';
import { isMadeFor, setIdsOf } from '../../../manifest/own-ids.ts';
import type { RunParts } from '../../../manifest/run-plan.ts';

/**
 * Ids that the creates of a manifest bring along, where the service is known to take them: `conformance --write` or an
 * earlier reply showed it. Elsewhere none, so that the service gives ids.
 */
export async function ownIdsFor(
  context: Pick<Context, 'session'>,
  owner: { readonly accountId: string; readonly set: string },
  { matches, listed }: Pick<Observed, 'matches' | 'listed'>,
): Promise<RunParts['ownIds']> {
  const session = await context.session();
  const isShown = (): boolean => [...matches].some(([key, { id }]) => isMadeFor(owner, key, id));
  const { takesOwnIds = isShown() } = session.learned();
  if (!takesOwnIds) return () => [];
  await session.learn({ takesOwnIds });
  const taken = new Map(
    [...listed].map(([kind, items]) => [
      kind,
      new Set(items.flatMap(({ id }) => (typeof id === 'string' ? [id] : []))),
    ]),
  );
  return ({ key, kind }) =>
    kindByName(kind).resource.takesOwnId ? setIdsOf(owner, key, taken.get(kind)) : [];
}
