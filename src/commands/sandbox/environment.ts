import type { Seed } from '../../sandbox/seed.ts';

/** The variables that point telctl, and scripts, at a sandbox. */
export const environmentOf = (baseUrl: string, seed: Seed): Readonly<Record<string, string>> => ({
  TELCTL_BASE_URL: baseUrl,
  TELCTL_API_KEY: seed.apiKey,
  TELCTL_ACCOUNT: seed.accountId,
  TELCTL_ACCOUNT_NAME: seed.accountName,
  TELCTL_USERNAME: seed.adminUsername,
  TELCTL_PASSWORD: seed.adminPassword,
});

/** Variable that carries the key of a sandbox to the commands that `sandbox exec` runs, so that they can control it. */
export const keyVariable = 'TELCTL_SANDBOX_KEY';
