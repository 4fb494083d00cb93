import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Seed } from '../../src/extensions/sandbox/running-state.ts';
import { listen } from './listening-sandbox.ts';
import { type OpenIdProvider, openIdProvider } from './openid-provider.ts';
import { type ProcessEnd, type RunningProcess, startProcess } from './process.ts';
import { type End, runWithSandbox } from './run-with-sandbox.ts';
import { testFolders } from './world.ts';

export interface SsoWorld {
  readonly home: string;
  readonly url: string;
  readonly seed: Seed;
  readonly provider: OpenIdProvider;
  /** `login --sso` with all required options. */
  readonly login: readonly string[];
  /** Options that sign in the administrator with a password file. */
  readonly ownUser: readonly string[];
  telctl(...argv: readonly string[]): Promise<End>;
  /** Starts telctl with open standard input. */
  start(argv: readonly string[]): RunningProcess;
  /** Starts telctl, lets `browse` go through the pages, and waits for the end. */
  signIn(argv: readonly string[], browse: (address: string) => Promise<unknown>): Promise<ProcessEnd>;
}

async function expectSuccess(run: Promise<End>): Promise<void> {
  const end = await run;
  if (end.code !== 0) throw new Error(`telctl exited with code ${end.code}: ${end.stderr}`);
}

/** Creates the world with telctl: the application as administrator, the provider as super administrator. */
export async function openSsoWorld(): Promise<SsoWorld> {
  const [{ url, seed, keyEnv }, provider, { home }] = [await listen(), await openIdProvider(), testFolders()];
  const browser = join(home, 'browser');
  const noted = join(home, 'address');
  writeFileSync(
    browser,
    '#!/bin/sh\nprintf %s "$1" > "$HOME/noting" && mv "$HOME/noting" "$HOME/address"\n',
    {
      mode: 0o755,
    },
  );
  const password = join(home, 'password');
  writeFileSync(password, `${seed.adminPassword}\n`, { mode: 0o600 });
  const env = { TELCTL_BROWSER: browser };
  const superEnv = {
    TELCTL_BASE_URL: url,
    TELCTL_USERNAME: seed.superUsername,
    TELCTL_PASSWORD: seed.superPassword,
    TELCTL_ACCOUNT_NAME: 'platform',
  };
  const { clientId, clientSecret, discovery } = provider;
  const app = JSON.stringify({ client_id: clientId, provider: 'google', secret: clientSecret, name: 'CLI' });
  writeFileSync(join(home, 'app.json'), app);
  await expectSuccess(runWithSandbox(['sso', 'apps', 'create', '-f', 'app.json'], { home, env: keyEnv }));
  const record = ['--set', 'id=google', '--discovery', discovery];
  const update = ['sso', 'providers', 'update', 'google', ...record, '--yes'];
  await expectSuccess(runWithSandbox(update, { home, env: superEnv }));

  const start: SsoWorld['start'] = (argv) => startProcess(argv, { home, env, keepStdin: true });
  return {
    home,
    url,
    seed,
    provider,
    login: ['login', '--base-url', url, '--sso', 'google'],
    ownUser: ['--username', 'admin', '--account-name', 'acme', '--password-file', password],
    telctl: (...argv) => runWithSandbox(argv, { home, env }),
    start,
    async signIn(argv, browse) {
      writeFileSync(noted, '');
      const { end } = startProcess(argv, { home, env });
      let address = '';
      const ended = end.then(() => true);
      while (address === '') {
        if (await Promise.race([ended, setTimeout(20, false)])) return end;
        address = readFileSync(noted, 'utf8');
      }
      await browse(address);
      return end;
    },
  };
}
