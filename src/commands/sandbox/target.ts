import type { Host } from '../../host/host.ts';
import type { Seed } from '../../sandbox/seed.ts';
import { type SandboxPaths, sandboxPathsOf } from './run/paths.ts';

/** The variables that point telctl, and scripts, at a sandbox. */
export const environmentOf = (baseUrl: string, seed: Seed): Readonly<Record<string, string>> => ({
  TELCTL_BASE_URL: baseUrl,
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
const ofOtherServices: readonly string[] = [
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
export const pointedAt = (env: Env, own: Env): Env => ({
  ...Object.fromEntries(Object.entries(env).filter(([name]) => !ofOtherServices.includes(name))),
  ...own,
});

/** The sandbox that a command is for. */
export type Target =
  /** The one of the `sandbox exec` that the command runs in. */
  | { readonly kind: 'exec'; readonly baseUrl: string; readonly controlKey: string }
  | { readonly kind: 'named'; readonly paths: SandboxPaths };

/**
 * The one rule for every command on a sandbox: the one that `--name` names; without a name the one of the
 * `sandbox exec` that the command runs in; else the one called default. Throws `Failure` (`usage`) for what cannot be
 * a name.
 */
export function targetOf(host: Pick<Host, 'env' | 'folders'>, name: string | undefined): Target {
  const { [addressVariable]: baseUrl, [keyVariable]: controlKey } = host.env;
  if (name === undefined && baseUrl && controlKey) return { kind: 'exec', baseUrl, controlKey };
  return { kind: 'named', paths: sandboxPathsOf(host, name) };
}
