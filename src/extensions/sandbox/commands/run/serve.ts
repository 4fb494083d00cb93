import { join, resolve } from 'node:path';
import { itemQueue, memoize } from '../../../../base/concurrency.ts';
import { createHint, Failure, nextStep } from '../../../../base/failure.ts';
import type { Host } from '../../../../base/host/host.ts';
import type { JsonObject } from '../../../../base/json.ts';
import { sandboxEnvironment } from '../../../../base/program-environment.ts';
import type { InputOf } from '../../../../cli/command/command.ts';
import type { Context } from '../../../../cli/command/context.ts';
import type { Result } from '../../../../cli/command/result.ts';
import { dryRunMessage } from '../../../../cli/commands/change.ts';
import { openFileWarning } from '../../../../client/session/secret-sources.ts';
import { controlAt } from '../../control-client.ts';
import { runningState } from '../../running-state.ts';
import {
  addressVariable,
  apiKeyVariable,
  keyVariable,
  type SandboxPaths,
  sandboxesFolder,
  sandboxNameOption,
  sandboxPathsOf,
  sandboxVariables,
  selectStorage,
  withSandboxVariables,
} from '../../sandbox-paths.ts';
import {
  checkKey,
  closeSandbox,
  createStateFile,
  keyFromVariable,
  readOptionFile,
  readTls,
  waitForInterrupt,
  watchCertificate,
} from '../../sandbox-process.ts';
import { behaviourFromOptions, type execArguments, type execOptions, type serveOptions } from '../options.ts';
import { applySeeds } from './launch.ts';

type Input = InputOf<typeof serveOptions>;

/** Maximum number of log lines that wait for a slow reader. */
const waitingAtMost = 10_000;

/** Reads a key from a file or a variable. Throws `Failure` (`usage`). */
const readKey = (host: Host, option: string, path: string | undefined, variable: string) =>
  path === undefined
    ? keyFromVariable(host, variable)
    : checkKey(readOptionFile(host, option, path).trim(), `${option} ${path}`);

/** Reads the options for access from other machines. Throws `Failure` (`usage`) if they contradict each other. */
async function readListenOptions(host: Host, { listen, allowHost, tlsCert, tlsKey }: Input) {
  const { isLoopbackAddress } = await import('../../../../base/host/loopback-server.ts');
  const { isIP } = await import('node:net');
  const address = listen?.replace(/^\[(.*)\]$/, '$1');
  if (address !== undefined && address !== 'localhost' && isIP(address) === 0)
    throw new Failure('usage', `--listen must be an address of this machine, not "${listen}".`, {
      hint: 'Use --listen 0.0.0.0 for all addresses. Pass the port with --port.',
    });
  if (address !== undefined && !isLoopbackAddress(address) && allowHost.length === 0)
    throw new Failure(
      'usage',
      `--listen ${address} lets other machines connect, but --allow-host is missing.`,
      {
        hint: 'Pass every host name that its users use, such as --allow-host sandbox.acme.example',
      },
    );
  for (const name of allowHost)
    if (!/^(?:[a-z\d](?:[\w.-]*[a-z\d])?|\[[\da-f:.]+\])(?::\d{1,5})?$/i.test(name))
      throw new Failure('usage', `--allow-host must be a host name or an address, not "${name}".`, {
        hint: 'For example: --allow-host sandbox.acme.example, or with a port: --allow-host sandbox.acme.example:8443',
      });
  const files = tlsCert === undefined || tlsKey === undefined ? undefined : { cert: tlsCert, key: tlsKey };
  return {
    files,
    address,
    allowHosts: allowHost,
    tls: files && readTls(host, files),
    isOpen: address !== undefined && !isLoopbackAddress(address),
  };
}

async function refuseSecond(host: Host, paths: SandboxPaths): Promise<void> {
  const other = await runningState(host, paths);
  if (!other || other.pid === host.processes.pid) return;
  throw new Failure('conflict', `Sandbox ${paths.name} is already running at ${other.baseUrl}.`, {
    hint: createHint`${nextStep`sandbox stop ${sandboxNameOption(paths)}`}, or start this one with --name NAME`,
  });
}

/** Creates the lines of the log. Drops and counts lines that a slow reader does not read in time. */
function openLog({ clock }: Pick<Host, 'clock'>) {
  const lines = itemQueue<JsonObject>();
  const logLine = (event: string, facts: JsonObject): JsonObject => ({
    time: new Date(clock.now()).toISOString(),
    event,
    ...facts,
  });
  let dropped = 0;
  return {
    add(event: string, facts: JsonObject = {}): void {
      if (lines.waiting() >= waitingAtMost) {
        dropped += 1;
        return;
      }
      if (dropped > 0) lines.add(logLine('dropped', { lines: dropped }));
      dropped = 0;
      lines.add(logLine(event, facts));
    },
    end: lines.end,
    /** Yields lines until the end. Always calls `finish`, even if the reader of the log has closed it. */
    async *read(finish: () => Promise<void>): AsyncGenerator<JsonObject> {
      try {
        yield* lines.read();
        yield logLine('stopped', {});
      } finally {
        await finish();
      }
    },
  };
}

