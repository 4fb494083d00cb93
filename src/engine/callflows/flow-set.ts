import { isObject, type Json, type JsonObject, textOrUndefined, textsIn, valueAt } from '../../base/json.ts';
import { missingName, shortId } from '../../base/wording.ts';
import { findModule, listReferences } from '../../contract/callflow-modules.ts';
import { resourceByName } from '../../contract/catalogue.ts';
import { emergencyNumbers } from '../../contract/emergency-numbers.ts';
import { countryOfAccount } from '../../contract/phone-number.ts';
import type { ResourceName } from '../../contract/types.ts';
import type { Problem } from '../input/document.ts';
import type { Section } from '../manifest/account-reader.ts';
import { type DesiredAccount, type DesiredObject, withReferences } from '../manifest/desired.ts';
import { type Kind, type KindName, kindByName } from '../manifest/kinds.ts';

export interface Callflow {
  /** Id in the account, or key in a manifest: `callflows.main`. */
  readonly id: string;
  readonly name: string;
  readonly record: JsonObject;
  /** Set if the object is not a callflow. */
  readonly resource?: ResourceName;
  readonly problem?: (path: string, message: string) => Problem;
}

export interface FlowTarget {
  readonly resource: ResourceName;
  readonly name: string;
  readonly record: JsonObject;
}

/** The callflows of an account or a manifest, with all objects that they can refer to. */
export interface FlowSet {
  readonly callflows: readonly Callflow[];
  readonly metaflows: Callflow | undefined;
  /** Two-letter code for national numbers, or `undefined` if it is unknown. */
  readonly country: string | undefined;
  /** Emergency numbers of the account. */
  readonly emergency: readonly string[];
  readonly account: JsonObject | undefined;
  /** By id, or by key in a manifest. */
  readonly targets: ReadonlyMap<string, FlowTarget>;
  readonly objects: readonly (Callflow & { readonly resource: ResourceName })[];
  /** An id of these resources that is not among the targets does not exist. */
  readonly whole: ReadonlySet<ResourceName>;
  readonly names: Names;
}

export function targetName(name: ResourceName, record: JsonObject): string | undefined {
  return ['name', ...resourceByName(name).naturalKeys]
    .map((key) => valueAt(record, key))
    .flatMap((value): readonly (Json | undefined)[] => (Array.isArray(value) ? textsIn(value) : [value]))
    .find((value) => typeof value === 'string' && value !== '')
    ?.toString();
}

/** Returns the record's name, or the kind's name if an account has only one such object. */
export const kindLabel = ({ resource, shape, name }: Kind, record: JsonObject): string =>
  shape === 'one'
    ? name.replaceAll('_', ' ')
    : (targetName(resource.name, record) ?? shortId(String(record.id ?? '')));

const accountSettings: KindName = 'account_settings';

export interface NumberFacts {
  readonly country?: string | undefined;
  readonly emergency?: readonly string[] | undefined;
}

function flowSet(
  objects: readonly (Callflow & { readonly resource: ResourceName })[],
  whole: ReadonlySet<ResourceName>,
  facts: NumberFacts,
): FlowSet {
  const targets = new Map<string, FlowTarget>(
    objects.map(({ id, name, record, resource }) => [id, { resource, name, record }]),
  );
  const account = objects.find(
    ({ id, resource }) => resource === 'accounts' && id.startsWith(accountSettings),
  )?.record;
  const country = facts.country ?? countryOfAccount(account);
  return {
    callflows: objects.filter(({ resource }) => resource === 'callflows'),
    metaflows: objects.find(({ resource }) => resource === 'metaflows'),
    country,
    emergency: facts.emergency ?? emergencyNumbers(country),
    account,
    targets,
    objects,
    whole,
    names: new Map([...targets].map(([id, { name }]) => [id, name])),
  };
}

export function flowsOfAccount(sections: readonly Section[], facts: NumberFacts = {}): FlowSet {
  const objects = sections.flatMap(({ kind, records }) =>
    records.map((record) => {
      const id = kind.shape === 'one' ? kind.name : String(record.id ?? '');
      const name = kind.shape === 'one' ? kind.name : (targetName(kind.resource.name, record) ?? shortId(id));
      return { id, name, record, resource: kind.resource.name };
    }),
  );
  const whole = sections.filter(({ missing }) => missing === undefined).map(({ kind }) => kind.resource.name);
  return flowSet(objects, new Set(whole), facts);
}

/** References of a manifest are keys. Ids can be of any account. */
export function flowsOfManifest({ objects, country }: DesiredAccount): FlowSet {
  return flowSet(objects.map(toCallflow), new Set(), { country });
}

function toCallflow(object: DesiredObject): Callflow & { readonly resource: ResourceName } {
  const { kind, name, key: id, fields } = object;
  const { resource } = kindByName(kind);
  const filled = withReferences(fields, (reference) => reference);
  const record = isObject(filled) ? filled : {};
  const problem = (path: string, message: string): Problem => object.problem(path, message);
  return { id, name: targetName(resource.name, record) ?? name, record, resource: resource.name, problem };
}

