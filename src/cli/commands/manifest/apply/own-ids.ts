import { kindByName } from '../../../../engine/manifest/kinds.ts';
import { isMadeFor, knownOwnIds, noOwnIds, setIdsOf } from '../../../../engine/manifest/own-ids.ts';
import type { Observed } from '../../../../engine/manifest/plan.ts';
import type { RunParts } from '../../../../engine/manifest/run-plan.ts';
import type { Context } from '../../../command/context.ts';

/**
 * Ids that the creates of a manifest bring along, but where the service is known to give the ids: `conformance
 * --write` or a reply showed it. The replies to the first creates show it to a machine that knows nothing yet.
 */
export async function ownIdsFor(
  context: Pick<Context, 'session'>,
  owner: { readonly accountId: string; readonly set: string },
  { matches, listed }: Pick<Observed, 'matches' | 'listed'>,
): Promise<RunParts['ownIds']> {
  const session = await context.session();
  const isShown = (): boolean => [...matches].some(([key, { id }]) => isMadeFor(owner, key, id));
  if (session.learned().takesOwnIds === undefined && isShown()) await session.learn({ takesOwnIds: true });
  const taken = new Map(
    [...listed].map(([kind, items]) => [
      kind,
      new Set(items.flatMap(({ id }) => (typeof id === 'string' ? [id] : []))),
    ]),
  );
  return ({ key, kind }) =>
    kindByName(kind).resource.takesOwnId
      ? knownOwnIds(session, () => setIdsOf(owner, key, taken.get(kind)))
      : noOwnIds;
}
