import fc from 'fast-check';
import { expect, test } from 'vitest';
import { failureOf } from '../../../../test/support/failure-of.ts';
import { desiredAccount, desiredObject, ModelAccount } from '../../../../test/support/model-account.ts';
import { Failure } from '../../../base/failure.ts';
import { isObject, type Json, type JsonObject } from '../../../base/json.ts';
import { makePlan } from '../make-plan.ts';
import type { Plan } from '../plan.ts';

const carrier = (gateways: readonly Json[]) => desiredObject('carriers', 'acme', { name: 'Acme', gateways });

function planFor(account: ModelAccount, gateways: readonly Json[]): Plan {
  const desired = desiredAccount([carrier(gateways)]);
  const common = { ledger: account.ledger(), set: 'office', prune: false, sendUnreadable: false };
  return makePlan({ desired, observed: account.observed(desired), ...common });
}

/** An account whose carrier has these gateways, and what it has after others were applied. */
function accountWith(gateways: readonly Json[]): ModelAccount {
  const account = new ModelAccount();
  account.apply(planFor(account, gateways));
  return account;
}

/** The plan; `undefined` where it is refused as invalid. */
function plannedOrRefused(account: ModelAccount, gateways: readonly Json[]): Plan | undefined {
  try {
    return planFor(account, gateways);
  } catch (error) {
    if (error instanceof Failure && error.kind === 'invalid') return undefined;
    throw error;
  }
}

function applied(account: ModelAccount, gateways: readonly Json[]): Json | undefined {
  account.apply(planFor(account, gateways));
  return account.record('carriers.acme')?.gateways;
}

const sends = ({ steps }: Plan) => steps.filter(({ send }) => send !== undefined);

const gateway = fc.record(
  {
    server: fc.constantFrom('sip.example.com', 'backup.example.com', 'other.example.net'),
    port: fc.integer({ min: 1, max: 3 }),
    username: fc.constantFrom('alice', 'bob'),
    password: fc.stringMatching(/^secret-[a-z]{1,4}$/),
    route: fc.constantFrom('sip:user:hidden@sip.example.com', 'sip:sip.example.com'),
    custom_sip_headers: fc.dictionary(
      fc.constantFrom('X-One', 'X-Two'),
      fc.constantFrom('a-secret', 'b-secret'),
      {
        minKeys: 1,
      },
    ),
  },
  { requiredKeys: ['server'] },
);

/** Items as the service keeps them: with the values that it gives by itself. */
const kept = (items: readonly JsonObject[]): readonly JsonObject[] =>
  items.map((item) => ({
    port: 5060,
    enabled: true,
    endpoint_type: 'sip',
    invite_format: 'route',
    force_port: false,
    channel_selection: 'ascending',
    skype_rr: true,
    ...item,
  }));

/** What an export without its variables says: the secrets are gone. */
const withoutSecrets = ({ password: _, custom_sip_headers: __, route, ...rest }: JsonObject): JsonObject =>
  typeof route === 'string' && !route.includes('@') ? { ...rest, route } : rest;

test('omitted secrets are not a change and survive other changes to the list', () => {
  fc.assert(
    fc.property(fc.array(gateway, { minLength: 1, maxLength: 4 }), fc.nat(), (gateways, at) => {
      const account = accountWith(gateways);
      const said = gateways.map(withoutSecrets);
      expect(sends(planFor(account, said))).toEqual([]);
      // A change of one item: only it changes, and no item loses or gains a secret.
      const chosen = at % gateways.length;
      const turned = said.map((item, index) => (index === chosen ? { ...item, prefix: '9' } : item));
      const after = gateways.map((item, index) => (index === chosen ? { ...item, prefix: '9' } : item));
      expect(applied(account, turned)).toEqual(kept(after));
      expect(sends(planFor(account, turned))).toEqual([]);
    }),
  );
});

test('a stored secret is only sent to the server it was stored with', () => {
  const servers = (list: Json | undefined) =>
    (Array.isArray(list) ? list : []).flatMap((item: Json) =>
      isObject(item) && typeof item.password === 'string' ? [`${String(item.server)} ${item.password}`] : [],
    );
  const list = fc.array(gateway, { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(list, list, (before, wanted) => {
      const account = accountWith(before);
      const said = wanted.map(withoutSecrets);
      const known = new Set(servers(before));
      const plan = plannedOrRefused(account, said);
      if (plan === undefined) return;
      account.apply(plan);
      for (const pair of servers(account.record('carriers.acme')?.gateways)) expect(known).toContain(pair);
      expect(sends(planFor(account, said))).toEqual([]);
    }),
  );
});

test('refuses an item with an unknown stored secret, and null means no secret', async () => {
  const account = accountWith([{ server: 'sip.example.com', username: 'acme', password: 'secret' }]);
  const moved = { server: 'new.example.com', username: 'acme' };
  const failure = await failureOf(Promise.resolve().then(() => planFor(account, [moved])));
  expect(failure.kind).toBe('invalid');
  expect(failure.message).toContain(
    'gateways.0: password is unknown, because no stored item has the same server; set it, or set it to null for no secret',
  );
  expect(failure.message).not.toContain('secret"');
  expect(applied(account, [{ ...moved, password: null }])).toEqual(kept([moved]));
});

test('adding or removing an item requires no secrets of other items', () => {
  const main = { server: 'sip.example.com', password: 'one-secret' };
  const spare = { server: 'backup.example.com', password: 'two-secret' };
  const account = accountWith([main, spare]);
  const peer = { server: 'peer.example.com' };
  expect(applied(account, [{ server: spare.server }, { server: main.server }, peer])).toEqual(
    kept([spare, main, peer]),
  );
  expect(applied(account, [{ server: main.server }])).toEqual(kept([main]));
});
