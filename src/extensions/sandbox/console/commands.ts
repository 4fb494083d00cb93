import { type Command, defineCommand } from '../../../cli/command/command.ts';

export const consoleArguments = {
  plan: {
    name: 'FILE.plan',
    doc: 'Plan file of telctl plan --out to show',
    optional: true,
    completes: 'file',
  },
} as const;

export const consoleOptions = {
  port: {
    value: 'PORT',
    type: 'integer',
    minimum: 0,
    maximum: 65_535,
    doc: 'Port to listen on (default: a free port)',
  },
  noBrowser: { doc: 'Only print the address' },
} as const;

export const consoleCommands: readonly Command[] = [
  defineCommand({
    path: ['console'],
    summary: 'Show the service in a browser',
    description:
      'Serves pages about the service that you are signed in to, only on this machine, until Ctrl-C. They show accounts and their records, pictures of callflows, failing webhooks, audit findings, changes by telctl, rollouts and a saved plan. The pages are read-only and show no secrets. No token reaches the browser. The address works once, for one browser. Live requests and deliveries are not available.',
    arguments: consoleArguments,
    options: consoleOptions,
    does: ['listens', 'starts-programs'],
    effect: 'read',
    account: true,
    examples: {
      'telctl console': 'Open the console',
      'telctl console office.plan': 'Show the changes of a saved plan side by side',
      'telctl console --no-browser --port 8500': 'Print the address for a browser behind an SSH tunnel',
    },
    load: async () => (await import('./console.ts')).openConsole,
  }),
];
