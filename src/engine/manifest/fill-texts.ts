import type { Host } from '../../base/host/host.ts';
import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { masked } from '../../contract/secrets.ts';
import { type DocumentNode, problemAt, type ScalarNode, type Source } from '../input/document.ts';
import type { Fill, ProblemReport } from '../input/read-fields.ts';
import type { RecordFilling } from '../input/read-records.ts';
import { isNullScalar, type Shape } from '../input/read-scalar.ts';
import { expand, isTemplate, keptMarks, type Refer } from './desired/expand.ts';
import { manifestFolder, Outside } from './desired/outside.ts';
import { holdsMarks, referenceTo } from './desired.ts';

/** Collected while the texts of an object are filled in. Paths are dotted. */
interface Notes {
  readonly unset: string[];
  readonly confidential: string[];
  readonly sources: Map<string, readonly string[]>;
  readonly refersTo: Set<string>;
}

export const newNotes = (): Notes => ({
  unset: [],
  confidential: [],
  sources: new Map(),
  refersTo: new Set(),
});

/** Cached, because there are many texts and few files. */
function cacheFolders(host: Host): (file: string) => string {
  const known = new Map<string, string>();
  return (file) => {
    const folder = known.get(file) ?? manifestFolder(host, file);
    known.set(file, folder);
    return folder;
  };
}

/** Fills in the texts of objects. Adds facts about each object to `notes()`. */
export function textFiller(
  host: Host,
  outside: Pick<Outside, 'lookUp' | 'lookUpSecret'>,
  report: ProblemReport,
  refer: Refer,
  notes: () => Notes,
): Fill {
  const folder = cacheFolders(host);

  const inSecret: Pick<Outside, 'lookUp'> = {
    lookUp: (word, name, at) =>
      word === 'secret' ? outside.lookUpSecret(name) : outside.lookUp(word, name, at),
  };

  return (node, text, path, shape, isSecret = false) => {
    const isKey = 'key' in node;
    if (!isTemplate(text)) {
      if (!holdsMarks(text)) return undefined;
      report.problem(problemAt(node, keptMarks));
      return 'wrong';
    }
    const expansion = expand(text, isSecret ? inSecret : outside, folder(node.source.name), refer);
    for (const message of expansion.problems) report.problem(problemAt(node, message));
    const { refersTo, unset, confidential, sources } = notes();
    for (const key of expansion.refersTo) refersTo.add(key);
    if (expansion.problems.length > 0) return 'wrong';
    // The path of the key would show its value.
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

/** Returns true for a value that is not in a text field, or a bare variable in a field of any type. */
function mayBeTyped(node: ScalarNode, shape: Shape | undefined, fromVariable: boolean): boolean {
  if (shape === undefined || shape.types.size === 0) return fromVariable && node.plain;
  return !shape.types.has('string');
}

export function headFiller(host: Host, outside: Outside, report: ProblemReport) {
  const folder = cacheFolders(host);
  const refer: Refer = (kind, name) =>
    kind === 'accounts'
      ? { text: referenceTo(`accounts.${name}`) }
      : { problem: `\${${kind}.${name}} is not an account. Only \${accounts.…} is allowed here` };
  return (node: DocumentNode, word: string): string | undefined => {
    const fail = (message: string): undefined => {
      report.problem(problemAt(node, message));
      return undefined;
    };
    if (node.kind !== 'scalar' || isNullScalar(node) || node.text.trim() === '')
      return fail(`"${word}" must be text${word === 'account' ? ': an id, a name or a realm' : ''}`);
    if (holdsMarks(node.text)) return fail(`"${word}" contains a character that is reserved for references`);
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
      return fail(`"${word}" must be a single reference to an account`);
    return text;
  };
}

/** Records have no manifest whose objects or variables they could refer to. */
const refuseObjects: Refer = (kind, name) => ({
  problem: `\${${kind}.${name}} names an object of a manifest, and there is none here; give its id`,
});

/** Fills in `${env.NAME}` and `${file.PATH}`. Values of options (`literal`) stay unchanged. */
export function recordFilling(
  host: Host,
  report: ProblemReport,
  { allowFiles, literal }: { readonly allowFiles: readonly string[]; readonly literal: ReadonlySet<Source> },
): RecordFilling {
  const outside = new Outside(host, new Map(), { allowFiles });
  const alone: Pick<Outside, 'lookUp' | 'lookUpSecret'> = {
    lookUpSecret: (name) => outside.lookUpSecret(name),
    lookUp: (word, name, folder) =>
      word === 'var'
        ? { problem: `\${var.${name}} is known to manifests only; \${env.NAME} reads the environment` }
        : outside.lookUp(word, name, folder),
  };
  let notes = newNotes();
  const fill = textFiller(host, alone, report, refuseObjects, () => notes);
  return {
    fill: (node, text, path, shape) =>
      isTemplate(text) && !literal.has(node.source) ? fill(node, text, path, shape) : undefined,
    begin() {
      notes = newNotes();
      return notes.confidential;
    },
  };
}

export function maskPaths(record: JsonObject, paths: readonly string[]): JsonObject {
  const hidden = new Set(paths);
  const visit = (value: JsonObject, above: string): JsonObject =>
    Object.fromEntries(
      Object.entries(value).map(([key, inner]) => {
        const path = `${above}${key.replaceAll('.', '%2E')}`;
        return [key, shownValue(inner, path)];
      }),
    );
  const shownValue = (value: Json | undefined, path: string): Json | undefined => {
    if (hidden.has(path)) return masked;
    if (Array.isArray(value))
      return value.map((item: Json, index) => shownValue(item, `${path}.${index}`) ?? null);
    return isObject(value) ? visit(value, `${path}.`) : value;
  };
  return hidden.size === 0 ? record : visit(record, '');
}
