import { Failure } from '../../../base/failure.ts';
import { isObject, type Json, type JsonObject, objectsIn } from '../../../base/json.ts';
import { search, searchedBy } from '../../../contract/resources/search.ts';
import type { Command } from '../../command/command.ts';
import { callCommand, several } from '../operations/operation-command.ts';
import { operationFor } from '../records/find-named.ts';

/** The hits of several ways, each record once. */
function hitsOf(data: Json): readonly JsonObject[] {
  const all = Object.values(isObject(data) ? data : {}).flatMap((hits) => objectsIn(hits));
  return [...new Map(all.map((hit) => [hit.id, hit])).values()];
}

const hitList = { resource: 'search', noun: 'hits' } as const;

export const searchCommands: readonly Command[] = [
  callCommand({
    path: ['search'],
    summary: 'Records by the beginning of their name or number, as the service finds them',
    description:
      'The service looks for it, in one request, at records of one kind. `telctl find` looks through all that an account holds, and at whole values and references, too.',
    operation: operationFor(search, 'of-account'),
    arguments: {
      type: {
        name: 'TYPE',
        doc: 'Kind of records, in the words of the service',
        suggestions: [
          'account',
          'user',
          'callflow',
          'device',
          'vmbox',
          'menu',
          'media',
          'directory',
          'faxbox',
        ],
        into: { query: 't' },
      },
      text: {
        name: 'TEXT',
        doc: 'How it begins, whatever the case of letters and the signs between',
        into: { query: 'v' },
      },
    },
    options: {
      by: {
        value: 'WORD',
        repeat: true,
        choices: searchedBy,
        doc: 'What begins so; name by default. Given several times, each is searched',
        into: 'nowhere',
      },
      everywhere: {
        doc: 'Among the accounts below the one that you signed in to, whatever --account says',
        only: { TYPE: ['ACCOUNT'] },
        into: 'nowhere',
      },
    },
    async data({ query }, _, { by }) {
      const [way = 'name', ...more] = Array.isArray(by) ? by : [];
      if (more.length > 0)
        throw new Failure('usage', '--everywhere finds accounts in one way: account TEXT --everywhere.');
      query.q = String(way);
      return undefined;
    },
    gives: { ...hitList, rows: 'pages' },
    given: [
      { when: { everywhere: true }, operation: operationFor(search, 'everywhere') },
      {
        when: { by: several },
        operation: operationFor(search, 'multi'),
        async data({ query }, _, { by, text }) {
          delete query.q;
          for (const way of Array.isArray(by) ? by : []) query[`by_${way}`] = String(text);
          delete query.v;
          return undefined;
        },
        gives: { ...hitList, rows: hitsOf },
      },
    ],
    examples: {
      'telctl search user "anna s"': 'Finds Anna Smith',
      'telctl search callflow +1415 --by number --by name': 'In both',
      'telctl search account acme --everywhere': 'Of all below',
    },
    shows: 'search',
  }),
];
