import { expect, test } from 'vitest';
import { desiredAccount, desiredObject, ModelAccount } from '../../../../test/support/model-account.ts';
import type { JsonObject } from '../../../base/json.ts';
import { type DesiredObject, referenceTo } from '../desired.ts';
import { countSteps, makePlan } from '../make-plan.ts';
import type { Plan } from '../plan.ts';

function planFor(objects: readonly DesiredObject[], account = new ModelAccount()): Plan {
  const desired = desiredAccount(objects);
  return makePlan({
    desired,
    observed: account.observed(desired),
    ledger: account.ledger(),
    set: 'office',
    prune: false,
    sendUnreadable: false,
  });
}

const user = (name: string, callflow: string): DesiredObject =>
  desiredObject('users', name, {
    username: name,
    directories: { [referenceTo('directories.staff')]: referenceTo(`callflows.${callflow}`) },
  });

const step = (to: string): JsonObject => ({ module: 'any', data: { id: referenceTo(to) }, children: {} });

const callflow = (name: string, to: string, more: JsonObject = {}): DesiredObject =>
  desiredObject('callflows', name, { name, flow: step(to), ...more });

const staff = (fields: JsonObject = {}) =>
  desiredObject('directories', 'staff', { name: 'Staff', ...fields });

const late = ({ steps }: Plan): readonly string[] => steps.flatMap(({ completes }) => completes ?? []);

test('defers directory entries instead of flows', () => {
  const plan = planFor([user('alice', 'alice'), staff(), callflow('alice', 'users.alice')]);
  expect(late(plan)).toEqual(['users.alice']);
  expect(countSteps(plan)).toMatchObject({ create: 3, update: 0 });
});

test('creates an object at once if its references form no cycle', () => {
  const plan = planFor([user('alice', 'line'), staff(), callflow('line', 'directories.staff')]);
  expect(late(plan)).toEqual([]);
});

test('defers one flow of a cycle, chosen by name and independent of file order', () => {
  const flows = [callflow('a', 'callflows.b'), callflow('b', 'callflows.c'), callflow('c', 'callflows.a')];
  expect(late(planFor(flows))).toEqual(['callflows.c']);
  expect(late(planFor(flows.toReversed()))).toEqual(['callflows.c']);
});

test('defers another field if a field of the cycle cannot be deferred', () => {
  const owned = callflow('alice', 'directories.staff', { owner_id: referenceTo('users.alice') });
  expect(late(planFor([user('alice', 'alice'), staff(), owned]))).toEqual(['users.alice']);
});

test('a create claims only the fields it sends, and its completing update claims all', () => {
  const objects = [user('alice', 'alice'), staff(), callflow('alice', 'users.alice')];
  const { steps } = planFor(objects);
  const named = (key: string) => Object.keys(steps.find((each) => each.key === key)?.managed ?? {});
  expect(named('users.alice')).toEqual(['username']);
  expect(named('users.alice:late')).toEqual(['username', 'directories']);
});

test('plans a large office with members on both sides quickly', () => {
  const names = Array.from({ length: 1500 }, (_, index) => `u${index}`);
  const members = names.map((name) => ({
    user_id: referenceTo(`users.${name}`),
    callflow_id: referenceTo(`callflows.${name}`),
  }));
  const plan = planFor([
    ...names.map((name) => user(name, name)),
    staff({ users: members }),
    ...names.map((name) => callflow(name, `users.${name}`)),
  ]);
  expect(late(plan)).toHaveLength(names.length);
});
