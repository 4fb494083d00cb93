import type { Command } from '../../command/command.ts';
import { webhooks } from '../../contract/resources/webhooks.ts';
import { inputOptions } from '../generic/input-options.ts';
import { modifierOptions } from './trigger/trigger-command.ts';

/** Options of `webhooks create` beside those of its fields. */
export const customDataOptions = {
  ...modifierOptions,
  custom: {
    flag: 'custom',
    value: 'KEY=TEXT',
    repeat: true,
    doc: 'A property that goes into every payload; not for secrets, which others could see in the list of processes',
  },
  secret: {
    flag: 'secret',
    value: 'generate',
    choices: ['generate'],
    doc: 'Make a long secret, put it into every payload as "secret", and print it once',
    excludes: ['secret-stdin', 'secret-file'],
  },
  secretIn: {
    flag: 'secret-in',
    value: 'custom_data|uri',
    choices: ['custom_data', 'uri'],
    doc: 'Where the secret goes: into every payload, or into the address as ?secret=',
    needs: ['secret', 'secret-stdin', 'secret-file'],
  },
  secretStdin: {
    flag: 'secret-stdin',
    doc: 'Read the secret from standard input',
    excludes: ['secret-file'],
  },
  secretFile: { flag: 'secret-file', value: 'FILE', doc: 'Read the secret from a file', completes: 'file' },
  secretOut: {
    flag: 'secret-out',
    value: 'FILE',
    doc: 'Write the generated secret to this new file (0600) instead of printing it',
    needs: ['secret'],
    completes: 'file',
  },
} as const;

/** `telctl webhooks create`: that of every resource, and what makes `custom_data` without a file. */
export const createCommand = (generic: Command): Command => ({
  path: generic.path,
  summary: generic.summary,
  arguments: generic.arguments,
  effect: generic.effect,
  operations: ['webhooks.create', 'webhooks.hooks'],
  description:
    'No signature proves that an event comes from the service; a long secret in every payload, or in the address, is what there is instead (Events, delivery rule 6).',
  get options() {
    return { ...inputOptions(webhooks), ...customDataOptions };
  },
  examples: [
    {
      line: 'telctl webhooks create --name crm --uri https://crm.example/hook --hook channel_destroy --format json --secret generate',
      doc: 'Its secret is printed once, on stdout',
    },
    {
      line: 'telctl webhooks create --name audit --uri https://audit.example/in --hook object --type user --action all --secret generate --secret-out audit.secret',
      doc: 'Changes of users; the secret goes to a file',
    },
    ...generic.examples,
  ],
  load: async () => (await import('./create.ts')).createWebhook,
});
