import { type Command, defineCommand } from '../../command/command.ts';

export const watchOptions = {
  every: {
    flag: 'every',
    value: 'DURATION',
    doc: 'Pause between two looks: 5s by default; longer where the service allows fewer requests',
  },
} as const;

/** `telctl watch`. */
export const watchCommands: readonly Command[] = [
  defineCommand({
    path: ['watch'],
    summary: 'Watch live calls, registrations and failing webhooks, until Ctrl-C',
    description:
      'At a terminal it is one screen, drawn anew with each look. Elsewhere each change is a line: a leg that starts, is answered or ends, the number of registrations, a webhook that begins to fail.',
    arguments: {},
    options: watchOptions,
    effect: 'read',
    examples: [
      { line: 'telctl watch', doc: 'Who is on the phone now' },
      { line: 'telctl watch --every 30s -o ndjson', doc: 'What happens, for a program' },
    ],
    operations: ['channels.list', 'webhooks.list', 'webhooks.attempts-all'],
    load: async () => (await import('./watch.ts')).watchAccount,
  }),
];
