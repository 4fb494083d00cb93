import type { FastifyInstance } from 'fastify';
import { Failure } from '../../base/failure.ts';
import type { Host } from '../../base/host/host.ts';
import { textAt } from '../../base/json.ts';
import type { RateLimit } from '../../base/rate-limit.ts';
import { errorMessage } from '../../base/wording.ts';
import type { AdjustableClock } from './control/adjustable-clock.ts';
import type { ControlParts } from './control/control.ts';
import { Faults } from './control/faults.ts';
import { logDelivery, RequestLog, type RequestLogEntry } from './control/request-log.ts';
import { SharedLock } from './control/shared-lock.ts';
import type { Snapshots } from './control/snapshots.ts';
import type { SandboxMode } from './differences.ts';
import type { Seed } from './running-state.ts';
import type { RecordStorage } from './sandbox-paths.ts';
import type { openSeeded } from './seed.ts';
import { type ListeningSandbox, listenAt, type SecureServer, secureServer, type Tls } from './server.ts';
import type { Services } from './services.ts';
import type { Store, StoredRecord } from './store/store.ts';

type SeededRecords = Awaited<ReturnType<typeof openSeeded>>;
type Deliveries = ReturnType<Modules['startDeliveries']>;

export interface OpenSandbox extends ListeningSandbox {
  /** The seed with the current API key. */
  readonly seed: Seed;
  readonly node: string;
  readonly controlKey: string;
  /** Replaces the TLS certificate. Throws `Failure` (`usage`) if the pair does not match. */
  renew(tls: Tls): void;
}

export interface SandboxSettings {
  readonly storage: RecordStorage;
  readonly port: number;
  /** Address to listen on (default: loopback). */
  readonly address?: string | undefined;
  /** Host names for callers on other machines. If any is given, the log and the page need the control key. */
  readonly allowHosts?: readonly string[];
  readonly tls?: Tls | undefined;
  /** API key of a new account (default: generated). */
  readonly apiKey?: string | undefined;
  readonly controlKey?: string | undefined;
  readonly onEntry?: (entry: RequestLogEntry) => void;
  /** The service that the sandbox imitates. */
  readonly like?: SandboxMode | undefined;
  readonly rateLimit?: RateLimit | undefined;
  /** Hosts other than this machine that receive webhooks. */
  readonly allowDeliveriesTo?: readonly string[];
  /** Origins of web pages that can call the service, as browsers send them. */
  readonly allowOrigins?: readonly string[] | undefined;
  /** True to accept webhook targets on this machine, even if the service refuses them. */
  readonly allowLoopbackHooks?: boolean | undefined;
  /** Folder of snapshots. Without it, snapshots are unavailable. */
  readonly snapshots?: string;
  /** Saves the initial state, so that a reset needs no new process. */
  readonly keepsInitialState?: true;
  /** Called for each new API key, and when a snapshot is loaded. */
  readonly onSeed?: (seed: Seed) => void;
}

const version = '5.0.0';

/** The seed of an open sandbox. It changes with the API key of its account and when a snapshot is loaded. */
class CurrentSeed {
  #value: Seed;
  readonly #onChange: ((seed: Seed) => void) | undefined;

  constructor(store: Store, value: Seed, onChange?: (seed: Seed) => void) {
    this.#value = value;
    this.#onChange = onChange;
    store.watch((changes) => {
      for (const change of changes) if (change.change === 'put') this.#noteApiKey(change.record);
    });
  }

  get value(): Seed {
    return this.#value;
  }

  replace(seed: Seed): void {
    this.#value = seed;
    this.#onChange?.(seed);
  }

