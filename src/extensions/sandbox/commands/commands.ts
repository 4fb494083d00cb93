import { type Command, defineCommand } from '../../../cli/command/command.ts';
import { execArguments, execOptions, nameOptions, serveOptions, startSandboxOptions } from './options.ts';
import { callCommands } from './simulate/call-commands.ts';
import { clockAndFaultCommands } from './simulate/faults.ts';
import { phoneCommands } from './simulate/phone-commands.ts';

export const requestLogOptions = {
  match: {
    value: 'PATTERN',
    doc: 'Only entries that match: requests by method and path ("PUT /users*"), deliveries by address or hook ("object")',
  },
  failed: { doc: 'Only failures: errors, lost connections, failed deliveries' },
  requests: { doc: 'Only requests' },
  deliveries: { doc: 'Only deliveries' },
  follow: { short: 'f', doc: 'Print new entries until Ctrl-C' },
  limit: {
    value: 'COUNT',
    type: 'integer',
    minimum: 0,
    doc: 'Number of latest entries (default: 50, with --follow 10)',
  },
  ...nameOptions,
} as const;

export const pageOptions = {
  noBrowser: { doc: 'Only print the address' },
  ...nameOptions,
} as const;

export const snapshotArguments = {
  snapshot: { name: 'SNAPSHOT', doc: 'Name of the snapshot: letters, digits, dots, dashes and underscores' },
} as const;

