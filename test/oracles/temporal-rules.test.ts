import { describe, expect, test } from 'vitest';
import type { Random } from '../../src/base/host/host.ts';
import type { JsonObject } from '../../src/base/json.ts';
import { gregorianOffset } from '../../src/base/moment.ts';
import { findClockChange, localTime, timesOfLocal } from '../../src/base/zoned-time.ts';
import { isMatchingState, nextMatches, ruleState, weekdays } from '../../src/contract/temporal-match.ts';
import { seededRandom } from '../support/clock.ts';
import { luxon, rrule } from '../support/outside-libraries.ts';
import { openWorld } from '../support/world.ts';

// `FUZZ_SEED` selects other rules, zones and times.
const seed = Number(process.env.FUZZ_SEED ?? '1');

const { DateTime } = luxon;
const { RRule } = rrule;
const zones = Intl.supportedValuesOf('timeZone');
const dayMs = 86_400_000;
const [firstYear, lastYear] = [2018, 2029];
const ordinals = ['every', 'first', 'second', 'third', 'fourth', 'fifth', 'last'] as const;

interface Rule {
  readonly cycle: 'daily' | 'weekly' | 'monthly' | 'yearly';
  readonly interval: number;
  /** Days since 1970. */
  readonly startDay: number;
  readonly wdays: readonly number[];
  readonly days: readonly number[];
  readonly ordinal: (typeof ordinals)[number];
  readonly month: number;
  readonly from: number;
  readonly to: number;
}

const pick = <const T>(random: Random, list: readonly [T, ...T[]]): T =>
  list[Math.floor(random.fraction() * list.length)] ?? list[0];
const integer = (random: Random, from: number, to: number): number =>
  from + Math.floor(random.fraction() * (to - from + 1));
const sampleNumbers = (random: Random, list: readonly number[], share: number): readonly number[] =>
  list.filter(() => random.fraction() < share);

const monthDays = Array.from({ length: 31 }, (_, index) => index + 1);

function randomRule(random: Random): Rule {
  const cycle = pick(random, ['daily', 'weekly', 'monthly', 'yearly']);
  const from = pick(random, [0, 1, 3600, 7200, 9000, 32_400]);
  const byDay = cycle !== 'weekly' && random.fraction() < 0.5;
  return {
    cycle,
    interval: integer(random, 1, 4),
    startDay: Math.floor(Date.UTC(2017, 0, integer(random, 1, 1500)) / dayMs),
    wdays: cycle === 'weekly' ? sampleNumbers(random, [0, 1, 2, 3, 4, 5, 6], 0.4) : [integer(random, 0, 6)],
    days: byDay ? sampleNumbers(random, monthDays, 0.15) : [],
    ordinal: pick(random, ordinals),
    month: integer(random, 1, 12),
    from,
    to: pick(random, [3600, 10_800, 61_200, 86_399, 86_400].map((to) => Math.max(to, from)) as [number]),
  };
}

/** Returns the rule as the service stores it. The time of its first day is 10:00, as calendars send it. */
const ruleRecord = (rule: Rule, zone: string): JsonObject => ({
  cycle: rule.cycle,
  interval: rule.interval,
  start_date: startTime(rule, zone) + gregorianOffset,
  wdays: rule.wdays.map((day) => weekdays[day] ?? ''),
  days: [...rule.days],
  ordinal: rule.ordinal,
  month: rule.month,
  time_window_start: rule.from,
  time_window_stop: rule.to,
});

