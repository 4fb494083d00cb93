import { type Command, defineCommand } from '../../command/command.ts';

/** `telctl doctor`. */
export const doctorCommands: readonly Command[] = [
  defineCommand({
    path: ['doctor'],
    summary: 'Check this machine and its set-up: sign-in, service, clock, files',
    description:
      'Looks and changes nothing. Shows what is in order and what is not, with what to do about it, and no secret. Exits 1 where something does not work; warnings, such as a webhook that a killed listener left behind, leave it at 0. The state of webhooks: telctl webhooks health, which exits 8 where some are failing.',
    arguments: {},
    options: {},
    effect: 'read',
    examples: [
      { line: 'telctl doctor', doc: 'When something does not work' },
      { line: 'telctl doctor -o json', doc: 'For a report' },
    ],
    operations: ['accounts.get', 'webhooks.list'],
    withoutSettings: true,
    load: async () => (await import('./doctor.ts')).doctor,
  }),
];
