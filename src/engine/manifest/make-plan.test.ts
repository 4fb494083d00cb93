import { expect, test } from 'vitest';
import { failureOf } from '../../../test/support/failure-of.ts';
import { desiredAccount, desiredObject, ModelAccount } from '../../../test/support/model-account.ts';
import { masked } from '../../contract/secrets.ts';
import type { LedgerEntry } from '../state/ledger.ts';
import { changeText } from './change-lines.ts';
import { type DesiredObject, referenceTo } from './desired.ts';
import { kindByName } from './kinds.ts';
import { countSteps, makePlan, type PlanInput } from './make-plan.ts';
import { sortByDependencies } from './plan/arrange.ts';
import type { Observed, Plan, Step } from './plan.ts';
import { requestBody } from './sendable.ts';

const planned = (
  account: ModelAccount,
  objects: readonly DesiredObject[],
  more: Partial<PlanInput> = {},
): Plan => {
  const desired = desiredAccount(objects);
  const common = { ledger: account.ledger(), set: 'office', prune: false, sendUnreadable: false };
  return makePlan({ desired, observed: account.observed(desired), ...common, ...more });
};

function accountOf(objects: readonly DesiredObject[]): ModelAccount {
  const account = new ModelAccount();
  account.apply(planned(account, objects));
  return account;
}

const stepOf = ({ steps }: Plan, key: string): Step => {
  const found = steps.find((step) => step.key === key);
  if (found === undefined) throw new Error(`no step ${key}`);
  return found;
};

const changesOf = (step: Step): readonly string[] =>
  step.changes.map((change) => `${change.path}: ${changeText(change)}`);

const alice = (fields = {}, more = {}) =>
  desiredObject('users', 'alice', { username: 'alice', first_name: 'Alice', ...fields }, more);
const bob = (fields = {}) => desiredObject('users', 'bob', { username: 'bob', ...fields });
const flowTo = (name: string) => ({
  module: 'user',
  data: { id: referenceTo(`users.${name}`) },
  children: {},
});
const line = (name: string, numbers: readonly string[], more = {}) =>
  desiredObject('callflows', name, { name, numbers, ...more });

/** The observed account, with the entries of the ledger changed. */
const withEntries = (account: ModelAccount, change: (entry: LedgerEntry) => LedgerEntry) => {
  const ledger = account.ledger();
  return ledger && { ...ledger, entries: ledger.entries.map(change) };
};

test('sends only the differences, as a partial record', () => {
  const account = accountOf([alice({ timezone: 'Europe/London', call_forward: { enabled: false } })]);
  const step = stepOf(
    planned(account, [alice({ timezone: 'Europe/Zurich', call_forward: { enabled: true } })]),
    'users.alice',
  );
  expect(changesOf(step)).toEqual([
    'timezone: Europe/London → Europe/Zurich',
    'call_forward.enabled: false → true',
  ]);
  expect(step).toMatchObject({
    by: 'patch',
    send: { timezone: 'Europe/Zurich', call_forward: { enabled: true } },
  });
});

test('null removes a field and is not a change if the field is absent or at its default', () => {
  const account = accountOf([alice({ timezone: 'Europe/London' })]);
  const wanted = alice({ timezone: null, language: null, enabled: null });
  const step = stepOf(planned(account, [wanted]), 'users.alice');
  expect(changesOf(step)).toEqual(['timezone: (removed) Europe/London']);
  expect(step.send).toEqual({ timezone: null });
});

test('ignores a field that the manifest does not set', () => {
  const account = accountOf([alice({ timezone: 'Europe/London' })]);
  expect(stepOf(planned(account, [alice()]), 'users.alice').action).toBe('unchanged');
});

test('different notations of the same value are not a change', () => {
  const account = accountOf([alice({ flags: ['b', 'a'] }), line('main', ['+15551230000', '100'])]);
  const plan = planned(account, [
    alice({ username: 'ALICE', flags: ['a', 'b'], call_forward: {}, enabled: true }),
    line('main', ['100', '(555) 123-0000'], { flags: [], flow: {} }),
  ]);
  expect(plan.steps.map(({ action }) => action)).toEqual(['unchanged', 'unchanged']);
});

