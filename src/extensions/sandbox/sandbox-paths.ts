import { isAbsolute, join } from 'node:path';
import { Failure } from '../../base/failure.ts';
import type { Host } from '../../base/host/host.ts';
import type { Seed } from './running-state.ts';

/** Place of the records of a sandbox: in memory, or in a folder. */
export type RecordStorage =
  | { readonly kind: 'memory' }
  | { readonly kind: 'folder'; readonly folder: string };

export interface SandboxPaths {
  readonly name: string;
  readonly folder: string;
  /** Written by a sandbox that answers, removed when it ends. */
  readonly state: string;
  /** The same again, for a state that was damaged. */
  readonly stateCopy: string;
  readonly log: string;
  /** Certificate (PEM) of one that speaks TLS, by which its profile trusts it. */
  readonly certificate: string;
  /** Folder of its snapshots, which outlive its records. */
  readonly snapshots: string;
}

const isName = (text: string): boolean => /^[\w][\w.-]{0,63}$/.test(text);

export const sandboxesFolder = ({ folders }: Pick<Host, 'folders'>): string =>
  join(folders.state, 'sandboxes');

/** All sandboxes that were ever started on this machine and have a name. */
export const allSandboxPaths = (host: Pick<Host, 'folders' | 'files'>): readonly SandboxPaths[] =>
  host.files
    .list(sandboxesFolder(host))
    .filter(isName)
    .map((name) => sandboxPathsOf(host, name));

/** The files of the sandbox of that name. Refuses names that are no plain file names. */
export function sandboxPathsOf(host: Pick<Host, 'folders'>, name = 'default'): SandboxPaths {
  if (!isName(name)) {
    throw new Failure('usage', `"${name}" cannot name a sandbox.`, {
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

/** The option that names a sandbox other than the usual one, as it is typed. */
export const sandboxNameOption = ({ name }: Pick<SandboxPaths, 'name'>): readonly string[] =>
  name === 'default' ? [] : ['--name', name];

/** Returns where records are to be kept, by the options. */
export function storageOf(
  host: Pick<Host, 'cwd'>,
  paths: SandboxPaths,
  options: { readonly data: string | undefined; readonly memory: boolean | undefined },
): RecordStorage {
  if (options.memory) return { kind: 'memory' };
  const { data } = options;
  if (data === undefined) return { kind: 'folder', folder: join(paths.folder, 'data') };
  return { kind: 'folder', folder: isAbsolute(data) ? data : join(host.cwd, data) };
}

/** The database in a folder, and the clear secrets of whom it was seeded with. */
export const databasePath = (folder: string): string => join(folder, 'sandbox.db');
export const seedPath = (folder: string): string => join(folder, 'seed.json');

/** The variables that point telctl and scripts at a sandbox, by a certificate and a profile where it has them. */
export const sandboxVariables = (
  baseUrl: string,
  seed: Seed,
  caFile?: string,
  profile = '(environment)',
): Readonly<Record<string, string>> => ({
  // Stands above the profile that a .telctl.yaml names.
  TELCTL_PROFILE: profile,
  TELCTL_BASE_URL: baseUrl,
  ...(caFile === undefined ? {} : { TELCTL_CA_FILE: caFile }),
  TELCTL_API_KEY: seed.apiKey,
  TELCTL_ACCOUNT: seed.accountId,
  TELCTL_ACCOUNT_NAME: seed.accountName,
  TELCTL_USERNAME: seed.adminUsername,
  TELCTL_PASSWORD: seed.adminPassword,
});

/** Variables that carry address and key of a sandbox to the commands that `sandbox exec` runs: they control it. */
export const addressVariable = 'TELCTL_SANDBOX_URL';
export const keyVariable = 'TELCTL_SANDBOX_KEY';

/** Variables that point at a service, or say who signs in to it, beside those that a sandbox sets. */
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

/** The variables for what runs against a sandbox: nothing in them is of another service, and no secret of one. */
export const withSandboxVariables = (env: Env, own: Env): Env => ({
  ...Object.fromEntries(Object.entries(env).filter(([name]) => !foreignVariables.includes(name))),
  ...own,
});

/** Variables with which a new sandbox gets the keys that it would make: the API key of acme, and that of the sandbox. */
export const apiKeyVariable = 'TELCTL_SANDBOX_API_KEY';

/** Tells whether the variables lead to the sandbox of `sandbox exec`: it alone is on this machine. */
export const isExecSandbox = ({ baseUrl }: { readonly baseUrl: string }): boolean =>
  /^http:\/\/127\.0\.0\.1:/.test(baseUrl);

/** Which sandbox the variables lead to, in words. */
export const describeTarget = (target: { readonly baseUrl: string }): string =>
  isExecSandbox(target) ? 'of sandbox exec' : `of ${addressVariable}`;

export type SandboxTarget =
  /** The one that the variables lead to: that of the `sandbox exec` that the command runs in, or one for a team. */
  | { readonly kind: 'exec'; readonly baseUrl: string; readonly controlKey: string }
  | { readonly kind: 'named'; readonly paths: SandboxPaths };

/**
 * The one rule for every command on a sandbox: the one that `--name` names; without a name the one of the
 * `sandbox exec` that the command runs in, or of a team, by the variables; else the one called default. Throws `Failure`
 * (`usage`) for what cannot be a name, and for an address that is none.
 */
export function targetOf(host: Pick<Host, 'env' | 'folders'>, name: string | undefined): SandboxTarget {
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
