import { Failure } from '../../base/failure.ts';
import type { Host } from '../../base/host/host.ts';
import { textAt } from '../../base/json.ts';
import type { RateLimit } from '../../base/rate-limit.ts';
import { messageOf } from '../../base/wording.ts';
import { Faults } from './control/faults.ts';
import { logDelivery, RequestLog, type RequestLogEntry } from './control/request-log.ts';
import { SharedLock } from './control/shared-lock.ts';
import type { SandboxMode } from './differences.ts';
import type { Seed } from './running-state.ts';
import type { RecordStorage } from './sandbox-paths.ts';
import { type ListenAddress, type ListeningSandbox, listenAt, secureServer, type Tls } from './server.ts';
import type { Put, Store } from './store/store.ts';

export interface OpenSandbox extends ListeningSandbox {
  /** Its API key is the one of now. */
  readonly seed: Seed;
  /** Name of the sandbox in its replies. */
  readonly node: string;
  /** Key taken by the requests that change the sandbox itself. */
  readonly controlKey: string;
  /** Takes another certificate, where it speaks TLS. Throws `Failure` (`usage`) where the pair does not fit. */
  renew(tls: Tls): void;
}

export interface SandboxSettings {
  readonly storage: RecordStorage;
  /** 0 takes a free one. */
  readonly port: number;
  /** Address that it listens at; left out: loopback. */
  readonly address?: string | undefined;
  /** Names by which others than this machine call it; with some of them, reading its log and its page takes the key. */
  readonly allowHosts?: readonly string[];
  readonly tls?: Tls | undefined;
  /** API key of acme where it is new; left out: one is made. */
  readonly apiKey?: string | undefined;
  /** Control key; left out: one is made. */
  readonly controlKey?: string | undefined;
  /** Called for each request and delivery. */
  readonly onEntry?: (entry: RequestLogEntry) => void;
  /** Service that it answers like. */
  readonly like?: SandboxMode | undefined;
  /** Number of requests that it lets through; left out: any number. */
  readonly rateLimit?: RateLimit | undefined;
  /** Hosts besides this machine that webhooks may be delivered to. */
  readonly allowDeliveriesTo?: readonly string[];
  /** Origins of web pages that it answers beside its own, each exactly as browsers send it. */
  readonly allowOrigins?: readonly string[] | undefined;
  /** Takes webhooks with addresses of this machine also where the service that it answers like refuses them. */
  readonly allowLoopbackHooks?: boolean | undefined;
  /** Folder of its snapshots; left out: it keeps none. */
  readonly snapshots?: string;
  /** Keeps a copy of its beginning among the snapshots, to go back to without another process. */
  readonly keepsInitialState?: true;
  /** Called when who is in it becomes another: a new API key, a snapshot of other accounts. */
  readonly onSeed?: (seed: Seed) => void;
}

const version = '5.0.0';

async function currentApiKey(store: Store, accountId: string): Promise<string | undefined> {
  const account = await store.get({ kind: 'accounts', scope: '', id: accountId });
  return account && textAt(account.hidden, 'api_key');
}

/** Tells of every API key that an account is given from now on. */
function watchApiKey(store: Store, accountId: string, tell: (apiKey: string) => void): void {
  const isOf = ({ kind, id }: Put['record']): boolean => kind === 'accounts' && id === accountId;
  store.watch((changes) => {
    for (const change of changes) {
      const apiKey =
        change.change === 'put' && isOf(change.record) ? textAt(change.record.hidden, 'api_key') : undefined;
      if (apiKey !== undefined) tell(apiKey);
    }
  });
}

/** Loads what takes long, or must not be loaded before warnings are muted. */
async function loadParts() {
  const [app, snapshots, deliverer, services] = await Promise.all([
    import('./app.ts'),
    import('./control/snapshots.ts'),
    import('./events/deliverer.ts'),
    import('./services.ts'),
  ]);
  return { ...app, ...snapshots, ...deliverer, ...services };
}

