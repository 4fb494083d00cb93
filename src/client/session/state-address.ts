import { isIP } from 'node:net';
import { join } from 'node:path';
import { Failure } from '../../base/failure.ts';
import type { Host } from '../../base/host/host.ts';
import { decodeUrlPart } from '../../base/wording.ts';
import { maskUrl } from '../../contract/secrets.ts';
import type { ProgramMachine } from './secret-sources.ts';

export interface StateDatabase {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly tls: boolean;
  /** Without a password. */
  readonly shown: string;
  readonly password: string | undefined;
}

const isLoopback = (host: string): boolean =>
  host.startsWith('/') ||
  host === 'localhost' ||
  host === '::1' ||
  (isIP(host) === 4 && host.startsWith('127.'));

export const isDatabase = (address: string): boolean => /^postgres(?:ql)?:\/\//i.test(address);

/**
 * Parses `postgres://USER@HOST[:PORT]/DATABASE`. Parameters are `host` (folder of a socket) and `sslmode`. Hosts
 * other than loopback always require TLS with certificate checks. Throws a `Failure` of kind `usage` that does not
 * show the password.
 */
export function parseStateDatabase(address: string, from: string): StateDatabase {
  const url = URL.parse(address);
  const invalidStateFailure = (why: string): Failure =>
    new Failure('usage', `${from} ${why}.`, { hint: 'For example: postgres://telctl@db.example/telctl' });
  if (url === null) throw invalidStateFailure('is not an address');
  const names = [...url.searchParams.keys()];
  const unknown = names.find((name) => name !== 'host' && name !== 'sslmode');
  if (unknown !== undefined)
    throw invalidStateFailure(`has the parameter ${JSON.stringify(unknown)}, which telctl does not know`);
  const socket = url.searchParams.get('host');
  if (socket !== null && !socket.startsWith('/'))
    throw invalidStateFailure('needs a folder as parameter host');
  const host = socket ?? url.hostname.replace(/^\[|\]$/g, '');
  const database = decodeUrlPart(url.pathname.slice(1));
  const user = decodeUrlPart(url.username);
  if (host === '' || !database || !user || database.includes('/'))
    throw invalidStateFailure('has to name user, host and database');
  const mode = url.searchParams.get('sslmode') ?? (isLoopback(host) ? 'disable' : 'verify-full');
  if (mode !== 'verify-full' && mode !== 'disable')
    throw invalidStateFailure('takes verify-full or disable as parameter sslmode');
  if (mode === 'disable' && !isLoopback(host))
    throw new Failure('usage', `${from} leaves TLS out, which is possible on this machine alone.`, {
      hint: 'Leave sslmode out. A certificate of your own is trusted by --ca-file FILE.',
    });
  const password = decodeUrlPart(url.password);
  const port = url.port === '' ? '' : `:${url.port}`;
  const parameters = url.search;
  return {
    host,
    database,
    user,
    port: url.port === '' ? 5432 : Number(url.port),
    tls: mode === 'verify-full',
    shown: `postgres://${url.username}@${url.hostname}${port}${url.pathname}${parameters}`,
    password: password === '' ? undefined : password,
  };
}

/** Removes the password. Throws `Failure` (`usage`) if other people could read it. */
export function checkStateAddress(address: string, from: string, mayHoldPassword: boolean): string {
  if (/^file:./.test(address)) return address;
  if (!isDatabase(address))
    throw new Failure(
      'usage',
      `${from} must be file:DIR or postgres://USER@HOST/DATABASE, not ${JSON.stringify(maskUrl(address))}.`,
    );
  const { shown, password } = parseStateDatabase(address, from);
  if (password === undefined || mayHoldPassword) return shown;
  throw new Failure('usage', `${from} contains a password that others could read.`, {
    hint: 'Set TELCTL_STATE_PASSWORD to the password, or TELCTL_STATE_PASSWORD_COMMAND to a command that prints it.',
  });
}

/**
 * Reads telctl's variable, the standard variable, the address in the environment, or the output of the command.
 * Returns `undefined` if none is set. Throws `Failure` if the command fails.
 */
export async function statePassword(host: ProgramMachine & Pick<Host, 'cwd'>): Promise<string | undefined> {
  const { env, cwd } = host;
  const {
    TELCTL_STATE_PASSWORD: own,
    TELCTL_STATE_PASSWORD_COMMAND: command,
    TELCTL_STATE: address = '',
  } = env;
  if (own) return own;
  if (command) {
    const { parseSecretCommand, readCommandSecret: secretFrom } = await import('./secret-sources.ts');
    const parsed = parseSecretCommand(command, 'TELCTL_STATE_PASSWORD_COMMAND', cwd);
    return secretFrom(host, parsed, 'password of the state');
  }
  const inAddress = isDatabase(address) ? parseStateDatabase(address, 'TELCTL_STATE').password : undefined;
  return inAddress ?? (env.PGPASSWORD || undefined);
}

type Machine = Pick<Host, 'files' | 'folders'>;

const trustedPath = ({ folders }: Machine): string => join(folders.config, 'trusted-states');

/** The user trusts these addresses in any file. */
export const trustedStates = (host: Machine): readonly string[] =>
  (host.files.readLargeText(trustedPath(host))?.text ?? '').split('\n').filter(Boolean);

export function trustState(host: Machine, address: string): void {
  const known = trustedStates(host);
  if (known.includes(address)) return;
  try {
    host.files.writePrivate(trustedPath(host), `${[...known, address].join('\n')}\n`);
  } catch (cause) {
    throw new Failure('failed', `${trustedPath(host)} cannot be written.`, { cause });
  }
}
