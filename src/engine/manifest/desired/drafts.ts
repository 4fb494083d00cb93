import { nextStep } from '../../../base/failure.ts';
import { splitPath } from '../../../base/json.ts';
import { findNearest } from '../../../base/nearest.ts';
import { diallingPlan } from '../../../contract/dialling-plans.ts';
import {
  type DocumentNode,
  type Entry,
  type Located,
  type MapNode,
  type Places,
  type Problem,
  placeOf,
  placesIn,
  problemAt,
  type Source,
} from '../../input/document.ts';
import type { ProblemReport } from '../../input/read-fields.ts';
import { isNothing } from '../../input/read-scalar.ts';
import type { InputFile } from '../desired.ts';
import { type Kind, keyWithin, kindOfSection, kinds } from '../kinds.ts';

/** An object as the files give it, overlays laid over one another, before its fields are read. */
export interface Draft {
  readonly kind: Kind;
  readonly name: string;
  readonly key: string;
  readonly node: MapNode;
  /** Entry where its name stands last. */
  readonly entry: Entry;
}

export interface AccountDraft {
  readonly account: string | undefined;
  /** Country in two letters that the manifest gives the account. */
  readonly country?: string | undefined;
  /** Place where the account is named first. */
  readonly at: DocumentNode;
  /** By key, in the order of the files. */
  readonly objects: ReadonlyMap<string, Draft>;
  /** Reasons why a key that the files hold names no object: `when` says no, or `for_each` makes others of it. */
  readonly absent?: ReadonlyMap<string, string>;
}

/** Sections that are the user's own, such as a place for anchors. */
const isExtension = (key: string): boolean => key.startsWith('x-');

type FillHead = (node: DocumentNode, word: string) => string | undefined;

const headWords = ['account', 'country', 'set', 'use', '$schema'];

/** Makes an empty collection of drafts. Problems of documents are reported to `report`. */
export function createDrafts(report: ProblemReport, fillHead: FillHead) {
  interface KnownAccount {
    readonly at: DocumentNode;
    readonly objects: Map<string, Draft>;
    country?: string;
  }
  const accounts = new Map<string | undefined, KnownAccount>();
  /** Names of the manifest set that the documents give, with where. */
  const sets = new Map<string, DocumentNode>();
  const problem = (node: DocumentNode | Entry, message: string): void =>
    report.problem(problemAt(node, message));

  function put(objects: Map<string, Draft>, kind: Kind, name: string, entry: Entry): void {
    const key = keyWithin(kind, name);
    const { value: node } = entry;
    const before = objects.get(key);
    if (node.kind === 'map') {
      if (before) for (const warning of changedNaturalKeys(kind, before, node)) report.warning(warning);
      objects.set(key, { kind, name, key, entry, node: before ? overlayMap(before.node, node) : node });
    } else if (before && isNull(node)) objects.delete(key);
    else if (node.kind === 'scalar' && isNothing(node)) problem(entry, `${key} has no fields`);
    else problem(node, `${key} must be a map of fields, not ${node.kind === 'list' ? 'a list' : 'text'}`);
  }

  function addSection(objects: Map<string, Draft>, kind: Kind, entry: Entry): void {
    const { value: section } = entry;
    if (section.kind === 'scalar' && isNothing(section)) return;
    if (kind.shape === 'one') {
      put(objects, kind, kind.name, entry);
      return;
    }
    if (section.kind !== 'map') {
      const example = `${kind.name}: { main: { … } }`;
      problem(section, `"${kind.name}" must be a map from local names to fields, such as ${example}`);
      return;
    }
    for (const inner of section.entries) {
      const bad = nameTrouble(inner.key);
      if (bad) problem(inner, `${JSON.stringify(inner.key)} cannot be a local name: ${bad}`);
      else put(objects, kind, inner.key, inner);
    }
  }

  function readCountry(known: KnownAccount, node: DocumentNode | undefined): void {
    const text = node && fillHead(node, 'country');
    if (node === undefined || text === undefined) return;
    const country = text.toUpperCase();
    if (diallingPlan(country) === undefined)
      problem(node, `"country" must be a country in two letters, such as AU, not ${JSON.stringify(text)}`);
    else if ((known.country ?? country) !== country)
      problem(node, `the account is in ${known.country} before, and in ${country} here; name one country`);
    else known.country = country;
  }

  function add(document: DocumentNode): void {
    if (document.kind !== 'map') {
      problem(document, 'a manifest must be a map of sections such as users and callflows');
      return;
    }
    const head = new Map(document.entries.map((entry) => [entry.key, entry.value]));
    const accountNode = head.get('account');
    const account = accountNode && fillHead(accountNode, 'account');
    if (accountNode && account === undefined) return;
    const setNode = head.get('set');
    const set = setNode && fillHead(setNode, 'set');
    if (setNode && set !== undefined && !sets.has(set)) sets.set(set, setNode);
    const known: KnownAccount = accounts.get(account) ?? { at: accountNode ?? document, objects: new Map() };
    accounts.set(account, known);
    readCountry(known, head.get('country'));
    for (const entry of document.entries) {
      if (headWords.includes(entry.key) || isExtension(entry.key)) continue;
      const kind = kindOfSection(entry.key);
      if (kind) addSection(known.objects, kind, entry);
      else problem(entry, unknownSection(entry.key));
    }
  }

  return {
    add,
    sets,
    get accounts(): readonly AccountDraft[] {
      return [...accounts].map(([account, draft]) => ({ account, ...draft }));
    },
  };
}

