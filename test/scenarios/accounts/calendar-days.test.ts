import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { gregorianOffset } from '../../../src/base/moment.ts';
import { parseDay, startOfDay } from '../../../src/base/zoned-time.ts';
import { callsIn } from '../../support/calls-in.ts';
import { allCommands, createLines } from '../../support/command-lines.ts';
import { openWorld, type World } from '../../support/world.ts';

const zones = ['America/New_York', 'Pacific/Auckland', 'Pacific/Pago_Pago', 'Pacific/Kiritimati'];

/** Returns the local date in a zone, computed by the runtime instead of telctl. */
const localDate = (zone: string, atS: number): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' }).format(atS * 1000);

test('a day begins at the first second that has its date in the zone', () => {
  const all = [...zones, 'Africa/Cairo', 'America/Havana', 'America/Santiago', 'Asia/Beirut', 'Pacific/Apia'];
  const day = fc.integer({ min: parseDay('1996-01-01') ?? 0, max: parseDay('2036-12-31') ?? 0 });
  fc.assert(
    fc.property(fc.constantFrom(...all, ...Intl.supportedValuesOf('timeZone')), day, (zone, at) => {
      const date = new Date(at * 86_400_000).toISOString().slice(0, 10);
      const begin = startOfDay(zone, at);
      expect(localDate(zone, begin - 1) < date).toBe(true);
      expect(localDate(zone, begin) >= date).toBe(true);
    }),
    { numRuns: 300, examples: [['Pacific/Apia', parseDay('2011-12-30') ?? 0]] },
  );
});

/** Options that take a time, selected by their placeholder in help. */
const timeOptions = allCommands.flatMap((command) =>
  Object.entries(command.options).flatMap(([key, { value = '' }]) =>
    /^(AGO\|TIME|TIME|DATE|YYYY.*)$/.test(value) ? [[command.path.join(' '), key, command] as const] : [],
  ),
);

/** Options that do not limit a range of records, with the reason. */
const others: Readonly<Record<string, string>> = {
  at: 'the time of a call: by the clocks of the account, with or without a time of day',
  date: 'a moment of a porting request, with --timezone',
};

/** Returns true for a command that reads records of this machine, and the account only for its time zone. */
const isLocal = (name: string): boolean => name === 'log' || name === 'webhooks replay';

describe('a date without a time is a day in the time zone of the account', () => {
  test.each(timeOptions.filter(([, key]) => others[key] === undefined))(
    'in %s, --%s',
    async (name, key, command) => {
      const world = await openWorld();
      const [line] = await createLines(command, world);
      if (!line) throw new Error(`${name} has no working line.`);
      await world.service('PATCH', '', { timezone: 'Pacific/Auckland' });
      const words = line.argv.filter(
        (word, at, all) => !/^--(since|until|from|to)$/.test(all[at - 1] ?? word),
      );
      const option = `--${command.options[key]?.flag ?? key}`;
      const day = Date.parse('2025-01-14T11:00:00Z') / 1000 + gregorianOffset;
      const isEnd = key === 'until' || key === 'to';
      // Summed legs are counted on the day they begin. Services filter by the end, which can be a day later.
      const later = /^cdrs (?:report|summary)$/.test(name) ? 86_400 : 0;
      const before = isEnd
        ? ['--since', '--from'].find((other) => other.slice(2) in command.options)
        : undefined;
      const range = before === undefined ? [] : [before, '2025-01-01'];
      const run = await world.telctl([...words, ...range, option, '2025-01-15', ...line.answered], line.run);
      const sent = run.requests
        .map(({ path, search, body }) => `${path}${search}${JSON.stringify(body) ?? ''}`)
        .join('\n');
      if (isLocal(name)) expect(sent, run.stderr).toMatch(/\/accounts\/[0-9a-f]{32}$/m);
      else if (key === 'start_date') expect(sent, run.stderr).toContain(`"start_date":${day + 23 * 3600}`);
      else
        expect(sent, run.stderr).toMatch(new RegExp(`[=:]${isEnd ? day - 1 + later : day}(?:[&,}]|$)`, 'm'));
    },
  );
});

test.each(zones)('cdrs report and summary count the calls of a day in %s', async (zone) => {
  const world = await openWorld();
  await world.service('PATCH', '', { timezone: zone });
  const flow = { module: 'tts', data: { text: 'Closed' } };
  await world.service('PUT', 'callflows', { name: 'Main', numbers: ['2001'], flow });
  const make = callsIn(world);
  const begin = startOfDay(zone, parseDay('2027-03-14') ?? 0);
  const end = startOfDay(zone, parseDay('2027-03-15') ?? 0);
  // The last call of the day ends on the next day.
  for (const at of [begin - 1, begin, end - 1, end]) {
    world.clock.turn(at * 1000 - world.clock.now());
    await make('+13125550100', '2001', { realTime: false, isOver: true });
  }
  world.clock.turn(86_400_000);
  const day = '--since 2027-03-14 --until 2027-03-15 --by day -o json';
  const [reported, ...more] = JSON.parse((await world.telctl(`cdrs report ${day}`)).stdout);
  expect([reported, more]).toMatchObject([{ key: '2027-03-14', calls: 2 }, []]);
  const summary = JSON.parse((await world.telctl(`cdrs summary ${day}`)).stdout);
  expect(summary.map((row: { day: string }) => row.day)).toEqual(['2027-03-14']);
  const empty = await world.telctl('cdrs report --since 2027-03-14 --until 2027-03-14');
  expect([empty.code, empty.stderr]).toEqual([2, expect.stringContaining('--until 2027-03-15')]);
});

