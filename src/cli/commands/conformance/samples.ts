import { isObject, type Json, type JsonObject } from '../../../base/json.ts';
import { operations, resourceByName } from '../../../contract/catalogue.ts';
import { bodyExample, pathExamples, samples } from '../../../contract/samples.ts';
import { isSecretPath } from '../../../contract/schema.ts';
import type { Operation, ResourceName } from '../../../contract/types.ts';

export type MadeIds = ReadonlyMap<string, string>;

/** Data that keeps a sample from reaching anybody. */
const quiet: Partial<Readonly<Record<ResourceName, JsonObject>>> = { webhooks: { enabled: false } };

/** Writes that are tried although the resource says why its writes are not: they reach nobody. */
const harmless = new Set(['numbers.locality', 'ports.create', 'ports.update', 'ports.patch', 'ports.delete']);

/** The reason why an operation is not tried; `undefined` where it is. */
export function reasonAgainst({
  id,
  path,
  resource,
  verb,
  body,
  does,
  repeat,
}: Operation): string | undefined {
  if (!path.startsWith('/accounts/{account_id}')) return 'it is not about an account';
  if (body?.kind === 'file') return 'it takes a file';
  if (verb.startsWith('eavesdrop')) return 'it makes a phone ring';
  if (does?.includes('costs') && repeat === 'never') return 'money would be paid';
  return harmless.has(id) ? undefined : resourceByName(resource).absent?.trial;
}

/** Counts the other records of the contract's examples that a sample refers to. */
export const referencesIn = (name: ResourceName): number => {
  const text = JSON.stringify(samples[name]?.record ?? {});
  return [...pathExamples.values()].filter((id) => text.includes(`"${id}"`)).length;
};

/** Creates that are tried, those first that others refer to. */
export const creates: readonly Operation[] = operations
  .filter(
    (each) => each.verb === 'create' && each.resource !== 'accounts' && reasonAgainst(each) === undefined,
  )
  .toSorted((one, other) => referencesIn(one.resource) - referencesIn(other.resource));

/** The contract's sample record of a resource, with ids of what was made and a secret of this run. */
export function sampleOf(name: ResourceName, made: MadeIds, secret: string): JsonObject {
  const { schema } = resourceByName(name);
  const sample: JsonObject = { ...samples[name]?.record, ...quiet[name] };
  return Object.fromEntries(
    Object.entries(sample).map(([key, value]) => [
      key,
      isSecretPath(schema, key) ? secret : withMade(value, made),
    ]),
  );
}

export function dataFor(operation: Operation, made: MadeIds, secret: string): Json {
  if (operation.body?.kind !== 'record') return withMade(bodyExample(operation) ?? {}, made);
  const sample = sampleOf(operation.resource, made, secret);
  // The sample is there already, and no two devices have the same address or name.
  return operation.id === 'devices.create-below-user'
    ? { ...sample, mac_address: '0004f2ab7efe', sip: { username: 'alice_second_desk', password: secret } }
    : sample;
}

/** A value of a sample with ids of what was made in place of the examples' ids. */
function withMade(sample: Json | undefined, made: MadeIds): Json {
  const ids = new Map<string, string>(
    [...made].flatMap(([parameter, id]) => {
      const example = pathExamples.get(parameter);
      return example === undefined ? [] : [[example, id]];
    }),
  );
  const replaced = (value: Json | undefined): Json => {
    if (typeof value === 'string') return ids.get(value) ?? value;
    if (Array.isArray(value)) return value.map(replaced);
    if (!isObject(value)) return value ?? null;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [ids.get(key) ?? key, replaced(inner)]),
    );
  };
  return replaced(sample);
}
