import { Failure } from '../../contract/failure.ts';
import type { Host } from '../../host/host.ts';
import type { Seed } from '../../sandbox/seed.ts';
import type { ListeningSandbox } from '../../sandbox/server.ts';
import { databaseIn, type Keeping, seedIn } from './places.ts';

/** A sandbox that listens, with whom it was seeded. */
export interface OpenSandbox extends ListeningSandbox {
  readonly seed: Seed;
  /** How its replies name it. */
  readonly node: string;
}

/** Release version that the sandbox names in its replies. */
const version = '5.0.0';

/** The seed kept beside a database; a database without one cannot be signed in to. */
function keptSeed({ files }: Host, folder: string): Seed {
  const text = files.readText(seedIn(folder))?.text;
  if (text !== undefined) return JSON.parse(text) as Seed;
  throw new Failure('failed', `${seedIn(folder)} is missing: nobody knows the passwords of that sandbox.`, {
    hint: 'Begin anew with: telctl sandbox reset, or give another folder with --data.',
  });
}

/**
 * Opens a sandbox: its store, made and seeded where it is new, and its port (0: a free one). Throws `Failure`
 * where the port is taken or the records cannot be opened.
 */
export async function openSandbox(host: Host, keeping: Keeping, port: number): Promise<OpenSandbox> {
  host.processes.muteWarnings();
  const [{ buildSandbox }, { listenLocally }, { isSeeded, seedSandbox }, { openStore }] = await Promise.all([
    import('../../sandbox/app.ts'),
    import('../../sandbox/server.ts'),
    import('../../sandbox/seed.ts'),
    import('../../sandbox/store.ts'),
  ]);
  const open = (): ReturnType<typeof openStore> => {
    if (keeping.kind === 'memory') return openStore(':memory:');
    const path = databaseIn(keeping.folder);
    // Made empty first, so that the database and all beside it are the owner's alone.
    if (host.files.sizeOf(path) === undefined) host.files.writePrivate(path, '');
    try {
      return openStore(path);
    } catch (error) {
      throw new Failure('failed', `${path} cannot be opened: ${wordsOf(error)}.`, {
        hint: 'Does another sandbox use the folder? telctl sandbox status',
        cause: error,
      });
    }
  };
  const store = open();
  const known = await isSeeded(store);
  const seed =
    known && keeping.kind === 'folder' ? keptSeed(host, keeping.folder) : await seedSandbox(store, host);
  if (!known && keeping.kind === 'folder') {
    host.files.writePrivate(seedIn(keeping.folder), JSON.stringify(seed));
  }
  const node = Buffer.from(host.random.bytes(16)).toString('hex');
  const app = buildSandbox({ store, clock: host.clock, random: host.random, version, nodeName: node });
  try {
    const listening = await listenLocally(app, port);
    return {
      ...listening,
      seed,
      node,
      close: async () => {
        await listening.close();
        await store.close();
      },
    };
  } catch (error) {
    await store.close();
    throw new Failure('failed', `The sandbox cannot listen on port ${port}: ${wordsOf(error)}.`, {
      hint: 'Give another port with --port, or none to take a free one.',
      cause: error,
    });
  }
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
