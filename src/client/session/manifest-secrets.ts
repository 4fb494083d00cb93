import { isAbsolute } from 'node:path';
import { Failure } from '../../base/failure.ts';
import type { Host } from '../../base/host/host.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import { findNearest } from '../../base/nearest.ts';
import { configPath, malformedFile, readConfig } from './profile-store.ts';
import { runSecretCommand, type SecretCommand } from './secret-sources.ts';

type ManifestSecret = { readonly text: string } | { readonly problem: string };

/**
 * Milliseconds for which the output of a program is used again. A rollout to many accounts reads a manifest many
 * times.
 */
const keptMs = 300_000;

interface CachedSecret {
  readonly atMs: number;
  readonly text: Promise<string>;
}

const cachedSecrets = new WeakMap<Host['processes'], Map<string, CachedSecret>>();

/**
 * Returns the secrets of the user's configuration (`secrets: {NAME: {command: [...]}}`) that a manifest uses. A
 * secret is the output of its program without the last line end. Programs run one by one, because the user may have
 * to touch a key. Throws `Failure`: `failed` for a damaged configuration, `auth` if a program prints no secret.
 */
export async function manifestSecrets(
  host: Host,
  names: readonly string[],
  timeoutMs: number,
): Promise<ReadonlyMap<string, ManifestSecret>> {
  const commands = secretCommands(host);
  const found = new Map<string, ManifestSecret>();
  for (const name of names) {
    const command = commands.get(name);
    if (command !== undefined) found.set(name, { text: await readSecret(host, name, command, timeoutMs) });
    else {
      const near = findNearest(name, commands.keys());
      found.set(name, {
        problem: `no program for the secret is named in ${configPath(host)}${near === undefined ? '' : `; did you mean \${secret.${near}}?`}`,
      });
    }
  }
  return found;
}

function readSecret(host: Host, name: string, command: SecretCommand, timeoutMs: number): Promise<string> {
  const own = cachedSecrets.get(host.processes) ?? new Map<string, CachedSecret>();
  cachedSecrets.set(host.processes, own);
  const key = JSON.stringify([name, command]);
  const before = own.get(key);
  const now = host.clock.now();
  if (before !== undefined && now - before.atMs < keptMs) return before.text;
  const text = runForSecret(host, name, command, timeoutMs);
  own.set(key, { atMs: now, text });
  // A failed program runs again on the next use.
  text.catch(() => own.delete(key));
  return text;
}

async function runForSecret(
  host: Host,
  name: string,
  command: SecretCommand,
  timeoutMs: number,
): Promise<string> {
  const text = await runSecretCommand(host, command, {
    what: `secret ${name}`,
    hint: `Run it by hand to see why. Its command is in ${configPath(host)}, under secrets.${name}.`,
    timeoutMs,
    run: host.processes.runForManifest,
  });
  return text.replace(/\r?\n$/, '');
}

/** Returns the programs by name of the secret. Throws `Failure` (`failed`) for an invalid one. */
function secretCommands(host: Host): ReadonlyMap<string, SecretCommand> {
  const path = configPath(host);
  const { secrets = {} } = readConfig(host) ?? {};
  if (!isObject(secrets)) throw malformedFile(path, '"secrets" is not an object');
  return new Map(
    Object.entries(secrets).map(([name, value]) => {
      const command = isObject(value) ? parseCommand(value) : undefined;
      if (command === undefined)
        throw malformedFile(path, `secrets.${name} must be {"command": ["PROGRAM", "ARGUMENT", …]}`);
      const [program] = command;
      // A relative path would depend on the working folder.
      if (/[/\\]/.test(program) && !isAbsolute(program))
        throw new Failure('refused', `secrets.${name} has a relative path to its program: ${program}`, {
          hint: `Write the absolute path or only the name in ${path}.`,
        });
      return [name, command] as const;
    }),
  );
}

function parseCommand({ command }: JsonObject): SecretCommand | undefined {
  if (!Array.isArray(command)) return undefined;
  const words = command.filter((word) => typeof word === 'string');
  const [program, ...args] = words;
  return words.length < command.length || program === undefined || program === ''
    ? undefined
    : [program, ...args];
}
