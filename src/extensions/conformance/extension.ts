import type { Extension } from '../../cli/commands/extension.ts';

/** The probe of what a service offers. */
export const conformance: Extension = {
  name: 'conformance',
  nouns: [
    {
      name: 'conformance',
      group: 'Look things up',
      after: 'doctor',
      summary: 'Which operations a service offers, and in which shapes',
      commands: async () => (await import('./commands.ts')).conformanceCommands,
    },
  ],
};
