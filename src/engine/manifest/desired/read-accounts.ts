import { nextStep } from '../../../base/failure.ts';
import type { Host } from '../../../base/host/host.ts';
import { type JsonObject, omitUndefined, unlessEmpty } from '../../../base/json.ts';
import { findNearest } from '../../../base/nearest.ts';
import { type DocumentNode, problemAt, type ScalarNode } from '../../input/document.ts';
import { createFieldReader, type Fill, type ProblemReport } from '../../input/read-fields.ts';
import { createShape, isNullScalar, type Shape } from '../../input/read-scalar.ts';
import type { DesiredDay } from '../account-days.ts';
import {
  type DesiredAccount,
  type DesiredObject,
  referencesIn,
  referenceTo,
  type WantedFile,
} from '../desired.ts';
import { newNotes, textFiller } from '../fill-texts.ts';
import { type Kind, kindOfSection, kinds } from '../kinds.ts';
import type { ManifestOptions } from '../read-manifest.ts';
import { allowsShadow, convertNumbers, numberProblems } from '../read-numbers.ts';
import type { AccountDraft, Draft } from './drafts.ts';
import type { Refer } from './expand.ts';
import { manifestFolder, type Outside } from './outside.ts';
import { PlaceTable } from './place-table.ts';

const allowedMarks = ({ shape, keys, calls }: Kind): ReadonlySet<string> =>
  new Set([
    'protect',
    'renamed_from',
    allowsShadow,
    ...(shape === 'many' && !keys.includes('id') ? ['id'] : []),
    ...(calls.upload ? ['file'] : []),
  ]);

/** Both functions return `undefined` if they reported a problem. */
interface MarkTools {
  readFile(node: ScalarNode): WantedFile | undefined;
  fillId(node: ScalarNode): string | undefined;
}

/** Separates keys that are never sent, such as `protect`, from the fields. */
function takeMarks({ node, kind }: Draft, report: ProblemReport, { readFile, fillId }: MarkTools) {
  const marks = allowedMarks(kind);
  const said = new Map(
    node.entries.filter(({ key }) => marks.has(key)).map((entry) => [entry.key, entry.value]),
  );
  if (said.size === 0) return { node, protect: false, mayShadow: false };
  const problem = (at: DocumentNode, message: string): undefined => {
    report.problem(problemAt(at, message));
    return undefined;
  };
  const isText = (value: DocumentNode): value is ScalarNode =>
    value.kind === 'scalar' && !isNullScalar(value) && value.text !== '';

  function readFlag(name: string): boolean {
    const value = said.get(name);
    if (!value) return false;
    const text = value.kind === 'scalar' && value.plain ? value.text.toLowerCase() : '';
    if (text !== 'true' && text !== 'false') problem(value, `"${name}" must be true or false`);
    return text === 'true';
  }

  function renamedFrom(value: DocumentNode | undefined): string | undefined {
    if (!value) return undefined;
    if (kind.shape === 'one') return problem(value, `${kind.name} has no name that could have changed`);
    if (isText(value)) return value.text;
    return problem(value, '"renamed_from" must be the former local name, or the former name of the object');
  }

  function id(value: DocumentNode | undefined): string | undefined {
    if (!value) return undefined;
    const text = value.kind === 'scalar' ? fillId(value) : '';
    return text === '' ? problem(value, '"id" must be the id of the object that is meant') : text;
  }

  function file(value: DocumentNode | undefined): WantedFile | undefined {
    if (!value) return undefined;
    if (!isText(value))
      return problem(value, '"file" must be the path of a file, from the folder of the manifest');
    for (const name of setByFile)
      if (node.entries.some(({ key }) => key === name))
        problem(value, `"${name}" is set by the file; remove it`);
    return readFile(value);
  }

  return {
    node: { ...node, entries: node.entries.filter(({ key }) => !marks.has(key)) },
    protect: readFlag('protect'),
    mayShadow: readFlag(allowsShadow),
    renamedFrom: renamedFrom(said.get('renamed_from')),
    id: id(said.get('id')),
    file: file(said.get('file')),
  };
}

/** An upload sets these fields (Conventions, Media). */
const setByFile = ['content_type', 'content_length', 'tts'];

