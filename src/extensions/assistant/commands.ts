import { defineCommand, type InputOf } from '../../cli/command/command.ts';

const mcpOptions = {
  allowWrites: {
    doc: 'Also offer what changes something; never charges, passwords, roles, service plans, sign-in or secrets',
  },
  allowDeletes: { doc: 'Also offer deleting records; never accounts', needs: ['allow-writes'] },
  allowChargesUpTo: {
    value: 'AMOUNT',
    type: 'amount',
    doc: 'Let the person at the assistant be asked to accept charges, each time, up to so much in all',
    needs: ['allow-writes'],
  },
  http: {
    value: 'ADDRESS',
    doc: 'Serve over HTTP on this machine instead: 127.0.0.1:8700',
    does: ['listens'],
  },
  tokenFile: {
    value: 'FILE',
    doc: 'File (0600) with the token that clients over HTTP send; made where there is none',
    needs: ['http'],
    does: ['reads-files', 'writes-files'],
  },
  nouns: { value: 'A,B', doc: 'Only these nouns: users,callflows' },
} as const;

export type McpInput = InputOf<typeof mcpOptions>;

const mcpCommand = defineCommand({
  path: ['mcp'],
  summary: 'Serve assistants by the Model Context Protocol',
  description:
    'On standard input and output. At most 25 tools: the nouns that are used most, with verbs as a parameter, and find_commands and run_command for all others; resources explain fields, prompts are whole jobs. It reads only, unless --allow-writes is given; --allow-deletes is needed besides for deletes. Where the assistant can ask its person, questions are asked there, and charges only there. It reads files below the working folder alone, and none where that is the root, a home folder, or a folder above those of telctl. Settings of this line, such as --profile and --account, hold for all that the assistant does; it cannot change them.',
  options: mcpOptions,
  effect: 'local',
  account: true,
  examples: {
    'telctl mcp --profile office': 'What an assistant starts, to look things up in that profile',
    'telctl mcp --allow-writes --nouns users,callflows': 'It may change users and callflows',
    'telctl mcp --allow-writes --allow-charges-up-to 50':
      'It may change, and ask you about charges of 50.00 in all',
  },
  load: async () => (await import('./serve.ts')).serveMcp,
});

const installArguments = {
  folder: {
    name: 'FOLDER',
    doc: 'Folder in which your assistant looks for skills: in your home folder, or in a project',
  },
} as const;

export type InstallInput = InputOf<Record<never, never>, typeof installArguments>;

const installCommand = defineCommand({
  path: ['mcp', 'install'],
  summary: 'Show the skill file of telctl for assistants, and write it when you agree',
  description:
    'It says how telctl is used: the rules, where to find out more, and all nouns with their verbs. It becomes telctl/SKILL.md in the folder.',
  arguments: installArguments,
  does: ['writes-files'],
  effect: 'local',
  examples: { 'telctl mcp install .skills': 'For the assistants of this project' },
  load: async () => (await import('./skill.ts')).installSkill,
});

export const mcpCommands = [mcpCommand, installCommand] as const;
