import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seededRandom } from '../../../test/support/clock.ts';
import { type BucketRules, bucketOn } from '../../../test/support/faults.ts';
import { simulatedClock } from '../../../test/support/simulated-clock.ts';
import type { Clock } from '../../base/host/host.ts';
import { RateLimiter, rateLimiters } from './rate-limiter.ts';

/** A service that takes requests as its bucket allows, each in `latencyMs`. */
function limitedService(clock: Clock, bucket: BucketRules, latencyMs: number) {
  const take = bucketOn(clock, bucket);
  let refused = 0;
  return {
    refused: () => refused,
    async answer(): Promise<number> {
      const passes = take();
      if (!passes) refused += 1;
      await clock.sleep(latencyMs);
      return passes ? 200 : 429;
    },
  };
}

/** A service that turns a share of its requests away by chance, however fast it is asked. */
function noisyService(clock: Clock, share: number, latencyMs: number, seed: number) {
  const random = seededRandom(seed + 100);
  return async (): Promise<number> => {
    const passes = random.fraction() >= share;
    await clock.sleep(latencyMs);
    return passes ? 200 : 429;
  };
}

/** Sends a request until it passes. */
async function sendOne(clock: Clock, limiter: RateLimiter, answer: () => Promise<number>): Promise<void> {
  for (;;) {
    await limiter.waitForTurn();
    const sentMs = clock.now();
    const status = await answer();
    limiter.endTurn(sentMs, { status, retryAfterMs: undefined });
    if (status === 200) return;
    if (!limiter.isHopeful()) throw new Error('given up');
  }
}

/** One process: so many requests by so many workers. Gives when it was done, in milliseconds. */
async function process(
  clock: Clock,
  requests: number,
  workers: number,
  answer: () => Promise<number>,
  seed = 1,
) {
  const limiter = new RateLimiter(clock, seededRandom(seed), silent);
  let left = requests;
  const worker = async (): Promise<void> => {
    while (left-- > 0) await sendOne(clock, limiter, answer);
  };
  await Promise.all(Array.from({ length: workers }, worker));
  return clock.now();
}

const rates = fc.constantFrom(1, 2, 5, 10, 25, 100);
const silent = (): void => undefined;

test('one process takes little longer than the bucket of the service allows', async () => {
  const cases = fc.record({
    size: fc.constantFrom(1, 10, 100),
    perSecond: rates,
    steps: fc.boolean(),
    latencyMs: fc.integer({ min: 1, max: 300 }),
    workers: fc.constantFrom(1, 8, 32),
    seconds: fc.integer({ min: 30, max: 90 }),
  });
  await fc.assert(
    fc.asyncProperty(cases, async ({ size, perSecond, steps, latencyMs, workers, seconds }) => {
      const limits = { size: steps ? Math.max(size, perSecond) : size, perSecond, steps };
      const clock = simulatedClock();
      const startMs = clock.now();
      const requests = limits.size + perSecond * seconds;
      const service = limitedService(clock, limits, latencyMs);
      const tookMs = (await clock.run(process(clock, requests, workers, service.answer))) - startMs;
      const unlimitedMs = Math.ceil(requests / workers) * latencyMs;
      // A service that keeps nothing for later refuses whatever comes a moment early, and more of it is lost.
      const factor = limits.size === 1 ? 3 : 2;
      expect(tookMs).toBeLessThan(Math.max(seconds * 1000, unlimitedMs) * factor + 15_000);
      expect(service.refused()).toBeLessThan(requests * 0.5 + 100);
    }),
    { numRuns: 60 },
  );
});

test('independent processes share a bucket, and none starves', async () => {
  const cases = fc.record({
    perSecond: rates,
    steps: fc.boolean(),
    processes: fc.integer({ min: 2, max: 5 }),
    latencyMs: fc.integer({ min: 5, max: 200 }),
  });
  await fc.assert(
    fc.asyncProperty(cases, async ({ perSecond, steps, processes, latencyMs }) => {
      const clock = simulatedClock();
      const startMs = clock.now();
      const seconds = 60;
      const service = limitedService(clock, { size: 2 * perSecond, perSecond, steps }, latencyMs);
      const each = Math.ceil((perSecond * seconds) / processes);
      const ends = await clock.run(
        Promise.all(
          Array.from({ length: processes }, (_, seed) => process(clock, each, 8, service.answer, seed)),
        ),
      );
      const unlimitedMs = (each / 8) * latencyMs;
      expect(Math.max(...ends) - startMs).toBeLessThan(Math.max(seconds * 1000, unlimitedMs) * 1.6);
    }),
    { numRuns: 40 },
  );
});

test('grants turns in the order of the requests', async () => {
  const clock = simulatedClock();
  const limiter = new RateLimiter(clock, seededRandom(), silent);
  await limiter.waitForTurn();
  limiter.endTurn(clock.now(), { status: 429, retryAfterMs: undefined });
  const order: number[] = [];
  const turns = [1, 2, 3, 4, 5].map((each) => limiter.waitForTurn().then(() => order.push(each)));
  await clock.run(Promise.all(turns));
  expect(order).toEqual([1, 2, 3, 4, 5]);
});

