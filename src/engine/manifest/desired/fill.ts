import type { Host } from '../../../base/host/host.ts';
import {
  type DocumentNode,
  type Entry,
  type MapNode,
  problemAt,
  type ScalarNode,
} from '../../input/document.ts';
import type { Fill, Report } from '../../input/read-fields.ts';
import { isNothing, type Shape } from '../../input/read-scalar.ts';
import { holdsMarks, referenceTo } from '../desired.ts';
import type { FillHead } from './drafts.ts';
import { expand, isTemplate, type Refer } from './expand.ts';
import { folderOf, type Outside } from './outside.ts';

/** Notes about one object, made while its texts were filled in. */
export interface Notes {
  readonly unset: string[];
  readonly confidential: string[];
  /** Sources of values filled in from outside, by dotted path. */
  readonly sources: Map<string, readonly string[]>;
  readonly refersTo: Set<string>;
}

export const newNotes = (): Notes => ({
  unset: [],
  confidential: [],
  sources: new Map(),
  refersTo: new Set(),
});

/** Remembers the folder of each manifest file, since there are many texts and few files. */
function folders(host: Host): (file: string) => string {
  const known = new Map<string, string>();
  return (file) => {
    const folder = known.get(file) ?? folderOf(host, file);
    known.set(file, folder);
    return folder;
  };
}

/** Fills in the texts of objects, and notes in `notes()` what each object got. */
export function textFiller(
  host: Host,
  outside: Outside,
  report: Report,
  refer: Refer,
  notes: () => Notes,
): Fill {
  const folder = folders(host);

  function problem(node: ScalarNode | Entry, message: string): void {
    report.problem(problemAt(node, message));
  }

  const inSecret: Pick<Outside, 'lookUp'> = {
    lookUp: (word, name, at) => (word === 'secret' ? outside.secret(name) : outside.lookUp(word, name, at)),
  };

  return (node, text, path, shape, isSecret = false) => {
    const isKey = 'key' in node;
    if (!isTemplate(text)) {
      if (!holdsMarks(text)) return undefined;
      problem(
        node,
        'the characters U+E000 and U+E001 are kept for references and cannot stand in a manifest',
      );
      return 'wrong';
    }
    const expansion = expand(text, isSecret ? inSecret : outside, folder(node.source.name), refer);
    for (const message of expansion.problems) problem(node, message);
    const { refersTo, unset, confidential, sources } = notes();
    for (const key of expansion.refersTo) refersTo.add(key);
    if (expansion.problems.length > 0) return 'wrong';
    // A key's own path would show what is in it.
    const place = path();
    if (expansion.confidential && !expansion.absent) confidential.push(place);
    if (expansion.sources.length > 0) sources.set(place, expansion.sources);
    if (expansion.absent) {
      unset.push(isKey ? `${place === '' ? '' : `${place}.`}${text}` : place);
      return 'absent';
    }
    return {
      text: expansion.text,
      plain: !isKey && expansion.whole && mayBeTyped(node, shape, expansion.fromVariable),
      open: expansion.refersTo.length > 0,
    };
  };
}

/**
 * Tells whether what was filled in may be a number, true or false: in fields that take no text; and where anything
 * may stand, for a variable without quotes, which is as if it had been typed there.
 */
function mayBeTyped(node: ScalarNode, shape: Shape | undefined, fromVariable: boolean): boolean {
  if (shape === undefined || shape.types.size === 0) return fromVariable && node.plain;
  return !shape.types.has('string');
}

/** Fills in the account and the set that a document names. */
export function headFiller(host: Host, outside: Outside, report: Report): FillHead {
  const folder = folders(host);
  const refer: Refer = (kind, name) =>
    kind === 'accounts'
      ? { text: referenceTo(`accounts.${name}`) }
      : { problem: `\${${kind}.${name}} is not an account; only \${accounts.…} can stand here` };
  return (node, word) => {
    const fail = (message: string): undefined => {
      report.problem(problemAt(node, message));
      return undefined;
    };
    if (node.kind !== 'scalar' || isNothing(node) || node.text.trim() === '')
      return fail(`"${word}" must be text${word === 'account' ? ': an id, a name or a realm' : ''}`);
    if (holdsMarks(node.text)) return fail(`"${word}" holds a character that is kept for references`);
    if (!isTemplate(node.text)) return node.text;
    const { text, whole, problems, absent, refersTo } = expand(
      node.text,
      outside,
      folder(node.source.name),
      refer,
    );
    if (problems.length > 0) return fail(problems.join('; '));
    if (absent) return fail(`"${word}" must be set`);
    if (refersTo.length > 0 && !(whole && word === 'account'))
      return fail(`"${word}" can be a reference to an account, and nothing beside it`);
    return text;
  };
}

/**
 * A value laid over another: maps are merged key by key, lists and scalars replace what was there, and so does
 * `null`, which removes the field at the service. Each value keeps the place where it was written.
 */
export function overlay(below: DocumentNode, above: DocumentNode): DocumentNode {
  return below.kind === 'map' && above.kind === 'map' ? overlayMap(below, above) : above;
}

/** As `overlay`, of two maps. Keys keep the order in which they first stood. */
export function overlayMap(below: MapNode, above: MapNode): MapNode {
  const entries = new Map<string, Entry>(below.entries.map((entry) => [entry.key, entry]));
  for (const entry of above.entries) {
    const before = entries.get(entry.key);
    entries.set(entry.key, before ? { ...entry, value: overlay(before.value, entry.value) } : entry);
  }
  return { ...above, entries: [...entries.values()] };
}

/** Tells whether a node was written as `null` or `~`, not just left empty. */
export const isNull = (node: DocumentNode): boolean =>
  node.kind === 'scalar' && node.text !== '' && isNothing(node);
