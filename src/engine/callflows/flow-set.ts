import { isObject, type Json, type JsonObject, textsIn, valueAt } from '../../base/json.ts';
import { shortId } from '../../base/wording.ts';
import { resourceByName } from '../../contract/catalogue.ts';
import type { ResourceName } from '../../contract/types.ts';
import type { Problem } from '../input/document.ts';
import { type DesiredAccount, type DesiredObject, withReferences } from '../manifest/desired.ts';
import { type Kind, type KindName, kindByName } from '../manifest/kinds.ts';
import type { Names } from './step-label.ts';

export interface Callflow {
  /** Id in the account; in a manifest its key, `callflows.main`. */
  readonly id: string;
  /** Name that people use. */
  readonly name: string;
  readonly record: JsonObject;
  /** Returns the problem of a field, with the field's place in a file. */
  readonly problem?: (path: string, message: string) => Problem;
}

/** Something that a step can refer to. */
export interface Target {
  readonly resource: ResourceName;
  readonly name: string;
  readonly record: JsonObject;
}

/** The callflows of an account or a manifest, and what they refer to. */
export interface FlowSet {
  readonly callflows: readonly Callflow[];
  readonly metaflows: Callflow | undefined;
  /** Settings of the account itself, where they were read. */
  readonly account: JsonObject | undefined;
  /** By id; in a manifest by key. */
  readonly targets: ReadonlyMap<string, Target>;
  /** Resources all of whose records are among the targets: an id that is not there means nothing. */
  readonly whole: ReadonlySet<ResourceName>;
  readonly names: Names;
}

/** The name by which people know a record rather than by the number that finds it; `undefined` where it has none. */
export function targetName(name: ResourceName, record: JsonObject): string | undefined {
  return ['name', ...resourceByName(name).naturalKeys]
    .map((key) => valueAt(record, key))
    .flatMap((value): readonly (Json | undefined)[] => (Array.isArray(value) ? textsIn(value) : [value]))
    .find((value) => typeof value === 'string' && value !== '')
    ?.toString();
}

/** The name by which people know a record of a kind; the kind's own where an account has it once. */
export const kindLabel = ({ resource, shape, name }: Kind, record: JsonObject): string =>
  shape === 'one'
    ? name.replaceAll('_', ' ')
    : (targetName(resource.name, record) ?? shortId(String(record.id ?? '')));

const accountSettings: KindName = 'account_settings';

function flowSet(
  objects: readonly (Callflow & { readonly resource: ResourceName })[],
  whole: ReadonlySet<ResourceName>,
): FlowSet {
  const targets = new Map<string, Target>(
    objects.map(({ id, name, record, resource }) => [id, { resource, name, record }]),
  );
  return {
    callflows: objects.filter(({ resource }) => resource === 'callflows'),
    metaflows: objects.find(({ resource }) => resource === 'metaflows'),
    account: objects.find(({ id, resource }) => resource === 'accounts' && id.startsWith(accountSettings))
      ?.record,
    targets,
    whole,
    names: new Map([...targets].map(([id, { name }]) => [id, name])),
  };
}

/** The callflows of an account that was read. */
export function flowsOfAccount(sections: readonly Section[]): FlowSet {
  const objects = sections.flatMap(({ kind, records }) =>
    records.map((record) => {
      const id = kind.shape === 'one' ? kind.name : String(record.id ?? '');
      const name = kind.shape === 'one' ? kind.name : (targetName(kind.resource.name, record) ?? shortId(id));
      return { id, name, record, resource: kind.resource.name };
    }),
  );
  const whole = sections.filter(({ missing }) => missing === undefined).map(({ kind }) => kind.resource.name);
  return flowSet(objects, new Set(whole));
}

/** The callflows of one account of a manifest. References stand there as keys; ids may be of any account. */
export function flowsOfManifest({ objects }: DesiredAccount): FlowSet {
  return flowSet(objects.map(fromManifest), new Set());
}

function fromManifest(object: DesiredObject): Callflow & { readonly resource: ResourceName } {
  const { kind, name, key, fields } = object;
  const { resource } = kindByName(kind);
  const filled = withReferences(fields, (reference) => reference);
  const record = isObject(filled) ? filled : {};
  return {
    id: key,
    name: targetName(resource.name, record) ?? name,
    record,
    resource: resource.name,
    problem: (path, message) => object.problem(path, message),
  };
}

/** The objects of one kind in an account, as far as they were read. */
export interface Section {
  readonly kind: Kind;
  /** Records with their ids; what an account has once is one record. */
  readonly records: readonly JsonObject[];
  /** Reason why there may be more records than these, as a sentence. */
  readonly missing?: string;
}
