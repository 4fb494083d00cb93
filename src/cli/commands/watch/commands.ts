import { type Command, defineCommand } from '../../command/command.ts';
import { listenOptions } from '../webhooks/event-commands.ts';

export const watchOptions = {
  every: {
    value: 'DURATION',
    doc: 'Time between refreshes, longer if the service allows fewer requests (default: 5s, with webhooks 30s)',
  },
  poll: { doc: 'Poll the service instead of creating webhooks', excludes: ['port', 'public-url'] },
  port: listenOptions.port,
  publicUrl: listenOptions.publicUrl,
} as const;

export const watchCommands: readonly Command[] = [
  defineCommand({
    path: ['watch'],
    summary: 'Watch live calls, registrations and failing webhooks, until q or Ctrl-C',
    description:
      'At a terminal, shows a screen that refreshes; press q to quit. Otherwise prints a line for each change: a leg that starts, is answered or ends, the number of registrations, a webhook that starts to fail. If the service runs here or --public-url is set, temporary webhooks trigger refreshes. Otherwise telctl polls the service. The screen shows which.',
    arguments: {},
    options: watchOptions,
    does: ['listens'],
    effect: 'read',
    worst: 'write',
    neverPays: true,
    examples: {
      'telctl watch': 'Show live calls',
      'telctl watch --every 30s -o ndjson': 'Print changes for a program',
      'telctl watch --port 4040 --public-url https://tunnel.example/events':
        'Receive events from a remote service, through a tunnel to port 4040',
    },
    operations: [
      'channels.list',
      'channels.get',
      'registrations.count',
      'users.list',
      'webhooks.list',
      'webhooks.attempts-all',
      'webhooks.create',
      'webhooks.delete',
    ],
    load: async () => (await import('./watch.ts')).watchAccount,
  }),
];
