import { compareProcesses, type Measurement } from './measure.ts';
import { bin, runTimed, type World, yardstickPath } from './processes.ts';
import { type Service, usersUrl } from './service.ts';

/** Compares reading one record with a cached token with a bare script that fetches it. */
export function measureOneRead(world: World, service: Service): Promise<Measurement> {
  const env = { BENCH_URL: `${usersUrl(service)}/${service.aliceId}`, BENCH_TOKEN: service.token };
  return compareProcesses({
    name: 'telctl users get alice -o json : one fetch',
    turns: 25,
    ours: () => runTimed([bin, 'users', 'get', 'alice', '-o', 'json'], world),
    theirs: () => runTimed([yardstickPath('bare-fetch.mjs')], world, { env }),
    target: { atMost: 1.25 },
  });
}
