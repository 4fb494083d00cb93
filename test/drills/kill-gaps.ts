import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type CalledSandbox, calledSandbox } from '../support/called-sandbox.ts';
import { makeFolders, writeFiles } from '../support/fake-host.ts';
import { type ProcessEnd, runProcess } from '../support/process.ts';
import { countCharges } from './account-state.ts';
import { startFaultProxy } from './fault-proxy.ts';
import type { KillScenario } from './kill-scenarios.ts';

const hook = pathToFileURL(join(import.meta.dirname, 'kill-hook.mjs')).href;

/** A machine with telctl, and a sandbox that it calls over loopback. */
export interface KillBench {
  readonly sandbox: CalledSandbox;
  /** The working folder with the files of the work. */
  readonly folder: string;
  /** Runs telctl as a process. */
  run(line: string, stdin?: string): Promise<ProcessEnd>;
}

/** The remaining state after a run: records, files of the working folder, and charges. */
interface ResultingState {
  readonly records: readonly string[];
  readonly files: readonly string[];
  readonly charges: number;
}

export interface Kill {
  /** The next event that the process did not reach, or `undefined` if it completed. */
  readonly before: string | undefined;
  /** The last event that it reached. */
  readonly after: string | undefined;
  readonly findings: readonly string[];
}

const kinds = [
  'accounts',
  'users',
  'devices',
  'vmboxes',
  'menus',
  'callflows',
  'webhooks',
  'limits',
  'temporal_rules',
];

/** Returns text without ids and other values that differ in each run. */
const removeVariableParts = (text: string): string =>
  text
    .replaceAll(/[0-9a-f]{32}/g, 'ID')
    .replaceAll(/127\.0\.0\.1:\d+/g, 'HOST')
    .replaceAll(/"(?:password|pvt_[a-z_]+|api_key)":"[^"]*"/g, '""');

/** Returns the records of all accounts, including duplicates. */
async function readRecords({ store }: CalledSandbox): Promise<readonly string[]> {
  const all = await Promise.all(kinds.map((kind) => store.allOfKind(kind)));
  return all
    .flat()
    .map(({ kind, body: { id: _, ...body } }) =>
      removeVariableParts(`${kind} ${JSON.stringify(Object.entries(body).toSorted())}`),
    )
    .toSorted();
}

function readFolder(
  folder: string,
  { comparesTexts }: Pick<KillScenario, 'comparesTexts'>,
): readonly string[] {
  return (
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      // Ignores drafts that the killed process did not rename. The system does not delete files of a killed process.
      .filter((name) => !/(?:^|\/)\.[^/]*$/.test(name) && statSync(join(folder, name)).isFile())
      .map((name) =>
        comparesTexts ? `${name}: ${removeVariableParts(readFileSync(join(folder, name), 'utf8'))}` : name,
      )
      .toSorted()
  );
}

/** Calls back with a bench on which a work is prepared. */
async function withBench<T>(
  work: KillScenario,
  use: (
    bench: KillBench & {
      start(label: string | undefined): Promise<{ end: ProcessEnd; trace: readonly string[] }>;
      left(): Promise<ResultingState>;
      home: string;
    },
  ) => Promise<T>,
): Promise<T> {
  const sandbox = await calledSandbox();
  sandbox.clock.turn(Date.now() - sandbox.clock.now());
  const proxy = await startFaultProxy(sandbox.app);
  const { home, cwd: folder, remove } = makeFolders();
  const env = { TELCTL_BASE_URL: proxy.url, TELCTL_API_KEY: sandbox.seed.apiKey };
  const options = { home, cwd: folder, ...(work.signsIn ? {} : { env }) };
  const run: KillBench['run'] = (line, stdin = '') => runProcess(line.split(' '), { ...options, stdin });
  try {
    writeFiles(folder, work.files);
    if (work.signsIn)
      await runProcess(['login', '--base-url', proxy.url, '--api-key-stdin'], {
        home,
        stdin: sandbox.seed.apiKey,
      });
    const charges = countCharges(sandbox.store);
    const bench = { sandbox, folder, run };
    await work.prepare?.(bench);
    return await use({
      ...bench,
      home,
      async start(label) {
        const file = join(home, '..', 'events');
        const end = await runProcess(work.line.split(' '), {
          ...options,
          env: {
            ...(work.signsIn ? {} : env),
            NODE_OPTIONS: `--import=${hook}`,
            DRILL_TRACE: file,
            DRILL_ROOT: dirname(home),
            ...(label === undefined ? {} : { DRILL_KILL: label }),
          },
        });
        const trace = existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : [];
        return { end, trace };
      },
      left: async () => ({
        records: await readRecords(sandbox),
        files: readFolder(folder, work),
        charges: charges(),
      }),
    });
  } finally {
    await proxy.close();
    await sandbox.app.close();
    remove();
  }
}

