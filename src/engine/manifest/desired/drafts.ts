import { nextStep } from '../../../base/failure.ts';
import { findNearest } from '../../../base/nearest.ts';
import { diallingPlan } from '../../../contract/dialling-plans.ts';
import {
  type DocumentNode,
  type Entry,
  formatPlace,
  type MapNode,
  type Problem,
  problemAt,
} from '../../input/document.ts';
import type { ProblemReport } from '../../input/read-fields.ts';
import { isNullScalar } from '../../input/read-scalar.ts';
import type { InputFile } from '../desired.ts';
import { type Kind, keyWithin, kindOfSection, kinds } from '../kinds.ts';

/** An object as written and merged, before its fields are read. */
export interface Draft {
  readonly kind: Kind;
  readonly name: string;
  readonly key: string;
  readonly node: MapNode;
  readonly entry: Entry;
}

export interface AccountDraft {
  readonly account: string | undefined;
  readonly country?: string | undefined;
  readonly at: DocumentNode;
  readonly objects: ReadonlyMap<string, Draft>;
  /** Reasons why objects in the files do not exist, such as a false `when`. */
  readonly absent?: ReadonlyMap<string, string>;
}

const isExtension = (key: string): boolean => key.startsWith('x-');

type FillHead = (node: DocumentNode, word: string) => string | undefined;

const headWords = ['account', 'country', 'set', 'use', '$schema'];

interface KnownAccount {
  readonly at: DocumentNode;
  readonly objects: Map<string, Draft>;
  country?: string;
}

/** Later documents are merged over earlier ones. */
export class Drafts {
  readonly sets = new Map<string, DocumentNode>();
  readonly #accounts = new Map<string | undefined, KnownAccount>();
  readonly #report: ProblemReport;
  readonly #fillHead: FillHead;

  constructor(report: ProblemReport, fillHead: FillHead) {
    this.#report = report;
    this.#fillHead = fillHead;
  }

  get accounts(): readonly AccountDraft[] {
    return [...this.#accounts].map(([account, draft]) => ({ account, ...draft }));
  }

  add(document: DocumentNode): void {
    if (document.kind !== 'map') {
      this.#problem(document, 'a manifest must be a map of sections such as users and callflows');
      return;
    }
    const head = new Map(document.entries.map((entry) => [entry.key, entry.value]));
    const accountNode = head.get('account');
    const account = accountNode && this.#fillHead(accountNode, 'account');
    if (accountNode && account === undefined) return;
    const setNode = head.get('set');
    const set = setNode && this.#fillHead(setNode, 'set');
    if (setNode && set !== undefined && !this.sets.has(set)) this.sets.set(set, setNode);
    const known = this.#accounts.get(account) ?? { at: accountNode ?? document, objects: new Map() };
    this.#accounts.set(account, known);
    this.#readCountry(known, head.get('country'));
    for (const entry of document.entries) {
      if (headWords.includes(entry.key) || isExtension(entry.key)) continue;
      const kind = kindOfSection(entry.key);
      if (kind) this.#addSection(known.objects, kind, entry);
      else this.#problem(entry, unknownSection(entry.key));
    }
  }

  #problem(node: DocumentNode | Entry, message: string): void {
    this.#report.problem(problemAt(node, message));
  }

  #readCountry(known: KnownAccount, node: DocumentNode | undefined): void {
    const text = node && this.#fillHead(node, 'country');
    if (node === undefined || text === undefined) return;
    const country = text.toUpperCase();
    if (diallingPlan(country) === undefined)
      this.#problem(
        node,
        `"country" must be a two-letter country code such as AU, not ${JSON.stringify(text)}`,
      );
    else if ((known.country ?? country) !== country)
      this.#problem(
        node,
        `the account is in ${known.country} above, and in ${country} here; name one country`,
      );
    else known.country = country;
  }

  #addSection(objects: Map<string, Draft>, kind: Kind, entry: Entry): void {
    const { value: section } = entry;
    if (section.kind === 'scalar' && isNullScalar(section)) return;
    if (kind.shape === 'one') {
      this.#addObject(objects, kind, kind.name, entry);
      return;
    }
    if (section.kind !== 'map') {
      const example = `${kind.name}: { main: { … } }`;
      this.#problem(section, `"${kind.name}" must be a map from local names to fields, such as ${example}`);
      return;
    }
    for (const inner of section.entries) {
      const bad = localNameProblem(inner.key);
      if (bad) this.#problem(inner, `${JSON.stringify(inner.key)} cannot be a local name: ${bad}`);
      else this.#addObject(objects, kind, inner.key, inner);
    }
  }

  #addObject(objects: Map<string, Draft>, kind: Kind, name: string, entry: Entry): void {
    const key = keyWithin(kind, name);
    const { value: node } = entry;
    const before = objects.get(key);
    if (node.kind === 'map') {
      if (before) for (const warning of changedNaturalKeys(kind, before, node)) this.#report.warning(warning);
      objects.set(key, { kind, name, key, entry, node: before ? mergeMaps(before.node, node) : node });
    } else if (before && isNull(node)) objects.delete(key);
    else if (node.kind === 'scalar' && isNullScalar(node)) this.#problem(entry, `${key} has no fields`);
    else
      this.#problem(node, `${key} must be a map of fields, not ${node.kind === 'list' ? 'a list' : 'text'}`);
  }
}