test('ignores and omits fields that the service sets', () => {
  const account = accountOf([desiredObject('webhooks', 'crm', { name: 'CRM', hook: 'sms' })]);
  const wanted = desiredObject('webhooks', 'crm', { name: 'CRM', hook: 'sms', disable_reason: 'mine' });
  expect(stepOf(planned(account, [wanted]), 'webhooks.crm').action).toBe('unchanged');
});

test('text and number are equal in flow data, but different elsewhere', () => {
  const wait = (timeout: unknown) => ({ module: 'sleep', data: { odd: timeout }, children: {} });
  const account = accountOf([line('main', ['100'], { flow: wait(20) }), alice({ custom: { odd: 20 } })]);
  const plan = planned(account, [
    line('main', ['100'], { flow: wait('20') }),
    alice({ custom: { odd: '20' } }),
  ]);
  expect(stepOf(plan, 'callflows.main').action).toBe('unchanged');
  expect(stepOf(plan, 'users.alice').action).toBe('update');
});

test('sorts by required order, then by preferred order without cycles, then as given', () => {
  const thing = (key: string, after = '', rather = '') => ({ key, after: [...after], rather: [...rather] });
  const order = (...things: readonly ReturnType<typeof thing>[]) =>
    sortByDependencies(things)
      .map(({ key }) => key)
      .join('');
  expect(order(thing('a', 'c'), thing('b'), thing('c'))).toBe('cab');
  expect(order(thing('a', '', 'c'), thing('b'), thing('c'))).toBe('cab');
  expect(order(thing('a', '', 'b'), thing('b', 'a'))).toBe('ab');
  expect(order(thing('a', 'b'), thing('b', 'a'), thing('c'))).toBe('c');
});

test('removes group members that the manifest does not list', () => {
  const group = (names: readonly string[]) =>
    desiredObject('groups', 'sales', {
      name: 'Sales',
      endpoints: Object.fromEntries(names.map((name) => [referenceTo(`users.${name}`), { type: 'user' }])),
    });
  const account = accountOf([alice(), bob(), group(['alice', 'bob'])]);
  const step = stepOf(planned(account, [alice(), bob(), group(['alice'])]), 'groups.sales');
  expect(changesOf(step)).toEqual([`endpoints.\${users.bob}: (removed) {"type":"user"}`]);
  expect(Object.values(step.send?.endpoints ?? {})).toEqual([null]);
});

test('sends the whole record if the service can only replace it', () => {
  const account = accountOf([desiredObject('limits', 'limits', { twoway_trunks: 2, inbound_trunks: 1 })]);
  const step = stepOf(planned(account, [desiredObject('limits', 'limits', { twoway_trunks: 4 })]), 'limits');
  expect(step).toMatchObject({ by: 'replace', mayCost: true, send: { twoway_trunks: 4, inbound_trunks: 1 } });
  expect(changesOf(step)).toEqual(['twoway_trunks: 2 → 4']);
});

test('sends hidden fields again with a record that can only be replaced', () => {
  const [before, after] = [{ twoway_trunks: 2 }, { twoway_trunks: 4 }];
  const wanted = { ...after, hidden: 'x' };
  expect(requestBody(kindByName('limits'), before, after, wanted).send).toEqual(wanted);
});

test('resends a password only when it changes, and never shows it', () => {
  const account = accountOf([alice({ password: 'first' })]);
  expect(stepOf(planned(account, [alice({ password: 'first' })]), 'users.alice').action).toBe('unchanged');
  const step = stepOf(planned(account, [alice({ password: 'other' })]), 'users.alice');
  expect(changesOf(step)).toEqual(['password: set (changed)']);
  expect(step.send).toEqual({ password: 'other' });
  expect(JSON.stringify(step.changes)).not.toContain('other');
});

