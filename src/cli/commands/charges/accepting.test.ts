import { expect, test } from 'vitest';
import type { Fault, FaultRule } from '../../../../test/support/faults.ts';
import { openWorld, type Run } from '../../../../test/support/world.ts';

const limits = { method: 'POST', path: /\/limits$/ } as const;
const accepting = ({ requests }: Run) =>
  requests.filter(({ body }) => JSON.stringify(body ?? {}).includes('"accept_charges":true'));

const body = JSON.stringify({ status: 'error', error: 'no', data: {} });
const refusals: Readonly<Record<string, Fault>> = {
  'rate-limits the request': { kind: 'answer', status: 429, headers: { 'retry-after': '0' }, body },
  'rejects the token': { kind: 'answer', status: 401, body },
};
test.each(Object.entries(refusals))(
  'sends an accepting request once and reads the limits back if the service %s',
  async (_why, refusal) => {
    const world = await openWorld({ like: 'kazoo' });
    const rules: readonly FaultRule[] = [
      { ...limits, times: 1, fault: { kind: 'pass' } },
      { ...limits, times: 1, fault: refusal },
    ];
    const run = await world.telctl('limits set --inbound-trunks 2 --accept-charges', { faults: rules });
    expect(accepting(run)).toHaveLength(1);
    expect(run.stderr).toContain('have not changed');
    expect(run.code, run.stderr).toBe(75);
    expect((await world.telctl('limits set --inbound-trunks 2 --accept-charges')).code).toBe(0);
  },
);

test('shows the current total in each question about charges', async () => {
  const world = await openWorld({ like: 'kazoo' });
  await world.service('POST', 'services/overrides', { users: { user: { rate: 10 } } });
  const people = ['alice', 'bob', 'carol'].map((username) => ({
    ...{ username, first_name: username, last_name: 'X', password: 'secret-1' },
  }));
  const run = await world.telctl('users create -f u.json', {
    files: { 'u.json': JSON.stringify(people) },
    tty: true,
    answers: people.map(() => ({ to: /would be .*Accept/s, type: 'y' })),
  });
  expect(run.code, run.stderr).toBe(0);
  const totals = [...run.stderr.matchAll(/The total of each bill would be ([0-9.]+)\./g)].map(
    ([, total]) => total,
  );
  expect(totals).toEqual(['10.00', '20.00', '30.00']);
  expect(accepting(run)).toHaveLength(3);
});
