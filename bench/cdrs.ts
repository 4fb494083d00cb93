import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type Measurement, race, type Taken } from './measure.ts';
import { bin, makeWorld, removeWorld, reported, type World, yardstick } from './processes.ts';

const account = 'a'.repeat(32);
/** Records of an export. `BENCH_RECORDS=1000000` takes some minutes. */
const records = Number(process.env.BENCH_RECORDS ?? 100_000);
const turns = records > 300_000 ? 1 : 3;
const mostMb = 130;
/** Columns of the table, which are those of the CSV. */
const columns =
  'datetime direction calling_from dialed_number duration_seconds billing_seconds hangup_cause owner_id id';

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const token = [
  part({ alg: 'RS256', typ: 'JWT' }),
  part({ account_id: account, exp: 4_000_000_000 }),
  'c2ln',
].join('.');

interface Service {
  readonly url: string;
  readonly child: ChildProcess;
}

/** A service with the call records, in a process of its own. */
async function serve(world: World): Promise<Service> {
  const env = { ...world.env, BENCH_RECORDS: String(records) };
  const child = spawn(process.execPath, [yardstick('cdr-service.mjs')], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [url] = await once(child.stdout, 'data');
  return { url: String(url).trim(), child };
}

interface Exported extends Taken {
  readonly peakMb: number;
}

/** Runs a program to its end, counting the lines that it writes: a gigabyte of them is kept nowhere. */
async function exported(
  args: readonly string[],
  world: World,
  { url }: Service,
  fields = '',
): Promise<Exported> {
  const report = join(world.home, 'peak');
  const start = performance.now();
  const child = spawn(process.execPath, ['--import', yardstick('report-memory.mjs'), ...args], {
    env: {
      ...{ ...world.env, BENCH_REPORT: report, TELCTL_BASE_URL: url, TELCTL_TOKEN: token },
      ...{ BENCH_URL: `${url}/v2/accounts/${account}/cdrs`, BENCH_TOKEN: token },
      ...(fields === '' ? {} : { BENCH_FIELDS: fields }),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let lines = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines += 1;
  });
  const [code] = await once(child, 'close');
  const ms = performance.now() - start;
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}`);
  if (lines < records) throw new Error(`${lines} of ${records} records were exported`);
  return { ms, ...reported(report) };
}

const listing = (format: string): readonly string[] => [bin, 'cdrs', 'list', '-o', format];

/** An export in a format: its speed as a share of a bare client's, and the most memory that it took. */
async function measureExport(
  world: World,
  service: Service,
  format: 'ndjson' | 'csv',
): Promise<readonly Measurement[]> {
  const peaks: number[] = [];
  const what = `exporting ${records} call records as ${format}`;
  const speed = await race({
    name: `speed of ${what} : a bare client`,
    turns,
    async ours() {
      const run = await exported(listing(format), world, service);
      peaks.push(run.peakMb);
      return run;
    },
    theirs: () => exported([yardstick('bare-pages.mjs')], world, service, format === 'csv' ? columns : ''),
    show: (ms) => `${(ms / 1000).toFixed(1)} s`,
    speed: true,
    target: { atLeast: 0.6 },
  });
  const peakMb = Math.max(...peaks);
  return [
    speed,
    {
      name: `peak of ${what} : ${mostMb} MB`,
      telctl: `${peakMb.toFixed(0)} MB`,
      yardstick: `${mostMb} MB`,
      ratio: peakMb / mostMb,
      target: { atMost: 1 },
    },
  ];
}

/** Exports of very many call records: how fast beside a bare client, and in how much memory. */
export async function measureCdrs(): Promise<readonly Measurement[]> {
  const world = makeWorld();
  const service = await serve(world);
  try {
    return [
      ...(await measureExport(world, service, 'ndjson')),
      ...(await measureExport(world, service, 'csv')),
    ];
  } finally {
    service.child.kill();
    removeWorld(world);
  }
}
