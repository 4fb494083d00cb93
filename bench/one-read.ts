import { type Measurement, race } from './measure.ts';
import { bin, timed, type World, yardstick } from './processes.ts';
import { type Service, usersUrl } from './service.ts';

/** One record with a cached token against a bare script that fetches it. */
export function measureOneRead(world: World, service: Service): Promise<Measurement> {
  const env = { BENCH_URL: `${usersUrl(service)}/${service.aliceId}`, BENCH_TOKEN: service.token };
  return race({
    name: 'telctl users get alice -o json : one fetch',
    turns: 25,
    ours: () => timed([bin, 'users', 'get', 'alice', '-o', 'json'], world),
    theirs: () => timed([yardstick('bare-fetch.mjs')], world, { env }),
    target: { atMost: 1.25 },
  });
}
