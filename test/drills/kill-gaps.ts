import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type CalledSandbox, calledSandbox } from '../support/called-sandbox.ts';
import { makeFolders, writeFiles } from '../support/fake-host.ts';
import { type ProcessEnd, runProcess } from '../support/process.ts';
import { countCharges } from './account-state.ts';
import { faultProxy } from './fault-proxy.ts';
import type { KillWork } from './kill-works.ts';

const hook = pathToFileURL(join(import.meta.dirname, 'kill-hook.mjs')).href;

/** A machine with telctl on it, and a sandbox that it reaches over loopback. */
export interface KillBench {
  readonly sandbox: CalledSandbox;
  /** The working folder, where the files of the work are. */
  readonly folder: string;
  /** Runs telctl as a process. */
  run(line: string, stdin?: string): Promise<ProcessEnd>;
}

/** What is there after a work: records, files of the working folder, and charges. */
interface Left {
  readonly records: readonly string[];
  readonly files: readonly string[];
  readonly charges: number;
}

/** The result of one kill. */
export interface Kill {
  /** The event that the process did not reach; `undefined` if it reached its end. */
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

/** Text without ids and without what is new in each run. */
const plain = (text: string): string =>
  text
    .replaceAll(/[0-9a-f]{32}/g, 'ID')
    .replaceAll(/127\.0\.0\.1:\d+/g, 'HOST')
    .replaceAll(/"(?:password|pvt_[a-z_]+|api_key)":"[^"]*"/g, '""');

/** Records of all accounts, each once for each time that it is there. */
async function recordsOf({ store }: CalledSandbox): Promise<readonly string[]> {
  const all = await Promise.all(kinds.map((kind) => store.allOfKind(kind)));
  return all
    .flat()
    .map(({ kind, body: { id: _, ...body } }) =>
      plain(`${kind} ${JSON.stringify(Object.entries(body).toSorted())}`),
    )
    .toSorted();
}

function filesOf(folder: string, { texts }: Pick<KillWork, 'texts'>): readonly string[] {
  return (
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      // Drafts that a killed process did not rename. The system removes no files of a process that it kills.
      .filter((name) => !/(?:^|\/)\.[^/]*$/.test(name) && statSync(join(folder, name)).isFile())
      .map((name) => (texts ? `${name}: ${plain(readFileSync(join(folder, name), 'utf8'))}` : name))
      .toSorted()
  );
}

/** Does something with a bench on which a work is prepared. */
async function withBench<T>(
  work: KillWork,
  use: (
    bench: KillBench & {
      start(label: string | undefined): Promise<{ end: ProcessEnd; trace: readonly string[] }>;
      left(): Promise<Left>;
      home: string;
    },
  ) => Promise<T>,
): Promise<T> {
  const sandbox = await calledSandbox();
  sandbox.clock.turn(Date.now() - sandbox.clock.now());
  const proxy = await faultProxy(sandbox.app);
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
        records: await recordsOf(sandbox),
        files: filesOf(folder, work),
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
 * The events of a run that divide its gaps: changes of files, and requests and replies of changes. Kills between two reads
 * leave the same behind.
 */
export const dividing = (events: readonly string[]): readonly string[] =>
  events.filter((event) => !/^(?:send|reply to) GET /.test(event));

/** Runs a work to its end. Returns its events in order, and what it leaves. */
export async function wholeRun(
  work: KillWork,
): Promise<{ readonly events: readonly string[]; readonly left: Left }> {
  return withBench(work, async ({ start, left }) => {
    const { end, trace } = await start(undefined);
    if (end.code !== 0) throw new Error(`${work.name} ended with ${end.code}: ${end.stderr}`);
    return { events: trace, left: await left() };
  });
}

/**
 * Kills a work before an event, then does what a person does: resumes or repeats the command. Returns what differs from
 * a run that was not killed: a record, charge or file too many or too few, a lock that stays, a repeat that fails.
 */
export async function killBefore(work: KillWork, event: string, whole: Left): Promise<Kill> {
  return withBench(work, async (bench) => {
    const { end, trace } = await bench.start(event);
    const killed = trace.at(-1)?.startsWith('KILLED BEFORE ') === true;
    if (!killed)
      return { before: undefined, after: trace.at(-1), findings: end.code === 0 ? [] : [end.stderr] };
    const ends: ProcessEnd[] = [];
    for (const line of work.again) {
      const last = await bench.run(line, work.stdin?.(bench));
      ends.push(last);
      if (last.code === 0) break;
    }
    const said = ends.map(({ code, stderr }) => `(${code}) ${stderr.trim()}`).join(' | ');
    const left = await bench.left();
    const differences = (
      what: string,
      ours: readonly string[],
      theirs: readonly string[],
    ): readonly string[] => {
      const missing = theirs.filter(
        (each, at) => !ours.includes(each) || count(theirs.slice(0, at + 1), each) > count(ours, each),
      );
      const extra = ours.filter(
        (each, at) => !theirs.includes(each) || count(ours.slice(0, at + 1), each) > count(theirs, each),
      );
      return [
        ...missing.map((each) => `${what} is missing: ${each}`),
        ...extra.map((each) => `${what} is too much: ${each}`),
      ];
    };
    const lacking = [
      ...differences('a record', left.records, whole.records),
      ...differences(
        'a file',
        left.files.filter((file) => !work.repeatsLeave?.includes(file)),
        whole.files,
      ),
    ];
    const isComplete = work.isRefusedOnceDone && lacking.length === 0;
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
        .map(({ stderr }) => `broke: ${stderr}`),
    ];
    const findings = wrong.map((each) => `${each.slice(0, 300)} — after ${said.slice(0, 600)}`);
    return { before: event, after: trace.at(-2), findings };
  });
}

const count = (list: readonly string[], each: string): number => list.filter((one) => one === each).length;
