// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are references of manifests
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { processorMs } from '../../../../test/support/clock.ts';
import { openWorld } from '../../../../test/support/world.ts';

/** Alice is in the office from Monday to Friday; at other times a menu leads to Bob and his mailbox. */
const office = `account_settings: { name: acme, timezone: Europe/Zurich }
users:
  alice: { username: alice, first_name: Alice, last_name: Archer }
  bob: { username: bob, first_name: Bob, last_name: Baker }
devices:
  alice-desk:
    name: Alice desk
    owner_id: "\${users.alice}"
    caller_id: { emergency: { number: "+12125550911" } }
  bob-desk: { name: Bob desk, owner_id: "\${users.bob}" }
vmboxes:
  alice: { mailbox: "2001", name: Alice, owner_id: "\${users.alice}" }
  bob: { mailbox: "2002", name: Bob, owner_id: "\${users.bob}" }
menus:
  night: { name: Night menu, retries: 3, timeout: 3000 }
temporal_rules:
  office:
    name: Office hours
    cycle: weekly
    wdays: [monday, tuesday, wednesday, thursday, friday, sunday]
    time_window_start: 28800
    time_window_stop: 72000
callflows:
  main:
    name: Main line
    numbers: ["+12125550140"]
    flow:
      module: temporal_route
      data: {}
      children:
        "\${temporal_rules.office}":
          module: user
          data: { id: "\${users.alice}" }
          children:
            _: { module: voicemail, data: { id: "\${vmboxes.alice}" }, children: {} }
        _:
          module: menu
          data: { id: "\${menus.night}" }
          children:
            "2":
              module: user
              data: { id: "\${users.bob}" }
              children:
                _: { module: voicemail, data: { id: "\${vmboxes.bob}" }, children: {} }
  out:
    name: Out
    numbers: [no_match]
    flow: { module: offnet, data: {}, children: {} }
`;

const calls = `at: 2026-11-23 10:00 Europe/Zurich
people:
  alice: answers after 5s
  bob: does not answer
cases:
  - name: In the office Alice takes it
    call: { from: +13125550100, to: +12125550140 }
    expect: { answered_by: alice, within: 10s }
  - name: Sunday evening, the night menu, two for Bob
    at: 2026-11-22 18:05
    call: { from: +13125550100, to: +12125550140, presses: "2" }
    expect:
      path: [Main line, "Office hours: closed", "Night menu: 2", bob]
      ends_in: voicemail 2002
  - name: The caller gives up while it rings
    people: { alice: does not answer }
    call: { from: +13125550100, to: +12125550140, hangs_up_after: 8s }
    expect: { cause: ORIGINATOR_CANCEL, not: [voicemail] }
  - name: 911 from Alice's desk shows where she sits
    call: { from: "device:Alice desk", to: 911 }
    expect: { ends_in: carrier, emergency: yes, caller_id: +12125550911 }
`;

const repaired = office.replace(', sunday]', ']');
const files = { 'office.yaml': office, 'repaired.yaml': repaired, 'calls/office.yaml': calls };

it('runs the cases of calls/ against a manifest without a service, and explains a failure', async () => {
  const { telctl } = await openWorld({ signIn: 'none' });
  const run = await telctl('test -f office.yaml', { files, width: 120 });
  expect(run).toMatchObject({ code: 3, requests: [] });
  expect(run.stdout).toContain('alice after 5 s');
  expect(run.stdout).toMatch(/FAIL +Sunday evening, the night menu, two for Bob +calls\/office.yaml:9/);
  expect(run.stdout).toContain('expected  Main line → Office hours: closed → Night menu: 2 → bob');
  expect(run.stdout).toMatch(/got +Main line → Office hours: open → alice/);
  expect(run.stdout).toContain(
    'On 2026-11-22 18:05 +01:00 (Sunday) rule "Office hours" matches: wdays has sunday',
  );
  expect(run.stdout).toContain('(office.yaml:20).');
  expect(run.stdout).toContain('3 of 4 pass. Not reached by any case: callflow "Main line" step');
  expect(run.stderr).toContain('No carrier is configured');
});

it('exits with 0 if all cases pass, in every notation', async () => {
  const { telctl } = await openWorld({ signIn: 'none' });
  const json = await telctl('test calls/office.yaml -f repaired.yaml -o json', { files });
  expect(json.code).toBe(0);
  expect(JSON.parse(json.stdout)).toMatchObject({
    cases: [
      { name: 'In the office Alice takes it', file: 'calls/office.yaml', line: 6, result: 'pass', why: '' },
      { result: 'pass', got: 'voicemail 2002' },
      { result: 'pass' },
      { result: 'pass', got: 'carrier, +12125550911' },
    ],
    coverage: { percent: expect.any(Number) },
  });
  const junit = await telctl('test calls -f repaired.yaml -o junit');
  expect(junit.stdout).toContain('<testsuite name="calls/office.yaml" tests="4" failures="0" errors="0"');
  const summary = await telctl('test calls -f office.yaml -o markdown');
  expect(summary.code).toBe(3);
  expect(summary.stdout).toMatch(/^```diff\n.*\n3 of 4 pass\..*```\n$/s);
  expect(summary.stdout).toContain('Sunday evening, the night menu, two for Bob');
  const tap = await telctl('test calls -f office.yaml -o tap');
  expect(tap.code).toBe(3);
  expect(tap.stdout).toMatch(/^TAP version 13\n1\.\.4\nok 1 - In the office Alice takes it\nnot ok 2/);
});

