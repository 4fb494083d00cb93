import { describe, expect, test } from 'vitest';
import { openWorld, type World } from '../../../../test/support/world.ts';
import { isObject } from '../../../base/json.ts';
import { buildPut } from '../../../extensions/sandbox/placement.ts';

const reason = 'too many failed attempts';

/** Makes a webhook that the service has disabled; with another reason or none, as that says. */
async function disabled(world: World, name: string, { accountId = world.seed.accountId, why = reason } = {}) {
  const token = await world.sandbox.adminToken();
  const data = { name, hook: 'sms', uri: `https://${name}.example/`, enabled: false };
  const made = await world.sandbox.call('PUT', `/v2/accounts/${accountId}/webhooks`, { token, data });
  const id = made.at('data.id');
  const record = await world.sandbox.store.get({ kind: 'webhooks', scope: accountId, id });
  if (!record) throw new Error('it was not made');
  const body = { ...record.body, ...(why === '' ? {} : { disable_reason: why }) };
  await world.sandbox.store.commit([buildPut({ ...record, body }, 'webhooks')]);
  return id;
}

async function accountBelow(world: World): Promise<string> {
  const token = await world.sandbox.adminToken();
  const data = { name: 'North', realm: 'north.example' };
  return (await world.sandbox.call('PUT', `/v2/accounts/${world.seed.accountId}`, { token, data })).at(
    'data.id',
  );
}

const changes = (run: Awaited<ReturnType<World['telctl']>>) =>
  run.requests
    .filter(({ method }) => method === 'PATCH')
    .map(({ path }) => path.replace(/[0-9a-f]{32}/, 'A'));

test('health shows why a webhook is disabled even if only lists include the reason', async () => {
  const world = await openWorld({ like: 'kazoo' });
  const id = await disabled(world, 'crm');
  expect(await world.service('GET', `webhooks/${id}`)).not.toHaveProperty('disable_reason');
  const run = await world.telctl('webhooks health -o json');
  expect(JSON.parse(run.stdout)).toMatchObject([{ state: 'disabled', why: reason }]);
});

describe('webhooks enable --all', () => {
  test('enables webhooks disabled by the service in one request, and skips manually disabled ones', async () => {
    const world = await openWorld();
    const id = await disabled(world, 'crm');
    await disabled(world, 'audit');
    const byHand = await disabled(world, 'quiet', { why: '' });
    const run = await world.telctl('webhooks enable --all --yes');
    expect(run.code).toBe(0);
    expect(changes(run)).toEqual(['/v2/accounts/A/webhooks']);
    expect(run.requests.find(({ method }) => method === 'PATCH')?.body).toEqual({
      data: { 're-enable': true },
    });
    expect(run.stdout).toMatch(
      /^NAME +STATE +WAS DISABLED FOR\n(?:\w+ +enabled +too many failed attempts\n){2}$/,
    );
    expect(run.stderr).toBe('Enabled 2 webhooks. 1 webhook turned off by hand stays off.\n');
    const { enabled } = await world.service('GET', `webhooks/${id}`);
    expect(enabled).toBe(true);
    expect(await world.service('GET', `webhooks/${byHand}`)).toMatchObject({ enabled: false });
    expect(await world.telctl('webhooks enable --all --yes')).toMatchObject({
      code: 0,
      stderr: 'No webhook was disabled by the service. 1 webhook turned off by hand stays off.\n',
    });
  });

  test('includes and names accounts below with --below', async () => {
    const world = await openWorld();
    const accountId = await accountBelow(world);
    await disabled(world, 'far', { accountId });
    expect((await world.telctl('webhooks enable --all --yes')).stderr).toContain('No webhook was disabled');
    const run = await world.telctl('webhooks enable --all --below --yes -o json');
    expect(run.code).toBe(0);
    expect(changes(run)).toEqual(['/v2/accounts/A/descendants/webhooks']);
    expect(JSON.parse(run.stdout)).toMatchObject([
      { account: 'North', name: 'far', state: 'enabled', reason },
    ]);
  });

  test('asks with the names, and changes nothing on no, without a terminal, or in a dry run', async () => {
    const world = await openWorld();
    await disabled(world, 'crm');
    const no = await world.telctl('webhooks enable --all', {
      tty: true,
      answers: [{ to: 'Enable', type: 'n' }],
    });
    expect(no.code).toBe(130);
    expect(no.stderr).toContain('Enable 1 webhook that the service disabled: crm?');
    const unasked = await world.telctl('webhooks enable --all');
    expect(unasked.code).toBe(2);
    expect(unasked.stderr).toContain('--yes');
    const dry = await world.telctl('webhooks enable --all --dry-run');
    expect(dry.stdout).toMatch(
      /^Would send PATCH \/v2\/accounts\/[0-9a-f]{32}\/webhooks\n {2}re-enable: true\n {2}enables crm\n/,
    );
    expect([no, unasked, dry].flatMap(changes)).toEqual([]);
  });

  test('exits with code 8 and suggests webhooks health if some webhooks stay disabled', async () => {
    const world = await openWorld();
    await disabled(world, 'crm');
    const deaf = {
      fault: {
        kind: 'answer',
        status: 200,
        body: '{"status":"success","data":"hooks updated","request_id":"r"}',
      },
      method: 'PATCH',
    } as const;
    const run = await world.telctl('webhooks enable --all --yes', { faults: [deaf] });
    expect(run.code).toBe(8);
    expect(run.stdout).toMatch(/^crm +disabled/m);
    expect(run.stderr).toBe('Enabled 0 of 1 webhook. Why the others stay off: telctl webhooks health\n');
  });

  test('reads the reason from the record if the list omits it', async () => {
    const world = await openWorld();
    await disabled(world, 'crm');
    const brief = {
      fault: {
        kind: 'rewrite',
        change: (body: string) => {
          const reply: unknown = JSON.parse(body);
          if (!isObject(reply) || !Array.isArray(reply.data)) return body;
          return JSON.stringify({
            ...reply,
            data: reply.data.map((each) => (isObject(each) ? { ...each, disable_reason: undefined } : each)),
          });
        },
      },
      path: /\/webhooks$/,
    } as const;
    const run = await world.telctl('webhooks enable --all --yes', { faults: [brief] });
    expect(run).toMatchObject({ code: 0, stderr: 'Enabled 1 webhook.\n' });
  });

  test.each([
    ['webhooks enable', 'No webhook was named'],
    ['webhooks enable crm --all', 'not both'],
    ['webhooks enable crm --below', '--below needs --all'],
    ['webhooks enable --all --probe', 'Give --probe or --all, not both.'],
  ])('rejects `%s` before any request', async (line, said) => {
    const world = await openWorld();
    const run = await world.telctl(line);
    expect(run).toMatchObject({ code: 2, stdout: '', requests: [] });
    expect(run.stderr).toContain(said);
  });
});
