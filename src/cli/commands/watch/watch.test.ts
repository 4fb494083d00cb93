import { expect, test } from 'vitest';
import { serveSandbox } from '../../../../test/support/served-sandbox.ts';
import { inputStream } from '../../../../test/support/streams.ts';
import { openWorld, type World } from '../../../../test/support/world.ts';
import { gregorianSeconds } from '../../../extensions/sandbox/ids-and-secrets.ts';
import { buildPut } from '../../../extensions/sandbox/placement.ts';
import { quitKey } from './watch.ts';

/** Puts a leg into the sandbox that lasts an hour. */
async function somebodyCalls({ sandbox: { store, clock, seed } }: World): Promise<void> {
  const started = gregorianSeconds(clock);
  const times = { createdAt: started + 3600, modifiedAt: started, revision: 0 };
  const body = { call_id: 'c1', call_direction: 'inbound', request: '2001@acme', interaction_id: 'i1' };
  const name = { kind: 'cdrs', scope: seed.accountId, id: '202501-c1' };
  await store.commit([buildPut({ ...name, ...times, body, hidden: { started, call: 'c1' } }, 'cdrs')]);
}

test('refreshes on events of temporary webhooks in a sandbox, and removes them on Ctrl-C', async () => {
  const served = await serveSandbox('--memory');
  await served.addUser('alice');
  const ending = new AbortController();
  let isCalled = false;
  let hooks = '';
  const run = await served.telctl('watch --every 1h -o ndjson', {
    interrupted: ending.signal,
    shown: (text) => {
      if (text.includes('leg live')) ending.abort();
      if (isCalled) return;
      isCalled = true;
      void (async () => {
        hooks = (await served.telctl('webhooks list -o name')).stdout;
        await served.telctl('sandbox call --from alice --to +14155550100 --duration 60 --real-time');
      })();
    },
  });
  expect([run.code, run.stderr]).toEqual([0, expect.stringContaining('by webhooks, and every 1 hour.')]);
  expect(hooks).toMatch(/telctl-listen-\w+-\d+-channel_create/);
  expect((await served.telctl('webhooks list -o name')).stdout).toBe('');
});

test('reports that it polls, and why, if the service has no webhooks', async () => {
  const lines = async (world: World, argv: string): Promise<string> => {
    const ending = new AbortController();
    const faults = [
      { method: 'GET', path: /webhooks$/, fault: { kind: 'pass' } as const, met: () => ending.abort() },
    ];
    const run = await world.telctl(argv, { interrupted: ending.signal, faults });
    expect(run.code, run.stderr).toBe(0);
    expect(run.requests.filter(({ method, path }) => method !== 'GET' && path.endsWith('/webhooks'))).toEqual(
      [],
    );
    return run.stderr;
  };
  const world = await openWorld();
  expect(await lines(world, 'watch --poll')).toContain('Polled every 5 seconds: --poll was given.');
  expect(await lines(world, 'watch --dry-run --every 7s')).toContain('Polled every 7 seconds: a dry run');
  await world.telctl(`profiles set ${world.profile} --protect read-only`);
  expect(await lines(world, 'watch')).toContain(`profile "${world.profile}" is protected`);
});

test('polls if the service rejects the address, and fails if webhooks were requested', async () => {
  const world = await openWorld({ like: 'kazoo' });
  const ending = new AbortController();
  const run = await world.telctl('watch', {
    interrupted: ending.signal,
    shown: (text) => {
      if (text.includes('registered')) ending.abort();
    },
  });
  expect([run.code, run.stderr]).toEqual([0, expect.stringContaining('webhooks could not be created')]);
  const asked = await world.telctl('watch --port 0');
  expect([asked.code, asked.stderr]).toEqual([10, expect.stringContaining('only to public addresses')]);
});

test('prints one line per change without a terminal', async () => {
  const world = await openWorld();
  await somebodyCalls(world);
  const ending = new AbortController();
  const run = await world.telctl('watch -o ndjson', {
    interrupted: ending.signal,
    shown: (text) => {
      if (text.includes('leg live')) world.clock.turn(7_200_000);
      if (text.includes('leg ended')) ending.abort();
    },
  });
  expect(run.code, run.stderr).toBe(0);
  const lines = run.stdout.split('\n').filter(Boolean);
  expect(lines.map((line) => JSON.parse(line).what).filter((what) => what !== 'registered')).toEqual([
    'leg live',
    'leg ended',
  ]);
});

test('draws one screen in a terminal, and restores it on Ctrl-C', async () => {
  const world = await openWorld();
  await somebodyCalls(world);
  const ending = new AbortController();
  const run = await world.telctl('watch', {
    tty: true,
    interrupted: ending.signal,
    shown: (text) => {
      if (text.includes('2001')) ending.abort();
    },
  });
  expect(run.code, run.stderr).toBe(0);
  expect(run.stdout.startsWith('\u001b[?1049h\u001b[?25l')).toBe(true);
  expect(run.stdout).toContain('inbound  from ?  to 2001  ringing');
  expect(run.stdout).toContain('Refreshed by webhooks, and every 30 seconds.');
  expect(run.stdout.endsWith('\u001b[?25h\u001b[?1049l')).toBe(true);
});

test('shows callers and callees with number and name', async () => {
  const served = await serveSandbox('--memory');
  await served.addUser('alice');
  const call = await served.telctl('sandbox call --from alice --to +14155550100 --duration 60 --real-time');
  expect(call.code, call.stderr).toBe(0);
  const ending = new AbortController();
  const run = await served.telctl('watch --poll', {
    tty: true,
    interrupted: ending.signal,
    shown: (text) => {
      if (text.includes('(alice)')) ending.abort();
    },
  });
  expect([run.code, run.stdout]).toEqual([0, expect.stringMatching(/from \S+ .*to \+14155550100 \(alice\)/)]);
});

test.each(['q', '\u0003'])('quits only on key %j', async (key) => {
  const stdin = inputStream({ tty: true, text: undefined });
  const { ended, close } = quitKey({ stdin, interrupted: new AbortController().signal });
  const typed = async (text: string): Promise<boolean> => {
    stdin.write(text);
    await new Promise(setImmediate);
    return ended.aborted;
  };
  expect([await typed('x'), await typed(key)]).toEqual([false, true]);
  close();
  expect(stdin.listenerCount('data')).toBe(0);
});

test.each([307, 500, 404])(
  'continues after a single response with status %i, and reports it once',
  async (status) => {
    const world = await openWorld();
    const ending = new AbortController();
    const path = /channels$/;
    const faults = [
      { method: 'GET', path, times: 1, fault: { kind: 'pass' } },
      { method: 'GET', path, times: 1, fault: { kind: 'answer', status, body: '{}' } },
      { method: 'GET', path, times: 1, fault: { kind: 'pass' } },
      { method: 'GET', path, fault: { kind: 'pass' }, met: () => ending.abort() },
    ] as const;
    const run = await world.telctl('watch --poll -o ndjson --retries 0', {
      interrupted: ending.signal,
      faults,
    });
    expect(run.code, run.stderr).toBe(0);
    const lines = run.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.filter(({ what }) => what === 'refresh fails')).toHaveLength(status === 404 ? 0 : 1);
  },
);
