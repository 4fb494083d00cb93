import { type Command, defineCommand } from '../../command/command.ts';
import { callflows } from '../../contract/resources/callflows.ts';
import { alternatives } from '../generic/commands.ts';

/** Arguments of `callflows copy`. */
export const copyArguments = {
  id: { name: 'ID', doc: alternatives(callflows.naturalKeys), completes: { resource: 'callflows' } },
} as const;
export const copyOptions = {
  toName: {
    flag: 'to-name',
    value: 'NAME',
    doc: 'Name of the copy; its own where it goes to another account',
  },
  toAccount: {
    flag: 'to-account',
    value: 'ACCOUNT',
    doc: 'Account that gets the copy, by id, name or realm; the same one where left out',
  },
  numbers: {
    flag: 'numbers',
    value: 'NUMBERS',
    repeat: true,
    doc: 'Numbers that lead to the copy, separated by commas; needed in the same account',
  },
} as const;

/** `callflows copy`. */
export const copyCommand: Command = defineCommand({
  path: ['callflows', 'copy'],
  summary: 'Copy a callflow to another name or account',
  description:
    'In another account, users, menus, voicemail boxes and what else the flow refers to are found by their names; where one is missing, all that are missing are named and nothing is sent. Numbers and patterns are unique in an account: a copy in the same account gets numbers of its own, and no patterns.',
  arguments: copyArguments,
  options: copyOptions,
  effect: 'write',
  examples: [
    {
      line: "telctl callflows copy 'Main line' --to-name 'Second line' --numbers +15551230009",
      doc: 'In the same account',
    },
    {
      line: "telctl callflows copy 'Main line' --to-account branch --dry-run",
      doc: 'What another account would get',
    },
  ],
  operations: ['callflows.get', 'callflows.create', 'users.list', 'menus.list', 'vmboxes.list'],
  load: async () => (await import('./copy.ts')).copyCallflow,
});
