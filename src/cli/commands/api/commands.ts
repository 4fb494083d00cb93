import { type Command, defineCommand } from '../../command/command.ts';

export const apiArguments = {
  method: {
    name: 'METHOD',
    doc: 'GET, PUT, POST, PATCH or DELETE',
    choices: ['GET', 'PUT', 'POST', 'PATCH', 'DELETE'],
  },
  path: {
    name: 'PATH',
    doc: 'Path with its prefix, in which {account_id} is replaced by the id of the current account',
  },
} as const;

export const apiOptions = {
  file: {
    short: 'f',
    value: 'FILE',
    doc: 'YAML or JSON body, or - for standard input, wrapped in "data" if it has no such key',
  },
  field: { value: 'PATH=TEXT', repeat: true, doc: 'Set one field of data to text' },
  paginate: { doc: 'Fetch all pages of a list', only: { METHOD: ['GET'] }, excludes: ['include'] },
  force: { doc: 'Delete a record even if other records refer to it' },
  confirm: {
    value: 'NAME',
    doc: 'Name to confirm without being asked: of the account, the user or the host of the service',
  },
  include: { doc: 'Also show the status and headers of the response' },
} as const;

export const apiCommands: readonly Command[] = [
  defineCommand({
    path: ['api'],
    does: ['shows-secrets', 'sign-in', 'privileges', 'costs', 'deletes'],
    summary: 'Send any request with your credentials',
    description:
      'Sends one request with the token of the session and prints the response as JSON. Secrets of documented operations are masked unless you pass --reveal. Documented requests ask the same questions as their commands, and follow --dry-run and the protection by manifests and profiles. A new API key is stored as by `accounts api-key rotate`.',
    arguments: apiArguments,
    options: apiOptions,
    // The effect depends on the method, so the handler guards changes.
    account: true,
    effect: 'read',
    worst: 'charges',
    examples: {
      'telctl api GET /v2/accounts/{account_id}/users --paginate':
        'List all users as the service returns them',
      'telctl api PATCH /v2/accounts/{account_id} --field timezone=Europe/Zurich': 'Change a field',
    },
    load: async () => (await import('./send.ts')).sendRequest,
  }),
];
