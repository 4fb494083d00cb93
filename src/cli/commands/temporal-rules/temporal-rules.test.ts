import { expect, test } from 'vitest';
import { openWorld } from '../../../../test/support/world.ts';
import type { JsonObject } from '../../../base/json.ts';

const step = (module: string, data: JsonObject, children: JsonObject = {}) => ({ module, data, children });
const says = (text: string) => step('tts', { text }, { _: step('hangup', {}) });

/** An account in Berlin with opening hours, holidays, and a number that tests both. */
async function office() {
  const world = await openWorld();
  const { service, telctl } = world;
  await service('PATCH', '', { timezone: 'Europe/Berlin' });
  const made = async (line: readonly string[]): Promise<string> => {
    const run = await telctl([...line, '-o', 'json']);
    expect(run.code, run.stderr).toBe(0);
    return String(JSON.parse(run.stdout).id);
  };
  const weekdays = JSON.stringify(['monday', 'tuesday', 'wednesday', 'thursday', 'friday']);
  const hours = await made([
    ...['temporal-rules', 'create', '--name', 'Office hours', '--cycle', 'weekly'],
    ...['--set-json', `wdays=${weekdays}`, '--time-window-start', '09:00', '--time-window-stop', '17:00'],
  ]);
  const christmas = await made([
    ...['temporal-rules', 'create', '--name', 'Christmas Eve', '--cycle', 'date'],
    ...['--start-date', '2026-12-24'],
  ]);
  const holidays = await made([
    ...['temporal-rule-sets', 'create', '--name', 'Holidays'],
    ...['--set-json', `temporal_rules=["${christmas}"]`],
  ]);
  const flow = step(
    'temporal_route',
    { rules: [holidays, hours] },
    { [holidays]: says('Holiday'), [hours]: says('Open'), _: says('Closed') },
  );
  await service('PUT', 'callflows', { name: 'Main line', numbers: ['2001'], flow });
  return { ...world, hours };
}

test('creates rules with hours and dates, and checks and switches them', async () => {
  const { telctl, hours } = await office();
  const check = async (at: string): Promise<string> =>
    (await telctl(['temporal-rules', 'check', 'Office hours', '--at', at])).stdout;
  expect(await check('2026-12-23T09:00')).toBe(
    '"Office hours" matches at Wed 2026-12-23 09:00 Europe/Berlin: this is one of its days, within 09:00 to 17:00.\n' +
      'It stops matching at Wed 2026-12-23 17:00:01 Europe/Berlin.\n' +
      'Next matches (Europe/Berlin): Thu 2026-12-24 09:00, Fri 2026-12-25 09:00, Mon 2026-12-28 09:00, ' +
      'Tue 2026-12-29 09:00, Wed 2026-12-30 09:00.\n',
  );
  // The same time, by the clocks of another place.
  expect(await check('2026-12-23T07:59:59Z')).toContain(
    'does not match at Wed 2026-12-23 08:59:59 Europe/Berlin',
  );
  expect(await check('2026-12-26T10:00')).toContain(
    'It starts matching at Mon 2026-12-28 09:00 Europe/Berlin',
  );
  const elsewhere = ['temporal-rules', 'check', 'Office hours', '--timezone', 'Asia/Tokyo'];
  const tokyo = await telctl([...elsewhere, '--at', '2026-12-23T09:00', '-o', 'json']);
  expect(JSON.parse(tokyo.stdout)).toEqual({
    rule: { id: hours, name: 'Office hours' },
    ...{ at: '2026-12-23T00:00:00Z', timezone: 'Asia/Tokyo', matches: true, state: 'within' },
    ...{ why: 'this is one of its days, within 09:00 to 17:00', changes_at: '2026-12-23T08:00:01Z' },
    next: [24, 25, 28, 29, 30].map((day) => `2026-12-${day}T00:00:00Z`),
  });
  const christmas = await telctl(['temporal-rules', 'get', 'Christmas Eve']);
  expect(christmas.stdout).toMatch(/^start_date +2026-12-24$/m);
  const shown = await telctl(['temporal-rules', 'get', 'Office hours']);
  expect(shown.stdout).toMatch(/^time_window_start +09:00$/m);
  const json = await telctl(['temporal-rules', 'get', 'Office hours', '--query', 'time_window_stop']);
  expect(json.stdout).toBe('61200\n');
  for (const [verb, words] of [
    ['disable', 'does not match at'],
    ['enable', 'matches at'],
  ] as const) {
    expect(await telctl(['temporal-rules', verb, 'Office hours'])).toMatchObject({ code: 0 });
    expect(await check('2026-12-23T10:00')).toContain(`${words} Wed 2026-12-23 10:00 Europe/Berlin: it is`);
    expect(await check('2026-12-23T10:00')).toContain('temporal-rules reset');
  }
  expect(await telctl(['temporal-rules', 'reset', 'Office hours'])).toMatchObject({ code: 0 });
  expect(await check('2026-12-26T10:00')).toContain('does not match');
  const wrong = ['temporal-rules', 'patch', 'Office hours', '--time-window-start', '9 am'];
  expect(await telctl(wrong)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--time-window-start takes HH:MM, not "9 am"'),
  });
  const zone = await telctl(['temporal-rules', 'check', 'Office hours', '--timezone', 'Europe/Berln']);
  expect(zone).toMatchObject({ code: 2, stderr: expect.stringContaining('"Europe/Berlin"') });
  const skipped = ['temporal-rules', 'check', 'Office hours', '--at', '2026-03-29T02:30'];
  expect(await telctl(skipped)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('does not exist in Europe/Berlin'),
  });
});

