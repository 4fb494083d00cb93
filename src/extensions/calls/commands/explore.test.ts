// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are references of manifests
import { expect, it } from 'vitest';
import { openWorld } from '../../../../test/support/world.ts';

const office = (menuEnd: string): string => `account_settings: { timezone: Europe/Zurich }
users: { alice: { username: alice, first_name: Alice, last_name: Archer } }
devices: { desk: { name: Alice desk, owner_id: "\${users.alice}" } }
vmboxes: { alice: { mailbox: "2001", name: Alice, owner_id: "\${users.alice}" } }
menus: { main: { name: Main, retries: 2, timeout: 3000 } }
temporal_rules:
  day: { name: Day, cycle: weekly, wdays: [monday, tuesday, wednesday, thursday, friday], time_window_start: 28800, time_window_stop: 64800 }
callflows:
  main:
    name: Main line
    numbers: ["+12125550140"]
    flow:
      module: temporal_route
      data: {}
      children:
        "\${temporal_rules.day}":
          module: menu
          data: { id: "\${menus.main}" }
          children:
            "1":
              module: user
              data: { id: "\${users.alice}" }
              children: { _: { module: voicemail, data: { id: "\${vmboxes.alice}" }, children: {} } }
${menuEnd}
        _: { module: voicemail, data: { id: "\${vmboxes.alice}" }, children: {} }
`;

/** A manifest in which phones reach a carrier, so that emergency calls are no finding. */
const withCarrier = (manifest: string): string =>
  manifest.replace(
    'callflows:\n',
    'callflows:\n  out: { name: Out, numbers: [no_match], flow: { module: offnet, data: {} } }\n',
  );

const open = office('');
const closed = office('            _: { module: voicemail, data: { id: "${vmboxes.alice}" }, children: {} }');

it('finds the shortest lost call, and the same call for the same seed', async () => {
  const { telctl } = await openWorld({ signIn: 'none' });
  const files = { 'open.yaml': withCarrier(open), 'closed.yaml': withCarrier(closed) };
  const first = await telctl('test --explore 300 --seed 7 -f open.yaml -o json', { files });
  expect(first.code).toBe(3);
  const { found } = JSON.parse(first.stdout);
  expect(found).toHaveLength(1);
  expect(found[0]).toMatchObject({ to: '+12125550140', ends: 'nobody', presses: [], people: {} });
  expect(found[0].sentence).toContain('menu "Main" (open.yaml:');
  expect((await telctl('test --explore 300 --seed 7 -f open.yaml -o json')).stdout).toBe(first.stdout);
  const none = await telctl('test --explore 300 --seed 7 -f closed.yaml');
  expect(none.stdout).toContain('300 calls tried. None ends without an answer');
  expect(none.code).toBe(0);
});

it('test init writes passing cases for each branch of rules and menus, and for unanswered calls', async () => {
  const { telctl } = await openWorld({ signIn: 'none' });
  const made = await telctl('test init -f closed.yaml --out calls/first.yaml', {
    files: { 'closed.yaml': closed, 'calls/x.txt': '' },
  });
  expect(made).toMatchObject({ code: 0, requests: [] });
  const { stdout } = await telctl('test init -f closed.yaml');
  for (const part of [
    '"Day: open"',
    '"Day: closed"',
    'presses: "1"',
    'nobody there',
    'voicemail 2001',
    'answered_by: alice',
  ])
    expect(stdout.replaceAll('presses: 1', 'presses: "1"')).toContain(part);
  const run = await telctl('test -f closed.yaml --min-coverage 100%');
  expect(run.stdout).toContain('reach 100%');
  expect(run.code).toBe(0);
  expect((await telctl('test init -f closed.yaml --out calls/first.yaml')).code).toBe(9);
});

it('finds loops and steps that cannot run, with the same result on any day', async () => {
  const { telctl, clock } = await openWorld({ signIn: 'none' });
  const round = `callflows:
  a: { name: A, numbers: ["2001"], flow: { module: callflow, data: { id: "\${callflows.b}" }, children: {} } }
  b: { name: B, numbers: ["2002"], flow: { module: transfer, data: { target: "2001" }, children: {} } }
  c: { name: C, numbers: ["2003"], flow: { module: nothing, data: {}, children: {} } }
`;
  const first = await telctl('test --explore 50 -f round.yaml -o json', { files: { 'round.yaml': round } });
  expect(first.code).toBe(3);
  const ends = JSON.parse(first.stdout).found.map((each: { ends: string }) => each.ends);
  expect(ends.toSorted()).toEqual(['error', 'loop']);
  clock.turn(400 * 86_400_000);
  expect((await telctl('test --explore 50 -f round.yaml -o json')).stdout).toBe(first.stdout);
});

it('ends a long search at a signal and at a deadline', async () => {
  const { telctl } = await openWorld({ signIn: 'none' });
  const files = { 'closed.yaml': closed };
  const line = 'test --explore 100000000 -f closed.yaml';
  const stopped = await telctl(line, { files, interrupted: AbortSignal.timeout(200) });
  expect([stopped.code, stopped.stderr]).toEqual([130, expect.stringContaining('Interrupted')]);
});
