import { type Command, defineCommand } from '../../cli/command.ts';

/** What `keys get` takes. */
export const keyArguments = { id: { name: 'ID', doc: 'Its id' } } as const;
export const keyOptions = {
  pem: { flag: 'pem', doc: 'The public key as a PEM file, byte for byte' },
} as const;

const list = defineCommand({
  path: ['keys', 'list'],
  summary: 'List the ids of the keys that sign tokens',
  arguments: {},
  options: {},
  effect: 'read',
  examples: [{ line: 'telctl keys list', doc: 'All key ids' }],
  operations: ['keys.list'],
  load: async () => (await import('./list.ts')).listKeys,
});

const get = defineCommand({
  path: ['keys', 'get'],
  summary: 'Show a public key',
  arguments: keyArguments,
  options: keyOptions,
  effect: 'read',
  examples: [{ line: 'telctl keys get ID --pem', doc: 'For a program that checks tokens' }],
  operations: ['keys.get'],
  load: async () => (await import('./get.ts')).getKey,
});

/** Everything under `telctl keys`. */
export const keysCommands: readonly Command[] = [list, get];
