/**
 * Runs each drilled command with a fault at every request: in real processes, through a proxy on loopback, against a
 * sandbox. Prints a table of faults and commands, and each finding. Exits with code 1 if there is a finding.
 * Arguments select commands or faults: `npm run drill -- limits "cut after"`. `npm run drill -- fleet` runs a large
 * rollout while its machines and database fail, and prints counts. `fleet 200` uses 200 accounts. `npm run drill --
 * kills` kills commands before each of their changes. `kills apply undo` selects these two commands.
 */

import { countRequests, type DrillBench, drillJob } from '../test/drills/drill.ts';
import { drillKills } from '../test/drills/drill-kills.ts';
import { startFaultProxy } from '../test/drills/fault-proxy.ts';
import { drillFleet } from '../test/drills/fleet.ts';
import { faultDurations, faultNames, type InjectedFault } from '../test/drills/injected-faults.ts';
import { type Job, jobs } from '../test/drills/jobs.ts';
import { calledSandbox } from '../test/support/called-sandbox.ts';
import { makeFolders, writeFiles } from '../test/support/fake-host.ts';
import { runProcess } from '../test/support/process.ts';

/** Calls back with a new sandbox, proxy and home folder. */
async function withBench<T>(use: (bench: DrillBench) => Promise<T>): Promise<T> {
  const sandbox = await calledSandbox();
  sandbox.clock.turn(Date.now() - sandbox.clock.now());
  const proxy = await startFaultProxy(sandbox.app);
  const { home, remove } = makeFolders();
  const env = {
    TELCTL_BASE_URL: proxy.url,
    TELCTL_API_KEY: sandbox.seed.apiKey,
  };
  // With a fault, the timeout is short because late replies are waited for. A repeat has all the time it needs.
  const shortTimeout = { TELCTL_TIMEOUT: '2', TELCTL_RETRIES: '1' };
  try {
    return await use({
      sandbox,
      async run(argv, { files = {}, stdin = '' }, injected) {
        writeFiles(home, files);
        proxy.begin(injected);
        const { code, stdout, stderr } = await runProcess(argv, {
          home,
          env: injected ? { ...env, ...shortTimeout } : env,
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
  readonly injected: InjectedFault;
}

const selected = process.argv.slice(2);
if (selected[0] === 'fleet') {
  const accounts = Number(selected[1] ?? 60);
  // Longer than a lease, so others take over the work of the disconnected worker.
  const options = { accounts, refused: 0.3, cutMs: 30_000, seed: Date.now() % 1000 };
  const { findings: wrong, counts: done } = await drillFleet({ ...options, onFault: console.log });
  console.table(done);
  for (const finding of wrong) console.log(finding);
  process.exit(wrong.length > 0 ? 1 : 0);
}
if (selected[0] === 'kills') process.exit((await drillKills(selected.slice(1), console.log)) ? 0 : 1);
const isSelected = (name: string, all: readonly string[]): boolean =>
  selected.includes(name) || !selected.some((each) => all.includes(each));

const jobNames = jobs.map(({ name }) => name);
const selectedJobs = jobs.filter(({ name }) => isSelected(name, jobNames));
const faults = faultNames.filter((name) => isSelected(name, faultNames));
const tries: Try[] = [];
for (const job of selectedJobs) {
  const positions = await withBench((bench) => countRequests(job, bench));
  for (const name of faults)
    for (const duration of faultDurations)
      for (let at = 0; at < positions; at += 1) tries.push({ job, injected: { name, at, duration } });
}

const counts = new Map<string, { runs: number; findings: number }>();
const tableCell = (job: string, fault: string) => `${job} ${fault}`;
const findings: string[] = [];
let next = 0;

async function worker(): Promise<void> {
  for (let one = tries[next++]; one !== undefined; one = tries[next++]) {
    const { job, injected } = one;
    const found = await withBench((bench) => drillJob(job, injected, bench));
    const cell = tableCell(job.name, injected.name);
    const { runs, findings: before } = counts.get(cell) ?? { runs: 0, findings: 0 };
    counts.set(cell, { runs: runs + 1, findings: before + (found.length > 0 ? 1 : 0) });
    const where = `${job.name}, ${injected.name} at request ${injected.at + 1}, ${injected.duration}`;
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
        selectedJobs.map(({ name }) => {
          const { runs, findings: found } = counts.get(tableCell(name, fault)) ?? { runs: 0, findings: 0 };
          return [name, found === 0 ? runs : `${runs}, ${found} WRONG`];
        }),
      ),
    ]),
  ),
);
for (const finding of findings) console.log(finding);
const seconds = ((performance.now() - startedMs) / 1000).toFixed(0);
console.log(`${tries.length} faults in ${seconds} s, ${findings.length} findings`);
if (findings.length > 0) process.exitCode = 1;
