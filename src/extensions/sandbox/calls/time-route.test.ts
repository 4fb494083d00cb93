import { expect, test } from 'vitest';
import { openCallWorld } from '../../../../test/support/call-world.ts';
import { minuteMs } from '../../../../test/support/clock.ts';
import { isObject, type JsonObject, valueAt } from '../../../base/json.ts';

const step = (module: string, data: JsonObject, children: JsonObject = {}) => ({ module, data, children });
const says = (text: string) => step('tts', { text }, { _: step('hangup', {}) });
const hour = 60 * minuteMs;

/** An account with office hours, a set of closing days, and codes that switch both. It is Wednesday, 10:00 in Berlin. */
async function office() {
  const { make, service, simulate, sandbox } = await openCallWorld();
  await service('PATCH', '', { timezone: 'Europe/Berlin' });
  const weekly = { cycle: 'weekly', wdays: ['wednesday', 'thursday'] };
  const hours = await make('temporal_rules', {
    ...{ ...weekly, name: 'Office hours', time_window_start: 36_000, time_window_stop: 61_200 },
  });
  const closing = await make('temporal_rules', {
    ...{ name: 'Stocktaking', cycle: 'date', start_date: 63_904_240_800 },
  });
  const broken = await make('temporal_rules', { name: 'Broken', cycle: 'monthly' });
  const set = await make('temporal_rules_sets', { name: 'Closing days', temporal_rules: [broken, closing] });
  const flow = step(
    'temporal_route',
    { rules: ['f'.repeat(32), set] },
    {
      ...{ [set]: says('Stocktaking'), [hours]: says('Open'), _: says('Closed') },
    },
  );
  await make('callflows', { name: 'Main', numbers: ['2001'], flow });
  const whole = step('temporal_route', { rule_set: set, timezone: 'Asia/Tokyo' }, { rule_set: says('Set') });
  await make('callflows', { name: 'Whole set', numbers: ['2002'], flow: whole });
  for (const [number, action] of Object.entries({
    '81': 'enable',
    '82': 'disable',
    '83': 'reset',
    '84': 'menu',
  }))
    await make('callflows', {
      ...{ name: action, numbers: [number] },
      flow: step('temporal_route', { action, rules: [hours, set] }, { _: step('hangup', {}) }),
    });
  const call = async (to: string, more: JsonObject = {}): Promise<string> =>
    JSON.stringify((await simulate('call', { from: '+15557654321', to, ...more })).path);
  const enabled = async (): Promise<unknown> => {
    const { data } = await service('GET', `temporal_rules/${hours}`);
    return isObject(data) ? valueAt(data, 'enabled') : data;
  };
  return { call, enabled, clock: sandbox.clock };
}

test('calls take the branch of the current time, in the time zone of the account or step', async () => {
  const { call, clock } = await office();
  expect(await call('2001')).toMatch(/"key":"\w{32}","label":"tts \\"Open\\""/);
  expect(await call('2001')).toMatch(/rule \\"Office hours\\" matches/);
  expect(await call('2002')).not.toContain('Set');
  clock.turn(14 * hour);
  // Midnight in Berlin, and 8 hours into the closing day of 16 January in Tokyo.
  expect(await call('2002')).toContain('"key":"rule_set","label":"tts \\"Set\\""');
  clock.turn(8 * hour);
  expect(await call('2001')).toContain('tts \\"Stocktaking\\"');
  clock.turn(24 * hour);
  expect(await call('2001')).toContain('tts \\"Closed\\"');
});

test('feature codes switch rules, and back to the clock', async () => {
  const { call, enabled } = await office();
  await call('82', { dry_run: true });
  expect(await enabled()).toBeUndefined();
  await call('82');
  expect(await enabled()).toBe(false);
  expect(await call('2001')).toContain('tts \\"Closed\\"');
  expect(await call('2001')).toContain('rule \\"Broken\\" does not match');
  expect(await call('84', { digits: ['1'] })).toContain('were switched: enable');
  expect(await enabled()).toBe(true);
  expect(await call('84', { digits: ['7'] })).toContain('no choice');
  await call('83');
  expect(await enabled()).toBeUndefined();
  expect(await call('2001')).toContain('tts \\"Open\\"');
});
