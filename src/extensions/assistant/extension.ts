import type { Extension } from '../../cli/commands/extension.ts';

export const assistant: Extension = {
  name: 'assistant',
  nouns: [
    {
      name: 'mcp',
      group: 'Look things up',
      after: 'commands',
      summary: 'Serve assistants by the Model Context Protocol',
      commands: async () => (await import('./commands.ts')).mcpCommands,
    },
  ],
};
