import { expect, onTestFinished, test, vi } from 'vitest';
import { listenToSignals } from './signals.ts';

test('a second signal exits immediately, but an echo of the first does not', () => {
  const before = process.listeners('SIGINT');
  let ends = 0;
  const { interrupted, allowFinish: finishes } = listenToSignals(() => {
    ends += 1;
  });
  onTestFinished(() => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      for (const listener of process.listeners(signal))
        if (!before.includes(listener)) process.removeListener(signal, listener);
  });
  finishes();
  process.emit('SIGINT');
  process.emit('SIGINT');
  expect([interrupted.signal.aborted, ends]).toEqual([true, 0]);
  const nowMs = performance.now();
  const later = vi.spyOn(performance, 'now').mockReturnValue(nowMs + 200);
  process.emit('SIGTERM');
  later.mockRestore();
  expect(ends).toBe(1);
});
