import { Failure } from '../../../base/failure.ts';
import { isObject, type JsonObject } from '../../../base/json.ts';
import { search, searchedBy } from '../../../contract/resources/search.ts';
import { type Command, defineCommand, type InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { ListResult } from '../../command/result.ts';
import { operationFor } from '../generic/find-named.ts';
import { flattened } from '../generic/list.ts';

const searchArguments = {
  type: {
    name: 'TYPE',
    doc: 'Kind of records, in the words of the service',
    suggestions: ['account', 'user', 'callflow', 'device', 'vmbox', 'menu', 'media', 'directory', 'faxbox'],
  },
  text: { name: 'TEXT', doc: 'How it begins, whatever the case of letters and the signs between' },
} as const;
const searchOptions = {
  by: {
    flag: 'by',
    value: 'WORD',
    repeat: true,
    choices: searchedBy,
    doc: 'What begins so; name by default. Given several times, each is searched',
  },
  everywhere: {
    flag: 'everywhere',
    doc: 'Among the accounts below the one that you signed in to, whatever --account says',
  },
} as const;

/** Finds records as the service does. */
async function find(
  { type, text, by = [], everywhere }: InputOf<typeof searchOptions, typeof searchArguments>,
  context: Context,
): Promise<ListResult> {
  const shown = { kind: 'list', resource: 'search', noun: 'hits' } as const;
  const [first = 'name', ...more] = by;
  const api = await context.api();
  if (everywhere && (more.length > 0 || type !== 'account'))
    throw new Failure('usage', '--everywhere finds accounts, in one way: account TEXT --everywhere.');
  if (more.length === 0) {
    const operation = operationFor(search, everywhere ? 'everywhere' : 'of-account');
    const query = { t: type, q: first, v: text };
    return { ...shown, items: flattened(api.pages({ operation, query })) };
  }
  const ways = [first, ...more].map((way) => [`by_${way}`, text] as const);
  const query = { t: type, ...Object.fromEntries(ways) };
  const { data } = await api.call({ operation: operationFor(search, 'multi'), query });
  const found = new Map<unknown, JsonObject>();
  for (const hits of Object.values(isObject(data) ? data : {}))
    for (const hit of Array.isArray(hits) ? hits.filter(isObject) : []) found.set(hit.id, hit);
  return { ...shown, items: [...found.values()] };
}

export const searchCommands: readonly Command[] = [
  defineCommand({
    path: ['search'],
    summary: 'Records by the beginning of their name or number, as the service finds them',
    description:
      'The service looks for it, in one request, at records of one kind. `telctl find` looks through all that an account holds, and at whole values and references, too.',
    arguments: searchArguments,
    options: searchOptions,
    effect: 'read',
    examples: [
      { line: 'telctl search user "anna s"', doc: 'Finds Anna Smith' },
      { line: 'telctl search callflow +1415 --by number --by name', doc: 'In both' },
      { line: 'telctl search account acme --everywhere', doc: 'Of all below' },
    ],
    operations: ['search.of-account', 'search.multi', 'search.everywhere'],
    shows: 'search',
    load: async () => find,
  }),
];
