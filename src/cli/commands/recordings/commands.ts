import { recordings } from '../../../contract/resources/recordings.ts';
import { type Command, defineCommand } from '../../command/command.ts';
import { rangeOptions } from '../cdrs/commands.ts';
import { genericCommands } from '../generic/commands.ts';

export const listOptions = {
  ...rangeOptions,
  filters: {
    flag: 'filter',
    value: 'KEY=VALUE',
    repeat: true,
    doc: 'Only recordings with this value; the key may be dotted',
  },
} as const;

export const downloadArguments = {
  id: { name: 'ID', doc: 'Its id' },
  file: {
    name: 'FILE',
    doc: 'File to write the sound to, or - for standard output',
    completes: 'file',
    does: ['writes-files'],
  },
} as const;

const list = defineCommand({
  path: ['recordings', 'list'],
  summary: 'List recordings of calls, oldest first',
  arguments: {},
  options: listOptions,
  effect: 'read',
  examples: [
    { line: 'telctl recordings list --since 7d', doc: 'Those of the last week' },
    { line: 'telctl recordings list --user alice -o csv', doc: 'Those of one user, for a spreadsheet' },
  ],
  operations: ['recordings.list', 'recordings.of-user'],
  shows: 'recordings',
  load: async () => (await import('./recordings.ts')).listRecordings,
});

const download = defineCommand({
  path: ['recordings', 'download'],
  summary: 'Write the sound of a recording to a file or to standard output',
  arguments: downloadArguments,
  options: {},
  effect: 'read',
  examples: [{ line: 'telctl recordings download ID call.mp3', doc: 'To be listened to' }],
  operations: ['recordings.get'],
  load: async () => (await import('./recordings.ts')).downloadRecording,
});

export const recordingsCommands: readonly Command[] = [
  list,
  ...genericCommands(recordings, ['recordings'], ['list']),
  download,
];
