import { expect, it } from 'vitest';
import { handlerBench, textOf } from '../../../test/support/command-run.ts';
import { failureOf } from '../../../test/support/failure-of.ts';
import { openWorld } from '../../../test/support/world.ts';
import { limitsCommands } from './commands.ts';

const bench = () => handlerBench(limitsCommands);
const set = ['limits', 'set', '--twoway-trunks', '10'];
const posts = (requests: readonly { method: string; body: unknown }[]) =>
  requests.filter(({ method }) => method === 'POST').map(({ body }) => body);

it('asks first without accepting, shows the charges, and accepts them when told to at the terminal', async () => {
  const { run } = await bench();
  const { result, said, asked, requests } = await run(set, { answers: [true] });
  expect(posts(requests)).toMatchObject([
    { data: { twoway_trunks: 10 } },
    { data: { twoway_trunks: 10, accept_charges: true } },
  ]);
  expect(JSON.stringify(posts(requests)[0])).not.toContain('accept_charges');
  expect(said.join('\n')).toMatch(
    /This change adds charges:\n\n {2}ITEM .*\n {2}twoway_trunks .*250\.00\n.*Estimate +250\.00\n\nThe service names no currency/,
  );
  expect(asked).toEqual(['Accept these charges for account acme?']);
  expect(result.kind === 'done' && result.message).toMatch(
    /^Limits updated: twoway_trunks (?:none|0) → 10\. Charges accepted, request \S+\.$/,
  );
});

it('changes nothing when the answer is no, even with --yes', async () => {
  const { run, last } = await bench();
  const failure = await failureOf(run([...set, '--yes'], { answers: [false] }));
  expect(failure.kind).toBe('charges');
  expect(posts(last().requests)).toHaveLength(1);
});

it('is refused where nobody can be asked, with the charges for scripts', async () => {
  const { run, last } = await bench();
  const failure = await failureOf(run([...set, '--yes']));
  expect(failure.kind).toBe('charges');
  expect(failure.message).toBe(
    'Charges must be accepted: estimated 250.00 for 10 twoway_trunks. Nothing changed.',
  );
  expect(failure.hint).toBe('Repeat with --accept-charges, or with --accept-charges-up-to 250.');
  expect(failure.details).toMatchObject({ limits: { twoway_trunks: { quantity: 10, rate: 25 } } });
  expect(posts(last().requests)).toHaveLength(1);
  expect(last().said.join('\n')).toMatch(/ITEM .*CATEGORY .*LINE TOTAL\n.*\n.*Estimate +250\.00/);
});

it('leaves nothing beside the error on stderr where that is JSON', async () => {
  const world = await openWorld();
  const set = await world.telctl('limits set --twoway-trunks 10 -o json');
  const limits = { twoway_trunks: { quantity: 10, rate: 25 } };
  expect(JSON.parse(set.stderr)).toMatchObject({ error: { kind: 'charges', details: { limits } } });
  const apply = await world.telctl('apply -f limits.yaml --yes -o ndjson', {
    files: { 'limits.yaml': 'limits: { twoway_trunks: 10 }\n' },
  });
  expect([set.code, apply.code]).toEqual([7, 7]);
  const said = apply.stderr.trimEnd().split('\n').at(-1) ?? '';
  expect(JSON.parse(said)).toMatchObject({ error: { kind: 'charges', details: { limits } } });
});

it('accepts within a budget and refuses above it', async () => {
  const { run } = await bench();
  const failure = await failureOf(run([...set, '--accept-charges-up-to', '249.99']));
  expect(failure.kind).toBe('charges');
  expect(failure.message).toMatch(/more than 249\.99/);
  expect((await run([...set, '--accept-charges-up-to', '250'])).result.kind).toBe('done');
});

it('lets no budget cover a charge that is not understood', async () => {
  const { run, last } = await bench();
  const strange = (body: string) => body.replace('"rate":25', '"rate":25,"setup_fee":1');
  const rule = { method: 'POST', fault: { kind: 'rewrite', change: strange } } as const;
  const failure = await failureOf(run([...set, '--accept-charges-up-to', '100000'], { faults: [rule] }));
  expect(failure.message).toMatch(/estimated unknown .*not every item is understood/);
  expect(posts(last().requests)).toHaveLength(1);
  const everything = await run([...set, '--accept-charges'], { faults: [{ ...rule, times: 1 }] });
  expect(everything.result.kind).toBe('done');
});

it('reads the limits back after a lost reply and sends nothing again', async () => {
  const { run } = await bench();
  const { result, requests } = await run([...set, '--accept-charges'], {
    faults: [
      { method: 'POST', fault: { kind: 'pass' }, times: 1 },
      { method: 'POST', fault: { kind: 'lose-reply' } },
    ],
  });
  expect(posts(requests)).toHaveLength(2);
  expect(requests.at(-1)?.method).toBe('GET');
  expect(result).toMatchObject({ kind: 'done', value: { twoway_trunks: 10 } });
});

it('says so when the lost request changed nothing', async () => {
  const { run, last } = await bench();
  const failure = await failureOf(
    run([...set, '--accept-charges'], {
      faults: [
        { method: 'POST', fault: { kind: 'pass' }, times: 1 },
        { method: 'POST', fault: { kind: 'refuse' } },
      ],
    }),
  );
  expect(failure.kind).toBe('unavailable');
  expect(failure.message).toMatch(/were read back and have not changed/);
  expect(posts(last().requests)).toHaveLength(2);
});

it('does not say in one breath that nothing has changed and that it may have', async () => {
  const { run, last } = await bench();
  const faults = [{ method: 'POST', fault: { kind: 'lose-reply' } }] as const;
  const failure = await failureOf(run([...set, '--accept-charges'], { faults }));
  expect(failure.message).toMatch(/were read back and have not changed/);
  expect(failure.hint).toBe('It may still be under way: telctl limits get, before you repeat it.');
  expect(posts(last().requests)).toHaveLength(1);
});

it('keeps limits that are not given, and sends nothing where nothing changes', async () => {
  const { run } = await bench();
  await run(['limits', 'set', '--calls', '5']);
  const { result } = await run(['limits', 'set', '--burst-trunks', '1']);
  expect(result).toMatchObject({ value: { calls: 5, burst_trunks: 1 } });
  expect((await run(['limits', 'get'])).result).toMatchObject({ kind: 'item', value: { calls: 5 } });
  const again = await run(['limits', 'set', '--calls', '5']);
  expect(posts(again.requests)).toEqual([]);
});

it('shows the change in a dry run and says that it may cost', async () => {
  const { run } = await bench();
  const { result, requests } = await run([...set, '--dry-run']);
  expect(posts(requests)).toEqual([]);
  expect(textOf(result)).toMatch(/twoway_trunks: .*10\n {2}may add charges/);
});
