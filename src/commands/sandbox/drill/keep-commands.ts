import { type Command, defineCommand } from '../../../command/command.ts';
import { nameOptions } from '../options.ts';

export const snapshotArguments = {
  snapshot: { name: 'SNAPSHOT', doc: 'Its name: letters, digits, dots, dashes and underscores' },
} as const;

const save = defineCommand({
  path: ['sandbox', 'snapshot', 'save'],
  summary: 'Keep everything in the sandbox under a name, to come back to',
  description:
    'Keeps records, passwords, tokens, waiting deliveries and the time. It is whole or not there. It lies in the folder of the sandbox and outlives telctl sandbox reset.',
  arguments: snapshotArguments,
  options: nameOptions,
  effect: 'local',
  examples: [{ line: 'telctl sandbox snapshot save before-import', doc: 'Before something is tried' }],
  load: async () => (await import('./snapshots.ts')).saveSnapshot,
});

const load = defineCommand({
  path: ['sandbox', 'snapshot', 'load'],
  summary: 'Put a snapshot in the place of everything in the sandbox',
  description:
    'Requests under way end first; then all records and the time are those of the snapshot, and the profile is signed in anew.',
  arguments: snapshotArguments,
  options: nameOptions,
  effect: 'local',
  examples: [{ line: 'telctl sandbox snapshot load before-import --yes', doc: 'Back again' }],
  load: async () => (await import('./snapshots.ts')).loadSnapshot,
});

const list = defineCommand({
  path: ['sandbox', 'snapshot', 'list'],
  summary: 'List the snapshots of the sandbox',
  arguments: {},
  options: nameOptions,
  effect: 'local',
  examples: [{ line: 'telctl sandbox snapshot list', doc: 'Names, sizes, and when they were made' }],
  load: async () => (await import('./snapshots.ts')).listSnapshots,
});

const remove = defineCommand({
  path: ['sandbox', 'snapshot', 'delete'],
  summary: 'Delete a snapshot',
  arguments: snapshotArguments,
  options: nameOptions,
  effect: 'local',
  examples: [{ line: 'telctl sandbox snapshot delete before-import --yes', doc: 'Without asking' }],
  load: async () => (await import('./snapshots.ts')).deleteSnapshot,
});

/** Commands about what a sandbox was like at some time. */
export const keepCommands: readonly Command[] = [save, load, list, remove];
