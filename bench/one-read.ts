import { type Measurement, median, pairs } from './measure.ts';
import { bin, timed, type World, yardstick } from './processes.ts';
import { type Service, usersUrl } from './service.ts';

/** One record with a cached token against a bare script that fetches it. */
export async function measureOneRead(world: World, service: Service): Promise<Measurement> {
  const env = { BENCH_URL: `${usersUrl(service)}/${service.aliceId}`, BENCH_TOKEN: service.token };
  const pair = await pairs(
    25,
    async () => (await timed([bin, 'users', 'get', 'alice', '-o', 'json'], world)).ms,
    async () => (await timed([yardstick('bare-fetch.mjs')], world, { env })).ms,
  );
  return {
    name: 'telctl users get alice -o json : one fetch',
    telctl: `${median(pair.ours).toFixed(1)} ms`,
    yardstick: `${median(pair.theirs).toFixed(1)} ms`,
    ratio: pair.ratio,
    target: { atMost: 1.35 },
  };
}
