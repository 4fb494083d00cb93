import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { openWorld, type Run, type World } from '../../support/world.ts';

const secrets = {
  password: 'canary-password-5e1f',
  ownPassword: 'canary-own-password-77b0',
  pin: '90210777',
  clientSecret: 'canary-client-secret-a3c9',
  webhookSecret: 'canary-webhook-secret-d41d',
  querySecret: 'canary-query-secret-0f0f',
};

/** Returns true for a file that stores secrets by design. */
const isSecretStore = (path: string): boolean =>
  /^\.(?:config|cache)\/telctl\/(?:credentials|tokens)\//.test(path);

/** Runs a command with maximum verbosity in every format. Returns all outputs. */
async function runVerbosely(world: World, argv: readonly string[], stdin?: string): Promise<readonly Run[]> {
  const given = stdin === undefined ? {} : { stdin };
  return [await world.telctl([...argv, '-v'], given)];
}

test('no command leaks a secret to output or to files that are not meant for it', async () => {
  const world = await openWorld({ signIn: 'password' });
  const runs: Run[] = [];
  const run = async (argv: readonly string[], stdin?: string): Promise<void> => {
    runs.push(...(await runVerbosely(world, argv, stdin)));
  };
  const alice = JSON.stringify({
    username: 'alice',
    first_name: 'Alice',
    last_name: 'Archer',
    password: secrets.password,
    hotdesk: { id: '7', pin: secrets.pin, enabled: true },
  });
  const webhook = JSON.stringify({
    name: 'crm',
    uri: `https://hook:${secrets.webhookSecret}@crm.example/in?key=${secrets.querySecret}`,
    hook: 'channel_create',
    custom_data: { token: secrets.webhookSecret },
  });
  const app = JSON.stringify({ client_id: 'app-1', provider: 'google', secret: secrets.clientSecret });

  await run(['login', '--profile', 'keyed', '--base-url', world.url, '--api-key-stdin'], world.seed.apiKey);
  await run(['whoami']);
  await run(['whoami', '-o', 'json']);
  await run(['profiles', 'show', '-o', 'json']);
  await run(['config', 'explain', '-o', 'json']);
  await run(['users', 'create', '-f', '-', '--dry-run'], alice);
  await run(['users', 'create', '-f', '-', '-o', 'json'], alice);
  await run(['users', 'create', '-f', '-', '-o', 'json'], alice);
  for (const format of ['table', 'json', 'yaml', 'csv', 'ndjson']) {
    await run(['users', 'get', 'alice', '-o', format]);
    await run(['users', 'list', '-o', format, '--fields', 'username,password,hotdesk']);
  }
  await run(
    ['users', 'patch', 'alice', '-f', '-', '--dry-run'],
    JSON.stringify({ password: secrets.password }),
  );
  await run(['users', 'update', 'alice', '-f', '-', '--yes'], alice);
  await run(['users', 'password', 'alice', '--password-stdin'], secrets.password);
  await run(['users', 'password', 'admin', '--password-stdin'], secrets.ownPassword);
  await run(['users', 'patch', 'alice', '--set', `password=${secrets.password}`]);
  await run(['webhooks', 'create', '-f', '-'], webhook);
  await run(['webhooks', 'create', '-f', '-', '-o', 'json'], webhook);
  for (const format of ['table', 'json', 'yaml', 'csv']) await run(['webhooks', 'list', '-o', format]);
  await run(['webhooks', 'get', 'crm', '-o', 'json']);
  await run(['sso', 'apps', 'create', '-f', '-', '-o', 'json'], app);
  await run(['sso', 'apps', 'list', '-o', 'json']);
  await run(['accounts', 'api-key', 'show']);
  await run(['accounts', 'api-key', 'show', '-o', 'json']);
  await run(['tokens', 'info', '-o', 'json']);
  await run(['tokens', 'refresh']);
  await run(['accounts', 'api-key', 'rotate', '--yes', '--profile', 'keyed']);
  await run(['users', 'delete', 'alice', '--yes']);
  await run(['logout', '--profile', 'keyed']);

  const said = runs.map(({ stdout, stderr }) => stdout + stderr).join('\n');
  const sent = runs.flatMap(({ requests }) => requests);
  const tokens = [...new Set(sent.flatMap(({ headers }) => headers['x-auth-token'] ?? []))];
  const digests = sent.flatMap(
    ({ body }) => /"credentials":"(\w+)"/.exec(JSON.stringify(body ?? null))?.[1] ?? [],
  );
  expect(tokens.length).toBeGreaterThan(1);
  expect(runs.filter(({ code }) => code === 0).length).toBeGreaterThan(30);
  const all = new Map([
    ...Object.entries(secrets),
    ['admin password', world.seed.adminPassword],
    ['api key', world.seed.apiKey],
    ...tokens.map((token, index) => [`token ${index}`, token] as const),
    ...digests.map((digest, index) => [`digest ${index}`, digest] as const),
  ]);
  const leaks = [...all].filter(([, secret]) => said.includes(secret)).map(([name]) => name);
  expect(leaks).toEqual([]);

  const files = world.filesWritten().filter(({ isFolder }) => !isFolder);
  const leaky = files
    .map(({ path }) => relative(world.folders.home, path))
    .filter((path) => !isSecretStore(path))
    .filter((path) => {
      const text = readFileSync(join(world.folders.home, path), 'latin1');
      return [...all.values()].some((secret) => text.includes(secret));
    });
  expect(leaky).toEqual([]);
  const passwords = [world.seed.adminPassword, secrets.ownPassword, secrets.password];
  for (const { path } of files) {
    const text = readFileSync(path, 'latin1');
    expect(passwords.filter((password) => text.includes(password))).toEqual([]);
  }
});
