import { Failure } from '../../contract/failure.ts';
import type { Host } from '../../host/host.ts';
import type { Seed } from '../../sandbox/seed.ts';
import type { ListeningSandbox } from '../../sandbox/server.ts';
import { databaseIn, type Keeping, seedIn } from './places.ts';

/** A sandbox that listens, with whom it was seeded. */
export interface OpenSandbox extends ListeningSandbox {
  /** Its API key is the one of now. */
  readonly seed: Seed;
  /** How its replies name it. */
  readonly node: string;
  /** What changes the sandbox itself takes this. */
  readonly controlKey: string;
}

/** How a sandbox is opened. */
export interface Opening {
  readonly keeping: Keeping;
  /** 0 takes a free one. */
  readonly port: number;
  /** Answers only what the specification documents. */
  readonly strict?: boolean;
  /** Called when the account's API key becomes another. */
  readonly onApiKey?: (apiKey: string) => void;
}

/** Release version that the sandbox names in its replies. */
const version = '5.0.0';

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The seed kept beside a database; a database without one cannot be signed in to. */
function keptSeed({ files }: Host, folder: string): Seed {
  const text = files.readText(seedIn(folder))?.text;
  // Written below, whole or not at all.
  if (text !== undefined) return JSON.parse(text) as Seed;
  throw new Failure('failed', `${seedIn(folder)} is missing: nobody knows the passwords of that sandbox.`, {
    hint: 'Begin anew with: telctl sandbox reset, or give another folder with --data.',
  });
}

/** SQLite's number for a database that another process holds. */
const sqliteBusy = 5;

/** Opens the records, making them where there are none. */
async function openRecords(host: Host, keeping: Keeping) {
  const { openStore } = await import('../../sandbox/store.ts');
  if (keeping.kind === 'memory') return openStore(':memory:');
  const path = databaseIn(keeping.folder);
  try {
    // Made empty first, so that the database and all beside it are the owner's alone.
    if (host.files.sizeOf(path) === undefined) host.files.writePrivate(path, '');
    return openStore(path);
  } catch (error) {
    if (error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy)
      throw new Failure('failed', `another sandbox uses the records in ${keeping.folder}.`, { cause: error });
    throw new Failure('failed', `${path} cannot be opened: ${wordsOf(error)}.`, { cause: error });
  }
}

/** A key pair for a sandbox that has none yet; made while the rest is loaded. */
async function firstKey(host: Host, keeping: Keeping) {
  if (keeping.kind === 'folder' && host.files.sizeOf(databaseIn(keeping.folder))) return undefined;
  const { makeSigningKey } = await import('../../sandbox/signing-key.ts');
  return makeSigningKey(Buffer.from(host.random.bytes(16)).toString('hex'));
}

/** Opens a sandbox and lets it listen. Throws `Failure` where its records or its port cannot be had. */
export async function openSandbox(host: Host, opening: Opening): Promise<OpenSandbox> {
  const { keeping, port, strict = false, onApiKey = () => undefined } = opening;
  host.processes.muteWarnings();
  const key = firstKey(host, keeping);
  const [
    { buildSandbox },
    { listenLocally },
    { currentApiKey, isSeeded, seedSandbox },
    { watchApiKey },
    { turnedClock },
    { RequestLog },
  ] = await Promise.all([
    import('../../sandbox/app.ts'),
    import('../../sandbox/server.ts'),
    import('../../sandbox/seed.ts'),
    import('../../sandbox/watch-api-key.ts'),
    import('../../sandbox/control/turned-clock.ts'),
    import('../../sandbox/control/request-log.ts'),
  ]);
  const signingKey = await key;
  const store = await openRecords(host, keeping);
  try {
    const kept =
      keeping.kind === 'folder' && (await isSeeded(store)) ? keptSeed(host, keeping.folder) : undefined;
    const seed = kept ?? (await seedSandbox(store, { ...host, signingKey }));
    if (!kept && keeping.kind === 'folder') {
      host.files.writePrivate(seedIn(keeping.folder), `${JSON.stringify(seed, null, 2)}\n`);
    }
    const node = Buffer.from(host.random.bytes(16)).toString('hex');
    const controlKey = Buffer.from(host.random.bytes(32)).toString('base64url');
    const clock = await turnedClock(host.clock, store);
    watchApiKey(store, seed.accountId, onApiKey);
    const app = buildSandbox({
      store,
      clock,
      random: host.random,
      version,
      nodeName: node,
      strict,
      control: { key: controlKey, clock, log: new RequestLog() },
    });
    const listening = await listenLocally(app, port).catch((error: unknown) => {
      throw new Failure('failed', `The sandbox cannot listen on port ${port}: ${wordsOf(error)}.`, {
        hint: 'Give another port with --port, or none to take a free one.',
        cause: error,
      });
    });
    return {
      ...listening,
      seed: { ...seed, apiKey: (await currentApiKey(store, seed.accountId)) ?? seed.apiKey },
      node,
      controlKey,
      close: async () => {
        await listening.close();
        await store.close();
      },
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}