/** Each suggestion compares all objects. */
const suggestedAtMost = 50;
const order = new Map(kinds.map(({ name }, index) => [name, index]));
const shapes = new Map<string, Shape>();

const shapeOfKind = ({ kind }: Draft): Shape => {
  const known = shapes.get(kind.name) ?? createShape(kind.schema);
  shapes.set(kind.name, known);
  return known;
};

export interface ReadAccounts {
  readonly accounts: readonly DesiredAccount[];
  /** Objects with problems. They may have more fields than could be read. */
  readonly broken: ReadonlySet<DesiredObject>;
  /** Objects with an unknown key, which may be a misspelled field. */
  readonly misnamed: ReadonlySet<DesiredObject>;
}

export function readAccounts(
  host: Host,
  drafts: readonly AccountDraft[],
  outside: Outside,
  options: ManifestOptions,
  report: ProblemReport,
): ReadAccounts {
  const broken = new Set<DesiredObject>();
  const misnamed = new Set<DesiredObject>();
  const accounts = drafts.map((account, index) => {
    checkAccount(account, drafts.slice(0, index), report);
    return readAccount(host, account, drafts, outside, options, report, { broken, misnamed });
  });
  return { accounts, broken, misnamed };
}

/** Services cannot remove a text that is stored outside its record (Conventions, Notifications). */
function refuseTextRemoval(
  { kind: { texts = {} }, node, name }: Draft,
  fields: JsonObject,
  report: ProblemReport,
): void {
  for (const field of Object.keys(texts).filter((each) => fields[each] === null))
    report.problem(
      problemAt(
        node.entries.find(({ key }) => key === field)?.value ?? node,
        `"${field}" cannot be removed by itself; leave the line out to keep the text, or take the whole object back to what the account inherits: ${nextStep`notifications restore ${name}`}`,
      ),
    );
}

function readAccount(
  host: Host,
  own: AccountDraft,
  all: readonly AccountDraft[],
  outside: Outside,
  options: ManifestOptions,
  report: ProblemReport,
  found: FoundProblems,
): DesiredAccount {
  const reader = new ObjectReader(host, outside, options, report, referenceResolver(own, all), found);
  const sorted = [...own.objects.values()].toSorted(
    (one, other) => (order.get(one.kind.name) ?? 0) - (order.get(other.kind.name) ?? 0),
  );
  const country = options.country?.named ?? own.country ?? options.country?.usual;
  const objects = sorted.map((draft) => reader.read(draft));
  const finished = convertNumbers({ account: own.account, country, objects });
  for (const [index, [object, problems]] of numberProblems(finished).entries()) {
    for (const each of problems) report.problem(each);
    const read = objects[index];
    if (problems.length > 0 || (read && found.broken.has(read))) found.broken.add(object);
    if (read && found.misnamed.has(read)) found.misnamed.add(object);
  }
  return finished;
}

interface FoundProblems {
  readonly broken: Set<DesiredObject>;
  readonly misnamed: Set<DesiredObject>;
}

class ObjectReader {
  readonly #host: Host;
  readonly #outside: Outside;
  readonly #report: ProblemReport;
  readonly #found: FoundProblems;
  readonly #fill: Fill;
  readonly #readFields: ReturnType<typeof createFieldReader>;
  readonly #places = new PlaceTable();
  #notes = newNotes();
  #days: DesiredDay[] = [];
  #isBroken = false;
  #isMisnamed = false;

