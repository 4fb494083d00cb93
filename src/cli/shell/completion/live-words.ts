import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { Failure } from '../../../base/failure.ts';
import type { Host } from '../../../base/host/host.ts';
import { ownEnvironment } from '../../../base/program-environment.ts';
import { environmentName, identityVariables } from '../../../client/session/choose-identity.ts';
import { readProfiles } from '../../../client/session/profile-store.ts';
import { resolveSettings } from '../../../client/session/resolve-settings.ts';
import type { Settings } from '../../../client/session/settings.ts';
import type { ResourceName } from '../../../contract/types.ts';
import type { GlobalInput } from '../../commands/global-options.ts';
import { plainStyle } from '../../terminal/style.ts';
import { typedValue } from '../input-for.ts';
import { readRunOptions } from '../run-options.ts';
import type { Parts } from '../services.ts';

type Selectors = Pick<Partial<GlobalInput>, 'profile' | 'baseUrl' | 'account'>;

/** Reads the selectors of a line that may be incomplete or invalid. */
export function selectorsIn(words: readonly string[]): Selectors {
  return {
    profile: typedValue(words, '--profile'),
    baseUrl: typedValue(words, '--base-url'),
    account: typedValue(words, '--account'),
  };
}

/** With the startup time of telctl, a key press takes up to 200 ms. */
const maxWaitMs = 110;
const pollMs = 10;

/** Stale names are refreshed in the background. Without a cache, completion waits briefly for it. */
export function liveWords(host: Host, selectors: Selectors) {
  return {
    profiles: (): readonly string[] => ignoreFailures(() => [...readProfiles(host).profiles.keys()], []),
    async names(resource: ResourceName): Promise<readonly string[]> {
      const settings = ignoreFailures(() => resolveSettings({ options: selectors, host }), undefined);
      if (settings === undefined || settings.baseUrl.value === undefined) return [];
      const known = cachedNames(host, settings, resource);
      const now = host.clock.now();
      if (known && now - known.atMs < freshForMs) return known.names;
      // Stored before the read starts, so that the next key press does not start a second refresh.
      storeNames(host, settings, resource, { atMs: now, names: known?.names ?? [] });
      host.processes.startQuietly(
        ['__refresh-names', resource, ...asOptions(selectors)],
        ownEnvironment(host.env),
      );
      return known ? known.names : waitForCachedNames(host, settings, resource);
    },
  };
}

async function waitForCachedNames(
  host: Host,
  settings: Settings,
  resource: ResourceName,
): Promise<readonly string[]> {
  const until = host.clock.now() + maxWaitMs;
  while (host.clock.now() < until) {
    await host.clock.sleep(pollMs);
    const { names } = cachedNames(host, settings, resource) ?? { names: [] };
    if (names.length > 0) return names;
  }
  return [];
}

function asOptions({ profile, baseUrl, account }: Selectors): readonly string[] {
  const option = (flag: string, value: string | undefined) =>
    value === undefined ? [] : [`${flag}=${value}`];
  return [...option('--profile', profile), ...option('--base-url', baseUrl), ...option('--account', account)];
}

/** Ignores a damaged file, because the commands that need the file report it. */
export function ignoreFailures<T, O>(read: () => T, otherwise: O): T | O {
  try {
    return read();
  } catch (error) {
    if (error instanceof Failure) return otherwise;
    throw error;
  }
}

interface CachedNames {
  /** Unix time in milliseconds of the last read or attempt. */
  readonly atMs: number;
  readonly names: readonly string[];
}

/** Older names are still offered, and refreshed for the next completion. */
export const freshForMs = 30_000;
const maxNames = 2_000;

function cachePath(host: Host, settings: Settings, resource: ResourceName): string {
  const { profile, baseUrl, account } = settings;
  const identity = profile.value === environmentName ? identityVariables.map((name) => host.env[name]) : [];
  const who = [profile.value, baseUrl.value, account.value, ...identity];
  const key = createHash('sha256').update(JSON.stringify(who)).digest('hex').slice(0, 16);
  return join(host.folders.cache, 'names', key, `${resource}.json`);
}

/** Returns `undefined` if there are no cached names or the file belongs to another user. */
function cachedNames(host: Host, settings: Settings, resource: ResourceName): CachedNames | undefined {
  try {
    const { atMs, names } =
      JSON.parse(host.files.readLargeText(cachePath(host, settings, resource))?.text ?? 'null') ?? {};
    if (typeof atMs !== 'number' || !Array.isArray(names)) return undefined;
    return { atMs, names: names.filter((name) => typeof name === 'string') };
  } catch {
    // An unreadable cache counts as missing and is rewritten.
    return undefined;
  }
}

/** Ignores a cache that is not writable. */
export function storeNames(
  host: Host,
  settings: Settings,
  resource: ResourceName,
  cached: CachedNames,
): void {
  try {
    host.files.writePrivate(cachePath(host, settings, resource), JSON.stringify(cached));
  } catch {}
}

/** Handles `telctl __refresh-names users` in the background. Keeps the old names on failure. */
export async function refreshNames(words: readonly string[], host: Host, parts: Parts): Promise<void> {
  const [{ resourceByWord }, { nameInLine }, { createServices }] = await Promise.all([
    import('../../../contract/catalogue.ts'),
    import('../../terminal/describe.ts'),
    import('../services.ts'),
  ]);
  const resource = resourceByWord(words[0] ?? '');
  const list = resource?.operations.find(({ verb }) => verb === 'list');
  if (!resource || !list) return;
  const settings = resolveSettings({ options: { ...selectorsIn(words), noInput: true, retries: 0 }, host });
  const services = createServices({
    errorsStandAlone: false,
    line: { command: '__refresh-names', note: undefined },
    host,
    settings,
    options: readRunOptions({ quiet: true }),
    style: plainStyle,
    parts,
  });
  try {
    const found = new Set<string>();
    for await (const page of (await services.api()).pages({ operation: list })) {
      for (const record of page) found.add(nameInLine(record, resource.naturalKeys));
      if (found.size >= maxNames) break;
    }
    storeNames(host, settings, resource.name, { atMs: host.clock.now(), names: [...found] });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
  } finally {
    await services.close();
  }
}
