import { defineCommand, type InputOf } from '../../command/command.ts';

const mcpOptions = {
  allowWrites: {
    flag: 'allow-writes',
    doc: 'Also offer what changes something; never charges, passwords, roles, service plans, sign-in or secrets',
  },
  allowDeletes: {
    flag: 'allow-deletes',
    doc: 'Also offer deleting records; never accounts',
    needs: ['allow-writes'],
  },
  nouns: { flag: 'nouns', value: 'A,B', doc: 'Only these nouns: users,callflows' },
} as const;

export type McpInput = InputOf<typeof mcpOptions>;

export const mcpCommand = defineCommand({
  path: ['mcp'],
  summary: 'Serve assistants: the Model Context Protocol on standard input and output',
  description:
    'One tool a noun, with its verbs as a parameter; resources explain fields, prompts are whole jobs. It reads only, unless --allow-writes is given; --allow-deletes is needed besides for deletes. It reads files below the working folder alone, and none where that is the root, a home folder, or a folder above those of telctl. Settings of this line, such as --profile and --account, hold for all that the assistant does; it cannot change them.',
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