test.each([
  [null, 'no time zone'],
  ['Europe/Zurch', 'time zone "Europe/Zurch" is unknown'],
])('an account with the zone %j is reported', async (timezone, words) => {
  const world = await openWorld();
  await world.service('PATCH', '', { timezone });
  const run = await world.telctl('cdrs list --since 2025-01-14');
  expect([run.code, run.stderr]).toEqual([0, expect.stringContaining(`${words}; assuming UTC`)]);
});

/** Zones from UTC-12 to UTC+14, one with a half-hour offset, and one where a clock change skips midnight. */
const farZones = [
  ...(['Etc/GMT+12', 'Pacific/Pago_Pago', 'America/Santiago', 'Asia/Kolkata'] as const),
  ...(['Europe/Zurich', 'Pacific/Chatham', 'Pacific/Kiritimati'] as const),
];
/** On this day, a clock change in Santiago skips midnight. */
const typedDay = '2027-09-05';

describe.each(farZones)('in %s', (zone) => {
  const startDates = async ({ telctl }: World): Promise<readonly string[]> => {
    const { stdout } = await telctl('temporal-rules list -o json --fields start_date');
    return JSON.parse(stdout).map(({ start_date: at }: { start_date: number }) =>
      localDate(zone, at - gregorianOffset),
    );
  };

  test('a start date is that day in the account zone for every option, and is shown as typed', async () => {
    const world = await openWorld();
    await world.service('PATCH', '', { timezone: zone });
    const rule = { cycle: 'date', start_date: typedDay };
    const files = {
      'one.yaml': `{ name: From YAML, cycle: date, start_date: ${typedDay} }`,
      'one.json': JSON.stringify({ name: 'From JSON', ...rule }),
      'one.csv': `name,cycle,start_date\nFrom CSV,date,${typedDay}\n`,
      'office.yaml': `temporal_rules: { a: { name: From a manifest, cycle: date, start_date: ${typedDay} } }`,
      'zoned.yaml': `set: zoned\naccount_settings: { timezone: ${zone} }\ntemporal_rules: { b: { name: From a zone, cycle: date, start_date: ${typedDay} } }`,
    };
    for (const line of [
      `temporal-rules create --name By-option --cycle date --start-date ${typedDay}`,
      `temporal-rules create --name By-set --cycle date --set start_date=${typedDay}`,
      'temporal-rules create -f one.yaml',
      'temporal-rules create -f one.json',
      'temporal-rules create -f one.csv',
      'apply -f office.yaml --yes',
      'apply -f zoned.yaml --yes',
    ])
      expect(await world.telctl(line, { files }), line).toMatchObject({ code: 0 });
    expect(await startDates(world)).toEqual(Array.from({ length: 7 }, () => typedDay));
    const again = await world.telctl('diff -f office.yaml', { files });
    expect(again.code, again.stdout).toBe(0);
    // Other programs store a day as its midnight.
    const midnight = startOfDay(zone, parseDay(typedDay) ?? 0) + gregorianOffset;
    await world.service('PUT', 'temporal_rules', { name: 'Other', cycle: 'date', start_date: midnight });
    const table = (await world.telctl('temporal-rules list')).stdout;
    expect(table.match(new RegExp(typedDay, 'g'))).toHaveLength(8);
    expect((await world.telctl('temporal-rules get Other')).stdout).toMatch(
      new RegExp(`start_date +${typedDay}`),
    );
    const found = await world.telctl(`temporal-rules list --filter start_date=${typedDay} -o name`);
    expect(found.stdout.trim().split('\n')).toHaveLength(8);
    const none = await world.telctl('temporal-rules list --filter start_date=2027-09-06 -o name');
    expect(none.stdout).toBe('');
  });

  test('a date in a time field is the start of the day in the account zone, and a filter matches the whole day', async () => {
    const world = await openWorld();
    await world.service('PATCH', '', { timezone: zone });
    const begin = startOfDay(zone, parseDay(typedDay) ?? 0) + gregorianOffset;
    const files = {
      'port.yaml': `{ name: From a file, numbers: { "+13125550103": {} }, transfer_date: ${typedDay} }`,
    };
    for (const line of [
      `ports create --name By-option --numbers +13125550101 --transfer-date ${typedDay}`,
      `ports create --name By-set --numbers +13125550102 --set transfer_date=${typedDay}`,
      'ports create -f port.yaml',
    ]) {
      const { code, stderr, requests } = await world.telctl(line, { files });
      expect(code, stderr).toBe(0);
      expect(requests.at(-1)?.body, line).toMatchObject({ data: { transfer_date: begin } });
    }
    const found = await world.telctl(
      `ports list --filter transfer_date=${typedDay} --filter name=By-set -o name`,
    );
    expect(found.stdout).toBe('By-set\n');
    const day = ['ports', 'schedule', 'By-set', '--date', typedDay, '--dry-run', '-o', 'json'];
    expect(JSON.parse((await world.telctl(day)).stdout).requests[0].body.data).toEqual({
      scheduled_date: begin,
    });
  });
});
