import { describe, expect, test } from 'vitest';
import { isObject, type JsonObject } from '../../../src/base/json.ts';
import { webhooks } from '../../../src/contract/resources/webhooks.ts';
import { buildPut } from '../../../src/extensions/sandbox/placement.ts';
import { minuteMs } from '../../support/clock.ts';
import { openWorld, type Run, type RunOptions, type World } from '../../support/world.ts';

// Tests each row of the specification's chapter "States and transitions".

const host = '127.0.0.1';
const alicesPassword = 'first-sign-in';

/** Runs a command that must succeed. */
async function runSuccessfully(world: World, line: string, options?: RunOptions): Promise<Run> {
  const run = await world.telctl(line, options);
  expect(run.code, `telctl ${line}: ${run.stderr}`).toBe(0);
  return run;
}

const parseJson = (run: Run): JsonObject => {
  const value: unknown = JSON.parse(run.stdout);
  return isObject(value) ? value : {};
};

/** Returns the variables that sign in a user. */
const signInVariables = ({ url }: World, account: string, username: string, password: string) => ({
  TELCTL_BASE_URL: url,
  TELCTL_ACCOUNT_NAME: account,
  TELCTL_USERNAME: username,
  TELCTL_PASSWORD: password,
});

/** Creates sessions of two administrators, a user and an API key, each with its token. */
async function openSessions() {
  const world = await openWorld();
  await world.addUser({
    username: 'alice',
    password: alicesPassword,
    first_name: 'Alice',
    last_name: 'Archer',
  });
  const who = {
    superior: signInVariables(world, 'platform', 'super', world.seed.superPassword),
    admin: signInVariables(world, 'acme', 'admin', world.seed.adminPassword),
    alice: signInVariables(world, 'acme', 'alice', alicesPassword),
    key: { TELCTL_BASE_URL: world.url, TELCTL_API_KEY: world.seed.apiKey },
  };
  const tokens = new Map<string, string>();
  for (const [name, env] of Object.entries(who)) {
    tokens.set(name, (await runSuccessfully(world, 'tokens show', { env })).stdout.trim());
  }
  expect(new Set(tokens.values()).size).toBe(4);

  /** Returns the owners of valid tokens. A token from the environment is sent unchanged and never renewed. */
  const validTokens = async (): Promise<readonly string[]> => {
    const names: string[] = [];
    for (const [name, token] of tokens) {
      const env = { TELCTL_BASE_URL: world.url, TELCTL_TOKEN: token };
      const { code, stderr } = await world.telctl('webhooks hooks', { env });
      expect([0, 4], stderr).toContain(code);
      if (code === 0) names.push(name);
    }
    return names;
  };
  /** Returns true if a password or key can still sign in. A session with an invalid token signs in again. */
  const canSignIn = async (env: Readonly<Record<string, string>>): Promise<boolean> => {
    const { code, stderr } = await world.telctl('webhooks hooks', { env });
    if (code === 0) return true;
    expect([4, 5, 10], stderr).toContain(code);
    return false;
  };
  return { world, who, living: validTokens, signsIn: canSignIn };
}

const everyone = ['superior', 'admin', 'alice', 'key'];

