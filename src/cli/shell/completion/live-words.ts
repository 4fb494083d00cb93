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
import { runOptionsOf } from '../run-options.ts';
import type { Parts } from '../services.ts';

type Selectors = Pick<Partial<GlobalInput>, 'profile' | 'baseUrl' | 'account'>;

/** The selectors of a line that may not parse as a whole. */
export function selectorsIn(words: readonly string[]): Selectors {
  return {
    profile: typedValue(words, '--profile'),
    baseUrl: typedValue(words, '--base-url'),
    account: typedValue(words, '--account'),
  };
}

/** Time that a first look may wait for the background to bring names; a start takes the rest of 200 ms. */
const waitAtMostMs = 110;
const lookEveryMs = 10;

/** Profiles and names as known here. Old names are read anew in the background; without any, a moment is waited. */
export function liveWords(host: Host, selectors: Selectors) {
  return {
    profiles: (): readonly string[] => quietly(() => [...readProfiles(host).profiles.keys()], []),
    async names(resource: ResourceName): Promise<readonly string[]> {
      const settings = quietly(() => resolveSettings({ options: selectors, host }), undefined);
      if (settings === undefined || settings.baseUrl.value === undefined) return [];
      const known = cachedNames(host, settings, resource);
      const now = host.clock.now();
      if (known && now - known.atMs < freshForMs) return known.names;
      // Said before it is done, so that the next key press does not start another one.
      keepNames(host, settings, resource, { atMs: now, names: known?.names ?? [] });
      host.processes.startQuietly(
        ['__refresh-names', resource, ...asOptions(selectors)],
        ownEnvironment(host.env),
      );
      return known ? known.names : firstNames(host, settings, resource);
    },
  };
}

async function firstNames(
  host: Host,
  settings: Settings,
  resource: ResourceName,
): Promise<readonly string[]> {
  const until = host.clock.now() + waitAtMostMs;
  while (host.clock.now() < until) {
    await host.clock.sleep(lookEveryMs);
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

/** A damaged file is told by the commands that need it; completion goes on without. */
export function quietly<T, O>(read: () => T, otherwise: O): T | O {
  try {
    return read();
  } catch (error) {
    if (error instanceof Failure) return otherwise;
    throw error;
  }
}

/** Names of a resource's records as they were lately, for completion. Natural keys only; nothing secret. */
interface CachedNames {
  /** Time at which they were read, or last tried to be read (Unix milliseconds). */
  readonly atMs: number;
  readonly names: readonly string[];
}

/** Age up to which names count as fresh; older ones are still offered, but read anew for the next time. */
export const freshForMs = 30_000;
/** Most names that are kept, more than anyone completes through. */
const namesAtMost = 2_000;

function cachePath(host: Host, settings: Settings, resource: ResourceName): string {
  const { profile, baseUrl, account } = settings;
  const identity = profile.value === environmentName ? identityVariables.map((name) => host.env[name]) : [];
  const who = [profile.value, baseUrl.value, account.value, ...identity];
  const key = createHash('sha256').update(JSON.stringify(who)).digest('hex').slice(0, 16);
  return join(host.folders.cache, 'names', key, `${resource}.json`);
}

/** Returns what is known of the names; `undefined` if nothing is, or if the file is not ours. */
function cachedNames(host: Host, settings: Settings, resource: ResourceName): CachedNames | undefined {
  try {
    const { atMs, names } =
      JSON.parse(host.files.readKept(cachePath(host, settings, resource))?.text ?? 'null') ?? {};
    if (typeof atMs !== 'number' || !Array.isArray(names)) return undefined;
    return { atMs, names: names.filter((name) => typeof name === 'string') };
  } catch {
    // A cache that cannot be read is as good as none; it is written anew.
    return undefined;
  }
}

/** Keeps names. A cache that cannot be written is no failure: completion goes on without. */
export function keepNames(host: Host, settings: Settings, resource: ResourceName, cached: CachedNames): void {
  try {
    host.files.writePrivate(cachePath(host, settings, resource), JSON.stringify(cached));
  } catch {
    // Read-only caches exist; the next try costs little.
  }
}

/** `telctl __refresh-names users`, in the background: asks and says nothing, and leaves old names where it fails. */
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
    options: runOptionsOf({ quiet: true }),
    style: plainStyle,
    parts,
  });
  try {
    const found = new Set<string>();
    for await (const page of (await services.api()).pages({ operation: list })) {
      for (const record of page) found.add(nameInLine(record, resource.naturalKeys));
      if (found.size >= namesAtMost) break;
    }
    keepNames(host, settings, resource.name, { atMs: host.clock.now(), names: [...found] });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
  } finally {
    await services.close();
  }
}
