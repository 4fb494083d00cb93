import { Failure } from '../../../../base/failure.ts';
import type { Host } from '../../../../base/host/host.ts';
import { isObject, type JsonObject } from '../../../../base/json.ts';
import { formatIsoTime } from '../../../../base/moment.ts';
import { formatCount } from '../../../../base/wording.ts';
import type { InputOf } from '../../../../cli/command/command.ts';
import type { Context } from '../../../../cli/command/context.ts';
import type { Result } from '../../../../cli/command/result.ts';
import { openBrowser } from '../../../../cli/commands/login/sso-code.ts';
import { readProfiles } from '../../../../client/session/profile-store.ts';
import { homePath } from '../../../../client/session/secret-sources.ts';
import { controlAt } from '../../control-client.ts';
import {
  pageAddress,
  type RunningState,
  requireRunning,
  runningState,
  type SandboxAddress,
  type Seed,
  type VerifiedAddress,
  verifiedAddress,
} from '../../running-state.ts';
import {
  describeTarget,
  isExecSandbox,
  type SandboxTarget,
  sandboxVariables,
  selectTarget,
} from '../../sandbox-paths.ts';
import type { pageOptions } from '../commands.ts';
import { likeText, type nameOptions } from '../options.ts';
import { formatClockOffset } from '../simulate/faults.ts';
import { profileFor } from './launch.ts';

type Row = readonly [label: string, value: string];

/** Reads the overview of a sandbox. Returns `undefined` if an older telctl started it. */
async function readOverview(
  context: Context,
  target: SandboxTarget,
  running: SandboxAddress & { readonly controlKey?: string | undefined },
): Promise<JsonObject> {
  try {
    return await controlAt(context, target, running).request('overview', {});
  } catch (error) {
    if (error instanceof Failure && error.kind === 'unavailable' && target.kind === 'named') return {};
    throw error;
  }
}

function statusRows(overview: JsonObject): readonly Row[] {
  const { clock, faults, deliveries_queued: queued, events_queued: events } = overview;
  const { webhooks_disabled: disabled, webhooks_failed: failed } = overview;
  if (!isObject(clock)) return [];
  const hooks = Number(disabled) > 0 ? `; ${formatCount(Number(disabled), 'webhook')} disabled` : '';
  const after = Number(failed) > 0 ? `, ${failed} after failures` : '';
  const toCome = Number(events) > 0 ? `, ${formatCount(Number(events), 'event')} to come` : '';
  return [
    ['Clock', `${formatIsoTime(String(clock.now))}, ${formatClockOffset(clock)}`],
    ['Faults', Number(faults) > 0 ? `${formatCount(Number(faults), 'active fault')}` : 'none'],
    ['Deliveries', `${Number(queued) > 0 ? `${queued} queued` : 'none queued'}${toCome}${hooks}${after}`],
    ...(typeof overview.rate_limit === 'string'
      ? [['Limit', `${overview.rate_limit} requests`] as const]
      : []),
    ['Snapshots', Number(overview.snapshots) > 0 ? String(overview.snapshots) : 'none'],
  ];
}

/** Shows whether the sandbox runs, its address, and changes since its start. */
export async function showStatus(input: InputOf<typeof nameOptions>, context: Context): Promise<Result> {
  const target = selectTarget(context.host, input.name);
  if (target.kind === 'exec') return execStatus(target, await readOverview(context, target, target));
  const { paths } = target;
  const state = await runningState(context.host, paths);
  if (state)
    return runningStatus(context.host, paths.name, state, await readOverview(context, target, state));
  return {
    kind: 'item',
    value: { name: paths.name, running: false },
    rows: [['Sandbox', `${paths.name}, not running`]],
  };
}

const execStatus = (target: Extract<SandboxTarget, { kind: 'exec' }>, overview: JsonObject): Result => ({
  kind: 'item',
  value: {
    name: null,
    running: true,
    base_url: target.baseUrl,
    page: pageAddress(target),
    data: null,
    ...overview,
  },
  rows: [
    ['Sandbox', `${describeTarget(target)}, running`],
    ['Address', target.baseUrl],
    ['Page', pageAddress(target)],
    ...(isExecSandbox(target) ? [['Records', 'in memory'] as const] : []),
    ...statusRows(overview),
    ['Account', `${overview.account_name}  ${overview.account_id}`],
  ],
});

const runningStatus = (host: Host, name: string, state: RunningState, overview: JsonObject): Result => ({
  kind: 'item',
  value: {
    name,
    running: true,
    base_url: state.baseUrl,
    page: pageAddress(state),
    pid: state.pid,
    started_at: state.startedAt,
    data: state.folder ?? null,
    strict: state.like === 'specification',
    like: state.like ?? null,
    ...overview,
    account_name: state.seed.accountName,
    account_id: state.seed.accountId,
  },
  rows: [
    ['Sandbox', `${name}, running`],
    ['Address', state.baseUrl],
    ['Page', pageAddress(state)],
    ['Process', `${state.pid}, since ${state.startedAt}`],
    ['Records', state.folder === undefined ? 'in memory' : homePath(host, state.folder)],
    ...(state.like ? [['Answers', likeText[state.like]] as const] : []),
    ...statusRows(overview),
    ['Account', `${state.seed.accountName}  ${state.seed.accountId}`],
  ],
});

/** Prints the address of the page. Opens it if the output is a terminal. Throws `unavailable`. */
export async function showPage(
  { name, noBrowser }: InputOf<typeof pageOptions>,
  { host, notices }: Context,
): Promise<Result> {
  const target = selectTarget(host, name);
  const address = pageAddress(target.kind === 'exec' ? target : await requireRunning(host, target.paths));
  if (host.stdout.isTTY && !noBrowser && !(await openBrowser(host, address)))
    notices.warn('telctl could not start a browser. Open the address in a browser on this machine.');
  return { kind: 'text', text: address, value: { page: address } };
}

const shellQuoted = (value: string): string => `'${value.replaceAll("'", "'\\''")}'`;

async function variablesFor(context: Context, name: string | undefined) {
  const target = selectTarget(context.host, name);
  if (target.kind === 'exec') {
    // Asks the sandbox, because the variables around the command may have changed.
    const seed = await controlAt(context, target, target).request('seed', {});
    return sandboxVariables(target.baseUrl, seed as unknown as Seed);
  }
  const state = await requireRunning(context.host, target.paths);
  const known: VerifiedAddress = (await verifiedAddress(state, target.paths)) ?? state;
  const profile = readProfiles(context.host).profiles.get(profileFor(target.paths));
  const isOfIt = profile?.baseUrl === known.baseUrl && profile.accountId === state.seed.accountId;
  return sandboxVariables(known.baseUrl, state.seed, known.caFile, isOfIt ? profile.name : undefined);
}

/** Prints lines for `eval` in a shell that point telctl at the sandbox. */
export async function printEnvironment(
  input: InputOf<typeof nameOptions>,
  context: Context,
): Promise<Result> {
  const variables = await variablesFor(context, input.name);
  const lines = Object.entries(variables).map(([name, value]) => `export ${name}=${shellQuoted(value)}\n`);
  return { kind: 'document', text: lines.join(''), value: variables, verbatim: true };
}
