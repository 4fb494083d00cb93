import { defineCommand, type InputOf } from '../../cli/command/command.ts';

const mcpOptions = {
  allowWrites: {
    doc: 'Also offer commands that change records, except charges, passwords, roles, service plans, sign-in and secrets',
  },
  allowDeletes: { doc: 'Also offer commands that delete records, except accounts', needs: ['allow-writes'] },
  allowChargesUpTo: {
    value: 'AMOUNT',
    type: 'amount',
    doc: 'Ask the user before accepting charges, up to this total',
    needs: ['allow-writes'],
  },
  http: {
    value: 'ADDRESS',
    doc: 'Serve over HTTP at this local address, such as 127.0.0.1:8700',
    does: ['listens'],
  },
  tokenFile: {
    value: 'FILE',
    doc: 'File (0600) with the token for HTTP clients, created if it is missing',
    needs: ['http'],
    does: ['reads-files', 'writes-files'],
  },
  nouns: { value: 'A,B', doc: 'Offer only these nouns, such as users,callflows' },
} as const;

export type McpInput = InputOf<typeof mcpOptions>;

const mcpCommand = defineCommand({
  path: ['mcp'],
  summary: 'Serve assistants by the Model Context Protocol',
  description:
    'Serves on standard input and output, with at most 25 tools. Common nouns are tools with verbs as a parameter. find_commands and run_command cover all other commands. Resources explain fields, and prompts describe whole jobs. The server is read-only unless you pass --allow-writes. Deletes also need --allow-deletes. If the client supports questions, you answer them there. Charges are only accepted that way. The server reads only files below the working folder. It reads no files if that is the root, a home folder or a folder above those of telctl. The assistant cannot change the settings of this command, such as --profile and --account.',
  options: mcpOptions,
  effect: 'local',
  account: true,
  examples: {
    'telctl mcp --profile office': 'Serve read-only with the profile office',
    'telctl mcp --allow-writes --nouns users,callflows': 'Allow changes to users and callflows',
    'telctl mcp --allow-writes --allow-charges-up-to 50':
      'Allow changes, and charges up to 50.00 if you agree',
  },
  load: async () => (await import('./serve.ts')).serveMcp,
});

const installArguments = {
  folder: {
    name: 'FOLDER',
    doc: 'Skills folder of your assistant, in your home folder or in a project',
  },
} as const;

export type SkillInput = InputOf<Record<never, never>, typeof installArguments>;

const installCommand = defineCommand({
  path: ['mcp', 'install'],
  summary: 'Write a skill file for assistants',
  description:
    'The file explains the rules of telctl, where to find help, and all nouns with their verbs. telctl shows it, and writes telctl/SKILL.md in the folder if you agree.',
  arguments: installArguments,
  does: ['writes-files'],
  effect: 'local',
  examples: { 'telctl mcp install .skills': 'Write the MCP configuration of a project' },
  load: async () => (await import('./skill.ts')).installSkill,
});

export const mcpCommands = [mcpCommand, installCommand] as const;
