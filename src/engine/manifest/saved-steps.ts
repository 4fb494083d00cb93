import { exitCodes, type FailureKind } from '../../base/failure.ts';
import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { kinds } from './kinds.ts';
import { type Change, type Doubled, type KeptObject, type Plan, planVersion, type Step } from './plan.ts';
import type { ShownPrice, ShownRefusal } from './shown-plan.ts';

/** A plan as it was saved, and why `apply` would have refused it then. */
export interface SavedShown {
  readonly plan: Plan;
  readonly refused: ShownRefusal | undefined;
  readonly refusedUnasked: readonly ShownRefusal[];
  /** Prices that the service told then. */
  readonly prices?: readonly ShownPrice[];
}

const actions = ['create', 'update', 'unchanged', 'delete', 'unverifiable'] as const;
const calls = ['create', 'patch', 'replace', 'delete', 'upload'] as const;
const ways = ['set', 'changed', 'removed', 'added', 'moved'] as const;
const reasons: readonly KeptObject['why'][] = ['not-pruned', 'protected', 'found', 'signed-in', 'other-set'];
const failureKinds = Object.keys(exitCodes) as readonly FailureKind[];
const kindNames = kinds.map(({ name }) => name);

/**
 * Reads a plan as `shownPlan` wrote it. What it would send is not there: of `send` there are the names of the fields alone.
 * Throws what `damaged` gives where anything is not as it should be.
 */
export function readShownPlan(value: JsonObject, damaged: () => Error): SavedShown {
  const text = (each: Json | undefined): string => {
    if (typeof each !== 'string') throw damaged();
    return each;
  };
  const oneOf = <W extends string>(words: readonly W[], each: Json | undefined): W => {
    const found = words.find((word) => word === each);
    if (found === undefined) throw damaged();
    return found;
  };
  const object = (each: Json | undefined): JsonObject => {
    if (!isObject(each)) throw damaged();
    return each;
  };
  const list = <T>(each: Json | undefined, read: (item: Json) => T): readonly T[] => {
    if (!Array.isArray(each)) throw damaged();
    return each.map((item: Json) => read(item));
  };
  const texts = (each: Json | undefined): readonly string[] => list(each, text);
  const given = <K extends string, T>(key: K, each: Json | undefined, read: (value: Json) => T) =>
    each === undefined ? {} : ({ [key]: read(each) } as { readonly [P in K]: T });

  function change(item: Json): Change {
    const each = object(item);
    return {
      path: text(each.path),
      how: oneOf(ways, each.how),
      ...given('before', each.before, (old) => old),
      ...given('after', each.after, (now) => now),
      ...(each.secret === true ? { secret: true } : {}),
      ...given('sources', each.sources, texts),
      ...(each.drift === true ? { drift: true } : {}),
      ...given('from', each.from, text),
    };
  }

  function step(item: Json): Step {
    const each = object(item);
    return {
      key: text(each.key),
      kind: oneOf(kindNames, each.kind),
      name: text(each.name),
      label: text(each.label),
      action: oneOf(actions, each.action),
      ...given('id', each.id, text),
      changes: list(each.changes, change),
      ...given('by', each.by, (by) => oneOf(calls, by)),
      ...given('send', each.sends, (names) => Object.fromEntries(texts(names).map((name) => [name, null]))),
      after: texts(each.after),
      ...(each.may_cost === true ? { mayCost: true } : {}),
      ...given('drifted', each.drifted, texts),
      protect: each.protect === true,
      ...given('takesFrom', each.takes_from, text),
      ...given('releases', each.releases, text),
      ...given('completes', each.completes, text),
      notes: texts(each.notes),
      managed: {},
    };
  }

  const kept = (item: Json): KeptObject => {
    const each = object(item);
    return { key: text(each.key), label: text(each.label), why: oneOf(reasons, each.why) };
  };
  const doubled = (item: Json): Doubled => {
    const each = object(item);
    return {
      key: text(each.key),
      label: text(each.label),
      id: text(each.id),
      others: texts(each.others),
      ...(each.deleted === true ? { deleted: true } : {}),
    };
  };
  const refusal = (item: Json): ShownRefusal => {
    const each = object(item);
    return {
      kind: oneOf(failureKinds, each.kind),
      message: text(each.message),
      ...given('hint', each.hint, text),
    };
  };
  const price = (item: Json): ShownPrice => {
    const each = object(item);
    if (typeof each.added !== 'number') throw damaged();
    return {
      key: text(each.key),
      path: text(each.path),
      added: each.added,
      rate: text(each.rate),
      recurring: text(each.recurring),
      ...given('once', each.once, text),
      ...(typeof each.in_all === 'number' ? { in_all: each.in_all } : {}),
    };
  };
  const account = object(value.account);
  return {
    plan: {
      version: planVersion,
      account: {
        id: account.id === null ? undefined : text(account.id),
        name: text(account.name),
        origin: text(account.origin),
      },
      set: text(value.set),
      steps: list(value.steps, step),
      ...given('kept', value.kept, (all) => list(all, kept)),
      ...given('doubles', value.doubles, (all) => list(all, doubled)),
    },
    refused: value.refused === undefined ? undefined : refusal(value.refused),
    refusedUnasked: value.refused_unasked === undefined ? [] : list(value.refused_unasked, refusal),
    ...given('prices', value.prices, (all) => list(all, price)),
  };
}