/**
 * Returns the events that separate gaps: changes of files, and requests and responses of changes. Kills between two
 * reads have the same effect.
 */
export const selectGapEvents = (events: readonly string[]): readonly string[] =>
  events.filter((event) => !/^(?:send|reply to) GET /.test(event));

/** Runs a work to its end. Returns its events in order, and the resulting state. */
export async function runWithoutKill(
  work: KillScenario,
): Promise<{ readonly events: readonly string[]; readonly left: ResultingState }> {
  return withBench(work, async ({ start, left }) => {
    const { end, trace } = await start(undefined);
    if (end.code !== 0) throw new Error(`${work.name} exited with code ${end.code}: ${end.stderr}`);
    return { events: trace, left: await left() };
  });
}

/**
 * Kills a work before an event, then resumes or repeats the command as a person does. Returns the differences from an
 * undisturbed run: missing or additional records, charges or files, a remaining lock, or a failed repeat.
 */
export async function killAndRepeat(work: KillScenario, event: string, whole: ResultingState): Promise<Kill> {
  return withBench(work, async (bench) => {
    const { end, trace } = await bench.start(event);
    const wasKilled = trace.at(-1)?.startsWith('KILLED BEFORE ') === true;
    if (!wasKilled)
      return { before: undefined, after: trace.at(-1), findings: end.code === 0 ? [] : [end.stderr] };
    const ends: ProcessEnd[] = [];
    for (const line of work.again) {
      const last = await bench.run(line, work.stdin?.(bench));
      ends.push(last);
      if (last.code === 0) break;
    }
    const said = ends.map(({ code, stderr }) => `(${code}) ${stderr.trim()}`).join(' | ');
    const left = await bench.left();
    const findDifferences = (
      what: string,
      ours: readonly string[],
      theirs: readonly string[],
    ): readonly string[] => {
      const missing = theirs.filter(
        (each, at) =>
          !ours.includes(each) || countEqual(theirs.slice(0, at + 1), each) > countEqual(ours, each),
      );
      const extra = ours.filter(
        (each, at) =>
          !theirs.includes(each) || countEqual(ours.slice(0, at + 1), each) > countEqual(theirs, each),
      );
      return [
        ...missing.map((each) => `missing ${what}: ${each}`),
        ...extra.map((each) => `unexpected ${what}: ${each}`),
      ];
    };
    const lacking = [
      ...findDifferences('record', left.records, whole.records),
      ...findDifferences(
        'file',
        left.files.filter((file) => !work.filesOfRepeat?.includes(file)),
        whole.files,
      ),
    ];
    const isComplete = work.isRefusedIfComplete && lacking.length === 0;
    const wrong = [
      ...lacking,
      ...(ends.at(-1)?.code === 0 || isComplete ? [] : ['the repeat failed']),
      ...(left.charges === whole.charges ? [] : [`charged ${left.charges} times, not ${whole.charges}`]),
      ...ends
        .filter(({ stderr }) => /\bwaiting for\b/i.test(stderr))
        .map(() => 'the repeat waited for the killed process'),
      ...((await work.check?.(bench)) ?? []),
      ...ends
        .filter(({ stderr }) => stderr.includes('bug in telctl'))
        .map(({ stderr }) => `crashed: ${stderr}`),
    ];
    const findings = wrong.map((each) => `${each.slice(0, 300)} — after ${said.slice(0, 600)}`);
    return { before: event, after: trace.at(-2), findings };
  });
}

const countEqual = (list: readonly string[], each: string): number =>
  list.filter((one) => one === each).length;
