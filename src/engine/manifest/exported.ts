import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { andMore, counted } from '../../base/wording.ts';
import { referenceTo } from './desired.ts';
import type { Kind } from './kinds.ts';
import type { KindList } from './read-kind.ts';

export interface ExportAccount {
  readonly id: string;
  readonly name: string;
  /** Its realm; its id where it shows none. */
  readonly realm: string;
  readonly origin: string;
}

/** Objects that an account has, before its records are read. */
export interface Lists {
  readonly account: ExportAccount;
  readonly exported: readonly KindList[];
  /** Objects that are not part of the export, and that its objects may refer to. */
  readonly others: readonly KindList[];
}

/**
 * Result of an export. In fields, references to objects and variables of the environment stand as marked text
 * (`desired/references.ts`); everything else is the service's own text.
 */
export interface Exported {
  readonly account: ExportAccount;
  readonly sections: readonly ExportedSection[];
  /** Everything that was asked for could be read. */
  readonly isWhole: boolean;
  /** Text that replaces a mark: `${users.alice}`, an id. */
  readonly shown: MarkReader;
}

export interface ExportedSection {
  readonly kind: Kind;
  readonly objects: readonly ExportedObject[];
  /** Reason why there may be more than these. */
  readonly missing?: string;
}

export interface ExportedObject {
  readonly kind: Kind;
  /** Local name; the section's for what an account has once. */
  readonly name: string;
  /** `users.alice` */
  readonly key: string;
  readonly id: string;
  readonly fields: JsonObject;
  /** The fields with those that have their default value, where they were asked for. */
  readonly whole: JsonObject;
  /** Parts left out with the reason, a line each. */
  readonly left: readonly string[];
  /** The same of what `--all-fields` keeps under `extra`. */
  readonly leftToExtra: readonly string[];
  /** Keys of the objects whose ids stand in it. */
  readonly refersTo: readonly string[];
  /** Marks of the variables of the environment in it. */
  readonly variables: readonly string[];
  /** It has a file, of which nothing stands here. */
  readonly hasFile?: true;
  /** Ids of other things stand in it. */
  readonly strays: boolean;
}

/** Writes the marked text of an object. */
export interface MarkReader {
  /** The text as it stands in a manifest. */
  text(object: ExportedObject, marked: string): string;
  /** Says what there is to note about ids in a text; `undefined`: nothing. */
  note(object: ExportedObject, marked: string): string | undefined;
}

/** Number of places that a warning names. */
const named = 3;

/** Returns what people should know of an export, a sentence each; everything is marked in the manifest, too. */
export function warningsOf(exported: Exported): readonly string[] {
  const objects = exported.sections.flatMap((section) => section.objects);
  const byNote = Map.groupBy(
    objects.flatMap((object) => [...notesOf(exported, object)].map((note) => ({ note, key: object.key }))),
    ({ note }) =>
      note.endsWith('in a circle') ? 'circle' : note.endsWith('not exported') ? 'other' : 'unknown',
  );
  const keysOf = (which: 'circle' | 'other' | 'unknown') => [
    ...new Set((byNote.get(which) ?? []).map(({ key }) => key)),
  ];
  const left = objects.filter((object) => object.left.length > 0).map(({ key }) => key);
  const withUnknown = objects.filter(({ leftToExtra }) => leftToExtra.length > 0);
  const unknown = withUnknown.flatMap(({ leftToExtra }) => leftToExtra).length;
  const byId = objects.filter(
    ({ kind, name, id }) => kind.shape === 'many' && kind.keys[0] !== 'id' && name === id,
  );
  const elsewhere = 'ids stand there instead, which mean nothing in another account';
  const sentences: readonly (readonly [readonly string[], string, string, string])[] = [
    [keysOf('circle'), 'refers', 'refer', `in a circle, which a manifest cannot; ${elsewhere}`],
    [keysOf('other'), 'refers', 'refer', `to objects that are not exported; ${elsewhere}`],
    [
      keysOf('unknown'),
      'holds',
      'hold',
      'ids of things that a manifest cannot hold, such as media; they mean nothing in another account',
    ],
    [left, 'has', 'have', 'fields that are left out, each named in a comment'],
    [
      withUnknown.map(({ key }) => key),
      'has',
      'have',
      `fields that telctl does not know: ${unknown} left out, each named in a comment; --all-fields keeps them`,
    ],
    [
      byId.map(({ key }) => key),
      'has',
      'have',
      'no name, or one that others have, too; their ids stand instead',
    ],
  ];
  return [
    ...missingFrom(exported),
    ...sentences.flatMap(([keys, one, many, rest]) =>
      keys.length === 0
        ? []
        : `${counted(keys.length, 'object')} ${keys.length === 1 ? one : many} ${rest} (${andMore(keys, named)}).`,
    ),
  ];
}

/** Says what could not be read, sections of one reason together. */
function missingFrom({ sections }: Exported): readonly string[] {
  const byReason = Map.groupBy(
    sections.filter(({ missing }) => missing !== undefined),
    ({ missing }) => missing,
  );
  return [...byReason].map(
    ([why, missing]) =>
      `Not all of the account is in the export: ${missing.map(({ kind }) => kind.name).join(', ')}: ${why}`,
  );
}

/** The variables of the environment that stand in place of secrets. */
export const variablesOf = ({ sections, shown }: Exported): readonly string[] =>
  sections.flatMap(({ objects }) =>
    objects.flatMap((object) =>
      object.variables.map((mark) => shown.text(object, referenceTo(mark)).replace(/^\$\{env\.|\?\}$/g, '')),
    ),
  );

function* notesOf({ shown }: Exported, object: ExportedObject): Iterable<string> {
  if (!object.strays && object.refersTo.length === 0) return;
  const visit = function* (value: Json | undefined): Iterable<string> {
    if (typeof value === 'string') {
      const note = shown.note(object, value);
      if (note !== undefined) yield note;
    } else if (Array.isArray(value)) for (const item of value) yield* visit(item);
    else if (isObject(value))
      for (const [key, inner] of Object.entries(value)) {
        yield* visit(key);
        yield* visit(inner);
      }
  };
  yield* visit(object.fields);
}
