import { defineCommand, type InputOf } from '../../command/command.ts';

const mcpOptions = {
  allowWrites: {
    flag: 'allow-writes',
    doc: 'Offer what changes something, too; never charges, deletes of accounts, or resets of keys and secrets',
  },
  nouns: { flag: 'nouns', value: 'A,B', doc: 'Only these nouns: users,callflows' },
} as const;

export type McpInput = InputOf<typeof mcpOptions>;

/** `telctl mcp`. */
export const mcpCommand = defineCommand({
  path: ['mcp'],
  summary: 'Serve assistants: the Model Context Protocol on standard input and output',
  description:
    'One tool a noun, with its verbs as a parameter; resources explain fields, prompts are whole jobs. It reads only, unless --allow-writes is given. Settings of this line, such as --profile and --account, hold for all that the assistant does; it cannot change them.',
  arguments: {},
  options: mcpOptions,
  effect: 'local',
  account: true,
  examples: [
    {
      line: 'telctl mcp --profile office',
      doc: 'What an assistant starts, to look things up in that profile',
    },
    { line: 'telctl mcp --allow-writes --nouns users,callflows', doc: 'It may change users and callflows' },
  ],
  load: async () => (await import('./serve.ts')).serveMcp,
});
