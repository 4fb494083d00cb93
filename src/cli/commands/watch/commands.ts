import { type Command, defineCommand } from '../../command/command.ts';
import { listenOptions } from '../webhooks/event-commands.ts';

export const watchOptions = {
  every: {
    value: 'DURATION',
    doc: 'Pause between two looks: 5s by default, 30s beside webhooks; longer where the service allows fewer requests',
  },
  poll: { doc: 'Create no webhooks; only look again after each pause', excludes: ['port', 'public-url'] },
  port: listenOptions.port,
  publicUrl: listenOptions.publicUrl,
} as const;

export const watchCommands: readonly Command[] = [
  defineCommand({
    path: ['watch'],
    summary: 'Watch live calls, registrations and failing webhooks, until q or Ctrl-C',
    description:
      'At a terminal it is one screen, drawn anew with each look; q ends it. Elsewhere each change is a line: a leg that starts, is answered or ends, the number of registrations, a webhook that begins to fail. Where the service reaches this machine, because it runs here or --public-url says how, temporary webhooks of live calls tell when to look, as those of webhooks listen; elsewhere the service is polled. The screen says which.',
    arguments: {},
    options: watchOptions,
    does: ['listens'],
    effect: 'read',
    worst: 'write',
    neverPays: true,
    examples: {
      'telctl watch': 'Who is on the phone now',
      'telctl watch --every 30s -o ndjson': 'What happens, for a program',
      'telctl watch --port 4040 --public-url https://tunnel.example/events':
        'Refreshed by a service elsewhere, through a tunnel to port 4040',
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