/** Texts of a natural key as the files have them, `${…}` unresolved: one, or those of a list. */
function textsOf({ value }: Entry): readonly string[] {
  const nodes = value.kind === 'list' ? value.items : [value];
  return nodes.flatMap((node) => (node.kind === 'scalar' && !isNothing(node) ? [node.text] : []));
}

/**
 * Returns a warning if a later document gives an object another natural key. The object with the key before is then no
 * part of the manifest, and is deleted with `--prune` if an earlier manifest created it.
 */
function changedNaturalKeys(kind: Kind, { key, node: before }: Draft, after: MapNode): readonly Problem[] {
  const field = kind.keys.find((each) => before.entries.some((entry) => entry.key === each));
  const [first, last] = [before, after].map((node) => node.entries.find((entry) => entry.key === field));
  if (first === undefined || last === undefined) return [];
  const [old, now] = [textsOf(first), textsOf(last)];
  if (old.length === 0 || now.length === 0 || now.some((text) => old.includes(text))) return [];
  const [was, is] = [old, now].map((texts) => texts.map((text) => JSON.stringify(text)).join(', '));
  return [
    problemAt(
      last,
      `"${field}" of ${key} is ${is} here and ${was} at ${placeOf(first)}. Both documents describe one object, so the manifest has no object with ${was}. Use two local names for two objects`,
    ),
  ];
}

function unknownSection(key: string): string {
  if (key === 'with') return '"with" stands in a module, which manifests name by "use"';
  const near = findNearest(key, [...kinds.map(({ name }) => name), 'account', 'country', 'set', 'use']);
  return `unknown section ${JSON.stringify(key)}${near ? `; did you mean "${near}"?` : `; ${nextStep`help manifests`} lists them`}`;
}

/** Returns the problem of a local name that references and paths cannot contain. */
export function nameTrouble(name: string): string | undefined {
  if (name.trim() === '') return 'it is empty';
  if (name !== name.trim()) return 'it begins or ends with a blank';
  if (/[{}$]/.test(name)) return 'it holds one of $ { }';
  // Names stand in messages, plans and ledgers.
  return /[\p{Cc}\p{Co}]/u.test(name) ? 'it holds a control character' : undefined;
}

export function inFileOrder(problems: readonly Problem[], inputs: readonly InputFile[]): readonly Problem[] {
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
const isNull = (node: DocumentNode): boolean => node.kind === 'scalar' && node.text !== '' && isNothing(node);

/** Numbers kept for a value: its key, where the key stands, where the value stands, how many rows are inside it. */
const width = 4;

/**
 * Remembers where the fields of many objects stand in a tenth of the room that their documents take, so that those can
 * be let go. An object whose fields come from several files keeps its document.
 */
export function createPlaceTable(): { add(root: MapNode, entry: Entry): Places } {
  const keys: string[] = [];
  const indexOf = new Map<string, number>();
  let rows = new Int32Array(1024);
  let used = 0;

  function indexFor(key: string): number {
    const known = indexOf.get(key);
    if (known !== undefined) return known;
    indexOf.set(key, keys.length);
    return keys.push(key) - 1;
  }

  function put(key: string, at: number, value: DocumentNode): void {
    if (used + width > rows.length) {
      const larger = new Int32Array(rows.length * 2);
      larger.set(rows);
      rows = larger;
    }
    const row = used;
    used += width;
    rows[row] = indexFor(key);
    rows[row + 1] = at;
    rows[row + 2] = value.at;
    putInside(value);
    rows[row + 3] = (used - row) / width - 1;
  }

  function putInside(node: DocumentNode): void {
    if (node.kind === 'map') for (const { key, at, value } of node.entries) put(key, at, value);
    if (node.kind === 'list')
      for (const [index, item] of node.items.entries()) put(String(index), item.at, item);
  }

  /** As `nodeAt`: the value at a path, or the key of the nearest thing around it. `undefined`: there is none. */
  function offsetAt(start: number, end: number, path: string): number | undefined {
    let around: number | undefined;
    let from = start;
    let to = end;
    for (const word of splitPath(path)) {
      const key = indexOf.get(word);
      let row = from;
      while (row < to && rows[row] !== key) row += width * (1 + (rows[row + 3] ?? 0));
      if (row >= to) return around;
      around = rows[row + 1];
      from = row + width;
      to = from + width * (rows[row + 3] ?? 0);
    }
    return rows[from - width + 2];
  }

  function add(root: MapNode, { source, at }: Entry): Places {
    if (!isOf(source, root)) return placesIn(root, { source, at });
    const start = used;
    putInside(root);
    const end = used;
    const located = (path: string | undefined): Located => ({
      source,
      at: (path === undefined ? undefined : offsetAt(start, end, path)) ?? at,
    });
    return {
      place: (path) => placeOf(located(path)),
      problem: (path, message) => problemAt(located(path), message),
    };
  }

  return { add };
}

function isOf(source: Source, node: DocumentNode): boolean {
  if (node.source !== source && node.source.of !== source) return false;
  if (node.kind === 'map')
    return node.entries.every((entry) => entry.source === source && isOf(source, entry.value));
  return node.kind === 'scalar' || node.items.every((item) => isOf(source, item));
}
