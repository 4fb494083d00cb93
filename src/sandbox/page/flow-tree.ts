import { isObject, type JsonObject } from '../../base/json.ts';
import { resourceByName } from '../../contract/catalogue.ts';
import { referencesOf } from '../../contract/module-references.ts';
import type { FlowStep } from '../../page/flow-picture.ts';
import type { Store } from '../store/store.ts';
import { kindNamed, nameOf, shortId, whereIs } from './look.ts';
import { linkTo } from './place.ts';

/** Deeper than any flow that a caller survives, and more steps than anybody reads. */
const deepest = 200;
const stepsAtMost = 400;

/** The steps of a flow, each before those that follow it, as many as are drawn. */
function stepsIn(flow: JsonObject): readonly JsonObject[] {
  const steps: JsonObject[] = [];
  const visit = (step: JsonObject, depth: number): void => {
    if (steps.length === stepsAtMost || depth > deepest) return;
    steps.push(step);
    for (const [, child] of childrenOf(step)) visit(child, depth + 1);
  };
  visit(flow, 0);
  return steps;
}

/** What follows a step; the branch that is taken otherwise comes last. */
const childrenOf = ({ children }: JsonObject): readonly (readonly [string, JsonObject])[] =>
  Object.entries(isObject(children) ? children : {})
    .flatMap(([key, child]) => (isObject(child) ? [[key, child] as const] : []))
    .toSorted(([a], [b]) => Number(a === '_') - Number(b === '_'));

/** In place of steps that are not drawn. */
const more: FlowStep = { name: '…', about: 'more steps', branches: [] };

/** The flow of a callflow as steps, with names in place of the ids that the account has. */
export async function flowTree(
  flow: JsonObject,
  callflow: { readonly id: string; readonly accountId: string },
  store: Store,
): Promise<FlowStep> {
  const { accountId } = callflow;
  const steps = stepsIn(flow);
  const wanted = new Map(
    steps
      .flatMap((step) => referencesOf(step))
      .flatMap(({ id, reference: { to } }) => (to ? [[id, to] as const] : [])),
  );
  const known = new Map(
    await Promise.all(
      [...wanted].map(async ([id, kind]) => {
        const record = await store.get({ kind, scope: whereIs(kind, accountId).scope, id });
        const name = record ? nameOf(record, resourceByName(kind)) : shortId(id);
        const link = record && kindNamed(kind) ? linkTo({ accountId, kind, id }) : undefined;
        return [id, { name, link }] as const;
      }),
    ),
  );
  const drawn = new Set(steps);
  const stepOf = (step: JsonObject): FlowStep => {
    const ids = referencesOf(step).map(({ id }) => id);
    const children = childrenOf(step);
    const shown = children.filter(([, child]) => drawn.has(child));
    return {
      name: typeof step.module === 'string' ? step.module : '?',
      about: ids.map((id) => known.get(id)?.name ?? shortId(id)).join(', '),
      link: ids.map((id) => known.get(id)?.link).find((link) => link !== undefined),
      ...(ids.includes(callflow.id) && { kind: 'back' }),
      branches: [
        ...shown.map(([key, child]) => ({ key, step: stepOf(child) })),
        ...(shown.length < children.length ? [{ key: '_', step: more }] : []),
      ],
    };
  };
  return stepOf(flow);
}
