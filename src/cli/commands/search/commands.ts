import { Failure } from '../../../base/failure.ts';
import { isObject, type Json, type JsonObject, objectsIn } from '../../../base/json.ts';
import { search, searchedBy } from '../../../contract/resources/search.ts';
import type { Command } from '../../command/command.ts';
import { callCommand, several } from '../operations/operation-command.ts';
import { operationFor } from '../records/find-named.ts';

/** Merges the hits of several searches, each record once. */
function mergeHits(data: Json): readonly JsonObject[] {
  const all = Object.values(isObject(data) ? data : {}).flatMap((hits) => objectsIn(hits));
  return [...new Map(all.map((hit) => [hit.id, hit])).values()];
}

const hitList = { resource: 'search', noun: 'hits' } as const;

export const searchCommands: readonly Command[] = [
  callCommand({
    path: ['search'],
    summary: 'Search records by the start of their name or number',
    description:
      'The service searches records of one kind, in one request. `telctl find` searches all records of an account, including whole values and references.',
    operation: operationFor(search, 'of-account'),
    arguments: {
      type: {
        name: 'TYPE',
        doc: 'Kind of records, as the service names it',
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
        doc: 'Start of the value, without regard to case and punctuation',
        into: { query: 'v' },
      },
    },
    options: {
      by: {
        value: 'WORD',
        repeat: true,
        choices: searchedBy,
        doc: 'Field to search; repeat it for several (default: name)',
        into: 'nowhere',
      },
      everywhere: {
        doc: 'Search all accounts below yours, regardless of --account',
        only: { TYPE: ['ACCOUNT'] },
        into: 'nowhere',
      },
    },
    async data({ query }, _, { by }) {
      const [way = 'name', ...more] = Array.isArray(by) ? by : [];
      if (more.length > 0) throw new Failure('usage', '--everywhere only works with `search account TEXT`.');
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
        gives: { ...hitList, rows: mergeHits },
      },
    ],
    examples: {
      'telctl search user "anna s"': 'Find Anna Smith',
      'telctl search callflow +1415 --by number --by name': 'Search numbers and names',
      'telctl search account acme --everywhere': 'Search all accounts below yours',
    },
    shows: 'search',
  }),
];