/** Runs a sandbox in this process until Ctrl-C or SIGTERM. Prints its log unless `--no-log` is set. */
export async function serveSandbox(input: Input, { host, notices }: Context): Promise<Result> {
  const log = openLog(host);
  const done = await startServing(input, host, notices, log);
  if (input.noLog) {
    await waitForInterrupt(host);
    await done();
    return { kind: 'done', message: 'Sandbox stopped.' };
  }
  const finish = memoize(done);
  const stop = async (): Promise<void> => {
    await waitForInterrupt(host);
    log.add('stopping');
    await finish().finally(log.end);
  };
  // An error while stopping is thrown at the end of the log.
  stop().catch(() => undefined);
  return {
    kind: 'list',
    items: log.read(finish),
    live: [],
    noun: 'lines',
    columns,
    summary: () => 'Sandbox stopped.',
  };
}

async function startServing(
  input: Input,
  host: Host,
  notices: Context['notices'],
  log: ReturnType<typeof openLog>,
): Promise<() => Promise<void>> {
  const paths = sandboxPathsOf(host, input.name);
  const storage = selectStorage(host, paths, input);
  const { isOpen, files, ...reach } = await readListenOptions(host, input);
  const apiKey = readKey(host, '--api-key-file', input.apiKeyFile, apiKeyVariable);
  const controlKey = readKey(host, '--control-key-file', input.controlKeyFile, keyVariable);
  for (const path of [input.apiKeyFile, input.controlKeyFile, input.tlsKey])
    for (const line of path === undefined ? [] : openFileWarning(host, path)) notices.warn(line);
  await refuseSecond(host, paths);
  const behaviour = behaviourFromOptions(input);
  const { like, rateLimit, allowDeliveriesTo } = behaviour;
  const absolutePath = (path: string): string => resolve(host.cwd, path);
  const state = createStateFile(host, paths, {
    storage,
    like,
    rateLimit,
    allowDeliveriesTo,
    tls: files && { cert: absolutePath(files.cert), key: absolutePath(files.key) },
    isServed: true,
  });
  const { openSandbox } = await import('../../open-sandbox.ts');
  const sandbox = await openSandbox(host, {
    storage,
    apiKey,
    controlKey,
    ...reach,
    ...behaviour,
    port: input.port ?? 0,
    snapshots:
      input.data !== undefined && storage.kind === 'folder'
        ? join(storage.folder, 'snapshots')
        : paths.snapshots,
    onSeed: state.onSeed,
    ...(input.noLog
      ? {}
      : { onEntry: ({ kind, time, ...entry }) => log.add(kind, { ...entry, sandbox_time: time }) }),
  });
  state.begin(sandbox, reach.tls?.cert);
  const endRenewing = watchCertificate(host, sandbox, { tls: reach.tls, files }, (event, facts, { cert }) => {
    if (event === 'certificate_renewed') state.renewed(cert);
    if (!input.noLog) log.add(event, facts);
  });
  host.allowFinish();
  log.add('started', {
    base_url: sandbox.baseUrl,
    account_id: sandbox.seed.accountId,
    records: storage.kind === 'folder' ? storage.folder : null,
  });
  if (isOpen && !reach.tls)
    notices.warn(
      'Other machines use plain HTTP. Put the sandbox behind a proxy with TLS, or in a private network.',
    );
  if (apiKey !== undefined && apiKey !== sandbox.seed.apiKey)
    notices.warn('The API key is ignored, because the records already exist. Account acme keeps its key.');
  return async () => {
    endRenewing();
    await closeSandbox(host, sandbox);
    state.end();
  };
}

const columns = [
  { header: 'TIME', paths: ['time'] },
  { header: 'EVENT', paths: ['event'] },
  { header: 'METHOD', paths: ['method'] },
  { header: 'STATUS', paths: ['status'] },
  { header: 'PATH', paths: ['path'] },
];

/** Runs a command against a fresh sandbox in memory, and exits with its code. */
export async function execCommand(
  input: InputOf<typeof execOptions, typeof execArguments>,
  { host, options }: Context,
): Promise<Result> {
  const [program = '', ...args] = input.command;
  const behaviour = behaviourFromOptions(input);
  if (options.dryRun) return dryRunMessage(`run ${program} against a fresh sandbox`);
  const snapshots = join(sandboxesFolder(host), `.exec-${host.processes.pid}`);
  const { openSandbox } = await import('../../open-sandbox.ts');
  const sandbox = await openSandbox(host, {
    storage: { kind: 'memory' },
    port: 0,
    ...behaviour,
    snapshots,
    keepsInitialState: true,
  });
  try {
    const own = sandboxVariables(sandbox.baseUrl, sandbox.seed);
    const { baseUrl, controlKey } = sandbox;
    await applySeeds(
      host,
      controlAt({ host }, { kind: 'exec', baseUrl, controlKey }, sandbox),
      input.seed,
      own,
    );
    const env = sandboxEnvironment(
      { ...host, env: withSandboxVariables(host.env, {}) },
      { ...own, [addressVariable]: sandbox.baseUrl, [keyVariable]: sandbox.controlKey },
    );
    const { code, signal } = await host.processes.runAttached(program, args, env, host.interrupted);
    return { kind: 'program', code: signal ? 128 + host.processes.signalNumber(signal) : (code ?? 1) };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT') throw new Failure('usage', `Program ${program} not found.`, { cause: error });
    if (code === 'EACCES' || code === 'ENOEXEC' || code === 'ENOTDIR')
      throw new Failure('usage', `Program ${program} cannot be run (${code}).`, { cause: error });
    throw error;
  } finally {
    await sandbox.close();
    host.files.remove(snapshots);
  }
}