test('a Retry-After holds all requests with the same service and token, and no others', async () => {
  const clock = simulatedClock();
  const startMs = clock.now();
  const limiters = rateLimiters(clock, seededRandom(), silent);
  const limiter = limiters.of('https://api.example', 'token');
  await limiter.waitForTurn();
  limiter.endTurn(clock.now(), { status: 429, retryAfterMs: 7000 });
  await clock.run(limiters.of('https://api.example', 'other').waitForTurn());
  await clock.run(limiters.of('https://other.example', 'token').waitForTurn());
  expect(clock.now()).toBe(startMs);
  await clock.run(limiters.of('https://api.example', 'token').waitForTurn());
  expect(clock.now()).toBe(startMs + 7000);
});

test('an interruption ends a wait without delaying the requests behind it', async () => {
  const clock = simulatedClock();
  const startMs = clock.now();
  const limiter = new RateLimiter(clock, seededRandom(), silent);
  await limiter.waitForTurn();
  limiter.endTurn(clock.now(), { status: 503, retryAfterMs: 60_000 });
  const interrupted = new AbortController();
  const cut = limiter.waitForTurn(interrupted.signal);
  const behind = limiter.waitForTurn();
  interrupted.abort();
  await expect(clock.run(cut)).rejects.toThrow('aborted');
  expect(clock.now()).toBe(startMs);
  await clock.run(behind);
  expect(clock.now()).toBe(startMs + 60_000);
});

test('spaces requests before a refusal if the service reports no remaining requests', async () => {
  const clock = simulatedClock();
  const limiter = new RateLimiter(clock, seededRandom(), silent);
  const startMs = clock.now();
  const send = async (remaining: number): Promise<void> => {
    await limiter.waitForTurn();
    limiter.endTurn(clock.now(), { status: 200, retryAfterMs: undefined });
    limiter.setRemaining(remaining);
  };
  for (let left = 20; left > 0; left -= 1) await clock.run(send(left));
  expect(clock.now()).toBe(startMs);
  for (let more = 0; more < 30; more += 1) await clock.run(send(0));
  expect(clock.now() - startMs).toBeGreaterThan(2000);
});

test('gives up if the service accepts no request for two minutes', async () => {
  const clock = simulatedClock();
  const startMs = clock.now();
  await expect(clock.run(process(clock, 1, 1, async () => 429))).rejects.toThrow('given up');
  expect(clock.now() - startMs).toBeGreaterThan(120_000);
  expect(clock.now() - startMs).toBeLessThan(140_000);
});

test('detects soon that a limit was lifted', async () => {
  const clock = simulatedClock();
  const endMs = clock.now() + 20_000;
  const take = bucketOn(clock, { size: 1, perSecond: 1 });
  const answer = async (): Promise<number> => (clock.now() > endMs || take() ? 200 : 429);
  const doneMs = await clock.run(process(clock, 2000, 8, answer));
  expect(doneMs - endMs).toBeLessThan(25_000);
});

test('adapts the number of concurrent requests to the rate', async () => {
  const clock = simulatedClock();
  const startMs = clock.now();
  const [limitedMs, openMs] = [startMs + 10_000, startMs + 40_000];
  const take = bucketOn(clock, { size: 1, perSecond: 10 });
  let running = 0;
  const most = { before: 0, during: 0, after: 0 };
  const answer = async (): Promise<number> => {
    const now = clock.now();
    running += 1;
    const phase = now < limitedMs ? 'before' : now < openMs ? 'during' : 'after';
    // What was under way when the limit came is no sign of it.
    if (phase !== 'during' || now > limitedMs + 5000) most[phase] = Math.max(most[phase], running);
    const passes = phase !== 'during' || take();
    await clock.sleep(100);
    running -= 1;
    return passes ? 200 : 429;
  };
  await clock.run(process(clock, 4000, 8, answer));
  expect(most.before).toBe(8);
  expect(most.during).toBeLessThan(6);
  expect(most.after).toBe(8);
});

test.each([0.03, 0.1, 0.3])('completes all requests if a share of %d is refused at random', async (share) => {
  const clock = simulatedClock();
  const startMs = clock.now();
  await clock.run(process(clock, 300, 8, noisyService(clock, share, 50, 1)));
  // It takes chance for a limit, and is slow.
  expect(clock.now() - startMs).toBeLessThan(300_000);
});

test('causes few refusals once the limit is known', async () => {
  for (const perSecond of [5, 20, 100]) {
    const clock = simulatedClock();
    const startMs = clock.now();
    const service = limitedService(clock, { size: 10, perSecond }, 20);
    let before = 0;
    void clock.sleep(15_000).then(() => {
      before = service.refused();
    });
    await clock.run(process(clock, perSecond * 60, 8, service.answer));
    expect(clock.now() - startMs).toBeLessThan(75_000);
    expect(service.refused() - before).toBeLessThan(perSecond * 45 * 0.25);
  }
});
