import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, expect, test, vi } from 'vitest';
import { processes } from './processes.ts';

afterEach(() => vi.restoreAllMocks());

test('signals always have a listener while a child process takes them over', async () => {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const own = () => undefined;
  for (const signal of signals) process.on(signal, own);
  const counts: number[] = [];
  const watched = ['removeListener', 'removeAllListeners'] as const;
  for (const name of watched) {
    const real = process[name].bind(process) as (...args: readonly unknown[]) => NodeJS.Process;
    vi.spyOn(process, name).mockImplementation((...args: readonly unknown[]) => {
      const result = real(...args);
      counts.push(...signals.map((signal) => process.listenerCount(signal)));
      return result;
    });
  }
  try {
    const end = await processes.runAttached(process.execPath, ['--eval', ''], { variables: process.env });
    expect(end).toEqual({ code: 0, signal: null });
    processes.ignoreSignals()();
    expect(Math.min(...counts)).toBeGreaterThan(0);
    for (const signal of signals) expect(process.listeners(signal)).toContain(own);
  } finally {
    vi.restoreAllMocks();
    for (const signal of signals) process.removeListener(signal, own);
  }
});

const sleeper = "console.log('half'); setInterval(() => undefined, 1000)";

test('stops a program that is run for its output on time-out and on interruption', async () => {
  const { signal } = new AbortController();
  const slow = await processes.runForText(
    process.execPath,
    ['--eval', sleeper],
    { variables: process.env },
    {
      timeoutMs: 1,
      signal,
    },
  );
  expect(slow).toMatchObject({ code: null, timedOut: true });
  const stopped = await processes.runForText(
    process.execPath,
    ['--eval', sleeper],
    { variables: process.env },
    {
      timeoutMs: 60_000,
      signal: AbortSignal.abort(),
    },
  );
  expect(stopped).toMatchObject({ code: null, timedOut: false });
});

test('does not wait for processes that such a program has started', async () => {
  const starts = `
    const { spawn } = require('node:child_process');
    const agent = spawn(process.execPath, ['--eval', 'setInterval(() => 0, 1000)'], { stdio: [0, 1, 'ignore'] });
    process.stdout.write(agent.pid + '\\n', () => process.exit(0));`;
  const { signal } = new AbortController();
  const run = await processes.runForText(
    process.execPath,
    ['--eval', starts],
    { variables: process.env },
    {
      timeoutMs: 60_000,
      signal,
    },
  );
  expect(run).toMatchObject({ code: 0, timedOut: false });
  expect(processes.terminate(Number(run.stdout), 'SIGKILL')).toBe(true);
});

test.runIf(process.platform === 'linux')(
  'identifies a process by more than its pid and notices when it ends',
  async () => {
    const child = spawn(process.execPath, ['--eval', sleeper]);
    const pid = child.pid ?? 0;
    const identity = processes.identityOf(pid) ?? '';
    expect([identity.startsWith(`${pid}.`), processes.hasEnded(identity)]).toEqual([true, false]);
    // Another process of that number, and one of another machine, of which nothing is known here.
    const [, began = '', boot = ''] = identity.split('.');
    expect(processes.hasEnded(`${pid}.${began}1.${boot}`)).toBe(true);
    expect(processes.hasEnded(`${pid}.${began}1.${boot}1`)).toBe(false);
    expect(processes.hasEnded(String(pid))).toBe(false);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect([processes.identityOf(pid), processes.hasEnded(identity)]).toEqual([undefined, true]);
  },
);
