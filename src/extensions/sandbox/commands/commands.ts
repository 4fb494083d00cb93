import { type Command, defineCommand } from '../../../cli/command/command.ts';
import { execArguments, execOptions, nameOptions, serveOptions, startOptions } from './options.ts';
import { callCommands } from './simulate/call-commands.ts';
import { clockAndFaultCommands } from './simulate/faults.ts';
import { phoneCommands } from './simulate/phone-commands.ts';

export const logOptions = {
  match: {
    value: 'PATTERN',
    doc: 'Only these, by method and path, * for anything: "PUT /users*"; deliveries by address or hook: "object"',
  },
  failed: { doc: 'Only what failed: errors, lost connections, receivers that took nothing' },
  requests: { doc: 'Only requests' },
  deliveries: { doc: 'Only deliveries' },
  follow: { short: 'f', doc: 'Go on with all that comes, until Ctrl-C' },
  limit: {
    value: 'COUNT',
    type: 'integer',
    minimum: 0,
    doc: 'Number of entries, the newest; 50 by default, 10 with --follow',
  },
  ...nameOptions,
} as const;

export const pageOptions = {
  noBrowser: { doc: 'Only print the address' },
  ...nameOptions,
} as const;

export const snapshotArguments = {
  snapshot: { name: 'SNAPSHOT', doc: 'Its name: letters, digits, dots, dashes and underscores' },
} as const;

