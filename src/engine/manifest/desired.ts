import { allTexts, isObject, type Json, type JsonObject, mapTexts, valueAt } from '../../base/json.ts';
import { quoteName } from '../../base/wording.ts';
import type { Problem } from '../input/document.ts';
import type { DesiredDay } from './account-days.ts';
import type { Kind, KindName } from './kinds.ts';

/** The content of a manifest, with variables filled in and references checked. Created without the service. */
export interface Desired {
  readonly accounts: readonly DesiredAccount[];
  readonly inputs: readonly InputFile[];
  /** `--prune` deletes only objects of this manifest set. */
  readonly set: string;
  /** Files and folders that give the set its name. Paths are absolute, without links. */
  readonly source?: readonly string[];
}

export interface InputFile {
  readonly name: string;
  readonly sha256: string;
}

export interface DesiredAccount {
  /** Id, name, realm, or a reference to a sub-account described earlier. `undefined` is the selected account. */
  readonly account: string | undefined;
  /** Two-letter code for national numbers, if the manifest or the settings contain one. */
  readonly country?: string | undefined;
  readonly objects: readonly DesiredObject[];
}

/** Uploaded by a separate request after the record. */
export interface WantedFile {
  readonly name: string;
  /** Absolute path with links resolved. */
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
  /** Detected from the first bytes. */
  readonly type: string;
}

export interface DesiredObject {
  readonly kind: KindName;
  /** Local name. For an object that an account has once, the section's name. */
  readonly name: string;
  /** For example, `users.alice`, or `limits` for an object that an account has once. */
  readonly key: string;
  /** `null` removes a field. Texts and keys can contain marked references. */
  readonly fields: JsonObject;
  /** Dotted paths of fields whose optional `${env.NAME?}` is not set. */
  readonly unset: readonly string[];
  /** Dotted paths of values that contain text from the environment or a file. They are never shown. */
  readonly confidential: readonly string[];
  /** By dotted path: `env.NAME`, `file.PATH`, `var.name`. */
  readonly sources: ReadonlyMap<string, readonly string[]>;
  readonly refersTo: readonly string[];
  /** Dates without a time. Their numbers depend on the time zone of the account. */
  readonly days?: readonly DesiredDay[];
  /** telctl never deletes the object, even if it is removed from the manifest. */
  readonly protect: boolean;
  /** The object may use emergency numbers or block emergency calls. */
  readonly allowsShadow?: true;
  readonly file?: WantedFile;
  readonly renamedFrom: string | undefined;
  readonly id?: string;
  place(path?: string): string;
  problem(path: string, message: string): Problem;
}

/** Marks from Unicode's private use area, which user text cannot contain, keep references plain JSON. */
const open = '\uE000';
const close = '\uE001';
const anyReference = /\uE000([^\uE001]*)\uE001/g;

/** Starts references to objects that are in no manifest: `${account.users.alice}`. */
export const accountPrefix = 'account';

export const holdsMarks = (text: string): boolean => text.includes(open) || text.includes(close);

/** Returns marked text for a key such as `users.alice`. */
export const referenceTo = (key: string): string => `${open}${key}${close}`;

/** Replaces marks with the manifest's form: `${users.alice}`. */
export const shownReferences = (text: string): string =>
  text.includes(open) ? text.replaceAll(anyReference, '$${$1}') : text;

/** Returns the keys of referenced objects without duplicates, in order of appearance. */
export function referencesIn(value: Json | undefined): readonly string[] {
  const found = new Set<string>();
  for (const text of allTexts(value))
    if (text.includes(open)) for (const [, key = ''] of text.matchAll(anyReference)) found.add(key);
  return [...found];
}

function holdsReference(value: Json | undefined): boolean {
  if (typeof value === 'string') return value.includes(open);
  if (Array.isArray(value)) return value.some(holdsReference);
  if (!isObject(value)) return false;
  for (const key in value) if (key.includes(open) || holdsReference(value[key])) return true;
  return false;
}

/** Replaces references. A reference stays if `idOf` returns `undefined`. */
export function withReferences(value: JsonObject, idOf: (key: string) => string | undefined): JsonObject {
  const text = (here: string): string =>
    here.includes(open) ? here.replaceAll(anyReference, (whole, key: string) => idOf(key) ?? whole) : here;
  return holdsReference(value) ? mapTexts(value, text) : value;
}

/** Has the length and characters that schemas require. */
const sampleId = '0123456789abcdef0123456789abcdef';

/** Makes values with references valid for the schemas. */
export const withSampleIds = (value: JsonObject): JsonObject => withReferences(value, () => sampleId);

/** Returns the first natural key that is text, or `name`. */
const namingField = ({ keys }: Kind, record: JsonObject): string | undefined =>
  [...keys, 'name'].find((key) => typeof valueAt(record, key) === 'string' && valueAt(record, key) !== '');

function namingValue(kind: Kind, record: JsonObject): string | undefined {
  const field = namingField(kind, record);
  return field === undefined ? undefined : String(valueAt(record, field));
}

/**
 * Returns true if the name of an object comes from the environment, a file or a secret. Output then shows the local
 * name.
 */
export function isNamedOutside(
  kind: Kind,
  { fields, confidential }: Pick<DesiredObject, 'fields' | 'confidential'>,
): boolean {
  const field = namingField(kind, fields);
  return field !== undefined && confidential.includes(field);
}

/** Returns `user alice`, `callflow "Main line"` or `account settings`. */
export function desiredLabel(kind: Kind, name: string, records: readonly JsonObject[]): string {
  if (kind.shape === 'one') return kind.name.replaceAll('_', ' ');
  const known = kind.keys.includes('id')
    ? name
    : records.map((record) => namingValue(kind, record)).find(Boolean);
  return `${kind.resource.singular} ${quoteName(shownReferences(known ?? name))}`;
}
