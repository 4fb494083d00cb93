import type { Extension } from '../../cli/commands/extension.ts';

export const calls: Extension = {
  name: 'calls',
  nouns: [
    {
      name: 'test',
      group: 'Configuration as code',
      after: 'validate',
      summary: 'Simulate the calls of case files and check the results',
      commands: async () => (await import('./commands/commands.ts')).testCommands,
    },
  ],
  commands: { callflows: async () => (await import('./commands/callflows.ts')).callflowCallCommands },
  parts: {
    lint: async () => (await import('./lint/lint.ts')).lint,
    auditEmergency: async (context) =>
      (await import('./commands/audit-emergency.ts')).auditEmergency(context),
    changedCalls: () => import('./changed-calls.ts'),
    casesSchema: async () => (await import('./cases/cases-schema.ts')).casesSchema(),
  },
};