  constructor(
    host: Host,
    outside: Outside,
    { allowUnknownFields }: ManifestOptions,
    report: ProblemReport,
    refer: Refer,
    found: FoundProblems,
  ) {
    this.#host = host;
    this.#outside = outside;
    this.#found = found;
    this.#report = {
      ...report,
      problem: (problem) => {
        this.#isBroken = true;
        this.#isMisnamed ||= problem.unknownKey === true;
        report.problem(problem);
      },
    };
    this.#fill = textFiller(host, outside, this.#report, refer, () => this.#notes);
    this.#readFields = createFieldReader(
      {
        allowUnknownFields,
        allowNull: true,
        takesExtra: true,
        tellReadOnly: true,
        onDay: (path, text, form) => void this.#days.push({ path, text, form }),
      },
      this.#report,
      this.#fill,
    );
  }

  read(draft: Draft): DesiredObject {
    this.#notes = newNotes();
    this.#days = [];
    this.#isBroken = false;
    this.#isMisnamed = false;
    const { node, protect, mayShadow, renamedFrom, id, file } = takeMarks(draft, this.#report, {
      fillId: (scalar) => this.#fillIn(scalar, 'id'),
      readFile: (scalar) => this.#readFile(scalar),
    });
    const fields = this.#readFields(node, shapeOfKind(draft));
    refuseTextRemoval(draft, fields, this.#report);
    const { unset, confidential, sources, refersTo } = this.#notes;
    const object: DesiredObject = {
      kind: draft.kind.name,
      name: draft.name,
      key: draft.key,
      fields,
      unset,
      confidential,
      sources,
      refersTo: [...refersTo],
      protect,
      ...(mayShadow ? { allowsShadow: true as const } : {}),
      renamedFrom,
      ...omitUndefined({ id, file, days: unlessEmpty(this.#days) }),
      ...this.#places.add(draft.node, draft.entry),
    };
    if (this.#isBroken) this.#found.broken.add(object);
    if (this.#isMisnamed) this.#found.misnamed.add(object);
    return object;
  }

  #fillIn(node: ScalarNode, word: string): string | undefined {
    const filled = this.#fill(node, node.text, () => word, undefined);
    return filled === 'wrong' || filled === 'absent' ? undefined : (filled?.text ?? node.text);
  }

  #readFile(node: ScalarNode): WantedFile | undefined {
    const path = this.#fillIn(node, 'file');
    if (path === undefined) return undefined;
    const found = this.#outside.wholeFile(path, manifestFolder(this.#host, node.source.name));
    if ('file' in found) return found.file;
    this.#report.problem(problemAt(node, `"file": ${found.problem}`));
    return undefined;
  }
}

function referenceResolver({ objects, absent }: AccountDraft, all: readonly AccountDraft[]): Refer {
  let suggestions = 0;
  const nearestTo = (kind: string, name: string): string | undefined => {
    suggestions += 1;
    if (suggestions > suggestedAtMost) return undefined;
    const names = [...objects.values()].filter((each) => each.kind.name === kind).map((each) => each.name);
    return findNearest(name, names);
  };
  return (kind, name) => {
    const key = `${kind}.${name}`;
    const shown = `\${${key}}`;
    if (kindOfSection(kind)?.shape === 'one')
      return { problem: `${shown}: an account has one "${kind}", without an id` };
    if (objects.has(key)) return { text: referenceTo(key) };
    const why = absent?.get(key);
    if (why !== undefined) return { problem: `${shown}: ${why}` };
    if (all.some((other) => other.objects.has(key)))
      return { problem: `${shown} is an object of another account; references reach only their own account` };
    const dot = key.lastIndexOf('.');
    if (objects.has(key.slice(0, dot)))
      return {
        problem: `${shown}: a reference is the id of an object and has no fields; write \${${key.slice(0, dot)}}`,
      };
    const isOfAccount = kind === 'accounts' && kindOfSection(name.split('.')[0] ?? '') !== undefined;
    const near = isOfAccount ? undefined : nearestTo(kind, name);
    const meant = isOfAccount ? `account.${name}` : near === undefined ? undefined : `${kind}.${near}`;
    return {
      problem: `${shown} is not in the manifest${meant === undefined ? '' : `; did you mean \${${meant}}?`}`,
    };
  };
}

/** Reports a reference to an account that no earlier document describes. */
function checkAccount(
  { account, at }: AccountDraft,
  before: readonly AccountDraft[],
  report: ProblemReport,
): void {
  const [key] = referencesIn(account);
  if (key === undefined) return;
  const owners = before.filter((each) => each.objects.has(key));
  if (owners.length === 1) return;
  report.problem(
    problemAt(
      at,
      owners.length === 0
        ? `\${${key}} is not described by an earlier document`
        : `\${${key}} is described in several accounts; give them different local names`,
    ),
  );
}
