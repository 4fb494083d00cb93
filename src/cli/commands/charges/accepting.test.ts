import { expect, test } from 'vitest';
import type { Fault, FaultRule } from '../../../../test/support/faults.ts';
import { openWorld, type Run } from '../../../../test/support/world.ts';

const limits = { method: 'POST', path: /\/limits$/ } as const;
const accepting = ({ requests }: Run) =>
  requests.filter(({ body }) => JSON.stringify(body ?? {}).includes('"accept_charges":true'));

const body = JSON.stringify({ status: 'error', error: 'no', data: {} });
const refusals: Readonly<Record<string, Fault>> = {
  'takes no more requests for now': { kind: 'answer', status: 429, headers: { 'retry-after': '0' }, body },
  'no longer takes the token': { kind: 'answer', status: 401, body },
};
/** The end of the request that accepts for the second time; limits are read back where no reply came. */
const ends: Readonly<
  Record<string, { readonly fault: Fault; readonly code: number; readonly trunks: number }>
> = {
  delivered: { fault: { kind: 'pass' }, code: 0, trunks: 2 },
  'lost before it is carried out': { fault: { kind: 'cut', by: 'reset' }, code: 75, trunks: 0 },
  'lost after it was carried out': { fault: { kind: 'lose-reply' }, code: 0, trunks: 2 },
};

test.each(
  Object.entries(refusals).flatMap(([why, refusal]) =>
    Object.entries(ends).map(([how, end]) => [why, how, refusal, end] as const),
  ),
)(
  'a request that accepts charges is sent again where the service %s, and never after it was %s',
  async (_why, _how, refusal, { fault, code, trunks }) => {
    const world = await openWorld({ like: 'kazoo' });
    const rules: readonly FaultRule[] = [
      { ...limits, times: 1, fault: { kind: 'pass' } },
      { ...limits, times: 1, fault: refusal },
      { ...limits, fault },
    ];
    const run = await world.telctl('limits set --inbound-trunks 2 --accept-charges', { faults: rules });
    expect(accepting(run)).toHaveLength(2);
    expect(Object((await world.service('GET', 'limits')) ?? {}).inbound_trunks ?? 0).toBe(trunks);
    expect(run.code, run.stderr).toBe(code);
  },
);

test('each of several questions has the totals as they are by then', async () => {
  const world = await openWorld({ like: 'kazoo' });
  await world.service('POST', 'services/overrides', { users: { user: { rate: 10 } } });
  const people = ['alice', 'bob', 'carol'].map((username) => ({
    ...{ username, first_name: username, last_name: 'X', password: 'secret-1' },
  }));
  const run = await world.telctl('users create -f u.json', {
    files: { 'u.json': JSON.stringify(people) },
    tty: true,
    answers: people.map(() => ({ to: /in all\..*Accept/s, type: 'y' })),
  });
  expect(run.code, run.stderr).toBe(0);
  const totals = [...run.stderr.matchAll(/Each bill would come to ([0-9.]+) in all/g)].map(
    ([, total]) => total,
  );
  expect(totals).toEqual(['10.00', '20.00', '30.00']);
  expect(accepting(run)).toHaveLength(3);
});
