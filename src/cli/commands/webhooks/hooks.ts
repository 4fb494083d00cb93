import { createHint, Failure, nextStep } from '../../../base/failure.ts';
import { isObject, type Json, type JsonObject, textsIn } from '../../../base/json.ts';
import { findNearest } from '../../../base/nearest.ts';
import { didYouMean } from '../../../base/wording.ts';
import type { Api } from '../../../client/api/api.ts';
import { notificationKeys, objectModifiers } from '../../../contract/hooks.ts';
import { webhooks } from '../../../contract/resources/webhooks.ts';
import type { InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import { type ListResult, plainColumns, type Result } from '../../command/result.ts';
import { flattenPages } from '../generic/list.ts';
import { operationFor } from '../records/find-named.ts';
import type { samplesArguments } from './commands.ts';

/** Property that filters events of a hook, and its option. */
export type Modifier = 'type' | 'action';
const modifiers = ['type', 'action'] as const;

export type ChosenModifiers = Readonly<Partial<Record<Modifier, string | undefined>>>;

/** The values of a hook's modifiers, without `all`, which every modifier accepts. */
export type Choices = ReadonlyMap<Modifier, readonly string[]>;

/** The modifiers of hooks (Conventions, webhook endpoints), for services that do not list them. */
export const knownChoices: ReadonlyMap<string, Choices> = new Map<string, Choices>([
  ['object', new Map<Modifier, readonly string[]>(modifiers.map((each) => [each, objectModifiers[each]]))],
  ['notifications', new Map([['type', [...notificationKeys.keys()]]])],
]);

export interface OfferedHook {
  readonly id: string;
  readonly choices: Choices;
}

/** The service's list is the authority (Events). Missing modifiers are filled in from the contract. */
export async function offeredHooks(api: Api): Promise<readonly OfferedHook[]> {
  const offered: OfferedHook[] = [];
  for await (const page of api.pages({ operation: operationFor(webhooks, 'hooks') }))
    for (const { id, modifiers: told } of page)
      if (typeof id === 'string')
        offered.push({ id, choices: isObject(told) ? choicesIn(told) : (knownChoices.get(id) ?? new Map()) });
  return offered;
}

const choicesIn = (told: JsonObject): Choices =>
  new Map(
    modifiers.flatMap((name) => {
      const one = told[name];
      return isObject(one) ? [[name, valuesIn(one.items)] as const] : [];
    }),
  );

/** Values are a list, or the keys of an object with descriptions. */
function valuesIn(items: Json | undefined): readonly string[] {
  const values = Array.isArray(items) ? items : isObject(items) ? Object.keys(items) : [];
  return values.flatMap((each) => (typeof each === 'string' && each !== 'all' ? [each] : []));
}

function isRefused({ choices }: OfferedHook, name: Modifier, value: string): boolean {
  const values = choices.get(name);
  return values === undefined || (value !== 'all' && values.length > 0 && !values.includes(value));
}

export const acceptsModifiers = (hook: OfferedHook, chosen: ChosenModifiers): boolean =>
  modifiers.every((name) => {
    const value = chosen[name];
    return value === undefined || !isRefused(hook, name, value);
  });

/** Throws `usage` for options that a hook does not accept. Suggests hooks that accept them, or the nearest value. */
export function requireAcceptedModifiers(
  hook: OfferedHook,
  chosen: ChosenModifiers,
  hooks: readonly OfferedHook[],
): void {
  for (const name of modifiers) {
    const value = chosen[name];
    if (value === undefined || !isRefused(hook, name, value)) continue;
    const values = hook.choices.get(name);
    if (values === undefined)
      throw new Failure('usage', `The hook ${hook.id} does not accept --${name}.`, {
        hint: acceptedHint(name, hooks),
      });
    throw unknownValue(name, value, values, hook.id);
  }
}

/** Throws `usage` if no hook accepts the options. */
export function noMatchingHook(chosen: ChosenModifiers, hooks: readonly OfferedHook[]): never {
  for (const name of modifiers) {
    const value = chosen[name];
    if (value === undefined || hooks.some((hook) => !isRefused(hook, name, value))) continue;
    const values = hooks.flatMap(({ choices }) => choices.get(name) ?? []);
    if (values.length === 0) throw new Failure('usage', `No hook accepts --${name}.`);
    throw unknownValue(name, value, values);
  }
  throw new Failure('usage', 'No hook accepts both.', { hint: acceptedHint('action', hooks) });
}

function unknownValue(name: Modifier, value: string, values: readonly string[], hook?: string): Failure {
  const near = findNearest(value, values);
  const whose = hook === undefined ? 'No hook has' : `The hook ${hook} has no`;
  const what = hook === undefined ? `the ${name}` : name;
  return new Failure('usage', `${whose} ${what} ${JSON.stringify(value)}.${didYouMean(near)}`, {
    hint: `Values: ${['all', ...values].join(', ')}`,
  });
}

function acceptedHint(name: Modifier, hooks: readonly OfferedHook[]): string {
  const those = hooks.filter(({ choices }) => choices.has(name)).map(({ id }) => id);
  return those.length === 0
    ? `No hook accepts --${name}.`
    : `Hooks that accept --${name}: ${those.join(', ')}`;
}

/** Sets values of a payload by dotted path: `caller_id_number=+15551230009`. Throws `usage`. */
export const withValues = (payload: JsonObject, assignments: readonly string[]): JsonObject =>
  assignments.reduce((rest, assignment) => {
    const [path, value] = splitPair(assignment, '--set');
    return withValue(rest, path.split('.'), value);
  }, payload);

/** Splits `key=value`. Throws `usage` with the name of the option. */
export function splitPair(assignment: string, option: string): readonly [key: string, value: string] {
  const at = assignment.indexOf('=');
  if (at >= 1) return [assignment.slice(0, at), assignment.slice(at + 1)];
  throw new Failure('usage', `${option} takes key=value, not ${JSON.stringify(assignment)}.`);
}

function withValue(payload: JsonObject, [key = '', ...rest]: readonly string[], value: string): JsonObject {
  if (rest.length === 0) return { ...payload, [key]: value };
  const inner = Object.hasOwn(payload, key) ? payload[key] : undefined;
  return { ...payload, [key]: withValue(isObject(inner) ? inner : {}, rest, value) };
}

const prefix = 'webhooks_';

/** Lists the samples, or shows one by name or hook (Conventions, webhook endpoints). Throws `not_found`. */
export async function showSamples(
  { name }: InputOf<Record<never, never>, typeof samplesArguments>,
  context: Context,
): Promise<Result> {
  const api = await context.api();
  const { data } = await api.call({ operation: operationFor(webhooks, 'samples') });
  const names = textsIn(data);
  if (name === undefined)
    return {
      kind: 'list',
      items: names.map((id) => ({ id })),
      columns: [{ header: 'SAMPLE', paths: ['id'] }],
      noun: 'samples',
    };
  const sample = [name, `${prefix}${name}`].find((each) => names.includes(each));
  if (sample === undefined) {
    const near = findNearest(name, [...names, ...names.map((each) => each.replace(prefix, ''))]);
    throw new Failure('not_found', `Sample ${JSON.stringify(name)} not found.${didYouMean(near)}`, {
      hint: createHint`To list them: ${nextStep`webhooks samples`}`,
    });
  }
  const reply = await api.call({
    operation: operationFor(webhooks, 'sample'),
    path: { sample_name: sample },
  });
  return { kind: 'document', text: JSON.stringify(reply.data, null, 2), value: reply.data };
}

export async function listHooks(_: unknown, context: Context): Promise<ListResult> {
  const api = await context.api();
  return {
    kind: 'list',
    items: flattenPages(api.pages({ operation: operationFor(webhooks, 'hooks') })),
    columns: [{ header: 'HOOK', paths: ['id'] }, ...plainColumns('name', 'description')],
    noun: 'hooks',
  };
}
