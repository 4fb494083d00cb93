import { resourceByName } from '../../contract/catalogue.ts';
import { isObject, type JsonObject } from '../../contract/json.ts';
import { referencesOf } from '../../contract/module-references.ts';
import type { Store } from '../store.ts';
import { nameOf, shortId, whereIs } from './look.ts';

/** A step of a callflow, ready to be drawn. */
export interface FlowStep {
  /** Number, menu, user: what takes the call. */
  readonly module: string;
  /** Which one, in people's words. */
  readonly what: string;
  readonly branches: readonly { readonly key: string; readonly step: FlowStep }[];
}

/** Deeper than any flow that a caller survives. */
const deepest = 40;

function stepsIn(flow: JsonObject, depth = 0): readonly JsonObject[] {
  return [
    flow,
    ...(depth < deepest ? childrenOf(flow).flatMap(([, child]) => stepsIn(child, depth + 1)) : []),
  ];
}

/** What follows a step; the branch that is taken otherwise comes last. */
const childrenOf = ({ children }: JsonObject): readonly (readonly [string, JsonObject])[] =>
  Object.entries(isObject(children) ? children : {})
    .flatMap(([key, child]) => (isObject(child) ? [[key, child] as const] : []))
    .toSorted(([a], [b]) => Number(a === '_') - Number(b === '_'));

/** The flow of a callflow as steps, with names in place of the ids that the account has. */
export async function flowTree(flow: JsonObject, accountId: string, store: Store): Promise<FlowStep> {
  const found = stepsIn(flow).flatMap((step) => referencesOf(step));
  const wanted = new Map(found.flatMap(({ id, reference: { to } }) => (to ? [[id, to] as const] : [])));
  const names = new Map(
    await Promise.all(
      [...wanted].map(async ([id, kind]) => {
        const record = await store.get({ kind, scope: whereIs(kind, accountId).scope, id });
        return [id, record ? nameOf(record, resourceByName(kind)) : shortId(id)] as const;
      }),
    ),
  );
  const stepOf = (step: JsonObject, depth: number): FlowStep => ({
    module: typeof step.module === 'string' ? step.module : '?',
    what: referencesOf(step)
      .map(({ id }) => names.get(id) ?? shortId(id))
      .join(', '),
    branches:
      depth < deepest
        ? childrenOf(step).map(([key, child]) => ({ key, step: stepOf(child, depth + 1) }))
        : [],
  });
  return stepOf(flow, 0);
}
