import { type Command, defineCommand } from '../../command/command.ts';

const show = defineCommand({
  path: ['accounts', 'api-key', 'show'],
  summary: "Show the account's API key",
  arguments: {},
  options: {},
  effect: 'read',
  examples: [{ line: 'telctl accounts api-key show --reveal', doc: 'In the clear' }],
  operations: ['accounts.api-key'],
  load: async () => (await import('./api-key-show.ts')).showApiKey,
});

const rotate = defineCommand({
  path: ['accounts', 'api-key', 'rotate'],
  summary: "Replace the account's API key; the old one stops working at once",
  description:
    'Replaces the key, stores the new one wherever this machine stores the old one, signs in with it, and shows that the service refuses the old one.',
  arguments: {},
  options: {},
  effect: 'destructive',
  examples: [
    { line: 'telctl accounts api-key rotate', doc: 'Asks first' },
    { line: 'telctl accounts api-key rotate --yes --reveal', doc: 'Prints the new key for other machines' },
  ],
  operations: ['accounts.rotate-api-key', 'accounts.api-key', 'tokens.api-auth'],
  load: async () => (await import('./api-key-rotate.ts')).rotateApiKey,
});

/** Everything under `telctl accounts api-key`. */
export const apiKeyCommands: readonly Command[] = [show, rotate];
