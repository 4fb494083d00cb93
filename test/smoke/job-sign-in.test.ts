import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { forgingProvider } from '../support/forging-provider.ts';
import { listen } from '../support/listening-sandbox.ts';
import { type ProcessEnd, runProcess } from '../support/process.ts';
import { testFolders } from '../support/world.ts';

const audience = 'telctl-ci';
const sub = 'repo:acme/telephony:environment:production';

/** Creates a sandbox that trusts the token issuer of a CI runner, and the issuer. */
async function openJob() {
  const [service, issuer, { home }] = [await listen(), await forgingProvider(audience), testFolders()];
  const { url, seed, keyEnv } = service;
  const superEnv = {
    TELCTL_BASE_URL: url,
    TELCTL_USERNAME: seed.superUsername,
    TELCTL_PASSWORD: seed.superPassword,
    TELCTL_ACCOUNT_NAME: 'platform',
  };
  const expectSuccess = async (end: Promise<ProcessEnd>): Promise<ProcessEnd> => {
    const run = await end;
    expect(run.code, run.stderr).toBe(0);
    return run;
  };
  const app = JSON.stringify({
    client_id: audience,
    provider: 'google',
    secret: 'unused-by-jobs',
    name: 'CI',
  });
  await expectSuccess(runProcess(['sso', 'apps', 'create', '-f', '-'], { home, env: keyEnv, stdin: app }));
  const record = ['--set', 'id=google', '--discovery', issuer.discovery];
  await expectSuccess(
    runProcess(['sso', 'providers', 'update', 'google', ...record, '--yes'], { home, env: superEnv }),
  );

  const asked: { readonly url: string; readonly authorization: string | undefined }[] = [];
  const runner = createServer(async (request, response) => {
    const { authorization } = request.headers;
    asked.push({ url: request.url ?? '', authorization });
    const aud = new URL(request.url ?? '/', 'http://127.0.0.1').searchParams.get('audience') ?? 'nobody';
    const value = await issuer.token({ sub, aud });
    response
      .writeHead(authorization === 'bearer of-the-job' ? 200 : 401, { 'content-type': 'application/json' })
      .end(JSON.stringify({ value }));
  });
  runner.listen(0, '127.0.0.1');
  await once(runner, 'listening');
  onTestFinished(() => {
    runner.closeAllConnections();
    runner.close();
  });
  const { port } = Object(runner.address());
  const jobEnv = {
    CI: 'true',
    GITHUB_ACTIONS: 'true',
    ACTIONS_ID_TOKEN_REQUEST_URL: `http://127.0.0.1:${port}/token?api-version=2`,
    ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'of-the-job',
  };
  const login = ['login', '--base-url', url, '--sso', 'google', '--id-token'];
  return { ...service, issuer, home, asked, jobEnv, login, done: expectSuccess };
}

test('a job signs in with its own identity without a stored key once it is linked to a user', async () => {
  const { home, keyEnv, seed, url, asked, jobEnv, login, done } = await openJob();
  const line = [...login, '--client-id', audience];
  const unlinked = await runProcess(line, { home, env: jobEnv });
  expect(unlinked.code, unlinked.stderr).toBe(4);
  const [, linkId = ''] = /telctl sso link (\S+)/.exec(unlinked.stderr) ?? [];
  expect(asked).toEqual([
    { url: `/token?api-version=2&audience=${audience}`, authorization: 'bearer of-the-job' },
  ]);

  // An administrator links the identity once.
  const asAdmin = {
    TELCTL_BASE_URL: url,
    TELCTL_USERNAME: seed.adminUsername,
    TELCTL_PASSWORD: seed.adminPassword,
    TELCTL_ACCOUNT_NAME: seed.accountName,
  };
  await done(runProcess(['sso', 'link', linkId.replaceAll("'", '')], { home, env: asAdmin }));
  const signedIn = await done(runProcess(line, { home, env: jobEnv }));
  expect(signedIn.stderr).toContain('by single sign-on at google');
  const whoami = await done(runProcess(['whoami', '-o', 'json'], { home, env: jobEnv }));
  expect(JSON.parse(whoami.stdout)).toMatchObject({ method: 'sso', owner_id: seed.adminUserId });
  const kept = readdirSync(home, { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n');
  expect(kept).not.toContain('of-the-job');
  expect(kept).not.toContain(seed.apiKey);
  expect(keyEnv.TELCTL_API_KEY).toBe(seed.apiKey);
});

test('a token in TELCTL_ID_TOKEN is accepted unless it is forged or has another audience', async () => {
  const { home, issuer, login } = await openJob();
  const run = async (token: string) => runProcess(login, { home, env: { TELCTL_ID_TOKEN: token } });
  const good = await run(await issuer.token({ sub }));
  // The identity is known but not linked yet.
  expect([good.code, good.stderr.includes('linked')], good.stderr).toEqual([4, true]);
  for (const token of [
    await issuer.token({ sub }, { foreignKey: true }),
    await issuer.token({ sub, aud: 'other' }),
    await issuer.token({ sub, exp: 1 }),
  ]) {
    const bad = await run(token);
    expect(bad.code, bad.stderr).toBe(4);
    expect(bad.stderr).toContain('did not accept the ID token of google');
    expect(bad.stderr).not.toContain(token);
  }
});

test('without a token, the job lists what it needs, and asks the runner only over HTTPS', async () => {
  const { home, jobEnv, login } = await openJob();
  const none = await runProcess(login, { home });
  expect([none.code, none.stderr.includes('id-token: write')]).toEqual([2, true]);
  const env = { ...jobEnv, ACTIONS_ID_TOKEN_REQUEST_URL: 'http://runner.example/token' };
  const plain = await runProcess(login, { home, env });
  expect([plain.code, plain.stderr.includes('plain http')], plain.stderr).toEqual([9, true]);
  const refused = await runProcess(login, {
    home,
    env: { ...jobEnv, ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'wrong' },
  });
  expect(refused.code, refused.stderr).toBe(4);
});
