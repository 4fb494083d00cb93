import { type Command, defineCommand } from '../../command/command.ts';

const whoami = defineCommand({
  path: ['whoami'],
  summary: 'Show who and where you are',
  arguments: {},
  options: {},
  account: false,
  effect: 'read',
  examples: [
    { line: 'telctl whoami', doc: 'Profile, service, account, user, and where each secret lies' },
    { line: 'telctl whoami -o json --query account_id', doc: 'The account id for a script' },
  ],
  operations: ['users.get'],
  load: async () => (await import('./whoami.ts')).whoami,
});

/** `telctl whoami`. */
export const whoamiCommands: readonly Command[] = [whoami];
