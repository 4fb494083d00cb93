// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are references of manifests
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