test('sends a password of unknown state only with --send-unreadable', () => {
  const account = accountOf([alice()]);
  const wanted = [alice({ password: 'first' })];
  const step = stepOf(planned(account, wanted), 'users.alice');
  expect(step).toMatchObject({ action: 'unverifiable', managed: { username: 'alice', first_name: 'Alice' } });
  expect(step.notes.join()).toContain('--send-unreadable');
  const sent = stepOf(planned(account, wanted, { sendUnreadable: true }), 'users.alice');
  expect(sent).toMatchObject({ action: 'update', send: { password: 'first' } });
});

test('sends the password with a new username, because services require both', () => {
  const account = accountOf([alice({ password: 'first' })]);
  const step = stepOf(planned(account, [alice({ username: 'alicia', password: 'first' })]), 'users.alice');
  expect(step.send).toEqual({ username: 'alicia', password: 'first' });
});

test('never shows values from the environment', () => {
  const account = accountOf([alice({ email: 'old@acme.example' })]);
  const object = alice({ email: 'canary@acme.example' }, { confidential: ['email'] });
  const step = stepOf(planned(account, [object]), 'users.alice');
  expect(step.changes).toEqual([{ path: 'email', how: 'changed', secret: true }]);
  const created = stepOf(
    planned(new ModelAccount(), [alice({ profile: { note: 'canary' } }, { confidential: ['profile.note'] })]),
    'users.alice',
  );
  expect(created.changes).toContainEqual({ path: 'profile', how: 'set', after: { note: masked } });
});

test('does not show a value from the environment as the old value', () => {
  const account = accountOf([alice({ email: 'canary@acme.example' }, { confidential: ['email'] })]);
  const ledger = withEntries(account, (entry) => ({ ...entry, confidential: ['email'] }));
  const plan = planned(account, [alice({ email: 'new@acme.example' })], { ledger });
  expect(JSON.stringify(stepOf(plan, 'users.alice').changes)).not.toContain('canary');
});

test('reports changes by others that the manifest reverts', () => {
  const account = accountOf([alice({ timezone: 'Europe/London' })]);
  account.change('users.alice', { timezone: 'Asia/Tokyo', language: 'ja-JP' });
  const step = stepOf(planned(account, [alice({ timezone: 'Europe/London' })]), 'users.alice');
  expect(step.drifted).toEqual(['timezone']);
  expect(step.changes).toEqual([
    { path: 'timezone', how: 'changed', before: 'Asia/Tokyo', after: 'Europe/London', drift: true },
  ]);
});

test('does not report its own changes as drift', () => {
  const account = accountOf([alice({ timezone: 'Europe/London', caller_id: { internal: { name: 'A' } } })]);
  const wanted = alice({ timezone: 'Asia/Tokyo', caller_id: { internal: { name: 'B' } } });
  expect(stepOf(planned(account, [wanted]), 'users.alice').drifted).toBeUndefined();
});

test('distinguishes two objects with the same name by their ids', () => {
  const menuStep = (id: string) => ({ module: 'menu', data: { id }, children: {} });
  const account = accountOf([line('main', ['100'], { flow: menuStep('1'.repeat(32)) })]);
  const desired = desiredAccount([line('main', ['100'], { flow: menuStep('2'.repeat(32)) })]);
  const seen = account.observed(desired);
  const menus = ['1', '2'].map((digit) => ({ id: digit.repeat(32), name: 'Main' }));
  const observed: Observed = { ...seen, listed: new Map([...seen.listed, ['menus', menus]]) };
  const step = stepOf(planned(account, desired.objects, { observed }), 'callflows.main');
  expect(step.changes).toEqual([
    { path: 'flow.id', how: 'changed', before: '1'.repeat(32), after: '2'.repeat(32) },
  ]);
});

test('keeps a phone number on its callflow if the manifest also describes the number', () => {
  const number = desiredObject('numbers', '+15551230000', { cnam: { display_name: 'Acme' } });
  const account = accountOf([line('main', ['100'])]);
  const desired = desiredAccount([number, line('main', ['100', '+15551230000'])]);
  const seen = account.observed(desired);
  const live = { id: '+15551230000', record: { id: '+15551230000', cnam: { display_name: 'Acme' } } };
  const observed: Observed = { ...seen, matches: new Map([...seen.matches, [number.key, live]]) };
  const step = stepOf(planned(account, desired.objects, { observed }), 'callflows.main');
  expect(changesOf(step)).toEqual(['numbers: + "+15551230000"']);
});

