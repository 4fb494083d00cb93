import { Failure, nextStep } from '../../../base/failure.ts';
import { isObject, type Json, type JsonObject } from '../../../base/json.ts';
import { normalisedNumber } from '../../../contract/phone-number.ts';
import { shownField } from '../../../contract/record-references.ts';
import { childOf, resolved, type SchemaNode } from '../../../contract/schema-node.ts';
import { maskedUrl } from '../../../contract/secrets.ts';
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
    doc: 'A number, an id, a name, an e-mail address, or a part of one',
    optional: true,
  },
} as const;
const findOptions = {
  exact: { doc: 'Only whole values, and references to what has that name' },
  doubles: { doc: 'Records of one kind that have one name, instead of TEXT' },
} as const;

export const findCommands: readonly Command[] = [
  defineCommand({
    path: ['find'],
    summary: 'Where a number, id, name or e-mail address is used',
    description:
      'Looks through the settings, users, callflows, menus, voicemail boxes, groups, directories, conferences, numbers, ports and webhooks of the account. Whole values come first, then references to what has that name, then values that hold it. An id counts whole, or by its first six digits or more. Secrets are not looked at. Ends with 5 where nothing is found. With --doubles it lists records that stand twice: of one kind and by one name, as two runners that share no state make them. telctl apply --delete-doubles adopts one of each and deletes the others.',
    arguments: findArguments,
    options: findOptions,
    effect: 'read',
    examples: {
      'telctl find alice': 'The user, and every callflow and group that she is in',
      'telctl find 5551230000 --exact': 'What a number is used for',
      'telctl find alice@acme.example -o json': 'For a script',
      'telctl find --doubles': 'What was made twice',
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
      throw new Failure('usage', `--doubles looks at all names: leave ${exact ? '--exact' : 'TEXT'} out.`);
    return (await import('./doubles.ts')).findDoubles(context);
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

/** A text is what was asked for, refers to a thing of that name, or holds what was asked for. */
type Fit = 'exact' | 'refers' | 'contains';

/** A text in a record: a value, or a key that is data (the members of a group). */
interface Text {
  readonly kind: Kind;
  readonly record: JsonObject;
  readonly keys: readonly string[];
  readonly text: string;
  readonly isKey: boolean;
}

const order: readonly Fit[] = ['exact', 'refers', 'contains'];
const folded = (text: string): string => text.toLowerCase();

/**
 * Finds a number, id, name or address in the records of an account, the best hits first; ids count for the names of
 * what they name. Secrets are not looked at.
 */
export function findEverywhere(
  sections: readonly Section[],
  text: string,
  isExact: boolean,
): readonly JsonObject[] {
  const texts = sections.flatMap(({ kind, records }) =>
    records.flatMap((record) => [...textsOf(kind, record)]),
  );
  const meant = new Map(
    texts
      .filter((each) => names(each) && isEqual(each.text, text))
      .map(({ kind, record }) => {
        const label = `${kind.resource.singular} ${kindLabel(kind, record)}`;
        return [String(record.id ?? ''), label] as const;
      }),
  );
  const hits = Map.groupBy(texts, (each) => fitOf(each, text, meant, isExact));
  return order.flatMap((fit) => (hits.get(fit) ?? []).map((each) => hitRow(each, fit, meant)));
}

/** True when a text is what people know its record by. */
const names = ({ kind, keys, record }: Text): boolean => {
  const [field = ''] = keys;
  return typeof record.id === 'string' && ['id', 'name', 'email', ...kind.keys].includes(field);
};

const isEqual = (text: string, wanted: string): boolean =>
  folded(text) === folded(wanted) || normalisedNumber(text) === normalisedNumber(wanted);

function fitOf(
  { text, record }: Text,
  wanted: string,
  meant: ReadonlyMap<string, string>,
  isExact: boolean,
): Fit | undefined {
  if (isEqual(text, wanted)) return 'exact';
  if (meant.has(text) && record.id !== text) return 'refers';
  return !isExact && holds(folded(text), folded(wanted)) ? 'contains' : undefined;
}

/** A beginning of an id by which every command knows its record, or all of it. */
const idStart = /^[0-9a-f]{6,32}$/;
const idLength = 32;
/** Ids are random: what stands in them by chance is not what somebody looks for. */
const ids = /[0-9a-f]{32,}/g;

const holds = (text: string, wanted: string): boolean =>
  text.replaceAll(ids, ' ').includes(wanted) ||
  (idStart.test(wanted) && (wanted.length === idLength ? text.includes(wanted) : text.startsWith(wanted)));

const hitRow = (
  { kind, record, keys, text, isKey }: Text,
  fit: Fit,
  meant: ReadonlyMap<string, string>,
): JsonObject => ({
  name: kindLabel(kind, record),
  kind: kind.shape === 'one' ? kind.name : kind.resource.singular,
  ...(kind.shape === 'one' ? {} : { id: String(record.id ?? '') }),
  // `flow/2/_ data.id`; a key is said by the value.
  path: shownField(isKey ? keys.slice(0, -1) : keys),
  value: fit === 'refers' ? (meant.get(text) ?? text) : text,
  match: fit,
});

/** Shortest key that says something by itself; shorter ones are digits and `_`. */
const shortestKey = 3;

/**
 * The texts of a record that may be looked at: no secrets, URLs without what may be secret in them, and nothing that
 * the service makes of other records. Its own id is among them.
 */
function* textsOf(kind: Kind, record: JsonObject): Generator<Text> {
  const { schema } = kind;
  const open: { readonly node: SchemaNode; readonly value: Json; readonly keys: readonly string[] }[] = [
    { node: schema, value: record, keys: [] },
  ];
  for (let here = open.pop(); here !== undefined; here = open.pop()) {
    const { value, keys } = here;
    const node = resolved(schema, here.node);
    if (node['x-secret'] === true || (node.readOnly === true && keys.join('.') !== 'id')) continue;
    if (typeof value === 'string') {
      const text = node['x-secret-bearing'] === true ? maskedUrl(value) : value;
      yield { kind, record, keys, text, isKey: false };
      continue;
    }
    if (!Array.isArray(value) && !isObject(value)) continue;
    const inner: typeof open = [];
    for (const [key, each] of Object.entries<Json | undefined>(value)) {
      if (each === undefined) continue;
      inner.push({ node: childOf(schema, node, key) ?? {}, value: each, keys: [...keys, key] });
      const isField = Array.isArray(value) || Object.hasOwn(node.properties ?? {}, key);
      if (!isField && key.length >= shortestKey)
        yield { kind, record, keys: [...keys, key], text: key, isKey: true };
    }
    // The last is looked at first.
    open.push(...inner.toReversed());
  }
}
