import { Failure, nextStep } from '../../../base/failure.ts';
import { isObject, type Json, type JsonObject } from '../../../base/json.ts';
import { normalisedNumber } from '../../../contract/phone-number.ts';
import { shownField } from '../../../contract/record-references.ts';
import { findChildNode, resolveReference, type SchemaNode } from '../../../contract/schema-node.ts';
import { maskUrl } from '../../../contract/secrets.ts';
import { kindLabel } from '../../../engine/callflows/flow-set.ts';
import type { Section } from '../../../engine/manifest/account-reader.ts';
import { isSubaccount, type Kind, kinds } from '../../../engine/manifest/kinds.ts';
import { type Command, defineCommand, type InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { ListResult } from '../../command/result.ts';
import { quotedAccount } from '../labels.ts';
import { readAccountSections } from '../records/read-account.ts';

const findArguments = {
  text: {
    name: 'TEXT',
    doc: 'Number, id, name or email address, or a part of it',
    optional: true,
  },
} as const;
const findOptions = {
  exact: { doc: 'Only match complete values, and references to records with that name' },
  doubles: { doc: 'Find duplicates: records of one kind with the same name' },
} as const;

export const findCommands: readonly Command[] = [
  defineCommand({
    path: ['find'],
    summary: 'Find where a number, id, name or email address is used',
    description:
      'Searches the settings, users, callflows, menus, voicemail boxes, groups, directories, conferences, numbers, ports and webhooks of the account. Shows exact matches first, then references to records with that name, then values that contain the text. Finds an id by its first six or more digits. Does not search secrets. Exits with code 5 without a match. --doubles lists duplicates: records of one kind with the same name, which runners without a shared state can create. telctl apply --delete-doubles adopts one of each and deletes the others.',
    arguments: findArguments,
    options: findOptions,
    effect: 'read',
    examples: {
      'telctl find alice': 'Find the user and her callflows and groups',
      'telctl find 5551230000 --exact': 'Find the exact uses of a number',
      'telctl find alice@acme.example -o json': 'Use it in a script',
      'telctl find --doubles': 'Find duplicates',
    },
    operations: ['users.list', 'users.get', 'callflows.list', 'callflows.get', 'numbers.list'],
    load: async () => find,
  }),
];

/** Kinds that are searched, in the order in which hits are shown. */
export const searchedKinds = kinds.filter(
  (kind) => !isSubaccount(kind) && kind.resource.absent?.find === undefined,
);

async function find(
  { text = '', exact, doubles }: InputOf<typeof findOptions, typeof findArguments>,
  context: Context,
): Promise<ListResult> {
  const wanted = text.trim();
  if (doubles) {
    if (wanted !== '' || exact)
      throw new Failure('usage', `--doubles compares all names. Omit ${exact ? '--exact' : 'TEXT'}.`);
    return (await import('./find-duplicates.ts')).findDuplicateRecords(context);
  }
  if (wanted === '') throw new Failure('usage', 'No search text was given.', { hint: nextStep`find alice` });
  const { sections, missing } = await readAccountSections(context, {
    whole: searchedKinds.map(({ name }) => name),
  });
  const hits = findEverywhere(sections, wanted, exact === true);
  const where = await quotedAccount(context);
  return {
    kind: 'list',
    items: hits,
    noun: 'places',
    among: `in ${where}`,
    columns: [
      { header: 'NAME', paths: ['name'] },
      { header: 'KIND', paths: ['kind'] },
      { header: 'WHERE', paths: ['path'], show: 'sentence' },
      { header: 'VALUE', paths: ['value'] },
      { header: 'MATCH', paths: ['match'], show: 'sentence' },
      { header: 'ID', paths: ['id'], show: 'id' },
    ],
    ...(missing.length > 0 ? { exit: 'partial' } : hits.length === 0 ? { exit: 'not_found' } : {}),
  };
}

/** How a text matches: it equals the search text, refers to a record of that name, or contains the search text. */
type MatchKind = 'exact' | 'refers' | 'contains';

/** A text in a record: a value, or a key that is data, such as the members of a group. */
interface SearchableText {
  readonly kind: Kind;
  readonly record: JsonObject;
  readonly keys: readonly string[];
  readonly text: string;
  readonly isKey: boolean;
}

const matchOrder: readonly MatchKind[] = ['exact', 'refers', 'contains'];
const foldCase = (text: string): string => text.toLowerCase();

/** Finds a text in the records of an account, best matches first. A reference by id matches the record's name. */
export function findEverywhere(
  sections: readonly Section[],
  text: string,
  isExact: boolean,
): readonly JsonObject[] {
  const texts = sections.flatMap(({ kind, records }) =>
    records.flatMap((record) => [...searchableTexts(kind, record)]),
  );
  const meant = new Map(
    texts
      .filter((each) => isNaturalKey(each) && isEqual(each.text, text))
      .map(({ kind, record }) => {
        const label = `${kind.resource.singular} ${kindLabel(kind, record)}`;
        return [String(record.id ?? ''), label] as const;
      }),
  );
  const hits = Map.groupBy(texts, (each) => matchKind(each, text, meant, isExact));
  return matchOrder.flatMap((fit) => (hits.get(fit) ?? []).map((each) => hitRow(each, fit, meant)));
}

const isNaturalKey = ({ kind, keys, record }: SearchableText): boolean => {
  const [field = ''] = keys;
  return typeof record.id === 'string' && ['id', 'name', 'email', ...kind.keys].includes(field);
};

const isEqual = (text: string, wanted: string): boolean =>
  foldCase(text) === foldCase(wanted) || normalisedNumber(text) === normalisedNumber(wanted);

function matchKind(
  { text, record }: SearchableText,
  wanted: string,
  meant: ReadonlyMap<string, string>,
  isExact: boolean,
): MatchKind | undefined {
  if (isEqual(text, wanted)) return 'exact';
  if (meant.has(text) && record.id !== text) return 'refers';
  return !isExact && containsText(foldCase(text), foldCase(wanted)) ? 'contains' : undefined;
}

/** Matches an id, or a prefix of one that is long enough for commands to accept. */
const idStart = /^[0-9a-f]{6,32}$/;
const idLength = 32;
/** Matches random ids, because a match inside one is a coincidence. */
const ids = /[0-9a-f]{32,}/g;

const containsText = (text: string, wanted: string): boolean =>
  text.replaceAll(ids, ' ').includes(wanted) ||
  (idStart.test(wanted) && (wanted.length === idLength ? text.includes(wanted) : text.startsWith(wanted)));

const hitRow = (
  { kind, record, keys, text, isKey }: SearchableText,
  fit: MatchKind,
  meant: ReadonlyMap<string, string>,
): JsonObject => ({
  name: kindLabel(kind, record),
  kind: kind.shape === 'one' ? kind.name : kind.resource.singular,
  ...(kind.shape === 'one' ? {} : { id: String(record.id ?? '') }),
  // Such as `flow/2/_ data.id`. A key is shown as the value.
  path: shownField(isKey ? keys.slice(0, -1) : keys),
  value: fit === 'refers' ? (meant.get(text) ?? text) : text,
  match: fit,
});

/** Shorter keys are digits and `_`. */
const shortestKey = 3;

/** Returns the searchable texts of a record. Omits secrets and fields that the service derives. */
function* searchableTexts(kind: Kind, record: JsonObject): Generator<SearchableText> {
  const { schema } = kind;
  const open: { readonly node: SchemaNode; readonly value: Json; readonly keys: readonly string[] }[] = [
    { node: schema, value: record, keys: [] },
  ];
  for (let here = open.pop(); here !== undefined; here = open.pop()) {
    const { value, keys } = here;
    const node = resolveReference(schema, here.node);
    if (node['x-secret'] === true || (node.readOnly === true && keys.join('.') !== 'id')) continue;
    if (typeof value === 'string') {
      const text = node['x-secret-bearing'] === true ? maskUrl(value) : value;
      yield { kind, record, keys, text, isKey: false };
      continue;
    }
    if (!Array.isArray(value) && !isObject(value)) continue;
    const inner: typeof open = [];
    for (const [key, each] of Object.entries<Json | undefined>(value)) {
      if (each === undefined) continue;
      inner.push({ node: findChildNode(schema, node, key) ?? {}, value: each, keys: [...keys, key] });
      const isField = Array.isArray(value) || Object.hasOwn(node.properties ?? {}, key);
      if (!isField && key.length >= shortestKey)
        yield { kind, record, keys: [...keys, key], text: key, isKey: true };
    }
    // The last entry is processed first.
    open.push(...inner.toReversed());
  }
}
