import { isObject, type Json, type JsonObject, mapTexts } from '../../base/json.ts';
import { shellWord } from '../../base/wording.ts';
import type { ExportAccount, Exported, ExportedObject, ExportedSection } from './exported.ts';

/** Editors look for the schema here. The file is hidden, so that folders of manifests skip it. */
const schema = '.manifest.schema.json';

/**
 * Contains no time, so that the same account results in the same file. `depth` is the number of folders above the
 * file.
 */
export function manifestHead(
  { name, origin }: ExportAccount,
  { withAccount, depth = 0 }: { readonly withAccount: boolean; readonly depth?: number },
): readonly string[] {
  return [
    `# yaml-language-server: $schema=${'../'.repeat(depth)}${schema}`,
    ...(depth === 0
      ? [`# The schema, for completion in editors: telctl schema manifest > ${shellWord(schema)}`]
      : []),
    `# Account ${commentText(name)} at ${commentText(origin)}`,
    '',
    ...(withAccount ? [`account: ${valueText(name)}`, ''] : []),
  ];
}

const widest = 80;
/** Longest key that YAML allows on one line. */
const longestKey = 1000;

export function manifestText(exported: Exported, head: readonly string[]): string {
  const parts = exported.sections.flatMap((section) => sectionText(exported, section));
  return [...head, ...parts].join('\n');
}

export function sectionText(exported: Exported, section: ExportedSection): readonly string[] {
  const { kind, objects, missing } = section;
  const trouble = missing === undefined ? [] : [`# ${kind.name}: not read whole; ${commentText(missing)}`];
  if (objects.length === 0) return trouble.length === 0 ? [] : [...trouble, ''];
  const [only] = objects;
  if (kind.shape === 'one' && only) {
    return [...trouble, objectText(exported, only, ''), ''];
  }
  return [...trouble, `${kind.name}:`, ...objects.map((object) => objectText(exported, object, '  ')), ''];
}

export function entriesText(exported: Exported, object: ExportedObject, fields: JsonObject): string {
  const lines: string[] = [];
  putEntries(lines, '', fields, createWriter(exported, object));
  return lines.join('\n');
}

export function fieldsText(fields: JsonObject, notes: Readonly<Record<string, string | undefined>>): string {
  const literal: Writer = { text: (text) => text.replaceAll('${', '$$${'), note: () => undefined };
  const lines: string[] = [];
  for (const [key, value] of Object.entries(fields)) {
    const note = Object.hasOwn(notes, key) ? notes[key] : undefined;
    if (note !== undefined) lines.push(`# ${commentText(note)}`);
    if (value !== undefined) putEntry(lines, '', formatKey(key), value, literal);
  }
  return lines.join('\n');
}

export function objectText(exported: Exported, object: ExportedObject, indent: string): string {
  const lines = [
    ...(object.emergency ?? []).map((line) => `${indent}# ${commentText(line)}`),
    ...[...object.left, ...object.leftToExtra].map((line) => `${indent}# left out: ${commentText(line)}`),
  ];
  putEntry(lines, indent, formatKey(object.name), object.fields, createWriter(exported, object));
  return lines.join('\n');
}

/** Writes literal user text on one line. */
const valueText = (text: string): string => textOnLine(text.replaceAll('${', '$$${'));

/** Returns one line without terminal control characters. */
const commentText = (text: string): string => {
  const safe = yamlQuoted(text).slice(1, -1);
  return safe.replaceAll('\\"', '"').replaceAll('\\\\', '\\');
};

interface Writer {
  text(marked: string): string;
  note(marked: string): string | undefined;
}

const createWriter = ({ shown }: Exported, object: ExportedObject): Writer => ({
  text: (marked) => shown.text(object, marked),
  note: (marked) => shown.note(object, marked),
});

function putEntry(
  lines: string[],
  indent: string,
  key: string,
  value: Json,
  write: Writer,
  comment?: string,
): void {
  const start =
    key === '-'
      ? `${indent}-`
      : key.length > longestKey
        ? `${indent}? ${key}\n${indent}:`
        : `${indent}${key}:`;
  const behind = comment === undefined ? '' : ` # ${commentText(comment)}`;
  if (typeof value === 'string') putText(lines, start, `${indent}  `, value, write, comment);
  else if (isList(value)) {
    const line = inlineList(value, write, start.length);
    lines.push(line === undefined ? `${start}${behind}` : `${start} ${line}${behind}`);
    if (line === undefined) for (const item of value) putEntry(lines, `${indent}  `, '-', item, write);
  } else if (!isObject(value)) lines.push(`${start} ${scalarText(value)}${behind}`);
  else if (Object.keys(value).length === 0) lines.push(`${start} {}${behind}`);
  else if (key === '-' && behind === '') {
    // The first key of an item is on the line of the dash.
    const at = lines.length;
    putEntries(lines, `${indent}  `, value, write);
    lines[at] = `${start} ${(lines[at] ?? '').slice(indent.length + 2)}`;
  } else {
    lines.push(`${start}${behind}`);
    putEntries(lines, `${indent}  `, value, write);
  }
}

