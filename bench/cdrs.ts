import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Measurement, median, pairs } from './measure.ts';
import { bin, makeWorld, removeWorld, type World, yardstick } from './processes.ts';

const account = 'a'.repeat(32);
/** Records of the export whose memory is measured, and of those that are timed. */
const many = 1_000_000;
const few = 200_000;
const turns = 3;
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

/** A service with so many call records, in a process of its own. */
async function serve(world: World, records: number): Promise<Service> {
  const env = { ...world.env, BENCH_RECORDS: String(records) };
  const child = spawn(process.execPath, [yardstick('cdr-service.mjs')], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [url] = await once(child.stdout, 'data');
  return { url: String(url).trim(), child };
}

interface Exported {
  readonly ms: number;
  readonly lines: number;
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
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}`);
  return { ms: performance.now() - start, lines, peakMb: Number(readFileSync(report, 'utf8')) / 1024 };
}

const listing = (format: string): readonly string[] => [bin, 'cdrs', 'list', '-o', format];

async function whole(
  args: readonly string[],
  world: World,
  service: Service,
  count: number,
  fields?: string,
) {
  const run = await exported(args, world, service, fields);
  if (run.lines < count) throw new Error(`${run.lines} of ${count} records were exported`);
  return run;
}

/** Speed of an export in a format, as a share of a bare client's. */
async function measureSpeed(world: World, service: Service, format: 'ndjson' | 'csv'): Promise<Measurement> {
  const fields = format === 'csv' ? columns : undefined;
  const pair = await pairs(
    turns,
    async () => (await whole(listing(format), world, service, few)).ms,
    async () => (await whole([yardstick('bare-pages.mjs')], world, service, few, fields)).ms,
  );
  return {
    name: `speed of exporting ${few} call records as ${format} : a bare client`,
    telctl: `${(median(pair.ours) / 1000).toFixed(1)} s`,
    yardstick: `${(median(pair.theirs) / 1000).toFixed(1)} s`,
    ratio: 1 / pair.ratio,
    target: { atLeast: 0.6 },
  };
}

async function measurePeak(world: World, service: Service, format: 'ndjson' | 'csv'): Promise<Measurement> {
  const { peakMb, ms } = await whole(listing(format), world, service, many);
  return {
    name: `peak of exporting ${many} call records as ${format} (${(ms / 1000).toFixed(0)} s) : ${mostMb} MB`,
    telctl: `${peakMb.toFixed(0)} MB`,
    yardstick: `${mostMb} MB`,
    ratio: peakMb / mostMb,
    target: { atMost: 1 },
  };
}

/** Exports of very many call records: how fast beside a bare client, and in how much memory. */
export async function measureCdrs(): Promise<readonly Measurement[]> {
  const world = makeWorld();
  const [small, large] = [await serve(world, few), await serve(world, many)];
  try {
    return [
      await measureSpeed(world, small, 'ndjson'),
      await measureSpeed(world, small, 'csv'),
      await measurePeak(world, large, 'ndjson'),
      await measurePeak(world, large, 'csv'),
    ];
  } finally {
    for (const { child } of [small, large]) child.kill();
    removeWorld(world);
  }
}