describe('a valid token', () => {
  test('expires an hour after its issue', async () => {
    const { world, who, living, signsIn } = await openSessions();
    world.clock.turn(59 * minuteMs);
    expect(await living()).toEqual(everyone);
    world.clock.turn(minuteMs);
    expect(await living()).toEqual([]);
    for (const env of Object.values(who)) expect(await signsIn(env)).toBe(true);
  });

  test('ends with the system secret, which only the super administrator resets', async () => {
    const { world, who, living, signsIn } = await openSessions();
    const line = `tokens revoke-all --scope system --confirm ${host}`;
    const refused = await world.telctl(line, { env: who.admin });
    expect(refused.code).toBe(4);
    expect(refused.stderr).toContain('super administrator');
    expect(await living()).toEqual(everyone);
    await runSuccessfully(world, line, { env: who.superior });
    expect(await living()).toEqual([]);
    expect(await signsIn(who.alice)).toBe(true);
  });

  test('ends with the private key, which only the super administrator resets', async () => {
    const { world, who, living, signsIn } = await openSessions();
    const id = (await runSuccessfully(world, 'keys list -o name', { env: who.superior })).stdout.trim();
    const before = (await runSuccessfully(world, `keys get ${id} --pem`, { env: who.superior })).stdout;
    const line = `keys reset ${id} --confirm ${host}`;
    expect((await world.telctl(line, { env: who.admin })).code).toBe(4);
    expect(await living()).toEqual(everyone);
    await runSuccessfully(world, line, { env: who.superior });
    expect(await living()).toEqual([]);
    expect(await signsIn(who.key)).toBe(true);
    expect((await runSuccessfully(world, `keys get ${id} --pem`, { env: who.superior })).stdout).not.toBe(
      before,
    );
  });

  test('of an API key ends with the secret of the account, and those of users remain', async () => {
    const { world, who, living, signsIn } = await openSessions();
    const line = 'tokens revoke-all --scope account --yes';
    expect((await world.telctl(line, { env: who.alice })).code).toBe(4);
    expect(await living()).toEqual(everyone);
    await runSuccessfully(world, line, { env: who.admin });
    expect(await living()).toEqual(['superior', 'admin', 'alice']);
    expect(await signsIn(who.key)).toBe(true);
  });

  test('of a user ends with the secret of the user, and those of others remain', async () => {
    const { world, who, living, signsIn } = await openSessions();
    await runSuccessfully(world, 'tokens revoke-all --scope user --user alice --yes', { env: who.admin });
    expect(await living()).toEqual(['superior', 'admin', 'key']);
    expect(await signsIn(who.alice)).toBe(true);
  });

  test('of a user ends with a secret that the user resets', async () => {
    const { world, who, living } = await openSessions();
    const other = await world.telctl('tokens revoke-all --scope user --user admin --yes', { env: who.alice });
    expect(other.code).toBe(4);
    await runSuccessfully(world, 'tokens revoke-all --scope user --yes', { env: who.alice });
    expect(await living()).toEqual(['superior', 'admin', 'key']);
  });

  test('of a user ends when the password changes', async () => {
    const { world, who, living, signsIn } = await openSessions();
    await runSuccessfully(world, 'users password alice --password-stdin', {
      env: who.admin,
      stdin: 'second-password',
    });
    expect(await living()).toEqual(['superior', 'admin', 'key']);
    expect(await signsIn(who.alice)).toBe(false);
    expect(await signsIn({ ...who.alice, TELCTL_PASSWORD: 'second-password' })).toBe(true);
  });

  test('of a user survives other changes, and ends when the user is disabled', async () => {
    const { world, who, living, signsIn } = await openSessions();
    await runSuccessfully(world, 'users patch alice --set email=alice@acme.example', { env: who.admin });
    expect(await living()).toEqual(everyone);
    await runSuccessfully(world, 'users patch alice --set-json enabled=false', { env: who.admin });
    expect(await living()).toEqual(['superior', 'admin', 'key']);
    expect(await signsIn(who.alice)).toBe(false);
    await runSuccessfully(world, 'users patch alice --set-json enabled=true', { env: who.admin });
    expect(await signsIn(who.alice)).toBe(true);
  });

  test('of an API key ends when the key is rotated', async () => {
    const { world, who, living, signsIn } = await openSessions();
    const rotated = parseJson(
      await runSuccessfully(world, 'accounts api-key rotate --yes --reveal -o json', { env: who.admin }),
    );
    expect(await living()).toEqual(['superior', 'admin', 'alice']);
    expect(await signsIn(who.key)).toBe(false);
    expect(await signsIn({ ...who.key, TELCTL_API_KEY: String(rotated.api_key) })).toBe(true);
  });

  test('renewed early outlives the previous one', async () => {
    const { world, who } = await openSessions();
    world.clock.turn(51 * minuteMs);
    await runSuccessfully(world, 'webhooks hooks', { env: who.alice });
    world.clock.turn(20 * minuteMs);
    const run = await runSuccessfully(world, 'webhooks hooks', { env: who.alice });
    expect(run.requests.map(({ path }) => path)).toEqual(['/v2/webhooks']);
  });
});

