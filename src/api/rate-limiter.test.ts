import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seededRandom } from '../../test/support/clock.ts';
import { type BucketRules, bucketOn } from '../../test/support/faults.ts';
import { simulatedClock } from '../../test/support/simulated-clock.ts';
import type { Clock } from '../host/host.ts';
import { type BucketState, learningBucket } from './rate-bucket.ts';
import { type RateLimiter, rateLimiter, rateLimiters, sharedBucket } from './rate-limiter.ts';

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
    await limiter.turn();
    const sentMs = clock.now();
    const status = await answer();
    limiter.ended(sentMs, { status, retryAfterMs: undefined });
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
  bucket = learningBucket(seededRandom(seed)),
) {
  const limiter = rateLimiter(clock, bucket, silent);
  let left = requests;
  const worker = async (): Promise<void> => {
    while (left-- > 0) await sendOne(clock, limiter, answer);
  };
  await Promise.all(Array.from({ length: workers }, worker));
  return clock.now();
}

const rates = fc.constantFrom(1, 2, 5, 10, 25, 100);
const silent = (): void => undefined;

test('the requests of one process take little longer than the bucket of the service allows', async () => {
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
      // A service that keeps nothing for later refuses whatever comes a moment early, and half of it is lost.
      const factor = limits.size === 1 ? 2 : 1.25;
      expect(tookMs).toBeLessThan(Math.max(seconds * 1000, unlimitedMs) * factor + 8000);
      expect(service.refused()).toBeLessThan(requests * 0.5 + 100);
    }),
    { numRuns: 60 },
  );
});

