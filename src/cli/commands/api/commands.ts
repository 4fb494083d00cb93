import { type Command, defineCommand } from '../../command/command.ts';

export const apiArguments = {
  method: {
    name: 'METHOD',
    doc: 'GET, PUT, POST, PATCH or DELETE',
    choices: ['GET', 'PUT', 'POST', 'PATCH', 'DELETE'],
  },
  path: { name: 'PATH', doc: 'Path with its prefix; {account_id} stands for the account acted on' },
} as const;

export const apiOptions = {
  file: {
    short: 'f',
    value: 'FILE',
    doc: 'Body, YAML or JSON; - is standard input. Without a key "data" it is wrapped into one',
  },
  field: { value: 'PATH=TEXT', repeat: true, doc: 'Set one field of data to text' },
  paginate: { doc: 'Follow all pages of a list', only: { METHOD: ['GET'] }, excludes: ['include'] },
  force: { doc: 'Delete a record even if other records refer to it, as its command does' },
  confirm: {
    value: 'NAME',
    doc: 'Answers a question for a name: of the account, of the user, or of the host of the service',
  },
  include: { doc: 'Show status and headers of the reply, too' },
} as const;

export const apiCommands: readonly Command[] = [
  defineCommand({
    path: ['api'],
    does: ['shows-secrets', 'sign-in', 'privileges', 'costs', 'deletes'],
    summary: 'Any request, signed',
    description:
      'Sends one request with the token of the session and prints the reply as JSON. Secrets of documented operations are masked unless --reveal is given. A request that is known asks what its command asks (names, charges, what refers to a record that is deleted), and obeys --dry-run, manifests that protect, and protected profiles; a new API key is kept as by accounts api-key rotate.',
    arguments: apiArguments,
    options: apiOptions,
    // What it does depends on the method; the handler guards what changes something.
    account: true,
    effect: 'read',
    worst: 'charges',
    examples: {
      'telctl api GET /v2/accounts/{account_id}/users --paginate': 'All users, as the service lists them',
      'telctl api PATCH /v2/accounts/{account_id} --field timezone=Europe/Zurich': 'Change a field',
    },
    load: async () => (await import('./send.ts')).sendRequest,
  }),
];