  #noteApiKey({ kind, id, hidden }: StoredRecord): void {
    const apiKey =
      kind === 'accounts' && id === this.#value.accountId ? textAt(hidden, 'api_key') : undefined;
    if (apiKey !== undefined) this.replace({ ...this.#value, apiKey });
  }
}

async function withCurrentKey(store: Store, seed: Seed): Promise<Seed> {
  const account = await store.get({ kind: 'accounts', scope: '', id: seed.accountId });
  return { ...seed, apiKey: (account && textAt(account.hidden, 'api_key')) ?? seed.apiKey };
}

/** Loads the modules of a sandbox. They must load after warnings are muted. */
async function loadModules() {
  const [app, snapshots, deliverer, seed, services] = await Promise.all([
    import('./app.ts'),
    import('./control/snapshots.ts'),
    import('./events/deliverer.ts'),
    import('./seed.ts'),
    import('./services.ts'),
  ]);
  return { ...app, ...snapshots, ...deliverer, ...seed, ...services };
}

function requireDatabase({ processes }: Host): void {
  if (processes.hasDatabase()) return;
  const reason = `The sandbox needs SQLite, which Node.js ${processes.nodeVersion} does not include.`;
  throw new Failure('failed', reason, {
    hint: 'Use Node.js 24 or newer. Other commands work with this version.',
  });
}

/** Opens a sandbox and listens. Throws `Failure` if its records or its port cannot be used. */
export async function openSandbox(host: Host, settings: SandboxSettings): Promise<OpenSandbox> {
  const secure = settings.tls && (await secureServer(settings.tls));
  host.processes.muteWarnings();
  requireDatabase(host);
  const loading = loadModules();
  const { openSeeded } = await import('./seed.ts');
  const records = await openSeeded(host, settings.storage, settings.apiKey);
  try {
    return await serveRecords(host, settings, records, await loading, secure);
  } catch (error) {
    await records.store.close();
    throw error;
  }
}

type Modules = Awaited<ReturnType<typeof loadModules>>;

interface Running {
  readonly host: Host;
  readonly settings: SandboxSettings;
  readonly modules: Modules;
  readonly store: Store;
  readonly clock: AdjustableClock;
  readonly log: RequestLog;
  readonly services: Services;
  readonly seed: CurrentSeed;
}

const startDeliveries = ({ settings, modules, services, clock, log }: Running): Deliveries =>
  modules.startDeliveries(services, {
    allowHosts: settings.allowDeliveriesTo ?? [],
    onAttempt: (attempt) => logDelivery({ clock, log }, attempt),
  });

async function serveRecords(
  host: Host,
  settings: SandboxSettings,
  { store, clock, seed: opened }: SeededRecords,
  modules: Modules,
  secure: SecureServer | undefined,
): Promise<OpenSandbox> {
  const { allowHosts = [], like, rateLimit, allowLoopbackHooks } = settings;
  const node = Buffer.from(host.random.bytes(16)).toString('hex');
  const controlKey = settings.controlKey ?? Buffer.from(host.random.bytes(32)).toString('base64url');
  const log = new RequestLog();
  if (settings.onEntry) log.follow(settings.onEntry);
  const parts = { store, clock, timers: host.timers, random: host.random, version };
  const services = modules.makeServices({ ...parts, like, rateLimit, allowLoopbackHooks });
  // Generating the key pair that signs tokens takes long. Only the first sign-in waits for it.
  const keyGenerated = services.authority.key().catch(() => undefined);
  const seed = new CurrentSeed(store, await withCurrentKey(store, opened), settings.onSeed);
  const running: Running = { host, settings, modules, store, clock, log, services, seed };
  const deliveries = { current: startDeliveries(running) };
  const snapshots = openSnapshots(running, deliveries);
  if (settings.keepsInitialState) {
    await keyGenerated;
    await snapshots?.saveInitialState();
  }
  const control: ControlParts = {
    key: controlKey,
    node,
    clock,
    log,
    seed: () => seed.value,
    faults: new Faults(),
    lock: new SharedLock(),
    isShared: allowHosts.length > 0,
    ...(snapshots ? { snapshots } : {}),
  };
  const serverFactory = secure?.factory;
  const app = modules.buildSandbox({ ...parts, nodeName: node, control, serverFactory }, services);
  const listening = await listen(app, settings).catch(async (error: unknown) => {
    await deliveries.current.stop();
    throw error;
  });
  return {
    ...listening,
    get seed() {
      return seed.value;
    },
    node,
    controlKey,
    renew: (pair) => secure?.renew(pair),
    async close() {
      await listening.close();
      await deliveries.current.stop();
      await keyGenerated;
      await store.close();
    },
  };
}

/** Opens the snapshots of a sandbox. Deliveries stop while a snapshot replaces the records. */
function openSnapshots(running: Running, deliveries: { current: Deliveries }): Snapshots | undefined {
  const { host, settings, modules, store, clock, services, seed } = running;
  if (settings.snapshots === undefined) return undefined;
  return new modules.Snapshots(store, clock, {
    folder: settings.snapshots,
    seed: () => seed.value,
    pause: () => deliveries.current.stop(),
    async resume(next) {
      modules.writeSeed(host, settings.storage, next);
      seed.replace(await withCurrentKey(store, next));
      services.subscriptions.reload();
      deliveries.current = startDeliveries(running);
    },
  });
}

async function listen(
  app: FastifyInstance,
  { port, address, allowHosts = [], allowOrigins, tls }: SandboxSettings,
): Promise<ListeningSandbox> {
  try {
    return await listenAt(app, { port, address, allowHosts, allowOrigins, isSecure: tls !== undefined });
  } catch (error) {
    const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
    const why = isTaken ? 'another program has it' : errorMessage(error);
    const where = address === undefined ? `port ${port}` : `${address}, port ${port}`;
    throw new Failure('failed', `The sandbox cannot listen on ${where}: ${why}.`, {
      hint: 'Choose another port with --port, or omit it to use a free one.',
      cause: error,
    });
  }
}