function scalarTexts({ value }: Entry): readonly string[] {
  const nodes = value.kind === 'list' ? value.items : [value];
  return nodes.flatMap((node) => (node.kind === 'scalar' && !isNullScalar(node) ? [node.text] : []));
}

/** Warns if a later document changes a natural key, because `--prune` would delete the object with the former key. */
function changedNaturalKeys(kind: Kind, { key, node: before }: Draft, after: MapNode): readonly Problem[] {
  const field = kind.keys.find((each) => before.entries.some((entry) => entry.key === each));
  const [first, last] = [before, after].map((node) => node.entries.find((entry) => entry.key === field));
  if (first === undefined || last === undefined) return [];
  const [old, now] = [scalarTexts(first), scalarTexts(last)];
  if (old.length === 0 || now.length === 0 || now.some((text) => old.includes(text))) return [];
  const [was, is] = [old, now].map((texts) => texts.map((text) => JSON.stringify(text)).join(', '));
  return [
    problemAt(
      last,
      `"${field}" of ${key} is ${is} here and ${was} at ${formatPlace(first)}. Both documents describe one object, so the manifest has no object with ${was}. Use two local names for two objects`,
    ),
  ];
}

function unknownSection(key: string): string {
  if (key === 'with') return '"with" is only allowed in a module, which manifests name with "use"';
  const near = findNearest(key, [...kinds.map(({ name }) => name), 'account', 'country', 'set', 'use']);
  return `unknown section ${JSON.stringify(key)}${near ? `; did you mean "${near}"?` : `; ${nextStep`help manifests`} lists them`}`;
}

/** Returns the problem of a local name that references or paths cannot contain. */
export function localNameProblem(name: string): string | undefined {
  if (name.trim() === '') return 'it is empty';
  if (name !== name.trim()) return 'it begins or ends with a space';
  if (/[{}$]/.test(name)) return 'it contains one of $ { }';
  if (!name.isWellFormed()) return 'it contains half of a surrogate pair';
  // Names are part of messages, plans and ledgers.
  return /[\p{Cc}\p{Co}]/u.test(name) ? 'it contains a control character' : undefined;
}

export function sortProblems(problems: readonly Problem[], inputs: readonly InputFile[]): readonly Problem[] {
  const order = new Map(inputs.map(({ name }, index) => [name, index]));
  const rank = ({ file }: Problem): number => order.get(file) ?? -1;
  const seen = new Set<string>();
  return problems
    .filter(({ place, message }) => {
      const whole = `${place} ${message}`;
      if (seen.has(whole)) return false;
      seen.add(whole);
      return true;
    })
    .toSorted(
      (one, other) =>
        rank(one) - rank(other) ||
        (one.line ?? 0) - (other.line ?? 0) ||
        (one.column ?? 0) - (other.column ?? 0),
    );
}

/** Merges maps by key and replaces other values. Each value keeps its place. */
export function mergeNodes(below: DocumentNode, above: DocumentNode): DocumentNode {
  return below.kind === 'map' && above.kind === 'map' ? mergeMaps(below, above) : above;
}

export function mergeMaps(below: MapNode, above: MapNode): MapNode {
  const entries = new Map<string, Entry>(below.entries.map((entry) => [entry.key, entry]));
  for (const entry of above.entries) {
    const before = entries.get(entry.key);
    entries.set(entry.key, before ? { ...entry, value: mergeNodes(before.value, entry.value) } : entry);
  }
  return { ...above, entries: [...entries.values()] };
}

/** Returns true for `null` or `~`, but not for an empty value. */
const isNull = (node: DocumentNode): boolean =>
  node.kind === 'scalar' && node.text !== '' && isNullScalar(node);
