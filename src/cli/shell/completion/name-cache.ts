import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Host } from '../../../base/host/host.ts';
import type { Settings } from '../../../client/session/settings.ts';
import { environmentName, identityVariables } from '../../../client/session/speaker.ts';
import type { ResourceName } from '../../../contract/types.ts';

/** Names of a resource's records as they were lately, for completion. Natural keys only; nothing secret. */
export interface CachedNames {
  /** Time at which they were read, or last tried to be read (Unix milliseconds). */
  readonly atMs: number;
  readonly names: readonly string[];
}

/** Age up to which names count as fresh; older ones are still offered, but read anew for the next time. */
export const freshForMs = 30_000;
/** Most names that are kept, more than anyone completes through. */
export const namesAtMost = 2_000;

function pathOf(host: Host, settings: Settings, resource: ResourceName): string {
  const { profile, baseUrl, account } = settings;
  const identity = profile.value === environmentName ? identityVariables.map((name) => host.env[name]) : [];
  const who = [profile.value, baseUrl.value, account.value, ...identity];
  const key = createHash('sha256').update(JSON.stringify(who)).digest('hex').slice(0, 16);
  return join(host.folders.cache, 'names', key, `${resource}.json`);
}

/** Returns what is known of the names; `undefined` if nothing is, or if the file is not ours. */
export function cachedNames(host: Host, settings: Settings, resource: ResourceName): CachedNames | undefined {
  try {
    const { atMs, names } =
      JSON.parse(host.files.readKept(pathOf(host, settings, resource))?.text ?? 'null') ?? {};
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
    host.files.writePrivate(pathOf(host, settings, resource), JSON.stringify(cached));
  } catch {
    // Read-only caches exist; the next try costs little.
  }
}
