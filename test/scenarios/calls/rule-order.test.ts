// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of manifests
import { expect, test } from 'vitest';
import { openWorld } from '../../support/world.ts';

const manifest = (order: readonly string[]): string => {
  const branch = (rule: string): string =>
    `"\${temporal_rules.${rule}}": { module: voicemail, data: { id: "\${vmboxes.${rule}}" } }`;
  const boxes = ['hours', 'lunch', 'xmas'].map(
    (name, at) => `${name}: { name: ${name}, mailbox: "600${at}" }`,
  );
  return `
account_settings: { timezone: America/New_York }
vmboxes: { ${boxes.join(', ')} }
temporal_rules:
  hours: { name: Office, cycle: weekly, wdays: [monday, tuesday, thursday, friday], time_window_start: 32400, time_window_stop: 61200 }
  lunch: { name: Lunch, cycle: weekly, wdays: [monday, friday], time_window_start: 43200, time_window_stop: 46800 }
  xmas: { name: Christmas, cycle: yearly, month: 12, days: [25] }
callflows:
  main:
    name: Main
    numbers: ["6000"]
    flow:
      module: temporal_route
      data: { rules: [${order.map((rule) => `"\${temporal_rules.${rule}}"`).join(', ')}] }
      children: { ${['hours', 'lunch', 'xmas'].map(branch).join(', ')}, _: { module: hangup, data: {} } }
`;
};

test('a holiday and a break that are tested after the office hours draw findings', async () => {
  const world = await openWorld();
  const files = {
    'm.yaml': manifest(['hours', 'lunch', 'xmas']),
    'right.yaml': manifest(['xmas', 'lunch', 'hours']),
  };
  const { stderr } = await world.telctl('validate -f m.yaml', { files });
  expect(stderr).toContain(
    'rule "Lunch" is never reached: "Office" is tested first and matches at all its times (never-taken)',
  );
  expect(stderr).toContain(
    'rule "Christmas" is tested after "Office", which takes its calls when both match (bad-rule)',
  );
  const right = await world.telctl('validate -f right.yaml', { files });
  expect([right.code, right.stderr.includes('tested')], right.stderr).toEqual([0, false]);
});

const withSets = (rules: readonly string[], more = ''): string => {
  const branch = (id: string, box: string): string =>
    `"${id}": { module: voicemail, data: { id: "\${vmboxes.${box}}" } }`;
  return `
account_settings: { timezone: America/New_York }
vmboxes: { open: { name: Open, mailbox: "6000" }, closed: { name: Closed, mailbox: "6001" } }
temporal_rules:
  hours: { name: Office, cycle: weekly, wdays: [monday, wednesday, thursday], time_window_start: 32400, time_window_stop: 61200 }
  lunch: { name: Lunch, cycle: weekly, wdays: [monday], time_window_start: 43200, time_window_stop: 46800 }
  xmas: { name: Christmas, cycle: yearly, month: 12, days: [25] }
temporal_rules_sets:
  holidays: { name: Holidays, temporal_rules: ["\${temporal_rules.xmas}", "\${temporal_rules.lunch}"] }
  days: { name: Days, temporal_rules: ["\${temporal_rules.hours}"] }
callflows:
  main:
    name: Main
    numbers: ["6000"]
    flow:
      module: temporal_route
      data: { rules: [${rules.map((rule) => `"\${${rule}}"`).join(', ')}]${more} }
      children:
        ${branch('${temporal_rules.hours}', 'open')}
        ${branch('${temporal_rules_sets.days}', 'open')}
        ${branch('${temporal_rules_sets.holidays}', 'closed')}
        _: { module: hangup, data: {} }
`;
};

test.each([
  ['after a rule', ['temporal_rules.hours', 'temporal_rules_sets.holidays'], '"Office"'],
  ['after a set', ['temporal_rules_sets.days', 'temporal_rules_sets.holidays'], '"Office" of set "Days"'],
])('a set of holidays that is tested %s draws findings for each of its rules', async (_, rules, first) => {
  const { telctl } = await openWorld();
  const { stderr } = await telctl('validate -f m.yaml', { files: { 'm.yaml': withSets(rules) } });
  expect(stderr).toContain(
    `rule "Lunch" of set "Holidays" is never reached: ${first} is tested first and matches at all its times`,
  );
  expect(stderr).toContain(
    `rule "Christmas" of set "Holidays" is tested after ${first}, which takes its calls when both match`,
  );
});

test('rules of one set, and sets that are tested first, draw no findings', async () => {
  const { telctl } = await openWorld();
  const order = ['temporal_rules_sets.holidays', 'temporal_rules_sets.days', 'temporal_rules.hours'];
  const run = await telctl('validate -f m.yaml', { files: { 'm.yaml': withSets(order) } });
  expect([run.code, /tested|never reached/.test(run.stderr)], run.stderr).toEqual([0, false]);
});

test('a set without a branch draws a finding', async () => {
  const { telctl } = await openWorld();
  const text = withSets(['temporal_rules.hours'], ', rule_set: "${temporal_rules_sets.days}"').replace(
    /^ *"\$\{temporal_rules_sets\.days\}".*\n/m,
    '',
  );
  const { stderr } = await telctl('validate -f m.yaml', { files: { 'm.yaml': text } });
  expect(stderr).toContain('set "Days" has no branch, so its calls take "_"');
});
