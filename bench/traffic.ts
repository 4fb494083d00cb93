import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BenchSandbox, startSandbox } from './deliveries-world.ts';
import type { Measurement } from './measure.ts';
import { bin, timed, type World, yardstick } from './processes.ts';
import { benchUser, telctlJson } from './service.ts';

/** Calls a second of the account, and seconds on the sandbox's clock. `BENCH_SECONDS=3600` takes half an hour at most. */
const rate = 50;
const seconds = Number(process.env.BENCH_SECONDS ?? 120);
/** After each part all events have to be there, and memory is looked at. */
const parts = 4;
const partSeconds = Math.ceil(seconds / parts);
/** Hooks whose events a call or a fax makes, each with a webhook of its own. */
const hooks = [
  'channel_create',
  'channel_answer',
  'channel_bridge',
  'channel_destroy',
  'notifications',
  'fax',
];

type Counts = Readonly<Record<string, number>>;

/** A user with a phone, a mailbox and a number: whoever does not answer leaves a message. */
async function populate({ ask }: BenchSandbox, receiver: string): Promise<void> {
  const { id } = await ask('PUT', 'users', { ...benchUser('alice', 'Archer'), presence_id: '2001' });
  const box = await ask('PUT', 'vmboxes', { name: 'Alice', mailbox: '2001', owner_id: id });
  const voicemail = { module: 'voicemail', data: { id: box.id, action: 'compose' }, children: {} };
  const flow = { module: 'user', data: { id }, children: { _: voicemail } };
  await ask('PUT', 'callflows', { name: 'Alice', numbers: ['2001', '+15551230000'], flow });
  for (const hook of hooks)
    await ask('PUT', 'webhooks', {
      ...{ name: hook, uri: `${receiver}/${hook}`, hook, format: 'json' },
      ...(hook === 'notifications' ? { custom_data: { type: 'all' } } : {}),
    });
}

/** Resident memory of a process, in megabytes; unknown where the system does not tell. */
function residentMb(pid: string): number {
  const status = `/proc/${pid}/status`;
  const kilobytes = existsSync(status)
    ? /^VmRSS:\s*(\d+) kB$/m.exec(readFileSync(status, 'utf8'))?.[1]
    : null;
  return Number(kilobytes ?? Number.NaN) / 1024;
}

/** Simulates a part of the time. Returns the counts of the events that were made, by hook. */
async function traffic(world: World, part: number): Promise<Counts> {
  const argv = ['sandbox', 'traffic', '--calls-per-minute', String(rate * 60)];
  const run = await timed(
    [bin, ...argv, '--for', `${partSeconds}s`, '--seed', String(part), '-o', 'json'],
    world,
  );
  return JSON.parse(run.stdout).events;
}

/** Waits until as many deliveries arrived as were made, or none did for ten seconds. Returns those that arrived. */
async function arrived(receiver: string, made: number): Promise<Counts> {
  let idle = 0;
  for (let before = -1; ; ) {
    const counts = (await (await fetch(`${receiver}/counts`)).json()) as Counts;
    const sum = Object.values(counts).reduce((all, each) => all + each, 0);
    idle = sum === before ? idle + 1 : 0;
    if (sum >= made || idle > 100)
      return Object.fromEntries(Object.entries(counts).map(([path, count]) => [path.slice(1), count]));
    before = sum;
    await sleep(100);
  }
}

const sumOf = (counts: Iterable<number>): number => [...counts].reduce((all, each) => all + each, 0);

/** An account with 50 calls a second and webhooks for all that calls do: no event is lost, and memory stays. */
export async function measureTraffic(world: World): Promise<readonly Measurement[]> {
  const child = spawn(process.execPath, [yardstick('counting-receiver.mjs')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const receiver = String((await once(child.stdout, 'data'))[0]).trim();
  const sandbox = await startSandbox(world, '--data', join(world.home, 'records'));
  try {
    await populate(sandbox, receiver);
    const { pid = '' } = await telctlJson(world, ['sandbox', 'status']);
    const made = new Map<string, number>();
    const resident: number[] = [];
    let got: Counts = {};
    const started = performance.now();
    for (let part = 1; part <= parts; part += 1) {
      for (const [hook, count] of Object.entries(await traffic(world, part)))
        made.set(hook, (made.get(hook) ?? 0) + count);
      got = await arrived(receiver, sumOf(made.values()));
      resident.push(residentMb(pid));
    }
    const took = ((performance.now() - started) / 1000).toFixed(0);
    const [first = Number.NaN, last = Number.NaN] = [resident[0], resident.at(-1)];
    const of = `${rate} calls a second for ${parts * partSeconds} s of the sandbox's clock`;
    return [
      {
        name: `${of}, in ${took} s: events of the hook that got fewest : made`,
        telctl: `${sumOf(Object.values(got))} events`,
        yardstick: `${sumOf(made.values())} events`,
        ratio: Math.min(...[...made].map(([hook, count]) => (got[hook] ?? 0) / count)),
        target: { atLeast: 1 },
      },
      {
        name: `memory of the sandbox at their end : after the first of ${parts} parts`,
        telctl: `${last.toFixed(0)} MB`,
        yardstick: `${first.toFixed(0)} MB`,
        ratio: last / first,
        target: { atMost: 1.5 },
      },
    ];
  } finally {
    child.kill();
    await timed([bin, 'sandbox', 'stop'], world);
  }
}
