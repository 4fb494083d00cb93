import type { Extension } from '../../cli/commands/extension.ts';

/** Many accounts and many processes: rollouts, regular checks, and state in PostgreSQL. */
export const fleet: Extension = {
  name: 'fleet',
  nouns: [
    {
      name: 'rollout',
      group: 'Configuration as code',
      after: 'undo',
      summary: 'Apply a manifest to many accounts, in waves',
      commands: async () => (await import('./rollout/commands.ts')).rolloutCommands,
    },
    {
      name: 'reconcile',
      group: 'Configuration as code',
      after: 'rollout',
      summary: 'Check for drift from a manifest regularly',
      commands: async () => (await import('./reconcile/commands.ts')).reconcileCommands,
    },
  ],
  parts: {
    applyFleet: async (context, input, file) =>
      (await import('./rollout/start.ts')).applyFleet(context, input, file),
    openDatabaseState: async (parts) =>
      (await import('./postgres/open-database.ts')).openDatabaseState(parts),
    readRollouts: async (context) => (await import('./rollout/read-rollouts.ts')).readRollouts(context),
  },
};