function startTime({ startDay }: Rule, zone: string): number {
  const date = new Date(startDay * dayMs);
  const fields = { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
  return DateTime.fromObject({ ...fields, hour: 12 }, { zone }).toSeconds();
}

/** Returns the days of a rule until the last year, computed by the other library. */
function expectedDays({ cycle, interval, startDay, wdays, days, ordinal, month }: Rule): ReadonlySet<number> {
  const frequency = {
    daily: RRule.DAILY,
    weekly: RRule.WEEKLY,
    monthly: RRule.MONTHLY,
    yearly: RRule.YEARLY,
  };
  const names = [RRule.MO, RRule.TU, RRule.WE, RRule.TH, RRule.FR, RRule.SA, RRule.SU];
  const named = wdays.flatMap((day) => names[day] ?? []);
  const position = ordinal === 'last' ? -1 : ordinals.indexOf(ordinal);
  const nth = ordinal === 'every' ? named : named.map((day) => day.nth(position));
  const inMonth = days.length > 0 ? { bymonthday: days } : { byweekday: nth };
  const parts = {
    daily: {},
    weekly: { byweekday: named.length > 0 ? named : names },
    monthly: inMonth,
    yearly: { bymonth: [month], ...inMonth },
  };
  const dtstart = new Date(startDay * dayMs);
  const until = new Date(Date.UTC(lastYear, 11, 31));
  const made = new RRule({
    freq: frequency[cycle],
    interval,
    wkst: RRule.MO,
    dtstart,
    until,
    ...parts[cycle],
  });
  return new Set(made.all().map((date) => date.getTime() / dayMs));
}

/** Returns true for days on which services deviate (Conventions, Temporal rules). They are not compared. */
function isUndecided({ cycle, interval, startDay, days }: Rule, day: number): boolean {
  const date = new Date(day * dayMs);
  // A day that a month lacks is moved to the next month.
  if (cycle !== 'daily' && cycle !== 'weekly' && days.some((each) => each > 28) && date.getUTCDate() <= 3)
    return true;
  // A rule that skips days, months or years omits its own first day if a period begins on it.
  if (day !== startDay || interval === 1) return false;
  return cycle === 'daily' || date.getUTCDate() === 1;
}

/** Returns the local day and second in a zone, computed by the other library. */
function localDayAndSecond(zone: string, at: number): { readonly day: number; readonly second: number } {
  const { year, month, day, hour, minute, second } = DateTime.fromSeconds(at, { zone });
  return { day: Date.UTC(year, month - 1, day) / dayMs, second: hour * 3600 + minute * 60 + second };
}

/** Returns the clock changes of a zone in a year, computed by the other library. */
function clockChanges(zone: string, year: number): readonly number[] {
  const offset = (at: number): number => DateTime.fromSeconds(at, { zone }).offset;
  const months = Array.from({ length: 13 }, (_, month) => Date.UTC(year, month, 1) / 1000);
  return months.slice(1).flatMap((end, index) => {
    let [before, after] = [months[index] ?? end, end];
    if (offset(before) === offset(after)) return [];
    const first = offset(before);
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2);
      if (offset(middle) === first) before = middle;
      else after = middle;
    }
    return [after];
  });
}

/**
 * Returns times that are likely to reveal bugs: near clock changes, midnight and the limits of the rule. Adds random
 * ones.
 */
function selectTimes(
  random: Random,
  { from, to }: Rule,
  zone: string,
  days: ReadonlySet<number>,
): readonly number[] {
  const year = integer(random, firstYear, lastYear - 1);
  const changes = clockChanges(zone, year);
  const at = Date.UTC(year, 0, 1) / 1000 + integer(random, 0, 365 * 86_400 - 1);
  const { second } = localDayAndSecond(zone, at);
  const midnight = at - second;
  const listed = [...days].filter((day) => day > Date.UTC(firstYear) / dayMs);
  return [
    ...changes.flatMap((change) =>
      [-86_400, -3601, -1, 0, 1, 1800, 3599, 3600, 7200].map((by) => change + by),
    ),
    ...[-1, 0, 1, from - 1, from, to, to + 1].map((by) => midnight + by),
    ...Array.from(
      { length: 10 },
      () =>
        ((listed[integer(random, 0, listed.length - 1)] ?? 0) - 1) * 86_400 + integer(random, 0, 3 * 86_400),
    ),
    ...Array.from(
      { length: 4 },
      () => Date.UTC(firstYear, 0, 1) / 1000 + integer(random, 0, 11 * 365 * 86_400),
    ),
  ];
}