test('releases a number before another callflow takes it', () => {
  const account = accountOf([line('a', ['100', '101']), line('b', ['102'])]);
  const plan = planned(account, [line('b', ['102', '101']), line('a', ['100'])]);
  expect(plan.steps.map(({ key }) => key)).toEqual(['callflows.a', 'callflows.b']);
  expect(stepOf(plan, 'callflows.b').after).toEqual(['callflows.a']);
});

test('releases numbers temporarily if callflows swap them', () => {
  const account = accountOf([line('a', ['100']), line('b', ['101'])]);
  const plan = planned(account, [line('a', ['101']), line('b', ['100'])]);
  expect(plan.steps.map(({ key }) => key)).toEqual(['callflows.a:release', 'callflows.b', 'callflows.a']);
  expect(stepOf(plan, 'callflows.a:release')).toMatchObject({
    releases: 'callflows.a',
    send: { numbers: ['moving-100'] },
  });
  expect(countSteps(plan).update).toBe(2);
  account.apply(plan);
  expect([account.record('callflows.a')?.numbers, account.record('callflows.b')?.numbers]).toEqual([
    ['101'],
    ['100'],
  ]);
});

test('moves a number to a new callflow that the old one refers to', () => {
  const account = accountOf([line('main', ['100'])]);
  const wanted = [
    line('ivr', ['100']),
    line('main', ['101'], {
      flow: { module: 'callflow', data: { id: referenceTo('callflows.ivr') }, children: {} },
    }),
  ];
  const plan = planned(account, wanted);
  account.apply(plan);
  expect(planned(account, wanted).steps.map(({ action }) => action)).toEqual(['unchanged', 'unchanged']);
});

test('notes that a number belongs to an unchanged callflow', () => {
  const account = accountOf([line('a', ['100'])]);
  const step = stepOf(planned(account, [line('b', ['100'])]), 'callflows.b');
  expect(step.notes).toEqual([
    'numbers 100 belongs to callflow a, which keeps it: the service will refuse this',
  ]);
});

test('recreates an object that others deleted and notes it', () => {
  const account = accountOf([alice(), bob()]);
  account.remove('users.bob');
  const step = stepOf(planned(account, [alice(), bob()]), 'users.bob');
  expect(step).toMatchObject({ action: 'create', notes: ['was deleted by others since the last apply'] });
});

test('prune deletes objects of the set after the objects that refer to them', () => {
  const account = accountOf([alice(), bob(), line('main', ['100'], { flow: flowTo('bob') })]);
  const plan = planned(account, [alice(), line('main', ['100'], { flow: flowTo('alice') })], { prune: true });
  expect(stepOf(plan, 'users.bob')).toMatchObject({
    action: 'delete',
    after: ['callflows.main'],
    label: 'user bob',
  });
  expect(plan.steps.at(-1)?.key).toBe('users.bob');
});

test('prune deletes referring objects first', () => {
  const account = accountOf([
    alice(),
    bob(),
    line('main', ['100'], { flow: flowTo('bob') }),
    line('keep', ['101'], { flow: flowTo('bob') }),
  ]);
  const plan = planned(account, [alice(), line('keep', ['101'])], { prune: true });
  expect(plan.steps.filter(({ action }) => action === 'delete').map(({ key }) => key)).toEqual([
    'callflows.main',
    'users.bob',
  ]);
});

test('a user can take the username of a deleted user', () => {
  const account = accountOf([bob(), alice()]);
  const wanted = [alice(), desiredObject('users', 'robert', { username: 'bob' })];
  const plan = planned(account, wanted, { prune: true });
  expect(stepOf(plan, 'users.robert').after).toEqual(['users.bob']);
  account.apply(plan);
});

