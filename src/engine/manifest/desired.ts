import { allTexts, isObject, type Json, type JsonObject, mapTexts, valueAt } from '../../base/json.ts';
import { quoteName } from '../../base/wording.ts';
import type { Problem } from '../input/document.ts';
import type { DesiredDay } from './account-days.ts';
import type { Kind, KindName } from './kinds.ts';

/** The content of a manifest, with variables filled in and references checked. Made without the service. */
export interface Desired {
  readonly accounts: readonly DesiredAccount[];
  readonly inputs: readonly InputFile[];
  /** Name of the manifest set. `--prune` deletes only objects of this set. */
  readonly set: string;
  /** Files and folders that give the set its name: absolute paths, links resolved. */
  readonly source?: readonly string[];
}

export interface InputFile {
  readonly name: string;
  readonly sha256: string;
}

export interface DesiredAccount {
  /**
   * Id, name, realm, or a reference to a sub-account described earlier. `undefined` is the account acted on.
   */
  readonly account: string | undefined;
  /** Two-letter country code for reading national numbers, if the manifest or the settings contain one. */
  readonly country?: string | undefined;
  /** In the order of kinds, then of the files. */
  readonly objects: readonly DesiredObject[];
}

/** Uploaded by a separate request after the record. */
export interface WantedFile {
  readonly name: string;
  /** Absolute, links resolved. */
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
  /** Content type, detected from the first bytes. */
  readonly type: string;
}

export interface DesiredObject {
  readonly kind: KindName;
  /** Local name; the section's name for objects that an account has once. */
  readonly name: string;
  /** `users.alice`, or `limits` for objects that an account has once. Unique within an account. */
  readonly key: string;
  /** Typed by the contract. `null` removes a field. Texts and keys can contain marked references. */
  readonly fields: JsonObject;
  /** Dotted paths of fields left out because an optional `${env.NAME?}` is not set. */
  readonly unset: readonly string[];
  /** Dotted paths of values that come partly from the environment or a file. They are never shown. */
  readonly confidential: readonly string[];
  /** By dotted path: `env.NAME`, `file.PATH`, `var.name`. */
  readonly sources: ReadonlyMap<string, readonly string[]>;
  readonly refersTo: readonly string[];
  /** Dates without a time. Their numbers in `fields` depend on the time zone of the account. */
  readonly days?: readonly DesiredDay[];
  /** telctl never deletes the object, even if it is removed from the manifest. */
  readonly protect: boolean;
  /** The object may use emergency numbers or block emergency calls. */
  readonly allowsShadow?: true;
  readonly file?: WantedFile;
  readonly renamedFrom: string | undefined;
  /** Id of the live object, if the manifest names it. */
  readonly id?: string;
  /** `office.yaml:4:1`: the place of a field, or of the object. */
  place(path?: string): string;
  problem(path: string, message: string): Problem;
}

/** Marks from Unicode's private use area keep references plain JSON that user text cannot imitate. */
const open = '\uE000';
const close = '\uE001';
const anyReference = /\uE000([^\uE001]*)\uE001/g;

/** Prefix of references to objects of the account that are in no manifest: `${account.users.alice}`. */
export const accountPrefix = 'account';

export const holdsMarks = (text: string): boolean => text.includes(open) || text.includes(close);

/** Returns the marked text of a reference to an object, by its key: `users.alice`. */
export const referenceTo = (key: string): string => `${open}${key}${close}`;

/** Shows the references in a text as a manifest writes them: `${users.alice}`. */
export const shownReferences = (text: string): string =>
  text.includes(open) ? text.replaceAll(anyReference, '$${$1}') : text;

/** Keys of all objects that a value refers to, without duplicates, in order of appearance. */
export function referencesIn(value: Json | undefined): readonly string[] {
  const found = new Set<string>();
  for (const text of allTexts(value))
    if (text.includes(open)) for (const [, key = ''] of text.matchAll(anyReference)) found.add(key);
  return [...found];
}

function refers(value: Json | undefined): boolean {
  if (typeof value === 'string') return value.includes(open);
  if (Array.isArray(value)) return value.some(refers);
  if (!isObject(value)) return false;
  for (const key in value) if (key.includes(open) || refers(value[key])) return true;
  return false;
}

/** References stay if the result is `undefined`. */
export function withReferences(value: JsonObject, idOf: (key: string) => string | undefined): JsonObject {
  const text = (here: string): string =>
    here.includes(open) ? here.replaceAll(anyReference, (whole, key: string) => idOf(key) ?? whole) : here;
  return refers(value) ? mapTexts(value, text) : value;
}

/** A sample for unknown ids with the length and characters that schemas require. */
const sampleId = '0123456789abcdef0123456789abcdef';

/** Replaces each reference by a sample id, so that the value can be validated. */
export const withSampleIds = (value: JsonObject): JsonObject => withReferences(value, () => sampleId);

/** The field that identifies a record for people: its first natural key that is text, else its name. */
const namingField = ({ keys }: Kind, record: JsonObject): string | undefined =>
  [...keys, 'name'].find((key) => typeof valueAt(record, key) === 'string' && valueAt(record, key) !== '');

function nameIn(kind: Kind, record: JsonObject): string | undefined {
  const field = namingField(kind, record);
  return field === undefined ? undefined : String(valueAt(record, field));
}

/**
 * True if the name of an object comes from the environment, a file or a secret. Its local name is shown
 * instead.
 */
export function isNamedOutside(
  kind: Kind,
  { fields, confidential }: Pick<DesiredObject, 'fields' | 'confidential'>,
): boolean {
  const field = namingField(kind, fields);
  return field !== undefined && confidential.includes(field);
}

/** `user alice`, `callflow "Main line"`, `account settings`. */
export function desiredLabel(kind: Kind, name: string, records: readonly JsonObject[]): string {
  if (kind.shape === 'one') return kind.name.replaceAll('_', ' ');
  const known = kind.keys.includes('id') ? name : records.map((record) => nameIn(kind, record)).find(Boolean);
  return `${kind.resource.singular} ${quoteName(shownReferences(known ?? name))}`;
}
