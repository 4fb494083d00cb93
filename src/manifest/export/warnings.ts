import { isObject, type Json } from '../../base/json.ts';
import { referenceTo } from '../desired/references.ts';
import type { Exported, ExportedObject } from './exported.ts';

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
  return [
    ...missingFrom(exported),
    ...sentence(
      keysOf('circle'),
      (what, some) =>
        `${what('refers', 'refer')} in a circle, which a manifest cannot; ids stand there instead, which mean nothing in another account (${some}).`,
    ),
    ...sentence(
      keysOf('other'),
      (what, some) =>
        `${what('refers', 'refer')} to objects that are not exported; ids stand there instead, which mean nothing in another account (${some}).`,
    ),
    ...sentence(
      keysOf('unknown'),
      (what, some) =>
        `${what('holds', 'hold')} ids of things that a manifest cannot hold, such as media; they mean nothing in another account (${some}).`,
    ),
    ...sentence(
      left,
      (what, some) => `${what('has', 'have')} fields that are left out, each named in a comment (${some}).`,
    ),
    ...sentence(
      withUnknown.map(({ key }) => key),
      (what, some) =>
        `${what('has', 'have')} fields that telctl does not know: ${unknown} left out, each named in a comment; --all-fields keeps them (${some}).`,
    ),
    ...sentence(
      byId.map(({ key }) => key),
      (what, some) =>
        `${what('has', 'have')} no name, or one that others have, too; their ids stand instead (${some}).`,
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

/** Begins a sentence: `1 object has`, `2 objects have`. */
type Say = (what: (one: string, many: string) => string, some: string) => string;

function sentence(keys: readonly string[], say: Say): readonly string[] {
  if (keys.length === 0) return [];
  const more = keys.length > named ? ` and ${keys.length - named} more` : '';
  const what = (one: string, many: string): string =>
    keys.length === 1 ? `1 object ${one}` : `${keys.length} objects ${many}`;
  return [say(what, `${keys.slice(0, named).join(', ')}${more}`)];
}

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
