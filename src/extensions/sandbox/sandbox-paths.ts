import { isAbsolute, join } from 'node:path';
import { Failure } from '../../base/failure.ts';
import type { Host } from '../../base/host/host.ts';
import type { Seed } from './running-state.ts';

export type RecordStorage =
  | { readonly kind: 'memory' }
  | { readonly kind: 'folder'; readonly folder: string };

export interface SandboxPaths {
  readonly name: string;
  readonly folder: string;
  /** Exists while the sandbox runs. */
  readonly state: string;
  /** Copy of `state`, in case `state` is damaged. */
  readonly stateCopy: string;
  readonly log: string;
  /** TLS certificate (PEM), which the profile of the sandbox trusts. */
  readonly certificate: string;
  /** Folder of snapshots. A reset keeps them. */
  readonly snapshots: string;
}

const isName = (text: string): boolean => /^[\w][\w.-]{0,63}$/.test(text);

export const sandboxesFolder = ({ folders }: Pick<Host, 'folders'>): string =>
  join(folders.state, 'sandboxes');

/** Returns all sandboxes of this machine, running or not. */
export const allSandboxPaths = (host: Pick<Host, 'folders' | 'files'>): readonly SandboxPaths[] =>
  host.files
    .list(sandboxesFolder(host))
    .filter(isName)
    .map((name) => sandboxPathsOf(host, name));

/** Returns the files of a sandbox. Throws `Failure` (`usage`) for a name that is not a plain file name. */
export function sandboxPathsOf(host: Pick<Host, 'folders'>, name = 'default'): SandboxPaths {
  if (!isName(name)) {
    throw new Failure('usage', `"${name}" is not a valid sandbox name.`, {
      hint: 'Use letters, digits, dots, dashes and underscores.',
    });
  }
  const folder = join(sandboxesFolder(host), name);
  return {
    name,
    folder,
    state: join(folder, 'state.json'),
    stateCopy: join(folder, 'state-copy.json'),
    log: join(folder, 'log'),
    certificate: join(folder, 'certificate.pem'),
    snapshots: join(folder, 'snapshots'),
  };
}

/** Returns the `--name` option of a sandbox for a command line. Empty for the default sandbox. */
export const sandboxNameOption = ({ name }: Pick<SandboxPaths, 'name'>): readonly string[] =>
  name === 'default' ? [] : ['--name', name];

export function selectStorage(
  host: Pick<Host, 'cwd'>,
  paths: SandboxPaths,
  options: { readonly data: string | undefined; readonly memory: boolean | undefined },
): RecordStorage {
  if (options.memory) return { kind: 'memory' };
  const { data } = options;
  if (data === undefined) return { kind: 'folder', folder: join(paths.folder, 'data') };
  return { kind: 'folder', folder: isAbsolute(data) ? data : join(host.cwd, data) };
}

export const databasePath = (folder: string): string => join(folder, 'sandbox.db');
export const seedPath = (folder: string): string => join(folder, 'seed.json');

/** Returns variables that point telctl and scripts at a sandbox. */
export const sandboxVariables = (
  baseUrl: string,
  seed: Seed,
  caFile?: string,
  profile = '(environment)',
): Readonly<Record<string, string>> => ({
  // Takes precedence over the profile in .telctl.yaml.
  TELCTL_PROFILE: profile,
  TELCTL_BASE_URL: baseUrl,
  ...(caFile === undefined ? {} : { TELCTL_CA_FILE: caFile }),
  TELCTL_API_KEY: seed.apiKey,
  TELCTL_ACCOUNT: seed.accountId,
  TELCTL_ACCOUNT_NAME: seed.accountName,
  TELCTL_USERNAME: seed.adminUsername,
  TELCTL_PASSWORD: seed.adminPassword,
});

/** Address and control key of a sandbox, for commands that `sandbox exec` runs. */
export const addressVariable = 'TELCTL_SANDBOX_URL';
export const keyVariable = 'TELCTL_SANDBOX_KEY';

/** Variables of other services and credentials, in addition to those that a sandbox sets. */
const foreignVariables: readonly string[] = [
  'TELCTL_PROFILE',
  'TELCTL_TOKEN',
  'TELCTL_PREFIX',
  'TELCTL_ACCOUNT_REALM',
  'TELCTL_PHONE_NUMBER',
  'TELCTL_CA_FILE',
  'TELCTL_CLIENT_CERT',
  'TELCTL_CLIENT_KEY',
  'TELCTL_ALLOW_HTTP',
];

type Env = Readonly<Record<string, string | undefined>>;

/** Replaces all variables of other services, so that a sandbox never receives their secrets. */
export const withSandboxVariables = (env: Env, own: Env): Env => ({
  ...Object.fromEntries(Object.entries(env).filter(([name]) => !foreignVariables.includes(name))),
  ...own,
});

/** Name of the variable with the API key of a new sandbox. */
export const apiKeyVariable = 'TELCTL_SANDBOX_API_KEY';

/** Returns true for the sandbox of `sandbox exec`, the only one with this address. */
export const isExecSandbox = ({ baseUrl }: { readonly baseUrl: string }): boolean =>
  /^http:\/\/127\.0\.0\.1:/.test(baseUrl);

export const describeTarget = (target: { readonly baseUrl: string }): string =>
  isExecSandbox(target) ? 'of sandbox exec' : `of ${addressVariable}`;

export type SandboxTarget =
  /** A sandbox of `sandbox exec` or of a team, from the variables. */
  | { readonly kind: 'exec'; readonly baseUrl: string; readonly controlKey: string }
  | { readonly kind: 'named'; readonly paths: SandboxPaths };

/**
 * Selects the sandbox of a command: the one of `--name`, or else of the variables, or else the default one. Throws
 * `Failure` (`usage`) for an invalid name or address.
 */
export function selectTarget(host: Pick<Host, 'env' | 'folders'>, name: string | undefined): SandboxTarget {
  const { [addressVariable]: baseUrl, [keyVariable]: controlKey } = host.env;
  if (name === undefined && baseUrl && controlKey) {
    if (URL.canParse(baseUrl) && /^https?:$/.test(new URL(baseUrl).protocol))
      return { kind: 'exec', baseUrl: new URL(baseUrl).origin, controlKey };
    throw new Failure(
      'usage',
      `${addressVariable} must be the address of a sandbox, such as https://sandbox.example.`,
    );
  }
  return { kind: 'named', paths: sandboxPathsOf(host, name) };
}
