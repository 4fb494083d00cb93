import { Failure } from '../../../base/failure.ts';
import type { RateLimit } from '../../../base/rate-limit.ts';
import { messageOf } from '../../../base/wording.ts';
import type { Host } from '../../../host/host.ts';
import type { Seed } from '../../../sandbox/seed.ts';
import type { ListeningSandbox } from '../../../sandbox/server.ts';
import type { Like } from './behaviour.ts';
import { keepSeed, openSeeded } from './open-records.ts';
import type { Keeping } from './paths.ts';

/** A sandbox that listens, with whom it was seeded. */
export interface OpenSandbox extends ListeningSandbox {
  /** Its API key is the one of now. */
  readonly seed: Seed;
  /** Name of the sandbox in its replies. */
  readonly node: string;
  /** Key taken by the requests that change the sandbox itself. */
  readonly controlKey: string;
}

/** Options for opening a sandbox. */
export interface Opening {
  readonly keeping: Keeping;
  /** 0 takes a free one. */
  readonly port: number;
  /** Service that it answers like. */
  readonly like?: Like;
  /** Number of requests that it lets through; left out: any number. */
  readonly rateLimit?: RateLimit | undefined;
  /** Hosts besides this machine that webhooks may be delivered to. */
  readonly allowDeliveriesTo?: readonly string[];
  /** Folder of its snapshots; left out: it keeps none. */
  readonly snapshots?: string;
  /** Keeps a copy of its beginning among the snapshots, to go back to without another process. */
  readonly keepsBeginning?: true;
  /** Called when who is in it becomes another: a new API key, a snapshot of other accounts. */
  readonly onSeed?: (seed: Seed) => void;
}

/** Release version that the sandbox names in its replies. */
const version = '5.0.0';

async function loadParts() {
  const [
    app,
    faults,
    noteDeliveries,
    requestLog,
    snapshots,
    turnstile,
    deliverer,
    services,
    seed,
    server,
    apiKey,
  ] = await Promise.all([
    import('../../../sandbox/app.ts'),
    import('../../../sandbox/control/faults.ts'),
    import('../../../sandbox/control/request-log.ts'),
    import('../../../sandbox/control/request-log.ts'),
    import('../../../sandbox/control/snapshots.ts'),
    import('../../../sandbox/control/turnstile.ts'),
    import('../../../sandbox/events/deliverer.ts'),
    import('../../../sandbox/make-services.ts'),
    import('../../../sandbox/seed.ts'),
    import('../../../sandbox/server.ts'),
    import('../../../sandbox/identity/watch-api-key.ts'),
  ]);
  return {
    buildSandbox: app.buildSandbox,
    Faults: faults.Faults,
    noteDelivery: noteDeliveries.noteDelivery,
    RequestLog: requestLog.RequestLog,
    Snapshots: snapshots.Snapshots,
    Turnstile: turnstile.Turnstile,
    startDeliveries: deliverer.startDeliveries,
    makeServices: services.makeServices,
    currentApiKey: seed.currentApiKey,
    listenLocally: server.listenLocally,
    watchApiKey: apiKey.watchApiKey,
  };
}

/** Opens a sandbox and lets it listen. Throws `Failure` where its records or its port cannot be had. */
export async function openSandbox(host: Host, opening: Opening): Promise<OpenSandbox> {
  const { keeping, port, like, rateLimit, allowDeliveriesTo: allowHosts = [], onSeed } = opening;
  host.processes.muteWarnings();
  const loading = loadParts();
  const { store, clock, seed: first } = await openSeeded(host, keeping);
  try {
    const parts = await loading;
    const current = async (seed: Seed): Promise<Seed> => ({
      ...seed,
      apiKey: (await parts.currentApiKey(store, seed.accountId)) ?? seed.apiKey,
    });
    let seed = await current(first);
    const random = (count: number): Buffer => Buffer.from(host.random.bytes(count));
    const node = random(16).toString('hex');
    const controlKey = random(32).toString('base64url');
    const log = new parts.RequestLog();
    const { random: hostRandom, timers } = host;
    const made = { store, clock, timers, random: hostRandom, version };
    const services = parts.makeServices({ ...made, like, rateLimit });
    const deliver = () =>
      parts.startDeliveries(services, {
        allowHosts,
        onTry: (made) => parts.noteDelivery({ clock, log }, made),
      });
    const tell = (next: Seed): void => {
      seed = next;
      onSeed?.(next);
    };
    const watchKey = () => parts.watchApiKey(store, seed.accountId, (apiKey) => tell({ ...seed, apiKey }));
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
              keepSeed(host, keeping, next);
              const isOther = next.accountId !== seed.accountId;
              tell(await current(next));
              if (isOther) watchKey();
              services.subscriptions.reload();
              deliveries = deliver();
            },
          });
    if (opening.keepsBeginning) await snapshots?.keepBeginning();
    const control = {
      key: controlKey,
      node,
      clock,
      log,
      seed: () => seed,
      faults: new parts.Faults(),
      turnstile: new parts.Turnstile(),
      ...(snapshots ? { snapshots } : {}),
    };
    const listening = await parts
      .listenLocally(parts.buildSandbox({ ...made, nodeName: node, control }, services), port)
      .catch(async (error: unknown) => {
        await deliveries.stop();
        const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
        const why = isTaken ? 'another program has it' : messageOf(error);
        throw new Failure('failed', `The sandbox cannot listen on port ${port}: ${why}.`, {
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
      close: async () => {
        await listening.close();
        await deliveries.stop();
        await store.close();
      },
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}