it('draws each callflow with its coverage on a page without external resources', async () => {
  const { telctl } = await openWorld({ signIn: 'none' });
  const only = ['--only', 'In the office Alice takes it'];
  const { code, stdout } = await telctl(
    ['test', 'calls', '-f', 'office.yaml', ...only, '--coverage', '-o', 'html'],
    { files },
  );
  expect(code).toBe(0);
  expect(stdout).toMatch(/^<!doctype html>/);
  expect(stdout).not.toMatch(/<script|<link|src=|href=/);
  const boxes = [...stdout.matchAll(/<g class="step (reached|missed)"><title>([^<]*)</g)];
  expect(boxes.map(([, mark, title]) => `${mark}: ${title}`)).toEqual([
    'reached: temporal_route &quot;Office hours&quot;',
    'reached: user &quot;alice&quot;',
    'missed: voicemail &quot;Alice&quot;',
    'missed: menu &quot;Night menu&quot;',
    'missed: user &quot;bob&quot;',
    'missed: voicemail &quot;Bob&quot;',
    'missed: offnet',
  ]);
  expect(stdout).toContain('No case calls it.');
  expect(stdout).toContain('>Office hours</text>');
});

it('exits with 10 before the first call if a file is invalid', async () => {
  const { telctl } = await openWorld({ signIn: 'none' });
  const wrong = calls.replace('alice: answers after 5s', 'alise: answers after 5s');
  const run = await telctl('test wrong.yaml -f office.yaml', { files: { ...files, 'wrong.yaml': wrong } });
  expect(run.code).toBe(10);
  expect(run.stderr).toContain('wrong.yaml:3:3: user or device "alise" not found. Did you mean "alice"?');
});

it.each([
  ['test NOTHERE.yaml -f office.yaml', 'There is no file NOTHERE.yaml.'],
  ['test calls -f NOTHERE.yaml', 'There is no file NOTHERE.yaml.'],
  ['test --explore 10 -f NOTHERE.yaml', 'There is no file NOTHERE.yaml.'],
])('%s exits with 10 without asking', async (line, sentence) => {
  const { telctl } = await openWorld({ signIn: 'none' });
  const run = await telctl(line, { files });
  expect(run).toMatchObject({ code: 10, requests: [] });
  expect(run.stderr).toContain(sentence);
});

it('--only runs one case, and low coverage exits with 3', async () => {
  const { telctl } = await openWorld({ signIn: 'none' });
  const args = ['test', 'calls', '-f', 'office.yaml', '--only', 'In the office Alice takes it'];
  expect((await telctl(args, { files })).code).toBe(0);
  const little = await telctl([...args, '--min-coverage', '90%']);
  expect(little).toMatchObject({ code: 3 });
  expect(little.stdout).toContain('less than 90%');
  const none = await telctl(['test', 'calls', '-f', 'office.yaml', '--only', 'In the office Alice takes']);
  expect(none).toMatchObject({ code: 2 });
  expect(none.stderr).toContain('Did you mean "In the office Alice takes it"?');
});

it('ignores case files in a folder of manifests', async () => {
  const { telctl } = await openWorld({ signIn: 'none' });
  const run = await telctl(['test', '-f', 'm', 'm/calls', '--only', 'The caller gives up while it rings'], {
    files: { 'm/office.yaml': office, 'm/calls/office.yaml': calls },
  });
  expect(run.code).toBe(0);
});

it('runs cases against the account with reads only', async () => {
  const { telctl, seed } = await openWorld();
  const cases = `at: 2026-11-23 10:00 UTC\ncases:\n  - name: nobody there\n    call: { from: +13125550100, to: "9999" }\n    expect: { ends_in: nobody }\n`;
  const run = await telctl('test calls.yaml', { files: { 'calls.yaml': cases } });
  expect(run).toMatchObject({ code: 0 });
  expect(run.requests.every(({ method, path }) => method === 'GET' || path.includes('auth'))).toBe(true);
  expect(run.requests.some(({ path }) => path.includes(seed.accountId))).toBe(true);
});