test('trace follows the branch that matches a given time, and shows all branches by default', async () => {
  const { telctl, service } = await office();
  const trace = async (at: string): Promise<string> =>
    (await telctl(['callflows', 'trace', '2001', '--at', at])).stdout;
  const all = await telctl('callflows trace 2001');
  expect(all.stdout).toContain('├─ Office hours');
  expect(all.stdout).toContain('├─ Holidays');
  expect(await trace('2026-12-23T10:00')).toBe(`2001 → Main line
temporal_route "Holidays", "Office hours"  ("Office hours" matches at Wed 2026-12-23 10:00 Europe/Berlin)
└─ Office hours  tts "Open"
                 └─ _  hangup
`);
  expect(await trace('2026-12-24T10:00')).toContain('Holidays  tts "Holiday"');
  expect(await trace('2026-12-23T08:00')).toContain('_  tts "Closed"');
  const json = await telctl('callflows trace 2001 --at 2026-12-24T10:00 -o json');
  expect(JSON.parse(json.stdout)).toMatchObject({
    at: '2026-12-24T09:00:00.000Z',
    first: { branches: [{ name: 'Holidays', step: { module: 'tts' } }] },
  });
  const lost = { [`${'e'.repeat(32)}`]: says('Never') };
  await service('PUT', 'callflows', {
    name: 'Odd',
    numbers: ['2002'],
    flow: step('temporal_route', {}, lost),
  });
  const lint = await telctl('callflows lint Odd');
  expect(lint).toMatchObject({ code: 10 });
  expect(lint.stdout).toContain('a branch refers to a temporal rule that does not exist');
});

test('create, update and patch show the next five matches, and warn about misleading rules', async () => {
  const { telctl, hours } = await office();
  const rule = '--name Daily --cycle daily --time-window-start 09:00';
  const made = await telctl(`temporal-rules create ${rule}`);
  expect(made.stdout + made.stderr).toContain('Next matches (Europe/Berlin): Thu 2025-01-16 09:00, Fri');
  const patched = await telctl('temporal-rules patch Daily --time-window-stop 06:00 -o json');
  expect(JSON.parse(patched.stdout)).toMatchObject({ next: [] });
  expect(patched.stderr).toContain('never matches');
  const file = { 'rule.yaml': 'name: Office hours\ncycle: daily\nwdays: [monday]\n' };
  const updated = await telctl(`temporal-rules update ${hours} -f rule.yaml --yes -o json`, { files: file });
  expect(JSON.parse(updated.stdout).next).toHaveLength(5);
  expect(updated.stderr).toContain('a daily rule ignores "wdays"');
  expect(updated.stderr).not.toContain('would refuse');
});

test.each(['Pacific/Pago_Pago', 'Pacific/Kiritimati', 'Pacific/Chatham', 'Etc/GMT+12', 'Europe/Berlin'])(
  'a date rule matches on its date in %s',
  async (zone) => {
    const { telctl, service } = await openWorld();
    await service('PATCH', '', { timezone: zone });
    await telctl(['temporal-rules', 'create', '--name', 'Flag Day', '--start-date', '2027-04-17']);
    expect((await telctl('temporal-rules list')).stdout).toContain('2027-04-17');
    for (const [at, words] of [
      ['2027-04-16T23:59:59', 'does not match'],
      ['2027-04-17', 'matches'],
      ['2027-04-17T23:59:59', 'matches'],
      ['2027-04-18T00:00:01', 'does not match'],
    ] as const) {
      const run = await telctl(['temporal-rules', 'check', 'Flag Day', '--at', at]);
      expect(run.stdout).toContain(`"Flag Day" ${words} at`);
    }
  },
);

test('splits hours over midnight into two rules, or prints two commands that do so', async () => {
  const { telctl } = await office();
  const night = 'temporal-rules create --name Night --days fri,sun --hours 22:00-06:00';
  const refused = await telctl(night);
  expect([refused.code, refused.requests.filter(({ method }) => method === 'PUT')]).toEqual([2, []]);
  const [, hint = ''] = refused.stderr.split('Run telctl ');
  const lines = hint.trim().split(' and telctl ');
  expect(lines).toHaveLength(2);
  for (const line of lines) {
    const argv = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
    expect(await telctl(argv)).toMatchObject({ code: 0 });
  }
  const rulesNamed = async (part: string) =>
    JSON.parse(
      (await telctl('temporal-rules list -o json --fields name,wdays,time_window_start,time_window_stop'))
        .stdout,
    )
      .filter(({ name }: { name: string }) => name.startsWith(part))
      .map(({ name: _, ...rule }: JsonObject) => rule);
  const wanted = [
    { wdays: ['friday', 'sunday'], time_window_start: 79_200, time_window_stop: 86_400 },
    { wdays: ['monday', 'saturday'], time_window_start: 0, time_window_stop: 21_600 },
  ];
  expect(await rulesNamed('Night')).toEqual(expect.arrayContaining(wanted));
  const both = await telctl(`${night.replace('Night', 'Late')} --yes -o json`);
  expect(JSON.parse(both.stdout)).toMatchObject([{ name: 'Late (evening)' }, { name: 'Late (morning)' }]);
  expect(await rulesNamed('Late')).toEqual(expect.arrayContaining(wanted));
  const slip = await telctl('temporal-rules create --name Nine --hours 9-5');
  expect([slip.code, slip.stderr]).toEqual([2, expect.stringContaining('Did you mean --hours 09:00-17:00?')]);
});

test('check uses the clock of the service by default', async () => {
  const world = await office();
  const clock = { now: () => world.clock.now() + 40 * 86_400_000, sleep: world.clock.sleep };
  const run = await world.telctl(['temporal-rules', 'check', 'Office hours'], { clock });
  expect(run.stdout).toContain('at Wed 2025-01-15 10:00 Europe/Berlin (the clock of the service)');
});