describe('temporal rules', () => {
  test('match when a calendar library says so, in every zone and around clock changes', () => {
    const random = seededRandom(seed);
    let [compared, matched, changes] = [0, 0, 0];
    for (let turn = 0; turn < 90; turn += 1) {
      const rule = randomRule(random);
      const zone = zones[turn % zones.length] ?? 'UTC';
      const record = ruleRecord(rule, zone);
      const days = expectedDays(rule);
      for (const at of selectTimes(random, rule, zone, days)) {
        const { day, second } = localDayAndSecond(zone, at);
        // A window until 24:00 includes the first second of the next day.
        if (second === 0 || isUndecided(rule, day)) continue;
        const expected = days.has(day) && second >= rule.from && second <= rule.to;
        const place = `${JSON.stringify(record)} in ${zone} at ${new Date(at * 1000).toISOString()}`;
        expect(isMatchingState(ruleState(record, zone, at)), place).toBe(expected);
        compared += 1;
        matched += expected ? 1 : 0;
        changes += findClockChange(zone, at - 7200, at + 7200) === undefined ? 0 : 1;
      }
    }
    // Fails if a change of this test reduces what it compares.
    expect([compared > 1500, matched > 200, changes > 80], `${compared} ${matched} ${changes}`).toEqual([
      true,
      true,
      true,
    ]);
  });

  test('begin next when a calendar library says so', () => {
    const random = seededRandom(seed + 1);
    let compared = 0;
    for (let turn = 0; turn < 40; turn += 1) {
      const rule = randomRule(random);
      const zone = pick(random, zones as [string, ...string[]]);
      if (rule.days.some((day) => day > 28)) continue;
      const at = Date.UTC(integer(random, 2021, 2024), integer(random, 0, 11), integer(random, 1, 28)) / 1000;
      const begins = nextMatches(ruleRecord(rule, zone), zone, at, 3);
      const expected = [...expectedDays(rule)]
        .filter((day) => !isUndecided(rule, day) && day * 86_400 > at - 86_400)
        .slice(0, 20)
        .map((day) => {
          const date = new Date(day * dayMs);
          const fields = {
            year: date.getUTCFullYear(),
            month: date.getUTCMonth() + 1,
            day: date.getUTCDate(),
          };
          const hour = Math.floor(rule.from / 3600);
          const minute = Math.floor((rule.from % 3600) / 60);
          return { fields: { ...fields, hour, minute, second: rule.from % 60 }, day };
        })
        // The test above covers hours that a clock change skips or repeats.
        .filter(({ day }) => timesOfLocal(zone, { day, second: rule.from }).length === 1)
        .map(({ fields }) => DateTime.fromObject(fields, { zone }).toSeconds())
        .filter((begin) => begin > at)
        .slice(0, begins.length);
      const usual = begins
        .filter((begin) => begin < Date.UTC(lastYear) / 1000)
        .filter((begin) => timesOfLocal(zone, localTime(zone, begin)).length === 1);
      expect(usual, JSON.stringify([rule, zone, at])).toEqual(expected.slice(0, usual.length));
      compared += usual.length;
    }
    expect(compared).toBeGreaterThan(40);
  });

  test('are decided by the command line as by a calendar library', async () => {
    const world = await openWorld();
    const random = seededRandom(seed + 2);
    for (let turn = 0; turn < 3; turn += 1) {
      const zone = pick(random, [
        'America/New_York',
        'Australia/Lord_Howe',
        'America/Sao_Paulo',
        'Asia/Kathmandu',
      ]);
      const rule = randomRule(random);
      const days = [...expectedDays(rule)].filter((day) => !isUndecided(rule, day) && day > 19_000);
      await world.service('PUT', 'temporal_rules', { name: `Rule ${turn}`, ...ruleRecord(rule, zone) });
      const date = new Date((days[3] ?? 20_000) * dayMs).toISOString().slice(0, 10);
      const run = await world.telctl([
        'temporal-rules',
        'check',
        `Rule ${turn}`,
        '--at',
        `${date}T11:59:59`,
        '--timezone',
        zone,
        '-o',
        'json',
      ]);
      expect(run.code, run.stderr).toBe(0);
      const isOpen = days.length > 3 && 43_199 >= rule.from && 43_199 <= rule.to;
      expect(JSON.parse(run.stdout), `${JSON.stringify(rule)} ${date}`).toMatchObject({ matches: isOpen });
    }
  });
});
