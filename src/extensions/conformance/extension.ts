import type { Extension } from '../../cli/commands/extension.ts';

export const conformance: Extension = {
  name: 'conformance',
  nouns: [
    {
      name: 'conformance',
      group: 'Look things up',
      after: 'doctor',
      summary: 'Detect which operations a service supports',
      commands: async () => (await import('./commands.ts')).conformanceCommands,
    },
  ],
};