export type Names = ReadonlyMap<string, string | null>;

const namedAtMost = 3;
const longest = 48;

const shortenText = (text: string): string =>
  text.length > longest ? `${text.slice(0, longest - 1)}…` : text;

export const quoteText = (text: string): string => JSON.stringify(shortenText(text)).replaceAll('\\\\', '\\');

export const formatSuggestion = (near: string | undefined, otherwise = ''): string =>
  near === undefined ? otherwise : `; did you mean "${near}"?`;

/** Returns text such as `menu "Main menu"`. Unknown ids are shortened. */
export function formatStep(step: JsonObject, names: Names): string {
  const module = typeof step.module === 'string' && step.module !== '' ? step.module : '(no module)';
  const about = describeTargets(step, names);
  return about.length === 0 ? module : `${module} ${about.join(', ')}`;
}

/** Returns text such as `user "alice" (20 s)`, with the seconds that the step rings. */
export function formatStepWithRing(step: JsonObject, names: Names): string {
  const seconds = ringSeconds(step, false);
  return `${formatStep(step, names)}${seconds === undefined ? '' : ` (${seconds} s)`}`;
}

/**
 * Returns the seconds that a step waits for an answer. With `byDefault`, also uses the module's default. Returns
 * `undefined` if it does not wait, or the time is unknown.
 */
export function ringSeconds(step: JsonObject, byDefault: boolean): number | undefined {
  const timeout = valueAt(step.data, 'timeout');
  // These timeouts are not for ringing.
  if (step.module === 'menu' || step.module === 'collect_dtmf') return undefined;
  const standard = findModule(step)?.ringsSeconds;
  // A timeout of 0 means the default.
  if (timeout === 0 && standard !== undefined) return byDefault ? standard : undefined;
  if (typeof timeout === 'number') return timeout;
  return byDefault ? standard : undefined;
}

function describeTargets(step: JsonObject, names: Names): readonly string[] {
  const { data } = step;
  const text = (path: string): string | undefined => textOrUndefined(valueAt(data, path));
  const recordName = (id: string): string => {
    const name = names.get(id);
    return name === null ? missingName(id) : quoteText(name ?? shortId(id));
  };
  const ids = [
    ...new Set([...listReferences(step).map(({ id }) => id), ...[text('id')].flatMap((id) => id ?? [])]),
  ];
  if (ids.length > 0) {
    const more = ids.length - namedAtMost;
    return [...ids.slice(0, namedAtMost).map(recordName), ...(more > 0 ? [`${more} more`] : [])];
  }
  const said =
    text('text') ?? text('regex') ?? text('variable') ?? text('action') ?? text('slot') ?? text('target');
  return said === undefined ? [] : [quoteText(said)];
}

export const hasSteps = (flow: Json | undefined): flow is JsonObject =>
  isObject(flow) && Object.keys(flow).length > 0;

export interface StepAt {
  readonly step: JsonObject;
  /** The previous step and its branch. `undefined` for the first step. */
  readonly from: { readonly at: StepAt; readonly key: string } | undefined;
}

/** Returns the steps in order. Iterative, because flows can be deeper than the call stack. */
export function* walkSteps(flow: Json | undefined): Generator<StepAt> {
  if (!isObject(flow)) return;
  const open: StepAt[] = [{ step: flow, from: undefined }];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    yield at;
    for (const [key, step] of sortedBranches(at.step).toReversed()) open.push({ step, from: { at, key } });
  }
}

/** Returns the next steps by key: digits first, then text, `_` last. Skips empty steps. */
export function sortedBranches({ children }: JsonObject): readonly (readonly [string, JsonObject])[] {
  if (!isObject(children)) return [];
  return Object.entries(children)
    .flatMap(([key, child]) => (hasSteps(child) ? [[key, child] as const] : []))
    .sort(([one], [other]) => byKey(one, other));
}

function byKey(one: string, other: string): number {
  const rank = (key: string): number => (key === '_' ? 2 : /^[\d*#+]+$/.test(key) ? 0 : 1);
  return rank(one) - rank(other) || one.localeCompare(other, 'en', { numeric: true });
}

export function branchKeys(at: StepAt): readonly string[] {
  const keys: string[] = [];
  for (let here = at.from; here !== undefined; here = here.at.from) keys.push(here.key);
  return keys.reverse();
}

/** Returns a path such as `flow/2/_`. */
export const flowPath = (keys: readonly string[]): string => ['flow', ...keys].join('/');

export const fieldKey = (key: string): string => key.replaceAll('.', '%2E');

export const fieldPath = (root: string, keys: readonly string[]): string =>
  [root, ...keys.flatMap((key) => ['children', fieldKey(key)])].join('.');
