import { isObject, type Json, type JsonObject } from '../../contract/json.ts';
import type { Exported, ExportedObject, ExportedSection } from './exported.ts';
import { blockOf, keyText, numberText, quoted, textOnLine, valueOnLine } from './scalar-text.ts';

/** Widest list that stands on one line. */
const widest = 80;
/** Longest key that YAML takes without more ado. */
const longestKey = 1000;

/** The text of an export below `head`. */
export function manifestText(exported: Exported, head: readonly string[]): string {
  const parts = exported.sections.flatMap((section) => sectionText(exported, section));
  return [...head, ...parts].join('\n');
}

/** A section with its objects; nothing where there is nothing to say. */
export function sectionText(exported: Exported, section: ExportedSection): readonly string[] {
  const { kind, objects, missing } = section;
  const trouble = missing === undefined ? [] : [`# ${kind.name}: not read whole; ${commented(missing)}`];
  if (objects.length === 0) return trouble.length === 0 ? [] : [...trouble, ''];
  const [only] = objects;
  if (kind.shape === 'one' && only) {
    return [...trouble, objectText(exported, only, ''), ''];
  }
  return [...trouble, `${kind.name}:`, ...objects.map((object) => objectText(exported, object, '  ')), ''];
}

/** Fields of an object as the entries of a map. */
export const entriesText = (exported: Exported, object: ExportedObject, fields: JsonObject): string =>
  entriesOf(fields)
    .flatMap(([key, value]) => fieldLines('', key, value, writer(exported, object)))
    .join('\n');

/** An object under its name, indented. */
export function objectText(exported: Exported, object: ExportedObject, indent: string): string {
  const lines: string[] = [];
  for (const line of object.left) lines.push(`${indent}# left out: ${commented(line)}`);
  lines.push(...entry(indent, keyText(object.name), object.fields, writer(exported, object)));
  return lines.join('\n');
}

/** Text of a user as the value of a key: literal, on one line. */
export const valueText = (text: string): string => textOnLine(text.replaceAll('${', '$$${'));

/** Text of the service in a comment: one line, nothing in it that a terminal would obey. */
export const commented = (text: string): string => {
  const safe = quoted(text).slice(1, -1);
  return safe.replaceAll('\\"', '"').replaceAll('\\\\', '\\');
};

interface Writer {
  text(marked: string): string;
  note(marked: string): string | undefined;
}

const writer = ({ shown }: Exported, object: ExportedObject): Writer => ({
  text: (marked) => shown.text(object, marked),
  note: (marked) => shown.note(object, marked),
});

/** The lines of a key, or of a list's dash, with its value. */
function entry(indent: string, key: string, value: Json, write: Writer, comment?: string): readonly string[] {
  const start =
    key === '-'
      ? `${indent}-`
      : key.length > longestKey
        ? `${indent}? ${key}\n${indent}:`
        : `${indent}${key}:`;
  const behind = comment === undefined ? '' : ` # ${commented(comment)}`;
  if (isList(value)) {
    const line = onLine(value, write, start.length);
    if (line !== undefined) return [`${start} ${line}${behind}`];
    return [`${start}${behind}`, ...value.flatMap((item: Json) => entry(`${indent}  `, '-', item, write))];
  }
  if (isObject(value)) {
    const entries = entriesOf(value);
    if (entries.length === 0) return [`${start} {}${behind}`];
    const inner = `${indent}  `;
    const lines = entries.flatMap(([name, each]) => fieldLines(inner, name, each, write));
    // The first key of a list's item stands behind the dash.
    if (key === '-' && behind === '')
      return [`${indent}- ${(lines[0] ?? '').slice(inner.length)}`, ...lines.slice(1)];
    return [`${start}${behind}`, ...lines];
  }
  if (typeof value !== 'string') return [`${start} ${scalar(value)}${behind}`];
  const text = write.text(value);
  const note = [comment, write.note(value)].filter((each) => each !== undefined).join('; ');
  const noted = note === '' ? '' : ` # ${commented(note)}`;
  const block = blockOf(text);
  if (block === undefined) return [`${start} ${valueOnLine(text)}${noted}`];
  return [
    `${start} ${block.header}${noted}`,
    ...block.lines.map((line) => (line === '' ? '' : `${indent}  ${line}`)),
  ];
}

/** The lines of a field, its key marked text like its value. */
const fieldLines = (indent: string, key: string, value: Json, write: Writer): readonly string[] =>
  entry(indent, keyText(write.text(key)), value, write, write.note(key));

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);

const entriesOf = (value: JsonObject): readonly (readonly [string, Json])[] =>
  Object.entries(value).flatMap(([key, inner]) => (inner === undefined ? [] : [[key, inner] as const]));

const scalar = (value: number | boolean | null): string =>
  typeof value === 'number' ? numberText(value) : String(value);

/** A short list of scalars in brackets; an empty one always. */
function onLine(list: readonly Json[], write: Writer, before: number): string | undefined {
  const items: string[] = [];
  for (const item of list) {
    if (isList(item) || isObject(item)) return undefined;
    if (typeof item !== 'string') items.push(scalar(item));
    else {
      const text = write.text(item);
      if (write.note(item) !== undefined) return undefined;
      // Inside brackets a comma or bracket would end plain text, which none of ours holds.
      items.push(textOnLine(text));
    }
  }
  const line = `[${items.join(', ')}]`;
  return items.length === 0 || before + line.length <= widest ? line : undefined;
}