test('several processes that know nothing of each other share a bucket, and none starves', async () => {
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

test('requests have their turns in the order in which they asked for them', async () => {
  const clock = simulatedClock();
  const limiter = rateLimiter(clock, learningBucket(seededRandom()), silent);
  await limiter.turn();
  limiter.ended(clock.now(), { status: 429, retryAfterMs: undefined });
  const order: number[] = [];
  const turns = [1, 2, 3, 4, 5].map((each) => limiter.turn().then(() => order.push(each)));
  await clock.run(Promise.all(turns));
  expect(order).toEqual([1, 2, 3, 4, 5]);
});

test('a Retry-After holds all requests of the same service and token, and no others', async () => {
  const clock = simulatedClock();
  const startMs = clock.now();
  const limiters = rateLimiters(clock, seededRandom(), silent);
  const limiter = limiters.of('https://api.example', 'token');
  await limiter.turn();
  limiter.ended(clock.now(), { status: 429, retryAfterMs: 7000 });
  await clock.run(limiters.of('https://api.example', 'other').turn());
  await clock.run(limiters.of('https://other.example', 'token').turn());
  expect(clock.now()).toBe(startMs);
  await clock.run(limiters.of('https://api.example', 'token').turn());
  expect(clock.now()).toBe(startMs + 7000);
});

test('a wait ends when the user interrupts it, and those behind it do not wait longer for it', async () => {
  const clock = simulatedClock();
  const startMs = clock.now();
  const limiter = rateLimiter(clock, learningBucket(seededRandom()), silent);
  await limiter.turn();
  limiter.ended(clock.now(), { status: 503, retryAfterMs: 60_000 });
  const interrupted = new AbortController();
  const cut = limiter.turn(interrupted.signal);
  const behind = limiter.turn();
  interrupted.abort();
  await expect(clock.run(cut)).rejects.toThrow('aborted');
  expect(clock.now()).toBe(startMs);
  await clock.run(behind);
  expect(clock.now()).toBe(startMs + 60_000);
});

test('requests are spaced before any is refused where the service says that none is left', async () => {
  const clock = simulatedClock();
  const limiter = rateLimiter(clock, learningBucket(seededRandom()), silent);
  const startMs = clock.now();
  const send = async (remaining: number): Promise<void> => {
    await limiter.turn();
    limiter.ended(clock.now(), { status: 200, retryAfterMs: undefined });
    limiter.left(remaining);
  };
  for (let left = 20; left > 0; left -= 1) await clock.run(send(left));
  expect(clock.now()).toBe(startMs);
  for (let more = 0; more < 30; more += 1) await clock.run(send(0));
  expect(clock.now() - startMs).toBeGreaterThan(2000);
});

test('a service of which nothing comes back for two minutes is given up', async () => {
  const clock = simulatedClock();
  const startMs = clock.now();
  await expect(clock.run(process(clock, 1, 1, async () => 429))).rejects.toThrow('given up');
  expect(clock.now() - startMs).toBeGreaterThan(120_000);
  expect(clock.now() - startMs).toBeLessThan(140_000);
});

test('a limit that was lifted is soon found out', async () => {
  const clock = simulatedClock();
  const endMs = clock.now() + 20_000;
  const take = bucketOn(clock, { size: 1, perSecond: 1 });
  const answer = async (): Promise<number> => (clock.now() > endMs || take() ? 200 : 429);
  const doneMs = await clock.run(process(clock, 2000, 8, answer));
  expect(doneMs - endMs).toBeLessThan(25_000);
});

test('fewer requests are under way as the rate falls, and more as it rises', async () => {
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

test.each([0.03, 0.1, 0.3])(
  'requests of which %d are turned away by chance are hardly slower',
  async (share) => {
    const [latencyMs, workers, unlimitedMs] = [50, 8, 20_000];
    const times: number[] = [];
    for (let seed = 0; seed < 8; seed += 1) {
      const clock = simulatedClock();
      const startMs = clock.now();
      const requests = (unlimitedMs / latencyMs) * workers;
      await clock.run(process(clock, requests, workers, noisyService(clock, share, latencyMs, seed), seed));
      times.push(clock.now() - startMs);
    }
    // What is turned away is sent again.
    const least = unlimitedMs / (1 - share);
    expect(Math.max(...times)).toBeLessThan(least * 2);
    expect(times.toSorted((a, b) => a - b)[4]).toBeLessThan(least * 1.4);
  },
);

test('a limit is kept after chance, and chance is told from it again', async () => {
  const clock = simulatedClock();
  const startMs = clock.now();
  const phaseMs = 30_000;
  const [latencyMs, perSecond] = [50, 10];
  const chance = seededRandom(5);
  const take = bucketOn(clock, { size: perSecond, perSecond });
  const counts = Array.from({ length: 4 }, () => ({ passed: 0, refused: 0 }));
  const answer = async (): Promise<number> => {
    const atMs = clock.now() - startMs;
    const phase = Math.floor(atMs / phaseMs);
    const passes = phase % 2 === 1 ? take() : chance.fraction() >= 0.3;
    const count = counts[phase];
    // The second half of a phase, when it has been noticed.
    if (count && atMs % phaseMs > phaseMs / 2) count[passes ? 'passed' : 'refused'] += 1;
    await clock.sleep(latencyMs);
    return passes ? 200 : 429;
  };
  await clock.run(process(clock, 8500, 8, answer));
  const [noise, limit, noiseAgain] = counts;
  const most = (8 / latencyMs) * 1000 * 0.7 * (phaseMs / 2000);
  expect(noise?.passed).toBeGreaterThan(most / 2);
  expect(noiseAgain?.passed).toBeGreaterThan(most / 2);
  expect(limit?.passed).toBeGreaterThan(0.8 * perSecond * (phaseMs / 2000));
  expect(limit?.refused).toBeLessThan(limit?.passed ?? 0);
});

test('a limit is met with few refusals once it is known', async () => {
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

test('processes that share a bucket are slowed by a limit alike, and by chance not', async () => {
  const clock = simulatedClock();
  const startMs = clock.now();
  const state: BucketState = { heldUntilMs: 0 };
  const shared = {
    read: async () => ({ state: structuredClone(state), nowMs: clock.now() }),
    change: async <T>(change: (held: BucketState, nowMs: number) => T) => change(state, clock.now()),
  };
  const two = (each: number, answer: () => Promise<number>) =>
    clock.run(
      Promise.all(
        [1, 2].map((seed) => process(clock, each, 8, answer, seed, sharedBucket(shared, seededRandom(seed)))),
      ),
    );
  await two(3200, noisyService(clock, 0.3, 50, 1));
  const chanceMs = clock.now() - startMs;
  expect(chanceMs).toBeLessThan((2 * 20_000) / 0.7);
  const service = limitedService(clock, { size: 20, perSecond: 20 }, 20);
  await two(600, service.answer);
  expect(clock.now() - startMs - chanceMs).toBeLessThan(75_000);
  expect(service.refused()).toBeLessThan(1200);
});

test('a bucket that is far away is asked for many requests at once', async () => {
  const clock = simulatedClock();
  const startMs = clock.now();
  const state: BucketState = { heldUntilMs: 0 };
  let line: Promise<unknown> = Promise.resolve();
  const shared = {
    read: async () => ({ state: structuredClone(state), nowMs: clock.now() }),
    // One process at a time, and 30 ms for the way there and back.
    change<T>(change: (held: BucketState, nowMs: number) => T): Promise<T> {
      const mine = line.then(() => clock.sleep(30)).then(() => change(state, clock.now()));
      line = mine.catch(() => undefined);
      return mine;
    },
  };
  const service = limitedService(clock, { size: 100, perSecond: 100 }, 20);
  await clock.run(
    Promise.all(
      [1, 2].map((seed) =>
        process(clock, 2000, 8, service.answer, seed, sharedBucket(shared, seededRandom(seed))),
      ),
    ),
  );
  expect(clock.now() - startMs).toBeLessThan(60_000);
});
