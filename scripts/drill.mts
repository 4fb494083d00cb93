/**
 * Strikes every request of the drilled commands with every fault: real processes, a proxy on loopback, a sandbox behind
 * it. Prints a table of faults and commands, and each finding. Ends with 1 where there is one. Names of commands or
 * faults as arguments choose among them: `npm run drill -- limits "cut after"`. `npm run drill -- fleet` strikes the
 * machines and the database of a large rollout instead, and prints counts; `fleet 200` of so many accounts.
 * `npm run drill -- kills` kills commands before each of their changes instead; `kills apply undo` these two.
 */

import { type Bench, drill, positionsOf } from '../test/drills/drill.ts';
import { drillKills } from '../test/drills/drill-kills.ts';
import { faultProxy } from '../test/drills/fault-proxy.ts';
import { drillFleet } from '../test/drills/fleet.ts';
import { type Job, jobs } from '../test/drills/jobs.ts';
import { lastings, type Strike, strikeNames } from '../test/drills/strikes.ts';
import { calledSandbox } from '../test/support/called-sandbox.ts';
import { makeFolders, writeFiles } from '../test/support/fake-host.ts';
import { runProcess } from '../test/support/process.ts';

/** Does something with a sandbox, a proxy and a home folder of its own. */
async function withBench<T>(use: (bench: Bench) => Promise<T>): Promise<T> {
  const sandbox = await calledSandbox();
  sandbox.clock.turn(Date.now() - sandbox.clock.now());
  const proxy = await faultProxy(sandbox.app);
  const { home, remove } = makeFolders();
  const env = {
    TELCTL_BASE_URL: proxy.url,
    TELCTL_API_KEY: sandbox.seed.apiKey,
  };
  // Short where a request is struck: late replies are waited for. A repeat without a fault has all the time it needs.
  const impatient = { TELCTL_TIMEOUT: '2', TELCTL_RETRIES: '1' };
  try {
    return await use({
      sandbox,
      async run(argv, { files = {}, stdin = '' }, strike) {
        writeFiles(home, files);
        proxy.begin(strike);
        const { code, stdout, stderr } = await runProcess(argv, {
          home,
          env: strike ? { ...env, ...impatient } : env,
          stdin,
        });
        return { code: code ?? -1, stdout, stderr, requests: proxy.requests() };
      },
    });
  } finally {
    await proxy.close();
    await sandbox.app.close();
    remove();
  }
}

interface Try {
  readonly job: Job;
  readonly strike: Strike;
}

const chosen = process.argv.slice(2);
if (chosen[0] === 'fleet') {
  const accounts = Number(chosen[1] ?? 60);
  // Longer than a lease lives: others take over what the worker had that is cut off.
  const struck = { accounts, refused: 0.3, cutMs: 30_000, seed: Date.now() % 1000 };
  const { findings: wrong, counts: done } = await drillFleet({ ...struck, told: console.log });
  console.table(done);
  for (const finding of wrong) console.log(finding);
  process.exit(wrong.length > 0 ? 1 : 0);
}
if (chosen[0] === 'kills') process.exit((await drillKills(chosen.slice(1), console.log)) ? 0 : 1);
const isChosen = (name: string, all: readonly string[]): boolean =>
  chosen.includes(name) || !chosen.some((each) => all.includes(each));

const jobNames = jobs.map(({ name }) => name);
const drilled = jobs.filter(({ name }) => isChosen(name, jobNames));
const faults = strikeNames.filter((name) => isChosen(name, strikeNames));
const tries: Try[] = [];
for (const job of drilled) {
  const positions = await withBench((bench) => positionsOf(job, bench));
  for (const name of faults)
    for (const lasting of lastings)
      for (let at = 0; at < positions; at += 1) tries.push({ job, strike: { name, at, lasting } });
}

const counts = new Map<string, { strikes: number; findings: number }>();
const cellOf = (job: string, fault: string) => `${job} ${fault}`;
const findings: string[] = [];
let next = 0;

async function worker(): Promise<void> {
  for (let one = tries[next++]; one !== undefined; one = tries[next++]) {
    const { job, strike } = one;
    const found = await withBench((bench) => drill(job, strike, bench));
    const cell = cellOf(job.name, strike.name);
    const { strikes, findings: before } = counts.get(cell) ?? { strikes: 0, findings: 0 };
    counts.set(cell, { strikes: strikes + 1, findings: before + (found.length > 0 ? 1 : 0) });
    const where = `${job.name}, ${strike.name} at request ${strike.at + 1}, ${strike.lasting}`;
    findings.push(...found.map((finding) => `${where}: ${finding}`));
    if (process.stderr.isTTY) process.stderr.write(`\r${next} of ${tries.length}`);
  }
}

const startedMs = performance.now();
await Promise.all(Array.from({ length: 4 }, worker));
console.table(
  Object.fromEntries(
    faults.map((fault) => [
      fault,
      Object.fromEntries(
        drilled.map(({ name }) => {
          const { strikes, findings: found } = counts.get(cellOf(name, fault)) ?? { strikes: 0, findings: 0 };
          return [name, found === 0 ? strikes : `${strikes}, ${found} WRONG`];
        }),
      ),
    ]),
  ),
);
for (const finding of findings) console.log(finding);
const seconds = ((performance.now() - startedMs) / 1000).toFixed(0);
console.log(`${tries.length} strikes in ${seconds} s, ${findings.length} findings`);
if (findings.length > 0) process.exitCode = 1;
