import { join } from 'node:path';
import type { Folders, Host } from './host.ts';

/**
 * Finds telctl's folders: `TELCTL_CONFIG_DIR`, `TELCTL_CACHE_DIR` and `TELCTL_STATE_DIR` first, then the
 * XDG variables, then the platform's habit below the home folder.
 */
export function findFolders(env: Host['env'], home: string, platform: NodeJS.Platform): Folders {
  const local = platform === 'win32' ? env.LOCALAPPDATA : undefined;
  const below = (variable: string, xdg: string, fallback: string, windows: string): string =>
    env[variable] ||
    (local ? join(local, 'telctl', windows) : join(env[xdg] || join(home, fallback), 'telctl'));
  return {
    config: below('TELCTL_CONFIG_DIR', 'XDG_CONFIG_HOME', '.config', 'config'),
    cache: below('TELCTL_CACHE_DIR', 'XDG_CACHE_HOME', '.cache', 'cache'),
    state: below('TELCTL_STATE_DIR', 'XDG_STATE_HOME', join('.local', 'state'), 'state'),
  };
}
