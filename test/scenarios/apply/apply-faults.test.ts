import { describe, expect, test } from 'vitest';
import { isObject, type Json } from '../../../src/base/json.ts';
import type { FaultRule } from '../../support/faults.ts';
import { officeWithWebhook } from '../../support/small-office.ts';
import { openWorld, type Run, type World } from '../../support/world.ts';

const office = `${officeWithWebhook}limits: { twoway_trunks: 4 }
`;

/** Each request of the apply, with its description. */
const calls = [
  { call: 'the create of the user', method: 'PUT', path: /\/users$/, before: 0 },
  { call: 'the create of the menu', method: 'PUT', path: /\/menus$/, before: 0 },
  { call: 'the create of the callflow', method: 'PUT', path: /\/callflows$/, before: 0 },
  { call: 'the create of the webhook', method: 'PUT', path: /\/webhooks$/, before: 0 },
  { call: 'the first word about limits', method: 'POST', path: /\/limits$/, before: 0 },
  { call: 'the limits accepted beside data', method: 'POST', path: /\/limits$/, before: 1 },
  { call: 'the limits accepted in data', method: 'POST', path: /\/limits$/, before: 2 },
] as const;

const cuts = [
  { cut: 'before it arrives', kind: 'refuse' },
  { cut: 'after it was done', kind: 'lose-reply' },
] as const;

const accept = ['--yes', '--accept-charges-up-to', '1000'];

/** Counts the requests that accepted charges where the service supports it. */
const countAcceptances = ({ requests }: Run): number =>
  requests.filter(({ body }) => isObject(body) && isObject(body.data) && body.data.accept_charges === true)
    .length;

async function listNames(world: World, path: string, key: string): Promise<readonly (Json | undefined)[]> {
  const token = await world.sandbox.adminToken();
  const { data } = await world.sandbox.call('GET', `/v2/accounts/${world.seed.accountId}/${path}`, { token });
  return Array.isArray(data) ? data.map((item: Json) => (isObject(item) ? item[key] : item)) : [];
}

async function expectOneOfEach(world: World): Promise<void> {
  expect((await listNames(world, 'users', 'username')).filter((name) => name !== 'admin')).toEqual(['alice']);
  expect(await listNames(world, 'menus', 'name')).toEqual(['Main menu']);
  expect(await listNames(world, 'callflows', 'name')).toEqual(['Main line']);
  expect(await listNames(world, 'webhooks', 'name')).toEqual(['CRM']);
  expect((await world.service('GET', 'limits')).twoway_trunks).toBe(4);
  const again = await world.telctl('apply -f office.yaml --yes');
  expect(again.stderr).toContain('Nothing to do');
  const plan = await world.telctl('plan -f office.yaml --exit-code');
  expect(plan.code).toBe(0);
}

describe.each(calls)('when the connection is cut at $call', ({ method, path, before }) => {
  describe.each(cuts)('$cut', ({ kind }) => {
    const pass: readonly FaultRule[] =
      before === 0 ? [] : [{ fault: { kind: 'pass' }, method, path, times: before }];

    test('once, apply ends with one object each and one charge', async () => {
      const world = await openWorld();
      const faults = [...pass, { fault: { kind }, method, path, times: 1 }];
      const run = await world.telctl(['apply', '-f', 'office.yaml', ...accept], {
        files: { 'office.yaml': office },
        faults,
      });
      const next = run.code === 0 ? undefined : await world.telctl(['apply', '--resume', ...accept]);
      expect(next?.code ?? 0, `${run.stderr}${next?.stderr}`).toBe(0);
      await expectOneOfEach(world);
      const refused = kind === 'refuse' && before === 2 ? 1 : 0;
      expect(countAcceptances(run) + (next ? countAcceptances(next) : 0) - refused).toBe(1);
    });

    test('permanently, --resume ends with one object each and one charge', async () => {
      const world = await openWorld();
      let dead = false;
      const faults: readonly FaultRule[] = [
        { fault: { kind: 'refuse' }, when: () => dead },
        ...pass,
        { fault: { kind }, method, path, met: () => (dead = true) },
      ];
      const run = await world.telctl(['apply', '-f', 'office.yaml', ...accept], {
        files: { 'office.yaml': office },
        faults,
      });
      // The limits are the first change. If they are not sent, nothing was changed.
      expect(run.code).toBe(kind === 'refuse' && path.source.includes('limits') ? 75 : 8);
      expect(run.stderr).toContain('telctl apply --resume');
      const next = await world.telctl(['apply', '--resume', ...accept]);
      expect(next.code, `${run.stderr}${next.stderr}`).toBe(0);
      await expectOneOfEach(world);
      const refused = kind === 'refuse' && before === 2 ? 1 : 0;
      expect(countAcceptances(run) + countAcceptances(next) - refused).toBe(1);
    });
  });
});
