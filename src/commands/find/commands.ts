import { type Command, defineCommand } from '../../command/command.ts';

/** Arguments of `telctl find`. */
export const findArguments = {
  text: { name: 'TEXT', doc: 'A number, an id, a name, an e-mail address, or a part of one' },
} as const;
export const findOptions = {
  exact: { flag: 'exact', doc: 'Only whole values, and references to what has that name' },
} as const;

/** `telctl find`. */
export const findCommands: readonly Command[] = [
  defineCommand({
    path: ['find'],
    summary: 'Where a number, id, name or e-mail address is used',
    description:
      'Looks through the settings, users, callflows, menus, voicemail boxes, groups, directories, conferences, numbers, ports and webhooks of the account. Whole values come first, then references to what has that name, then values that hold it. Secrets are not looked at. Ends with 5 where nothing is found.',
    arguments: findArguments,
    options: findOptions,
    effect: 'read',
    examples: [
      { line: 'telctl find alice', doc: 'The user, and every callflow and group that she is in' },
      { line: 'telctl find 5551230000 --exact', doc: 'What a number is used for' },
      { line: 'telctl find alice@acme.example -o json', doc: 'For a script' },
    ],
    operations: ['users.list', 'users.get', 'callflows.list', 'callflows.get', 'numbers.list'],
    load: async () => (await import('./find.ts')).find,
  }),
];
