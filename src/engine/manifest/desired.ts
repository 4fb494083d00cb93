import { allTexts, isObject, type Json, type JsonObject, mapTexts, valueAt } from '../../base/json.ts';
import { quoteName } from '../../base/wording.ts';
import type { Problem } from '../input/document.ts';
import type { DesiredDay } from './account-days.ts';
import type { Kind, KindName } from './kinds.ts';

/** Result of the manifest's files: typed, merged, filled in, its references checked. Made without the service. */
export interface Desired {
  /** One for each account that the manifest names, in order of first appearance. */
  readonly accounts: readonly DesiredAccount[];
  readonly inputs: readonly InputFile[];
  /** Name of the manifest set: what `--prune` takes for its own. */
  readonly set: string;
  /** Files and folders from whose names the set has its own: absolute paths, links followed. */
  readonly source?: readonly string[];
}

/** A file that was read, by the name that the user gave. */
export interface InputFile {
  readonly name: string;
  readonly sha256: string;
}

export interface DesiredAccount {
  /** Id, name or realm, or a reference to a sub-account that is described before; `undefined`: the account acted on. */
  readonly account: string | undefined;
  /** Two-letter country code for reading national numbers, if the manifest or the settings contain one. */
  readonly country?: string | undefined;
  /** In the order of kinds, then of the files. */
  readonly objects: readonly DesiredObject[];
}

/** A file of an object, which is uploaded by a separate call after the record. */
export interface WantedFile {
  readonly name: string;
  /** Absolute, links followed. */
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
  /** Content type, by its first bytes. */
  readonly type: string;
}

export interface DesiredObject {
  readonly kind: KindName;
  /** Local name; the section's name for objects that an account has once. */
  readonly name: string;
  /** `users.alice`; `limits` for objects that an account has once. Unique within an account. */
  readonly key: string;
  /** Typed by the contract; `null` removes one. Texts and keys may hold marked references, and nothing else to fill in. */
  readonly fields: JsonObject;
  /** Dotted paths of fields left out because an optional `${env.NAME?}` is not set. */
  readonly unset: readonly string[];
  /**
   * Dotted paths of values that came, in whole or in part, from the environment or a file. They are never shown in
   * clear.
   */
  readonly confidential: readonly string[];
  /** Sources of values filled in from outside, by dotted path: `env.NAME`, `file.PATH`, `var.name`. */
  readonly sources: ReadonlyMap<string, readonly string[]>;
  readonly refersTo: readonly string[];
  /** Dates without a time, whose numbers in `fields` depend on the time zone of the account. */
  readonly days?: readonly DesiredDay[];
  /** Never deleted by telctl, even when its entry is gone. */
  readonly protect: boolean;
  /** The object may take emergency numbers or bar emergency calls. */
  readonly allowsShadow?: true;
  readonly file?: WantedFile;
  /** Former local name or natural key. */
  readonly renamedFrom: string | undefined;
  /** Id of the object that is meant, where the manifest says it. */
  readonly id?: string;
  /** `office.yaml:4:1` of a field at a dotted path, or of the object. */
  place(path?: string): string;
  problem(path: string, message: string): Problem;
}

/**
 * References to other objects stand inside strings and keys between two characters of Unicode's private use area,
 * so that they are plain JSON, cannot be confused with text of the user, and survive a plan file.
 */
const open = '\uE000';
const close = '\uE001';
const anyReference = /\uE000([^\uE001]*)\uE001/g;

/** Prefix of references to objects that are in the account but in no manifest: `${account.users.alice}`. */
export const accountPrefix = 'account';

export const holdsMarks = (text: string): boolean => text.includes(open) || text.includes(close);

/** The text of a reference to an object, by its key: `users.alice`. */
export const referenceTo = (key: string): string => `${open}${key}${close}`;

/** The references in a text as a manifest writes them: `${users.alice}`. */
export const shownReferences = (text: string): string =>
  text.includes(open) ? text.replaceAll(anyReference, '$${$1}') : text;

/** Keys of all objects that a value refers to, each once, in order of appearance. */
export function referencesIn(value: Json | undefined): readonly string[] {
  const found = new Set<string>();
  for (const text of allTexts(value))
    if (text.includes(open)) for (const [, key = ''] of text.matchAll(anyReference)) found.add(key);
  return [...found];
}

/** Tells whether any text or key in a value holds a reference. */
function refers(value: Json | undefined): boolean {
  if (typeof value === 'string') return value.includes(open);
  if (Array.isArray(value)) return value.some(refers);
  if (!isObject(value)) return false;
  for (const key in value) if (key.includes(open) || refers(value[key])) return true;
  return false;
}

/** A copy with every reference replaced by what `idOf` gives for its key; one for which it gives `undefined` stays. */
export function withReferences(value: JsonObject, idOf: (key: string) => string | undefined): JsonObject {
  const text = (here: string): string =>
    here.includes(open) ? here.replaceAll(anyReference, (whole, key: string) => idOf(key) ?? whole) : here;
  return refers(value) ? mapTexts(value, text) : value;
}

/** Stands for an id that is not known yet, so that its length and letters are as rules want them. */
const sampleId = '0123456789abcdef0123456789abcdef';

/** A value with something that looks like an id in the place of each reference, to hold it against a schema. */
export const withSampleIds = (value: JsonObject): JsonObject => withReferences(value, () => sampleId);

/** The field by which people know a record: its first natural key that is text, else its name. */
const namingField = ({ keys }: Kind, record: JsonObject): string | undefined =>
  [...keys, 'name'].find((key) => typeof valueAt(record, key) === 'string' && valueAt(record, key) !== '');

function nameIn(kind: Kind, record: JsonObject): string | undefined {
  const field = namingField(kind, record);
  return field === undefined ? undefined : String(valueAt(record, field));
}

/** Tells whether the name of an object came from the environment, a file or a secret: its local name is shown instead. */
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
