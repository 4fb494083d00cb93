import { basename } from 'node:path';
import { Failure } from '../../base/failure.ts';
import type { Host } from '../../base/host/host.ts';
import { configPath, readProfiles } from './profile-store.ts';
import { resolveSettings } from './resolve-settings.ts';
import { directoryFile, readDirectorySettings } from './settings.ts';

export interface SettingTroubles {
  readonly troubles: readonly Failure[];
  /** The machine without the invalid variables and files. Use it only to read settings. */
  readonly host: Host;
}

function catchFailure(work: () => unknown): Failure | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
}

/** Finds invalid settings separately in the profiles, `.telctl.yaml` and every variable. */
export function settingTroubles(host: Host): SettingTroubles {
  const hidden = new Set<string>();
  const files = {
    ...host.files,
    readText: (path: string, most?: number) =>
      hidden.has(path) || hidden.has(basename(path)) ? undefined : host.files.readText(path, most),
  };
  const stored = catchFailure(() => readProfiles(host));
  if (stored) hidden.add(configPath(host));
  const directory = catchFailure(() => readDirectorySettings(host));
  if (directory) hidden.add(directoryFile);
  const bare = { ...host, files, env: {} };
  const variables = Object.entries(host.env).map(([name, value]) => ({
    name,
    trouble: catchFailure(() => resolveSettings({ options: {}, host: { ...bare, env: { [name]: value } } })),
  }));
  const bad = new Set(variables.flatMap(({ name, trouble }) => (trouble ? [name] : [])));
  const env = Object.fromEntries(Object.entries(host.env).filter(([name]) => !bad.has(name)));
  return {
    troubles: [stored, directory, ...variables.map(({ trouble }) => trouble)].flatMap((each) => each ?? []),
    host: { ...host, files, env },
  };
}