describe('limits', () => {
  test('are unchanged if a change would add charges without consent', async () => {
    const world = await openWorld();
    const before = parseJson(await runSuccessfully(world, 'limits get -o json'));
    const refused = await world.telctl('limits set --twoway-trunks 2 -o json');
    expect(refused.code).toBe(7);
    expect(JSON.parse(refused.stderr).error.details.limits).toHaveProperty('twoway_trunks');
    expect(parseJson(await runSuccessfully(world, 'limits get -o json'))).toEqual(before);
  });

  test('are changed if the charges are accepted', async () => {
    const world = await openWorld();
    await runSuccessfully(world, 'limits set --twoway-trunks 2 --accept-charges');
    expect(parseJson(await runSuccessfully(world, 'limits get -o json'))).toMatchObject({ twoway_trunks: 2 });
  });
});

/** Disables a webhook like the platform does after repeated failures. */
async function disableByPlatform(world: World): Promise<void> {
  const { id } = parseJson(await runSuccessfully(world, 'webhooks get crm -o json'));
  const { store } = world.sandbox;
  const record = await store.get({ kind: webhooks.name, scope: world.seed.accountId, id: String(id) });
  if (!record) throw new Error('no webhook');
  const body = { ...record.body, enabled: false, disable_reason: 'too many failures' };
  await store.commit([buildPut({ ...record, body }, webhooks.name)]);
}

test('a webhook disabled by the service is enabled by a PATCH, without its reason', async () => {
  const world = await openWorld();
  const hook = ['--name', 'crm', '--uri', 'https://crm.example/hook', '--hook', 'channel_create'];
  expect((await world.telctl(['webhooks', 'create', ...hook])).code).toBe(0);
  await disableByPlatform(world);
  const disabled = parseJson(await runSuccessfully(world, 'webhooks get crm -o json'));
  expect(disabled).toMatchObject({ enabled: false, disable_reason: 'too many failures' });
  await runSuccessfully(world, 'webhooks attempts crm');
  const run = await runSuccessfully(world, 'webhooks enable crm');
  expect(run.requests.at(-1)).toMatchObject({ method: 'PATCH', body: { data: { enabled: true } } });
  const enabled = parseJson(await runSuccessfully(world, 'webhooks get crm -o json'));
  expect(enabled).toMatchObject({ enabled: true, name: 'crm' });
  expect(enabled).not.toHaveProperty('disable_reason');
});

describe('an identity of a single sign-on provider', () => {
  const link = 'google-ann';

  /** Creates an identity that the provider has confirmed but that is not linked to a user. */
  async function openUnlinked(): Promise<World> {
    const world = await openWorld({ signIn: 'password' });
    const body = { app: 'acme-app', provider: 'google', email: 'ann@mail.example', scopes: ['openid'] };
    const times = { createdAt: 63_900_000_000, modifiedAt: 63_900_000_000, revision: 0 };
    const record = { kind: 'links', scope: '', id: link, body, hidden: {}, ...times };
    await world.sandbox.store.commit([buildPut(record, 'links')]);
    return world;
  }
  const linkIt = (world: World) =>
    world.telctl(['api', 'PUT', `/v2/auth/links/${link}`, '-f', '-'], { stdin: '{"data":{}}' });

  test('is linked in a session of the user, listed, and unlinked', async () => {
    const world = await openUnlinked();
    expect((await runSuccessfully(world, 'sso links list -o name')).stdout).toBe('');
    const run = await linkIt(world);
    expect(run.code, run.stderr).toBe(0);
    expect((await runSuccessfully(world, 'sso links list -o json')).stdout).toContain('ann@mail.example');
    await runSuccessfully(world, `sso links delete ${link} --yes`);
    expect((await runSuccessfully(world, 'sso links list -o name')).stdout).toBe('');
    expect((await linkIt(world)).code).toBe(0);
  });
});