test('prune keeps protected objects, found objects and the signed-in user', () => {
  const account = accountOf([
    alice(),
    bob(),
    desiredObject('menus', 'main', { name: 'Main' }),
    line('x', ['1']),
  ]);
  const ledger = withEntries(account, (entry) => ({
    ...entry,
    protect: entry.key === 'users.bob',
    origin: entry.key === 'menus.main' ? 'found' : 'created',
  }));
  const desired = desiredAccount([line('x', ['1'])]);
  const seen = account.observed(desired);
  const observed: Observed = {
    ...seen,
    account: { ...seen.account, ownerId: seen.abandoned.get('users.alice')?.id },
  };
  const plan = planned(account, desired.objects, { prune: true, ledger, observed });
  expect(countSteps(plan).delete).toBe(0);
  expect(plan.kept?.map(({ key, why }) => [key, why])).toEqual([
    ['users.alice', 'signed-in'],
    ['users.bob', 'protected'],
    ['menus.main', 'found'],
  ]);
});

test('prune keeps the account that it works in', () => {
  const account = accountOf([alice(), line('x', ['1'])]);
  const desired = desiredAccount([line('x', ['1'])]);
  const seen = account.observed(desired);
  const id = seen.abandoned.get('users.alice')?.id ?? '';
  const observed: Observed = { ...seen, account: { ...seen.account, id } };
  const plan = planned(account, desired.objects, { prune: true, observed });
  expect(plan.kept).toMatchObject([{ key: 'users.alice', why: 'signed-in' }]);
});

test('refuses to prune with an empty manifest or without a ledger of the set', async () => {
  const account = accountOf([alice()]);
  const pruned = async (objects: readonly DesiredObject[], more: Partial<PlanInput> = {}) =>
    planned(account, objects, { prune: true, ...more });
  const unknown = await failureOf(pruned([alice()], { ledger: undefined }));
  expect(unknown).toMatchObject({ kind: 'refused', hint: expect.stringContaining('telctl adopt') });
  expect(await failureOf(pruned([]))).toMatchObject({ kind: 'refused' });
  expect(planned(account, []).kept).toEqual([{ key: 'users.alice', label: 'user alice', why: 'not-pruned' }]);
});

test('never creates an object that cannot be looked up', () => {
  const desired = desiredAccount([alice()]);
  const observed: Observed = { ...new ModelAccount().observed(desired), unreadable: new Set(['users']) };
  const plan = planned(new ModelAccount(), desired.objects, { observed });
  expect(stepOf(plan, 'users.alice')).toMatchObject({ action: 'unverifiable' });
  const sent = planned(new ModelAccount(), desired.objects, { observed, sendUnreadable: true });
  expect(stepOf(sent, 'users.alice')).toMatchObject({ action: 'create' });
});

test('sends an unreadable object only if the manifest changed since the last apply', () => {
  const account = accountOf([alice({ timezone: 'Europe/London' })]);
  const unreadable = (object: DesiredObject): Plan => {
    const desired = desiredAccount([object]);
    const seen = account.observed(desired);
    const id = seen.matches.get('users.alice')?.id ?? '';
    const observed: Observed = {
      ...seen,
      matches: new Map([['users.alice', { id, record: undefined, known: 'unreadable' }]]),
    };
    return planned(account, desired.objects, { observed });
  };
  const same = stepOf(unreadable(alice({ timezone: 'Europe/London' })), 'users.alice');
  expect(same).toMatchObject({ action: 'unverifiable' });
  expect(same.notes).toEqual(['cannot be read from this service', 'was last applied on 1970-01-01']);
  const other = stepOf(unreadable(alice({ timezone: 'Asia/Tokyo' })), 'users.alice');
  expect(other).toMatchObject({
    action: 'update',
    changes: [{ path: 'timezone', how: 'set', after: 'Asia/Tokyo' }],
  });
});

test('changes objects stored in the same record one after the other', () => {
  const account = accountOf([
    desiredObject('account_settings', 'account_settings', { name: 'Acme' }),
    desiredObject('metaflows', 'metaflows', { binding_digit: '*' }),
  ]);
  const wanted = [
    desiredObject('metaflows', 'metaflows', { binding_digit: '#' }),
    desiredObject('account_settings', 'account_settings', { name: 'Acme Corporation' }),
  ];
  expect(stepOf(planned(account, wanted), 'metaflows').after).toEqual(['account_settings']);
});
