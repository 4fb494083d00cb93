import { createHint, Failure, nextStep } from '../../../base/failure.ts';
import type { Host } from '../../../base/host/host.ts';
import { formatCount } from '../../../base/wording.ts';
import { isDatabase, trustedStates, trustState } from '../../../client/session/state-address.ts';
import { sectionNames } from '../../../contract/resource-nouns.ts';
import { gatedState } from '../../../engine/state/gated-state.ts';
import { openState, type StateTroubles, watchedState } from '../../../engine/state/open-state.ts';
import { isDone, type Run, type RunStep, type Runs, readRun } from '../../../engine/state/runs.ts';
import { type State, stateFolder } from '../../../engine/state/state.ts';
import type { Context, Prompter } from '../../command/context.ts';
import { requirePart } from '../extension.ts';

const dayMs = 86_400_000;

/** Kinds of objects in manifests, as a list that does not load the contract. */
const kinds: ReadonlySet<string> = new Set(Object.values(sectionNames).flat());

type Opening = Pick<Context, 'host' | 'settings' | 'ask'>;

/** Opens the state and warns about problems. Throws `refused` if a folder chose an untrusted state. */
export async function openConfiguredState(
  { host, settings, ask }: Opening,
  troubles: StateTroubles,
): Promise<State> {
  const { value, source, from } = settings.state;
  if (source === 'directory' && value !== undefined) await requireTrust(host, ask, value, from);
  const state = gatedState(await openStateAt({ host, settings }, value), host.outside);
  return watchedState(state, troubles);
}

/** Opens the state of an address, or that of this machine. */
export async function openStateAt(
  { host, settings }: Pick<Opening, 'host' | 'settings'>,
  address: string | undefined,
): Promise<State> {
  const parts = {
    host,
    folder: stateFolder(host, address !== undefined && isDatabase(address) ? undefined : address),
    knows: (kind: string) => kinds.has(kind),
    keepMs: settings.logDays.value * dayMs,
  };
  if (address === undefined || !isDatabase(address)) return openState(parts);
  const openDatabaseState = requirePart('openDatabaseState', 'A state in PostgreSQL');
  const { parseStateDatabase, statePassword } = await import('../../../client/session/state-address.ts');
  const { value: caFile } = settings.caFile;
  const ca = caFile === undefined ? undefined : await certificates(host, caFile);
  return openDatabaseState({
    ...parts,
    address: parseStateDatabase(address, 'The state'),
    password: () => statePassword(host),
    ca,
  });
}

async function certificates({ files }: Host, caFile: string): Promise<readonly string[]> {
  const [{ getCACertificates }, { readPem }] = await Promise.all([
    import('node:tls'),
    import('../../../client/api/undici-transport.ts'),
  ]);
  return [...getCACertificates('default'), readPem(files, caFile, 'CERTIFICATE')];
}

/** Asks whether the user trusts a state that a folder's file chose, because other people can read it. */
async function requireTrust(host: Host, ask: Prompter, address: string, from: string): Promise<void> {
  if (trustedStates(host).includes(address)) return;
  if (
    ask.available &&
    (await ask.confirmExplicitly(`${from} stores the log of telctl in ${address}. Do you trust that state?`))
  )
    return trustState(host, address);
  throw new Failure(
    'refused',
    `${from} names the state ${address}, which you have not trusted. Nothing was done.`,
    { hint: createHint`If it is your team's: ${nextStep`state trust ${address}`}` },
  );
}

export async function openRuns({ host, state }: Pick<Context, 'host' | 'state'>): Promise<Runs> {
  return { log: (await state()).log, processes: host.processes };
}

export const warnUnreadable =
  ({ notices }: Pick<Context, 'notices'>) =>
  (run: string): void =>
    notices.warn(`run ${run} of the log cannot be read, so its changes are unknown`);

/** Warns once about runs whose process was killed, because some requests may have no recorded result. */
export async function reportKilledRuns(context: Pick<Context, 'host' | 'state' | 'notices'>): Promise<void> {
  const runs = await openRuns(context);
  const cut: Run[] = [];
  for (const id of await runs.log.open()) {
    const run = await readRun(runs, id);
    if (run?.state === 'running') continue;
    await runs.log.settle(id);
    if (run?.state === 'unfinished') cut.push(run);
  }
  const clear = cut.filter((run) => doubtfulSteps(run).length === 0);
  const isMany = clear.length > eachAtMost;
  for (const run of cut) if (!isMany || !clear.includes(run)) context.notices.warn(killedRunText(run));
  if (isMany)
    context.notices.warn(
      `${clear.length} runs were cut off: ${changesMadeText(clear)}, and all results are known. See: ${nextStep`log`}`,
    );
}

/** Each of these runs gets its own line. Further runs share one line. */
const eachAtMost = 3;

const stepsOf = ({ parts }: Run): readonly RunStep[] => parts.flatMap(({ steps }) => steps);

const doubtfulSteps = (run: Run): readonly RunStep[] =>
  stepsOf(run).filter(({ begin, end }) => begin !== undefined && end === undefined);

function changesMadeText(runs: readonly Run[]): string {
  const { length } = runs.flatMap(stepsOf).filter(isDone);
  return `${formatCount(length, 'change')} ${length === 1 ? 'was' : 'were'} made`;
}

function killedRunText(cut: Run): string {
  const { run, what, command } = cut;
  const unknown = doubtfulSteps(cut);
  const [first] = unknown;
  const name = command === undefined ? what : `telctl ${command}`;
  const done = changesMadeText([cut]);
  const doubt =
    first === undefined
      ? ''
      : `; it is unknown whether ${unknown.length === 1 ? `${first.planned.action} ${first.planned.label}` : `${unknown.length} more`} ${unknown.length === 1 ? 'was' : 'were'} carried out`;
  return `${name} (run ${run}) was cut off: ${done}${doubt}. See: ${nextStep`log show ${run}`}`;
}
