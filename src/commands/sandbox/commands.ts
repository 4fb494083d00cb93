import { type Command, defineCommand } from '../../command/command.ts';
import { callCommands } from './drill/call-commands.ts';
import { drillCommands } from './drill/drill-commands.ts';
import { keepCommands } from './drill/keep-commands.ts';
import { watchCommands } from './drill/watch-commands.ts';
import { execArguments, execOptions, nameOptions, serveOptions, startOptions } from './options.ts';

const start = defineCommand({
  path: ['sandbox', 'start'],
  summary: 'Start the service on this machine and sign in to it',
  description:
    'Runs the service in the background, on this machine alone, with an account acme and its administrator admin. Its records are kept between runs unless --memory is given. The profile "sandbox" is signed in.',
  arguments: {},
  options: startOptions,
  effect: 'local',
  examples: [
    { line: 'telctl sandbox start', doc: 'A sandbox that remembers' },
    { line: 'telctl sandbox start --memory --name try', doc: 'A second one that forgets' },
    {
      line: 'telctl sandbox start --like specification --name bare',
      doc: 'One to try scripts on the bare specification',
    },
  ],
  load: async () => (await import('./run/start.ts')).startSandbox,
});

const stop = defineCommand({
  path: ['sandbox', 'stop'],
  summary: 'Stop the sandbox',
  description: 'The one of sandbox exec ends with its command, and cannot be stopped by it.',
  arguments: {},
  options: nameOptions,
  effect: 'local',
  examples: [{ line: 'telctl sandbox stop', doc: 'What it keeps on disk stays' }],
  load: async () => (await import('./run/stop.ts')).stopSandbox,
});

const status = defineCommand({
  path: ['sandbox', 'status'],
  summary: 'Whether the sandbox runs, where, and what was done to it',
  description:
    'Shows its address and process, how far its clock was turned, active faults, deliveries that wait, webhooks that are disabled, and how many snapshots there are.',
  arguments: {},
  options: nameOptions,
  effect: 'local',
  examples: [{ line: 'telctl sandbox status', doc: 'Address, clock, faults, deliveries, snapshots' }],
  load: async () => (await import('./run/status.ts')).showStatus,
});

const env = defineCommand({
  path: ['sandbox', 'env'],
  summary: 'Print the variables that point telctl at the sandbox',
  arguments: {},
  options: nameOptions,
  effect: 'local',
  examples: [{ line: 'telctl sandbox env', doc: 'For a shell: eval "$(telctl sandbox env)"' }],
  load: async () => (await import('./run/env.ts')).printEnvironment,
});

const exec = defineCommand({
  path: ['sandbox', 'exec'],
  summary: 'Run a command against a fresh sandbox, and exit as it did',
  description:
    'Starts a sandbox in memory, sets TELCTL_BASE_URL and the credentials for the command, runs it, and stops the sandbox again. All commands of telctl sandbox that it runs are for that sandbox, unless they name another by --name.',
  arguments: execArguments,
  options: execOptions,
  effect: 'local',
  examples: [{ line: 'telctl sandbox exec -- telctl users list', doc: 'The users of a fresh sandbox' }],
  passThrough: true,
  load: async () => (await import('./run/exec.ts')).execCommand,
});

const reset = defineCommand({
  path: ['sandbox', 'reset'],
  summary: 'Erase everything in the sandbox and begin anew, or one account of it',
  description:
    'With --account, erases what that account has and nothing else: its id, its API key and the accounts below it stay. Snapshots are kept. In sandbox exec, the sandbox of exec goes back to its beginning and keeps its ids and keys.',
  arguments: {},
  options: nameOptions,
  account: true,
  effect: 'local',
  examples: [
    { line: 'telctl sandbox reset --yes', doc: 'Back to account acme and user admin' },
    { line: 'telctl sandbox reset --account acme --yes', doc: 'acme as it was made; all others stay' },
  ],
  load: async () => (await import('./run/reset.ts')).resetSandbox,
});

const serve = defineCommand({
  path: ['sandbox', 'serve'],
  summary: 'Run the sandbox in this process until it is told to end',
  arguments: {},
  options: serveOptions,
  effect: 'local',
  examples: [],
  hidden: true,
  load: async () => (await import('./run/serve.ts')).serveSandbox,
});

/** Everything under `telctl sandbox`. */
export const sandboxCommands: readonly Command[] = [
  start,
  stop,
  status,
  env,
  exec,
  reset,
  ...watchCommands,
  ...callCommands,
  ...drillCommands,
  ...keepCommands,
  serve,
];
