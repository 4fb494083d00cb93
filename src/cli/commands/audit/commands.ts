import { type Command, defineCommand } from '../../command/command.ts';

export const auditOptions = {
  below: { doc: 'Include the accounts below' },
  severity: {
    value: 'WORD',
    choices: ['error', 'warning', 'note'],
    doc: 'Only findings of this severity or higher',
  },
  emergency: {
    doc: 'Simulate emergency calls from each phone instead, and show their route and the address that they send',
    excludes: ['below', 'severity', 'code'],
  },
  code: { value: 'CODE', doc: 'Only findings with this code, one per row: mailbox-without-pin' },
} as const;

export const auditCommands: readonly Command[] = [
  defineCommand({
    path: ['audit'],
    summary: 'Find security risks, broken references and unused records in an account, and suggest fixes',
    description:
      'Finds users without e-mail address or phone, disabled ones who still ring, administrators; phones without owner, registration or a good password; mailboxes, conferences and disa without a good PIN; forwards to premium and satellite numbers; callflows that reach nobody; rules that never or always match; queues without agents; menus and sounds that nothing uses; idle numbers, those on missing callflows or without an emergency address; webhooks and pivots by plain HTTP, that fail or hold secrets in their address; trunks against use, and objects in no manifest. Each finding is a row: code, severity, object, sentence, next command; in a table many of one sort are one row, which --code opens. -o html makes a page of one file, to read, print or send. Finding something is no error: the exit is 0; it is 8 where something could not be read.',
    arguments: {},
    options: auditOptions,
    effect: 'read',
    documents: ['html', 'sarif'],
    examples: {
      'telctl audit': 'Check the current account',
      'telctl audit --below -o html > audit.html': 'Check all accounts and write a page',
      'telctl audit --severity warning -o json': 'Check in a script',
      'telctl audit --emergency': 'Show who can reach emergency services, and with which address',
    },
    operations: [
      'users.list',
      'users.get',
      'devices.list',
      'callflows.list',
      'callflows.get',
      'numbers.list',
      'numbers.classifiers',
      'limits.get',
      'webhooks.list',
      'webhooks.attempts-all',
      'registrations.list',
      'channels.list',
    ],
    load: async () => (await import('./audit.ts')).audit,
  }),
];
