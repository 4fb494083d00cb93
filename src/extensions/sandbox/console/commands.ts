import { type Command, defineCommand } from '../../../cli/command/command.ts';

export const consoleArguments = {
  plan: {
    name: 'FILE.plan',
    doc: 'A plan that telctl plan --out kept, to look at',
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
    doc: 'Port of this machine to listen on; any free one where left out',
  },
  noBrowser: { doc: 'Only print the address' },
} as const;

export const consoleCommands: readonly Command[] = [
  defineCommand({
    path: ['console'],
    summary: 'Look at the service in a browser',
    description:
      'Serves pages of the service that you are signed in to, for this machine alone, until Ctrl-C: accounts and what they hold, where calls go as pictures, webhooks that fail, what an audit finds, what telctl changed, rollouts, and a kept plan, before and after. The pages change nothing and show no secrets; telctl asks the service, and no token reaches the browser. The address works once, for one browser. Requests and deliveries as they happen are known to the service alone.',
    arguments: consoleArguments,
    options: consoleOptions,
    does: ['listens', 'starts-programs'],
    effect: 'read',
    account: true,
    examples: {
      'telctl console': 'Open it',
      'telctl console office.plan': 'What a kept plan would change, side by side',
      'telctl console --no-browser --port 8500': 'Its address, for a browser behind an SSH tunnel',
    },
    load: async () => (await import('./console.ts')).openConsole,
  }),
];
