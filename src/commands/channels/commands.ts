import { type Command, defineCommand } from '../../command/command.ts';
import { channels } from '../../contract/resources/channels.ts';
import { genericCommands } from '../generic/commands.ts';

export const listOptions = {
  user: {
    flag: 'user',
    value: 'USER',
    doc: 'Only legs of this user',
    completes: { resource: 'users' },
    excludes: ['device', 'group'],
  },
  device: {
    flag: 'device',
    value: 'DEVICE',
    doc: 'Only legs of this device',
    completes: { resource: 'devices' },
    excludes: ['group'],
  },
  group: { flag: 'group', value: 'GROUP', doc: 'Only legs of this group', completes: { resource: 'groups' } },
  watch: {
    flag: 'watch',
    attended: true,
    short: 'w',
    doc: 'Go on with every leg that starts, is answered or ends, until Ctrl-C',
  },
} as const;

/** Arguments that name a live leg. */
export const channelArguments = { id: { name: 'ID', doc: 'Its id' } } as const;
export const transferArguments = {
  ...channelArguments,
  target: { name: 'TARGET', doc: 'Number or extension that the other leg goes to' },
} as const;
export const callflowArguments = {
  ...channelArguments,
  callflow: {
    name: 'CALLFLOW',
    doc: 'Its id, or its name or one of its numbers',
    completes: { resource: 'callflows' },
  },
} as const;
export const interceptArguments = {
  ...channelArguments,
  target: { name: 'TARGET', doc: 'Id of the device or user, or number, that takes the call' },
} as const;
export const metaflowArguments = {
  ...channelArguments,
  module: { name: 'MODULE', doc: 'Module of the step: hold, play, record_call, say and others' },
} as const;

export const transferOptions = {
  attended: { flag: 'attended', doc: 'Ask at the target first, instead of sending the leg there at once' },
} as const;
export const interceptOptions = {
  as: {
    flag: 'as',
    value: 'WORD',
    choices: ['device', 'user', 'number'],
    doc: 'Sort of TARGET; number by default',
  },
} as const;
export const metaflowOptions = {
  data: { flag: 'data', value: 'JSON', doc: 'Data of the step, as a JSON object' },
} as const;

const list = defineCommand({
  path: ['channels', 'list'],
  summary: 'List live calls, leg by leg',
  arguments: {},
  options: listOptions,
  effect: 'read',
  examples: [
    { line: 'telctl channels list', doc: 'Who is on the phone now' },
    { line: 'telctl channels list --user alice', doc: 'Only the legs of one user' },
    { line: 'telctl channels list --watch', doc: 'And what happens from here on' },
  ],
  operations: ['channels.list', 'channels.of-user', 'channels.of-device', 'channels.of-group'],
  load: async () => (await import('./list.ts')).listChannels,
});

const hangup = defineCommand({
  path: ['channels', 'hangup'],
  summary: 'End a live call',
  arguments: channelArguments,
  options: {},
  effect: 'write',
  examples: [{ line: 'telctl channels hangup ID', doc: 'The leg and its partner end' }],
  operations: ['channels.act'],
  load: async () => (await import('./steer.ts')).hangUp,
});

const transfer = defineCommand({
  path: ['channels', 'transfer'],
  summary: 'Send the other leg of a live call to a number',
  description:
    'ID is the leg of who transfers: it ends, and the leg that it is connected with goes to TARGET.',
  arguments: transferArguments,
  options: transferOptions,
  effect: 'write',
  examples: [{ line: 'telctl channels transfer ID 1002', doc: 'To an extension' }],
  operations: ['channels.act'],
  load: async () => (await import('./steer.ts')).transfer,
});

const callflow = defineCommand({
  path: ['channels', 'callflow'],
  summary: 'Send a live leg to a callflow',
  arguments: callflowArguments,
  options: {},
  effect: 'write',
  examples: [{ line: 'telctl channels callflow ID 2000', doc: 'To the callflow of a number' }],
  operations: ['channels.act'],
  load: async () => (await import('./steer.ts')).sendToCallflow,
});

const stop = defineCommand({
  path: ['channels', 'break'],
  summary: 'Stop what is played to a live leg; its callflow goes on',
  arguments: channelArguments,
  options: {},
  effect: 'write',
  examples: [{ line: 'telctl channels break ID', doc: 'Skip a prompt' }],
  operations: ['channels.act'],
  load: async () => (await import('./steer.ts')).breakPlaying,
});

const intercept = defineCommand({
  path: ['channels', 'intercept'],
  summary: 'Take a live leg over to a device, a user or a number',
  arguments: interceptArguments,
  options: interceptOptions,
  effect: 'write',
  examples: [{ line: 'telctl channels intercept ID 1002', doc: 'Ring there instead' }],
  operations: ['channels.act'],
  load: async () => (await import('./steer.ts')).intercept,
});

const metaflow = defineCommand({
  path: ['channels', 'metaflow'],
  summary: 'Run a step of a metaflow on a live leg: hold, play, record_call and others',
  arguments: metaflowArguments,
  options: metaflowOptions,
  effect: 'write',
  examples: [
    {
      line: `telctl channels metaflow ID record_call --data '{"action":"start"}'`,
      doc: 'Begin to record',
    },
  ],
  operations: ['channels.metaflow'],
  load: async () => (await import('./steer.ts')).runMetaflow,
});

/** Everything under `telctl channels`. */
export const channelsCommands: readonly Command[] = [
  list,
  ...genericCommands(channels, ['channels'], ['list']),
  hangup,
  transfer,
  callflow,
  intercept,
  stop,
  metaflow,
];
