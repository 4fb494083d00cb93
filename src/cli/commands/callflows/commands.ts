import { callflows } from '../../../contract/resources/callflows.ts';
import { type Command, defineCommand } from '../../command/command.ts';
import { alternatives, genericCommands } from '../generic/commands.ts';
import { resumeOption, setOption } from '../manifest-options.ts';

export const namedArguments = {
  id: { name: 'ID', doc: alternatives(callflows.naturalKeys), completes: { resource: 'callflows' } },
} as const;
export const copyOptions = {
  toName: { value: 'NAME', doc: 'Name of the copy; its own where it goes to another account' },
  toAccount: {
    value: 'ACCOUNT',
    doc: 'Account that gets the copy, by id, name or realm; the same one by default',
  },
  numbers: {
    value: 'NUMBERS',
    repeat: true,
    doc: 'Numbers that lead to the copy, separated by commas; needed in the same account',
  },
  ...setOption,
  ...resumeOption,
} as const;

export const showOptions = {
  as: {
    value: 'FORM',
    choices: ['tree', 'mermaid', 'dot', 'svg'],
    doc: 'tree (default), a Mermaid diagram, the DOT language of Graphviz, or a picture',
  },
} as const;

export const callflowsCommands: readonly Command[] = [
  ...genericCommands(callflows, ['callflows']),
  defineCommand({
    path: ['callflows', 'show'],
    summary: 'Show what happens to a call, step by step',
    arguments: namedArguments,
    options: showOptions,
    effect: 'read',
    examples: {
      'telctl callflows show +15551230000 --as tree': 'By a number that leads to it',
      "telctl callflows show 'Main line' --as mermaid": 'A diagram for a wiki',
      "telctl callflows show 'Main line' --as svg > main-line.svg": 'A picture for a browser',
    },
    operations: ['callflows.get', 'users.list', 'menus.list', 'vmboxes.list', 'callflows.list'],
    load: async () => (await import('./show.ts')).showCallflow,
  }),
  defineCommand({
    path: ['callflows', 'copy'],
    summary: 'Copy a callflow to another name or account',
    description:
      'In another account, users, menus, voicemail boxes and what else the flow refers to are found by their names; where one is missing, all that are missing are named and nothing is sent. Numbers and patterns are unique in an account: a copy in the same account gets numbers of its own, and no patterns.',
    arguments: namedArguments,
    options: copyOptions,
    effect: 'write',
    examples: {
      "telctl callflows copy 'Main line' --to-name 'Second line' --numbers +15551230009":
        'In the same account',
      "telctl callflows copy 'Main line' --to-account branch --dry-run": 'What another account would get',
    },
    operations: [
      'callflows.get',
      'callflows.list',
      'callflows.create',
      'users.list',
      'menus.list',
      'vmboxes.list',
    ],
    load: async () => (await import('./copy.ts')).copyCallflow,
  }),
];
