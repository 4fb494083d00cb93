import { isObject, type JsonObject } from '../../../base/json.ts';
import { recordings } from '../../../contract/resources/recordings.ts';
import type { Command } from '../../command/command.ts';
import { callCommand } from '../call-command.ts';
import { filterOptions, rangeOptions } from '../cdrs/commands.ts';
import { genericCommands } from '../generic/commands.ts';
import { operationFor } from '../generic/find-named.ts';

/** The type of sound to ask for: what the record offers, else what it was recorded as. */
function typeOf({ _read_only: shown, content_type: type }: JsonObject): string {
  const offered = isObject(shown) && Array.isArray(shown.content_types) ? shown.content_types[0] : undefined;
  return [offered, type].find((each) => typeof each === 'string' && each !== '')?.toString() ?? 'audio/mpeg';
}

export const recordingsCommands: readonly Command[] = [
  callCommand({
    summary: 'List recordings of calls, oldest first',
    operation: operationFor(recordings, 'list'),
    options: { ...rangeOptions, ...filterOptions },
    given: { user: { operation: operationFor(recordings, 'of-user') } },
    examples: {
      'telctl recordings list --since 7d': 'Those of the last week',
      'telctl recordings list --user alice -o csv': 'Those of one user, for a spreadsheet',
    },
    shows: 'recordings',
    gives: { resource: 'recordings', noun: 'recordings', rows: 'windows' },
  }),
  ...genericCommands(recordings, ['recordings'], ['list']),
  callCommand({
    path: ['recordings', 'download'],
    summary: 'Write the sound of a recording to a file or to standard output',
    operation: operationFor(recordings, 'get'),
    arguments: { id: { name: 'ID', doc: 'Its id' } },
    examples: { 'telctl recordings download ID call.mp3': 'To be listened to' },
    saves: { accept: typeOf, private: true },
  }),
];