/** Keys are marked text, like values. */
function putEntries(lines: string[], indent: string, fields: JsonObject, write: Writer): void {
  for (const key of Object.keys(fields)) {
    const value = fields[key];
    if (value !== undefined)
      putEntry(lines, indent, formatKey(write.text(key)), value, write, write.note(key));
  }
}

function putText(
  lines: string[],
  start: string,
  indent: string,
  value: string,
  write: Writer,
  comment: string | undefined,
): void {
  const text = write.text(value);
  const own = write.note(value);
  const note = comment === undefined ? own : own === undefined ? comment : `${comment}; ${own}`;
  const noted = note === undefined ? '' : ` # ${commentText(note)}`;
  const block = text.includes('\n') ? formatBlock(text) : undefined;
  if (block === undefined) lines.push(`${start} ${valueOnLine(text)}${noted}`);
  else {
    lines.push(`${start} ${block.header}${noted}`);
    for (const line of block.lines) lines.push(line === '' ? '' : `${indent}${line}`);
  }
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);

const scalarText = (value: number | boolean | null): string =>
  typeof value === 'number' ? numberText(value) : String(value);

/** Puts a short list of scalars in brackets. An empty list always fits. */
function inlineList(list: readonly Json[], write: Writer, before: number): string | undefined {
  const items: string[] = [];
  for (const item of list) {
    if (isList(item) || isObject(item)) return undefined;
    if (typeof item !== 'string') items.push(scalarText(item));
    else {
      const text = write.text(item);
      if (write.note(item) !== undefined) return undefined;
      // Plain text contains no comma or bracket, so it is safe inside brackets.
      items.push(textOnLine(text));
    }
  }
  const line = `[${items.join(', ')}]`;
  return items.length === 0 || before + line.length <= widest ? line : undefined;
}

export function manifestValue(exported: Exported, head: JsonObject): JsonObject {
  const sections = exported.sections.flatMap(({ kind, objects }) => {
    const [only] = objects;
    if (only === undefined) return [];
    if (kind.shape === 'one') return [[kind.name, shownValue(exported, only, only.fields)] as const];
    return [
      [
        kind.name,
        Object.fromEntries(
          objects.map((object) => [object.name, shownValue(exported, object, object.fields)]),
        ),
      ] as const,
    ];
  });
  return { ...head, ...Object.fromEntries(sections) };
}

export function shownValue({ shown }: Exported, object: ExportedObject, marked: Json): Json {
  return mapTexts(marked, (text) => shown.text(object, text));
}

/** Written without a YAML library, which is ten times slower. Must be safe for YAML 1.1 (`no`, `12:30`, `0100`). */

/** Needs no quotes: text that begins with a letter, without characters that YAML interprets. */
const plain = /^[A-Za-z/][\w./@+-]*(?: [\w./@+-]+)*$/;
/** YAML 1.1 or 1.2 reads these words as other values. */
const words = /^(?:true|false|yes|no|on|off|y|n|null|nan|inf)$/i;
/** JSON does not escape these characters. YAML does not print them, or they hide text in a terminal. */
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\u115f\u1160\u17b4\u17b5\u3164\uffa0\ufffe\uffff]|\u034f/gu;

const escapeYamlCharacter = (character: string): string => {
  const code = character.codePointAt(0) ?? 0;
  return code > 0xffff
    ? `\\U${code.toString(16).padStart(8, '0')}`
    : `\\u${code.toString(16).padStart(4, '0')}`;
};

const ascii = /^[\x20-\x7e]*$/;

function yamlQuoted(text: string): string {
  const json = JSON.stringify(text);
  return ascii.test(json) ? json : json.replaceAll(hidden, escapeYamlCharacter);
}

/** Quotes text that could be read as another value. */
const textOnLine = (text: string): string =>
  plain.test(text) && !words.test(text) ? text : yamlQuoted(text);

/** Formats the whole value of a key, where a reference needs no quotes. */
const valueOnLine = (text: string): string => (/^\$\{[\w.?-]+\}$/.test(text) ? text : textOnLine(text));

const formatKey = (key: string): string =>
  /^[A-Za-z_][\w-]*$/.test(key) && !words.test(key) ? key : yamlQuoted(key);

/** Formats text as a block (`|`). Returns `undefined` if only quotes preserve the text. */
function formatBlock(
  text: string,
): { readonly header: string; readonly lines: readonly string[] } | undefined {
  const lines = text.split('\n');
  const body = lines.at(-1) === '' ? lines.slice(0, -1) : lines;
  if (body.length < 2 || /^\s|^$/.test(body[0] ?? '') || body.at(-1) === '') return undefined;
  if (body.some((line) => /\s$/.test(line) || line.search(hidden) >= 0)) return undefined;
  return { header: body === lines ? '|-' : '|', lines: body };
}

/** Writes no exponent, and a fraction for large numbers, so that telctl's reader accepts every number. */
function numberText(value: number): string {
  const text = String(value);
  if (!text.includes('e'))
    return Number.isInteger(value) && !Number.isSafeInteger(value) ? `${text}.0` : text;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?e([+-]\d+)$/.exec(text) ?? [];
  const power = Number(exponent);
  if (power < 0) return `${sign}0.${'0'.repeat(-power - 1)}${whole}${fraction}`;
  return `${sign}${whole}${fraction.padEnd(power, '0')}.0`;
}
