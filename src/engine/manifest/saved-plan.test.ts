import { describe, expect, test } from 'vitest';
import { failureOf } from '../../../test/support/failure-of.ts';
import { desiredAccount, desiredObject, ModelAccount } from '../../../test/support/model-account.ts';
import { makePlan } from './make-plan.ts';
import { compareSavedPlan, type PlanContents, planDigest, readSavedPlan, toSavedPlan } from './saved-plan.ts';

const key = { salt: 'a5'.repeat(16), options: {} };

/** A change of a mailbox's name, in an account and a manifest that have one PIN. */
function renamed(pin: string): PlanContents {
  const account = new ModelAccount();
  const planned = (name: string, sendUnreadable = false): PlanContents => {
    const desired = desiredAccount([
      desiredObject('vmboxes', 'a', { mailbox: '100', name, pin }),
      desiredObject('users', 'b', { username: 'b', password: `${pin}-password` }),
    ]);
    const observed = account.observed(desired);
    const more = { ledger: undefined, set: 'office', prune: false, sendUnreadable };
    const plan = makePlan({ desired, observed, ...more });
    const inputs = [{ name: 'office.yaml', sha256: '1' }];
    const filledIn = new Map([
      ['env.PIN', pin],
      ['env.REGION', 'north'],
    ]);
    const manifest = { desired: { accounts: [desired], inputs, set: 'office' }, filledIn };
    return { manifest, accounts: [{ observed, plan }] };
  };
  for (const { plan } of planned('A').accounts) account.apply(plan);
  return planned('B', true);
}

const planned = renamed('4711');
const saved = toSavedPlan(planned, key);
const { manifest, accounts } = planned;

test('a saved plan does not depend on secrets', () => {
  expect(Object.keys(saved.outside)).toEqual(['env.REGION']);
  expect(Object.values(saved.accounts[0]?.steps ?? {}).map(({ action }) => action)).toEqual([
    'update',
    'update',
  ]);
  expect(toSavedPlan(renamed('9999'), key)).toEqual(saved);
});

describe('a saved plan does not match', () => {
  test('another service or account', () => {
    expect(compareSavedPlan(saved, planned)).toEqual([]);
    for (const other of [{ origin: 'http://127.0.0.1:2' }, { id: 'other' }]) {
      const elsewhere = accounts.map(({ plan, observed }) => ({
        observed,
        plan: { ...plan, account: { ...plan.account, ...other } },
      }));
      const [why, ...more] = compareSavedPlan(saved, { manifest, accounts: elsewhere });
      expect([why, more]).toEqual([expect.stringMatching(/^the plan is for acme \(account\) at/), []]);
    }
  });

  test('a changed manifest or variable', () => {
    const inputs = [{ name: 'office.yaml', sha256: '2' }];
    const desired = { ...manifest.desired, inputs };
    const filledIn = new Map([...manifest.filledIn, ['env.REGION', 'south']]);
    expect(compareSavedPlan(saved, { accounts, manifest: { desired, filledIn } })).toEqual([
      'office.yaml was changed',
      `\${env.REGION} has another value`,
    ]);
  });
});

test('reads a saved plan unchanged and rejects another version or an edited plan', async () => {
  const read = async (value: unknown) => readSavedPlan('office.plan', JSON.stringify(value));
  expect(await read(saved)).toEqual(saved);
  const byHand = await failureOf(read({ ...saved, options: { prune: true } }));
  expect(byHand).toMatchObject({ kind: 'invalid', message: expect.stringContaining('was changed') });
  const later = JSON.parse(JSON.stringify({ ...saved, version: 99 }));
  const other = await failureOf(read({ ...later, digest: planDigest(later) }));
  expect(other).toMatchObject({ kind: 'invalid', message: expect.stringContaining('version 99') });
});
