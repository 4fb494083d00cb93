import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Host } from '../../base/host/host.ts';
import type { JsonObject } from '../../base/json.ts';
import type { StoredToken } from './profile.ts';
import { readSecretFile } from './secret-sources.ts';
import type { Who } from './sign-in.ts';

/** A token in its file; tokens of the environment carry what a profile would say. */
export interface CachedToken extends StoredToken {
  readonly who?: Who;
  readonly prefix?: string;
}

/** The file that keeps one token from run to run. */
export interface TokenCache {
  readonly path: string;
  /** The kept token; `undefined` where there is none, or none that can be read. */
  read(): CachedToken | undefined;
  /** Stores a token. If that fails, warns once and goes on without. */
  write(token: CachedToken): void;
  forget(): void;
  /** Runs `work` alone among all telctl processes of this user; without a lock if none can be had. */
  alone<T>(work: () => Promise<T>): Promise<T>;
}

export const profileTokenPath = ({ folders }: Pick<Host, 'folders'>, name: string): string =>
  join(folders.config, 'tokens', `${name}.json`);

/** Returns the path of the token of environment variables: named by service and by who signs in, both hashed. */
export function environmentTokenPath(
  { folders }: Pick<Host, 'folders'>,
  baseUrl: string,
  who: string,
): string {
  const name = createHash('sha256').update(`${baseUrl}\n${who}`).digest('hex');
  return join(folders.cache, 'tokens', `env-${name}.json`);
}

/** Opens the cache of one token. `warn` gets a line about a file that is open to others, damaged or not writable. */
export function openTokenCache(host: Host, path: string, warn: (line: string) => void): TokenCache {
  const { files } = host;
  const said = new Set<string>();
  const warnOnce = (line: string): void => {
    if (said.size === 0) warn(line);
    said.add(line);
  };
  return {
    path,
    read() {
      const file = readSecretFile(host, path);
      if (file.kind === 'none') return undefined;
      const token = file.kind === 'read' ? parseToken(file.value) : undefined;
      if (token === undefined) warnOnce(`The token in ${path} cannot be read; a new one takes its place.`);
      else if (file.kind === 'read') for (const line of file.trouble) warnOnce(line);
      return token;
    },
    write(token) {
      try {
        files.writePrivate(path, `${JSON.stringify(token)}\n`);
      } catch (error) {
        warnOnce(`The token cannot be kept in ${path} (${reasonOf(error)}); each command signs in again.`);
      }
    },
    forget() {
      files.remove(path);
    },
    async alone(work) {
      let begun = false;
      try {
        return await files.withLock(
          path,
          () => {
            begun = true;
            return work();
          },
          { signal: host.interrupted },
        );
      } catch (error) {
        // Only trouble with the lock itself is passed over: the token is worth more than its file.
        if (begun) throw error;
        return work();
      }
    },
  };
}

/** A token cache in the memory of one client, which ends with it. */
export function memoryTokenCache(): TokenCache {
  let kept: CachedToken | undefined;
  return {
    path: '',
    read: () => kept,
    write(token) {
      kept = token;
    },
    forget() {
      kept = undefined;
    },
    alone: (work) => work(),
  };
}

const reasonOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : String(error);

function parseToken(value: JsonObject): CachedToken | undefined {
  const { token, issuedAtMs, expiresAtMs, who, prefix } = value;
  if (typeof token !== 'string' || typeof issuedAtMs !== 'number' || typeof expiresAtMs !== 'number')
    return undefined;
  return {
    token,
    issuedAtMs,
    expiresAtMs,
    ...(isWho(who) ? { who } : {}),
    ...(typeof prefix === 'string' ? { prefix } : {}),
  };
}

const isWho = (value: unknown): value is Who =>
  typeof value === 'object' && value !== null && 'accountId' in value && typeof value.accountId === 'string';