it.each(readdirSync('examples/calls'))('the line at the head of examples/calls/%s passes', async (name) => {
  const { telctl } = await openWorld({ signIn: 'none' });
  const [, line = ''] = /^# {3}telctl (test .*)$/m.exec(readFileSync(`examples/calls/${name}`, 'utf8')) ?? [];
  expect(line).toContain(`examples/calls/${name}`);
  const examples = Object.fromEntries(
    readdirSync('examples', { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(?:yaml|txt)$/.test(file))
      .map((file) => [`examples/${file}`, readFileSync(`examples/${file}`, 'utf8')]),
  );
  const run = await telctl(`${line} --min-coverage 40`, { files: examples });
  expect(run.stdout).toMatch(/^(\d+) of \1 pass\.$/m);
  expect(run.code).toBe(0);
});

it('rates calls by the account, and reads rates only for cases that expect a cost', async () => {
  const world = await openWorld();
  const { telctl } = world;
  await world.service('PUT', 'callflows', {
    ...{ name: 'Out', numbers: ['no_match'] },
    flow: { module: 'offnet', data: {}, children: {} },
  });
  const user = await world.addUser({ username: 'ann', first_name: 'Ann', last_name: 'Archer' });
  await world.service('PUT', 'devices', { name: 'Ann desk', owner_id: user.id });
  await world.sandbox.call('PUT', '/v2/rates', {
    token: await world.sandbox.superToken(),
    data: { prefix: 4420, rate_name: 'UK', rate_cost: 0.3, rate_surcharge: 0.05 },
  });
  const cases = (cost: string) => `at: 2026-11-23 10:00 UTC
cases:
  - name: London
    call: { from: user:ann, to: +442079460123 }
    expect: { ends_in: carrier${cost} }
`;
  const right = await telctl('test rated.yaml', { files: { 'rated.yaml': cases(', cost: 0.35') } });
  expect(right.code, right.stdout).toBe(0);
  const wrong = await telctl('test wrong.yaml', { files: { 'wrong.yaml': cases(', cost: 0') } });
  expect(wrong).toMatchObject({ code: 3 });
  expect(wrong.stdout).toMatch(/got {7}costs 0\.35/);
  const unasked = await telctl('test plain.yaml', { files: { 'plain.yaml': cases('') } });
  expect(unasked.requests.filter(({ path }) => path.includes('/rates/'))).toEqual([]);
});

it('makes 1,000 calls against 200 callflows in under 3 seconds', async () => {
  const { telctl } = await openWorld({ signIn: 'none' });
  const numbers = Array.from({ length: 200 }, (_, index) => 3000 + index);
  const flow = '{ module: user, data: { id: "${users.alice}" }, children: {} }';
  const flows = numbers.map(
    (number) => `  f${number}: { name: F${number}, numbers: ["${number}"], flow: ${flow} }`,
  );
  const manifest = [
    'users: { alice: { username: alice, first_name: A, last_name: B } }',
    'devices: { desk: { name: Desk, owner_id: "${users.alice}" } }',
    'callflows:',
    ...flows,
  ].join('\n');
  const cases = Array.from(
    { length: 1000 },
    (_, index) =>
      `  - { name: c${index}, call: { from: +13125550100, to: ${3000 + (index % 200)} }, expect: { answered_by: alice } }`,
  );
  const files = { 'm.yaml': manifest, 'c.yaml': ['at: 2026-11-23 10:00 UTC', 'cases:', ...cases].join('\n') };
  const began = processorMs();
  const run = await telctl('test c.yaml -f m.yaml', { files });
  expect(run.stdout).toContain('1000 of 1000 pass');
  expect(processorMs() - began).toBeLessThan(3000);
});

it.each([
  ['path: [Main line, alice]', 'path: [alice, Main line]'],
  ['rings: [alice]', 'rings: [bob]'],
  ['answered_by: Alice desk', 'answered_by: bob'],
  ['not: [voicemail]', 'ends_in: voicemail'],
  ['cause: NORMAL_CLEARING', 'cause: USER_BUSY'],
  ['within: 7s', 'within: 2s'],
  ['caller_id: +13125550100', 'caller_id: +13125550199'],
  ['emergency: no', 'emergency: yes'],
  ['not: { hears: ring }', 'hears: ring'],
  ['not: { voicemail: 2001 }', 'voicemail: 2001'],
  ['cdrs: 2', 'cdrs: 3'],
  ['cdrs: [{ to: +12125550140 }, { hangup_cause: NORMAL_CLEARING }]', 'cdrs: [{ hangup_cause: USER_BUSY }]'],
  ['events: [channel_create, channel_answer, channel_destroy]', 'events: [channel_destroy, channel_create]'],
  ['cost: 0', 'cost: 0.05'],
  ['not: { answered_by: bob }', 'not: { answered_by: alice }'],
])('%s passes, and %s fails', async (right, wrong) => {
  const { telctl } = await openWorld({ signIn: 'none' });
  const one = (name: string, expected: string): string =>
    `  - { name: ${name}, call: { from: +13125550100, to: +12125550140 }, expect: { ${expected} } }`;
  const text = ['at: 2026-11-23 10:00 Europe/Zurich', 'cases:', one('right', right), one('wrong', wrong)];
  const run = await telctl('test c.yaml -f office.yaml -o json', {
    files: { ...files, 'c.yaml': text.join('\n') },
  });
  expect(JSON.parse(run.stdout).cases).toMatchObject([{ result: 'pass' }, { result: 'fail' }]);
});
