import type { Extension } from '../../cli/commands/extension.ts';

/** The sandbox, the console and their pages. */
export const sandbox: Extension = {
  name: 'sandbox',
  nouns: [
    {
      name: 'sandbox',
      group: 'Start here',
      after: 'api',
      summary: 'Run the service on this machine, to try things',
      commands: async () => (await import('./commands/commands.ts')).sandboxCommands,
    },
    {
      name: 'console',
      group: 'Look things up',
      after: 'find',
      summary: 'Look at the service, or at a kept plan, in a browser',
      commands: async () => (await import('./console/commands.ts')).consoleCommands,
    },
  ],
  parts: {
    checkSandboxes: async (host) => (await import('./check-sandboxes.ts')).checkSandboxes(host),
    serveInBackground: async (input, host) =>
      (await import('./background.ts')).serveInBackground(input, host),
  },
};