export const sandboxCommands: readonly Command[] = [
  defineCommand({
    path: ['sandbox', 'start'],
    summary: 'Start the service on this machine and sign in to it',
    description:
      'Runs the service in the background, on this machine alone, with an account acme and its administrator admin. Its records are kept between runs unless --memory is given. The profile "sandbox" is signed in.',
    options: startOptions,
    does: ['listens', 'starts-programs'],
    effect: 'local',
    examples: {
      'telctl sandbox start': 'A sandbox that remembers',
      'telctl sandbox start --memory --name try': 'A second one that forgets',
      'telctl sandbox start --like specification --name bare': 'One to try scripts on the bare specification',
    },
    load: async () => (await import('./run/start.ts')).startSandbox,
  }),
  defineCommand({
    path: ['sandbox', 'stop'],
    summary: 'Stop the sandbox',
    description: 'The one of sandbox exec ends with its command, and cannot be stopped by it.',
    options: nameOptions,
    effect: 'local',
    examples: { 'telctl sandbox stop': 'What it keeps on disk stays' },
    load: async () => (await import('./run/start.ts')).stopSandbox,
  }),
  defineCommand({
    path: ['sandbox', 'status'],
    summary: 'Whether the sandbox runs, where, and what was done to it',
    description:
      'Shows its address and process, how far its clock was turned, active faults, deliveries that wait, webhooks that are disabled, and how many snapshots there are.',
    options: nameOptions,
    effect: 'local',
    examples: { 'telctl sandbox status': 'Address, clock, faults, deliveries, snapshots' },
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
    summary: 'Run a command against a fresh sandbox, and exit as it did',
    description:
      'Starts a sandbox in memory, sets TELCTL_BASE_URL and the credentials for the command, runs it, and stops the sandbox again. All commands of telctl sandbox that it runs are for that sandbox, unless they name another by --name.',
    arguments: execArguments,
    options: execOptions,
    does: ['listens', 'starts-programs'],
    effect: 'local',
    examples: { 'telctl sandbox exec -- telctl users list': 'The users of a fresh sandbox' },
    passThrough: true,
    load: async () => (await import('./run/serve.ts')).execCommand,
  }),
  defineCommand({
    path: ['sandbox', 'reset'],
    summary: 'Erase everything in the sandbox and begin anew, or one account of it',
    description:
      'With --account, erases what that account has and nothing else: its id, its API key and the accounts below it stay. Snapshots are kept. In sandbox exec, the sandbox of exec goes back to its beginning and keeps its ids and keys.',
    options: nameOptions,
    account: true,
    effect: 'local',
    examples: {
      'telctl sandbox reset --yes': 'Back to account acme and user admin',
      'telctl sandbox reset --account acme --yes': 'acme as it was made; all others stay',
    },
    load: async () => (await import('./run/snapshots.ts')).resetSandbox,
  }),
  defineCommand({
    path: ['sandbox', 'log'],
    summary: 'Show what the sandbox was asked and what it delivered',
    description:
      'Remembers the last 1000 requests and deliveries since the sandbox was started. Secrets in addresses are masked, and bodies are not kept.',
    options: logOptions,
    effect: 'local',
    examples: {
      'telctl sandbox log': 'The last requests and deliveries',
      'telctl sandbox log --follow --failed': 'What fails, while it happens',
      'telctl sandbox log --deliveries --match object': 'What webhooks were told of objects',
      'telctl sandbox log --match "PUT /users*" -o ndjson': 'For a script',
    },
    load: async () => (await import('./run/log.ts')).showLog,
  }),
  defineCommand({
    path: ['sandbox', 'page'],
    summary: 'Look at the sandbox in a browser',
    description:
      'Prints the address of the page that shows what the sandbox holds, what it is asked and what it delivers, and opens it in the browser where the output is a terminal. The page changes nothing and shows no secrets.',
    options: pageOptions,
    effect: 'local',
    examples: {
      'telctl sandbox page': 'Open it',
      'telctl sandbox page --no-browser': 'Its address, to be copied',
    },
    load: async () => (await import('./run/status.ts')).showPage,
  }),
  ...callCommands,
  ...phoneCommands,
  ...clockAndFaultCommands,
  defineCommand({
    path: ['sandbox', 'snapshot', 'save'],
    summary: 'Keep everything in the sandbox under a name, to come back to',
    description:
      'Keeps records, passwords, tokens, waiting deliveries and the time. It is whole or not there. It lies in the folder of the sandbox and outlives telctl sandbox reset.',
    arguments: snapshotArguments,
    options: nameOptions,
    effect: 'local',
    examples: { 'telctl sandbox snapshot save before-import': 'Before something is tried' },
    load: async () => (await import('./run/snapshots.ts')).saveSnapshot,
  }),
  defineCommand({
    path: ['sandbox', 'snapshot', 'load'],
    summary: 'Replace everything in the sandbox with a snapshot',
    description:
      'Requests under way end first; then all records and the time are those of the snapshot, and the profile is signed in anew.',
    arguments: snapshotArguments,
    options: nameOptions,
    effect: 'local',
    examples: { 'telctl sandbox snapshot load before-import --yes': 'Back again' },
    load: async () => (await import('./run/snapshots.ts')).loadSnapshot,
  }),
  defineCommand({
    path: ['sandbox', 'snapshot', 'list'],
    summary: 'List the snapshots of the sandbox',
    options: nameOptions,
    effect: 'local',
    examples: { 'telctl sandbox snapshot list': 'Names, sizes, and when they were made' },
    load: async () => (await import('./run/snapshots.ts')).listSnapshots,
  }),
  defineCommand({
    path: ['sandbox', 'snapshot', 'delete'],
    summary: 'Delete a snapshot',
    arguments: snapshotArguments,
    options: nameOptions,
    effect: 'local',
    examples: { 'telctl sandbox snapshot delete before-import --yes': 'Without asking' },
    load: async () => (await import('./run/snapshots.ts')).deleteSnapshot,
  }),
  defineCommand({
    path: ['sandbox', 'serve'],
    summary: 'Run the sandbox in the foreground, for a container or a team',
    description:
      'Runs until it is told to end (Ctrl-C, SIGTERM), then answers what is under way and closes its records. Each request and delivery is a line of JSON on stdout. With --allow-host others than this machine reach it: then the log, the page and what changes the sandbox take its control key, and wrong keys and passwords are counted. GET /sandbox/health answers 200 while it works. Keys are never printed: give them by TELCTL_SANDBOX_API_KEY and TELCTL_SANDBOX_KEY, or in files.',
    options: serveOptions,
    does: ['listens'],
    effect: 'local',
    streams: true,
    examples: {
      'telctl sandbox serve --memory --port 8080': 'In this terminal, for this machine alone',
      'telctl sandbox serve --listen 0.0.0.0 --port 8080 --allow-host sandbox --data /data':
        'In a container; its name in the network is sandbox',
      'telctl sandbox serve --listen 0.0.0.0 --port 8443 --allow-host sandbox.acme.example --tls-cert tls.crt --tls-key tls.key':
        'For a team, with TLS',
    },
    load: async () => (await import('./run/serve.ts')).serveSandbox,
  }),
];
