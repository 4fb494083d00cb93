import { isObject, type JsonObject, valueAt } from '../../../base/json.ts';
import { formatCount } from '../../../base/wording.ts';
import type { Api } from '../../../client/api/api.ts';
import { list_entries, lists } from '../../../contract/resources/lists.ts';
import { type Command, defineCommand } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import { argumentFor, genericCommands } from '../generic/commands.ts';
import { callCommand } from '../operations/operation-command.ts';
import { findNamed, operationFor, pathTo } from '../records/find-named.ts';

/** Returns the path parameters of a list's entries. `word`: name or id of the list. */
export const listPath = async (context: Context, word: unknown): Promise<Readonly<Record<string, string>>> =>
  pathTo(lists, (await findNamed(context, lists, String(word))).id);

/** Compatible services put the fields of an entry under `value`, next to the id. */
const unwrapEntry = (item: JsonObject): JsonObject =>
  isObject(item.value) ? { id: item.id, ...item.value } : item;

export async function allEntries(
  api: Api,
  path: Readonly<Record<string, string>>,
): Promise<readonly JsonObject[]> {
  const found: JsonObject[] = [];
  const pages = api.pages({ operation: operationFor(list_entries, 'list'), path });
  for await (const page of pages) found.push(...page.map(unwrapEntry));
  return found;
}

/** Removes the plus sign of numbers, because lists match numbers without it. */
export const sentEntry = (body: JsonObject): JsonObject =>
  typeof body.number === 'string' ? { ...body, number: body.number.replace(/^\s*\+/, '') } : body;

const list = argumentFor(lists, 'LIST');
const listArguments = { list } as const;

export const importEntriesArguments = {
  list,
  file: {
    name: 'FILE',
    doc: 'CSV with a title for each column (number, name, …), YAML or JSON',
    completes: 'file',
  },
} as const;
export const importEntriesOptions = {
  existing: {
    value: 'HOW',
    choices: ['skip', 'update'],
    doc: 'What to do with existing entries for the same callers: skip or update (default: skip)',
  },
} as const;

const entries: readonly Command[] = [
  callCommand({
    path: ['lists', 'entries', 'list'],
    operation: operationFor(list_entries, 'list'),
    arguments: listArguments,
    examples: { 'telctl lists entries list "Regular customers"': 'List its entries' },
    gives: { resource: 'list_entries', noun: 'entries', rows: { each: unwrapEntry } },
  }),
  callCommand({
    path: ['lists', 'entries', 'add'],
    summary: 'Add an entry to a list',
    operation: operationFor(list_entries, 'create'),
    arguments: listArguments,
    body: list_entries,
    whole: true,
    data: async ({ data }) => sentEntry(isObject(data) ? data : {}),
    // Entries may have equal values.
    beside: {
      records: (api, { path }) => allEntries(api, path),
      isIt: ({ number }, { data }) => (number ?? null) === (valueAt(data, 'number') ?? null),
    },
    examples: { 'telctl lists entries add LIST --number 14155550177 --name Carla': 'Add one caller' },
    says: 'Added an entry to list {list}.',
  }),
  defineCommand({
    path: ['lists', 'entries', 'import'],
    summary: 'Add the rows of a file to a list',
    arguments: importEntriesArguments,
    options: importEntriesOptions,
    effect: 'write',
    examples: {
      'telctl lists entries import "Regular customers" callers.csv': {
        doc: 'Add rows with columns number and name',
        file: 'number,name\n+12125550140,Ann Archer',
      },
    },
    operations: ['list_entries.create', 'list_entries.patch'],
    load: async () => (await import('./import-entries.ts')).importEntries,
  }),
  callCommand({
    path: ['lists', 'entries', 'remove'],
    summary: 'Remove an entry of a list',
    operation: operationFor(list_entries, 'delete'),
    arguments: { list, entry: { name: 'ENTRY', doc: 'Its id' } },
    examples: { 'telctl lists entries remove LIST ID --yes': 'Remove it without a question' },
    asks: 'Remove entry {entry} of list {list}?',
    says: 'Removed entry {entry} of list {list}.',
  }),
  callCommand({
    path: ['lists', 'entries', 'clear'],
    operation: operationFor(list_entries, 'clear'),
    arguments: listArguments,
    examples: { 'telctl lists entries clear LIST --yes': 'Empty the list, but keep it' },
    asks: 'Remove all entries of list {list}?',
    says: (removed, { list }) =>
      `Removed ${Array.isArray(removed) ? formatCount(removed.length, 'entry', 'entries') : 'all entries'} of list ${list}.`,
  }),
];

export const listsCommands: readonly Command[] = [...genericCommands(lists, ['lists']), ...entries];
