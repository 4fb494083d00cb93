import type { Extension } from '../../cli/commands/extension.ts';

export const sandbox: Extension = {
  name: 'sandbox',
  nouns: [
    {
      name: 'sandbox',
      group: 'Start here',
      after: 'api',
      summary: 'Run the service on this machine, for tests',
      commands: async () => (await import('./commands/commands.ts')).sandboxCommands,
    },
    {
      name: 'console',
      group: 'Look things up',
      after: 'find',
      summary: 'Show the service or a saved plan in a browser',
      commands: async () => (await import('./console/commands.ts')).consoleCommands,
    },
  ],
  parts: {
    checkSandboxes: async (host) => (await import('./check-sandboxes.ts')).checkSandboxes(host),
    serveInBackground: async (input, host) =>
      (await import('./background.ts')).serveInBackground(input, host),
  },
};