/** Refuses a Node.js without a database to keep records in. Throws `Failure`. */
function requireDatabase({ processes }: Host): void {
  if (processes.hasDatabase()) return;
  const reason = `The sandbox needs a database that Node.js ${processes.nodeVersion} does not have.`;
  throw new Failure('failed', reason, { hint: 'Use Node.js 24 or newer. All else works with this one.' });
}

/** Opens a sandbox and lets it listen. Throws `Failure` where its records or its port cannot be had. */
export async function openSandbox(host: Host, opening: SandboxSettings): Promise<OpenSandbox> {
  const {
    storage,
    port,
    address,
    tls,
    allowHosts: callers = [],
    like,
    rateLimit,
    allowDeliveriesTo: allowHosts = [],
    onSeed,
  } = opening;
  const secure = tls && (await secureServer(tls));
  host.processes.muteWarnings();
  requireDatabase(host);
  const loading = loadParts();
  const { writeSeed, openSeeded } = await import('./seed.ts');
  const { store, clock, seed: first } = await openSeeded(host, storage, opening.apiKey);
  try {
    const parts = await loading;
    const current = async (seed: Seed): Promise<Seed> => ({
      ...seed,
      apiKey: (await currentApiKey(store, seed.accountId)) ?? seed.apiKey,
    });
    let seed = await current(first);
    const random = (count: number): Buffer => Buffer.from(host.random.bytes(count));
    const node = random(16).toString('hex');
    const controlKey = opening.controlKey ?? random(32).toString('base64url');
    const log = new RequestLog();
    if (opening.onEntry) log.follow(opening.onEntry);
    const { random: hostRandom, timers } = host;
    const made = { store, clock, timers, random: hostRandom, version };
    const { allowLoopbackHooks, allowOrigins } = opening;
    const services = parts.makeServices({ ...made, like, rateLimit, allowLoopbackHooks });
    // The key pair that signs tokens takes long to make; the first sign-in waits for it, and nothing else.
    const keyed = services.authority.key().catch(() => undefined);
    const deliver = () =>
      parts.startDeliveries(services, {
        allowHosts,
        onTry: (made) => logDelivery({ clock, log }, made),
      });
    const tell = (next: Seed): void => {
      seed = next;
      onSeed?.(next);
    };
    const watchKey = () => watchApiKey(store, seed.accountId, (apiKey) => tell({ ...seed, apiKey }));
    watchKey();
    let deliveries = deliver();
    const snapshots =
      opening.snapshots === undefined
        ? undefined
        : new parts.Snapshots(store, clock, {
            folder: opening.snapshots,
            seed: () => seed,
            pause: () => deliveries.stop(),
            async resume(next) {
              writeSeed(host, storage, next);
              const isOther = next.accountId !== seed.accountId;
              tell(await current(next));
              if (isOther) watchKey();
              services.subscriptions.reload();
              deliveries = deliver();
            },
          });
    if (opening.keepsInitialState) {
      await keyed;
      await snapshots?.saveInitialState();
    }
    const control = {
      key: controlKey,
      node,
      clock,
      log,
      seed: () => seed,
      faults: new Faults(),
      lock: new SharedLock(),
      isShared: callers.length > 0,
      ...(snapshots ? { snapshots } : {}),
    };
    const reach: ListenAddress = {
      port,
      address,
      allowHosts: callers,
      allowOrigins,
      isSecure: tls !== undefined,
    };
    const app = parts.buildSandbox(
      { ...made, nodeName: node, control, serverFactory: secure?.factory },
      services,
    );
    const listening = await listenAt(app, reach).catch(async (error: unknown) => {
      await deliveries.stop();
      const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
      const why = isTaken ? 'another program has it' : messageOf(error);
      const where = address === undefined ? `port ${port}` : `${address}, port ${port}`;
      throw new Failure('failed', `The sandbox cannot listen on ${where}: ${why}.`, {
        hint: 'Give another port with --port, or none to take a free one.',
        cause: error,
      });
    });
    return {
      ...listening,
      get seed() {
        return seed;
      },
      node,
      controlKey,
      renew: (pair) => secure?.renew(pair),
      close: async () => {
        await listening.close();
        await deliveries.stop();
        await keyed;
        await store.close();
      },
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}