export const sandboxCommands: readonly Command[] = [
  defineCommand({
    path: ['sandbox', 'start'],
    summary: 'Start a sandbox on this machine and sign in to it',
    description:
      'Runs the service in the background, only for this machine, with an account acme and its administrator admin. Its records are kept between runs unless you pass --memory. The profile "sandbox" is signed in.',
    options: startSandboxOptions,
    does: ['listens', 'starts-programs'],
    effect: 'local',
    examples: {
      'telctl sandbox start': 'Start a sandbox that keeps its records',
      'telctl sandbox start --memory --name try': 'Start a second one in memory',
      'telctl sandbox start --like specification --name bare':
        'Test scripts against the specification without conventions',
    },
    load: async () => (await import('./run/start.ts')).startSandboxCommand,
  }),
  defineCommand({
    path: ['sandbox', 'stop'],
    summary: 'Stop the sandbox',
    description: 'A sandbox of sandbox exec stops when its command exits. The command cannot stop it.',
    options: nameOptions,
    effect: 'local',
    examples: { 'telctl sandbox stop': 'Stop it and keep its records' },
    load: async () => (await import('./run/start.ts')).stopSandbox,
  }),
  defineCommand({
    path: ['sandbox', 'status'],
    summary: 'Show whether the sandbox runs, and its state',
    description:
      'Shows its address and process, its clock, active faults, pending deliveries, disabled webhooks and the number of snapshots.',
    options: nameOptions,
    effect: 'local',
    examples: { 'telctl sandbox status': 'Show its address, clock, faults, deliveries and snapshots' },
    load: async () => (await import('./run/status.ts')).showStatus,
  }),
  defineCommand({
    path: ['sandbox', 'env'],
    summary: 'Print the variables that point telctl at the sandbox',
    options: nameOptions,
    effect: 'local',
    examples: { 'telctl sandbox env': 'For a shell: eval "$(telctl sandbox env)"' },
    load: async () => (await import('./run/status.ts')).printEnvironment,
  }),
  defineCommand({
    path: ['sandbox', 'exec'],
    summary: 'Run a command against a fresh sandbox, and exit with its code',
    description:
      'Starts a sandbox in memory, sets TELCTL_BASE_URL and credentials, runs the command, and stops the sandbox. Every telctl sandbox command that it runs uses this sandbox, unless it passes --name.',
    arguments: execArguments,
    options: execOptions,
    does: ['listens', 'starts-programs'],
    effect: 'local',
    examples: { 'telctl sandbox exec -- telctl users list': 'List the users of a fresh sandbox' },
    passThrough: true,
    load: async () => (await import('./run/serve.ts')).execCommand,
  }),
  defineCommand({
    path: ['sandbox', 'reset'],
    summary: 'Erase all data of the sandbox or of one account',
    description:
      'With --account, erases only the records of that account. Its id, its API key and the accounts below it are kept. Snapshots are kept. In sandbox exec, the sandbox returns to its initial state and keeps its ids and keys.',
    options: nameOptions,
    account: true,
    effect: 'local',
    examples: {
      'telctl sandbox reset --yes': 'Return to account acme and user admin',
      'telctl sandbox reset --account acme --yes': 'Return acme to its initial state and keep other accounts',
    },
    load: async () => (await import('./run/snapshots.ts')).resetSandbox,
  }),
  defineCommand({
    path: ['sandbox', 'log'],
    summary: 'Show requests to the sandbox and its deliveries',
    description:
      'Shows the last 1000 requests and deliveries since the sandbox started. Secrets in addresses are masked. Bodies are not kept.',
    options: requestLogOptions,
    effect: 'local',
    examples: {
      'telctl sandbox log': 'Show the latest requests and deliveries',
      'telctl sandbox log --follow --failed': 'Follow failures',
      'telctl sandbox log --deliveries --match object': 'Show deliveries of object events',
      'telctl sandbox log --match "PUT /users*" -o ndjson': 'Print requests as NDJSON for a script',
    },
    load: async () => (await import('./run/log.ts')).showLog,
  }),
  defineCommand({
    path: ['sandbox', 'page'],
    summary: 'Open the page of the sandbox in a browser',
    description:
      'Prints the address of a page with the records, requests and deliveries of the sandbox. Opens it in the browser if the output is a terminal. The page is read-only and shows no secrets.',
    options: pageOptions,
    effect: 'local',
    examples: {
      'telctl sandbox page': 'Open the page',
      'telctl sandbox page --no-browser': 'Print the address only',
    },
    load: async () => (await import('./run/status.ts')).showPage,
  }),
  ...callCommands,
  ...phoneCommands,
  ...clockAndFaultCommands,
  defineCommand({
    path: ['sandbox', 'snapshot', 'save'],
    summary: 'Save the state of the sandbox as a snapshot',
    description:
      'Saves records, passwords, tokens, pending deliveries and the time in the folder of the sandbox. telctl sandbox reset keeps snapshots.',
    arguments: snapshotArguments,
    options: nameOptions,
    effect: 'local',
    examples: { 'telctl sandbox snapshot save before-import': 'Save the state before an experiment' },
    load: async () => (await import('./run/snapshots.ts')).saveSnapshot,
  }),
  defineCommand({
    path: ['sandbox', 'snapshot', 'load'],
    summary: 'Restore the sandbox from a snapshot',
    description:
      'Waits for running requests, replaces all records and the time, and signs the profile in again.',
    arguments: snapshotArguments,
    options: nameOptions,
    effect: 'local',
    examples: { 'telctl sandbox snapshot load before-import --yes': 'Return to the saved state' },
    load: async () => (await import('./run/snapshots.ts')).loadSnapshot,
  }),
  defineCommand({
    path: ['sandbox', 'snapshot', 'list'],
    summary: 'List the snapshots of the sandbox',
    options: nameOptions,
    effect: 'local',
    examples: { 'telctl sandbox snapshot list': 'List names, sizes and creation times' },
    load: async () => (await import('./run/snapshots.ts')).listSnapshots,
  }),
  defineCommand({
    path: ['sandbox', 'snapshot', 'delete'],
    summary: 'Delete a snapshot',
    arguments: snapshotArguments,
    options: nameOptions,
    effect: 'local',
    examples: { 'telctl sandbox snapshot delete before-import --yes': 'Delete without asking' },
    load: async () => (await import('./run/snapshots.ts')).deleteSnapshot,
  }),
  defineCommand({
    path: ['sandbox', 'serve'],
    summary: 'Run the sandbox in the foreground, for a container or a team',
    description:
      'Runs until Ctrl-C or SIGTERM, then finishes running requests and closes its records. Prints each request and delivery as a line of JSON. With --allow-host, other machines can connect. The log, the page and all controls then need the control key, and failed sign-ins are limited. GET /sandbox/health returns 200 while it works. Keys are never printed: set TELCTL_SANDBOX_API_KEY and TELCTL_SANDBOX_KEY, or pass files.',
    options: serveOptions,
    does: ['listens'],
    effect: 'local',
    streams: true,
    examples: {
      'telctl sandbox serve --memory --port 8080': 'Run in this terminal, only for this machine',
      'telctl sandbox serve --listen 0.0.0.0 --port 8080 --allow-host sandbox --data /data':
        'Run in a container with the host name sandbox',
      'telctl sandbox serve --listen 0.0.0.0 --port 8443 --allow-host sandbox.acme.example --tls-cert tls.crt --tls-key tls.key':
        'Run for a team, with TLS',
    },
    load: async () => (await import('./run/serve.ts')).serveSandbox,
  }),
];
