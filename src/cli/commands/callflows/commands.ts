import { callflows } from '../../../contract/resources/callflows.ts';
import { type Command, defineCommand } from '../../command/command.ts';
import { describeNames, genericCommands } from '../generic/commands.ts';
import { resumeOption, setOption } from '../manifest-options.ts';

export const namedArguments = {
  id: { name: 'ID', doc: describeNames(callflows.naturalKeys), completes: { resource: 'callflows' } },
} as const;
export const callflowCopyOptions = {
  toName: { value: 'NAME', doc: 'Name of the copy (default when copying to another account: same name)' },
  toAccount: {
    value: 'ACCOUNT',
    doc: 'Id, name or realm of the target account (default: the same account)',
  },
  numbers: {
    value: 'NUMBERS',
    repeat: true,
    doc: 'Numbers of the copy, separated by commas, required in the same account',
  },
  ...setOption,
  ...resumeOption,
} as const;

export const showCallflowOptions = {
  as: {
    value: 'FORM',
    choices: ['tree', 'mermaid', 'dot', 'svg'],
    doc: 'Format: tree, mermaid diagram, Graphviz dot or svg picture (default: tree)',
  },
} as const;

export const callflowsCommands: readonly Command[] = [
  ...genericCommands(callflows, ['callflows']),
  defineCommand({
    path: ['callflows', 'show'],
    summary: 'Show what happens to a call, step by step',
    arguments: namedArguments,
    options: showCallflowOptions,
    effect: 'read',
    examples: {
      'telctl callflows show +15551230000 --as tree': 'Find the callflow by one of its numbers',
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
      'In another account, telctl finds the users, menus, voicemail boxes and other records of the flow by name. If some are missing, it lists them and sends no request. Numbers and patterns are unique in an account, so a copy in the same account needs new numbers and has no patterns.',
    arguments: namedArguments,
    options: callflowCopyOptions,
    effect: 'write',
    examples: {
      "telctl callflows copy 'Main line' --to-name 'Second line' --numbers +15551230009":
        'Copy within the account',
      "telctl callflows copy 'Main line' --to-account branch --dry-run":
        'Show what would be created in another account',
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
