import { afterEach, expect, test, vi } from 'vitest';
import { processes } from './processes.ts';

afterEach(() => vi.restoreAllMocks());

test('while signals change hands, somebody always has them', async () => {
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
    const end = await processes.runAttached(process.execPath, ['--eval', ''], process.env);
    expect(end).toEqual({ code: 0, signal: null });
    processes.passSignals()();
    expect(Math.min(...counts)).toBeGreaterThan(0);
    for (const signal of signals) expect(process.listeners(signal)).toContain(own);
  } finally {
    vi.restoreAllMocks();
    for (const signal of signals) process.removeListener(signal, own);
  }
});
