import { createHint, Failure, nextStep } from '../../../base/failure.ts';
import { omitUndefined } from '../../../base/json.ts';
import { requireDuration } from '../../../base/moment.ts';
import { formatCount } from '../../../base/wording.ts';
import type { InputOf } from '../../../cli/command/command.ts';
import type { Context } from '../../../cli/command/context.ts';
import type { Result } from '../../../cli/command/result.ts';
import {
  type ChosenAccount,
  chooseDescendants,
  readAccountList,
} from '../../../cli/commands/bulk/choose-accounts.ts';
import { whereText } from '../../../cli/commands/labels.ts';
import { fleetLines, openFleet } from '../../../cli/commands/manifest/accounts/fleet-file.ts';
import {
  checkManifest,
  openAccounts,
  planMany,
  readManifestQuietly,
} from '../../../cli/commands/manifest/accounts/many-accounts.ts';
import { type ApplyInput, refuseChangedFiles } from '../../../cli/commands/manifest/apply/resume.ts';
import { savedInput } from '../../../cli/commands/manifest/plan/save-plan.ts';
import { notifierOf } from '../../../cli/commands/webhooks/target-client.ts';
import type { RolloutAccount } from '../../../engine/state/rollouts.ts';
import { beginRollout } from './begin.ts';
import type { startArguments, startRolloutOptions } from './commands.ts';
import { afterCanary, waveCheckOf } from './judge-wave.ts';
import {
  defaultMaxFailures,
  defaultWaves,
  parseMaxFailures,
  parseWaves,
  parseWindow,
  windowText,
} from './limits.ts';
import { type RolloutForm, rolloutOf } from './report.ts';
import { sumByState } from './report-lines.ts';
import { type RolloutWork, reportWhile, runAndReport, runRollout } from './run-rollout.ts';

type StartInput = InputOf<typeof startRolloutOptions, typeof startArguments>;

/** Starts a rollout: plans every account, asks once, stores the record and runs it. */
export async function startRollout(typed: StartInput, context: Context): Promise<Result> {
  if (typed.detach && (await context.state()).shared === undefined)
    throw new Failure('usage', '--detach needs a shared state, and this state is local to this machine.', {
      hint: 'Pass --state postgres://USER@HOST/DATABASE.',
    });
  const reviewed = typed.plan === undefined ? undefined : await openReviewedPlan(context, typed.plan, typed);
  const input = reviewed === undefined ? typed : { ...typed, ...reviewed.input };
  const accounts = reviewed?.accounts ?? (await chosenAccounts(context, input));
  if (accounts.length === 0) throw new Failure('not_found', 'This account has no sub-accounts.');
  const maxFailures = parseMaxFailures(input.maxFailures ?? defaultMaxFailures);
  const pauseMs = input.pause === undefined ? 0 : requireDuration(input.pause, '--pause');
  const waves = parseWaves(input.waves ?? defaultWaves, accounts.length);
  const window = input.window === undefined ? undefined : parseWindow(input.window, input.windowZone);
  const check = waveCheckOf(context, input.check);
  if (check && waves.length === 1)
    throw new Failure('usage', '--check runs between waves, but the rollout has only one wave.', {
      hint: `Pass more waves, such as --waves ${defaultWaves}.`,
    });
  const notify = await notifierOf(context, input.notifyFile);
  if (context.options.dryRun) return planMany(context, input, accounts);
  const { id, prepared } = await beginRollout(context, {
    input,
    list: reviewed?.list ?? input.accounts,
    accounts,
    how: {
      waves,
      pauseMs,
      maxFailures,
      window,
      where: input.where,
      reviewed: typed.plan,
      checked: check !== undefined,
      undoesFailures: input.undoOnFailure,
    },
    reviewed,
    question({ failed }) {
      const inWaves = waves.length === 1 ? 'all at once' : `in waves of ${waves.join(', ')}`;
      const pause = input.pause === undefined ? '' : `, with ${input.pause} between them`;
      const when = window === undefined ? '' : `, ${windowText(window)}`;
      const without = failed === 0 ? '' : ` (${failed} cannot be planned)`;
      return `Roll this out to ${formatCount(accounts.length, 'account')}${whereText(input.where)} ${inWaves}${pause}${when}${without}?`;
    },
  });
  if (!input.detach) return runAndReport(context, id, { ...prepared, check, notify });
  return {
    kind: 'done',
    message: `Rollout ${id} is ready. Start a worker: ${nextStep`rollout worker`}. Follow its progress: ${nextStep`rollout show ${id} --follow`}`,
    value: { rollout: id },
  };
}

async function chosenAccounts(context: Context, input: StartInput): Promise<readonly ChosenAccount[]> {
  if (input.accounts !== undefined) return openAccounts(context, input, input.accounts);
  if (input.below) {
    const accounts = await chooseDescendants(context);
    await checkManifest(context, input, accounts);
    return accounts;
  }
  throw new Failure('usage', 'No accounts given.', {
    hint: 'Pass --accounts FILE, or --below for all accounts below this one.',
  });
}

/**
 * Opens a reviewed plan. Throws `Failure`: `conflict` if it is for another service or its files have changed,
 * `refused` if it exceeds a limit, and the failures of `openFleet`.
 */
async function openReviewedPlan(context: Context, name: string, given: StartInput) {
  const fleet = await openFleet(context, name);
  const { profile } = await context.session();
  if (profile.baseUrl !== fleet.origin)
    throw new Failure('conflict', `${name} is a plan for ${fleet.origin}, not for ${profile.baseUrl}.`, {
      hint: 'Choose the profile of that service with --profile.',
    });
  if (fleet.refused !== undefined)
    throw new Failure('refused', String(fleet.refused.message), {
      hint: `${String(fleet.refused.hint ?? '')} Pass this option to telctl plan, so that it is reviewed.`.trim(),
    });
  if (fleet.failed.length > 0)
    context.notices.warn(
      `${formatCount(fleet.failed.length, 'account')} could not be planned and will be skipped.`,
    );
  const input = { ...savedInput(name, fleet.options, given.var), allowFiles: given.allowFiles };
  const list = typeof fleet.options.accounts === 'string' ? fleet.options.accounts : undefined;
  const listed = list === undefined ? [] : await readAccountList(context.host, list);
  const vars = new Map(listed.map((one) => [one.label, one.vars]));
  const accounts = fleet.accounts.map(
    ({ account, id }): ChosenAccount => ({
      label: account,
      id,
      vars: vars.get(account) ?? new Map(),
      file: name,
      line: 0,
    }),
  );
  const [first] = accounts;
  if (first === undefined) throw new Failure('not_found', `${name} contains no accounts.`);
  const { desired } = await readManifestQuietly(context, input, first);
  refuseChangedFiles(name, fleet.inputs, desired.inputs, nextStep`plan --accounts FILE --out PLAN`);
  const agreed = new Map(
    fleet.accounts.map(({ id, hash, counts }) => [id, { agreed: hash, planned: counts }]),
  );
  return { input, list, accounts, agreed, shown: await fleetLines(name, fleet, false) };
}

/** Applies manifests to many accounts: a rollout with one wave, or with two waves if `--canary` is given. */
export async function applyFleet(context: Context, input: ApplyInput, file: string): Promise<Result> {
  if (input.plan !== undefined)
    throw new Failure('usage', '--accounts cannot be combined with a saved plan.', {
      hint: createHint`Apply a plan of many accounts: ${nextStep`rollout start PLAN`}`,
    });
  if (input.resume)
    throw new Failure('usage', '--resume only works for one account.', {
      hint: 'With --accounts, repeat the same command. It skips finished accounts.',
    });
  if (context.options.dryRun) return planMany(context, input, file);
  const accounts = await openAccounts(context, input, file);
  const first = Math.min(input.canary ?? accounts.length, accounts.length);
  const rest = accounts.length - first;
  const { id, prepared } = await beginRollout(context, {
    input,
    list: file,
    accounts,
    how: {
      waves: rest === 0 ? [first] : [first, rest],
      pauseMs: 0,
      maxFailures: input.onError === 'stop' ? { count: 0 } : { percent: 100 },
      canary: rest === 0 ? undefined : context.options.yes ? 'goes-on' : 'asks',
    },
    question(sizes) {
      const canary = rest === 0 ? '' : `, the first ${first} first`;
      const without = sizes.failed === 0 ? '' : ` (${sizes.failed} cannot be planned)`;
      return `Apply these changes to ${sizes.changing} of ${formatCount(sizes.accounts, 'account')}${canary}${without}?`;
    },
  });
  const work: RolloutWork = async (onAttempt) => {
    await runRollout(context, id, prepared, { onAttempt });
    if (await confirmAfterCanary(context, id)) await runRollout(context, id, prepared, { onAttempt });
    prepared.passwords?.report();
  };
  return reportWhile(context, id, work, applyForm);
}

/** Asks after the canary whether to continue. If the user declines, `rollout resume` can continue later. */
async function confirmAfterCanary(context: Context, id: string): Promise<boolean> {
  const { state, why, waves } = await rolloutOf(context, id);
  if (state !== 'stopped' || why !== afterCanary) return false;
  const [first = 0, rest = 0] = waves;
  const are = first === 1 ? 'account is' : `${first} accounts are`;
  const question = `The first ${are} done. Continue with the other ${formatCount(rest, 'account')}?`;
  if (!(await context.ask.confirm(question, { option: '--yes' }))) return false;
  const { rollouts } = await context.state();
  await rollouts.change(id, () => ({ state: 'running', why: undefined }));
  return true;
}

const applyForm: RolloutForm = {
  account: ({ word, accountId, name, state, counts = {}, runs, neverAdopted, error }: RolloutAccount) => ({
    account: word,
    id: accountId,
    name: name ?? null,
    state: state === 'waiting' || state === 'running' ? 'not_begun' : state,
    counts: { ...counts },
    run: runs.at(-1) ?? null,
    ...omitUndefined({ never_adopted: neverAdopted, error: error && { ...error } }),
  }),
  summary({ id }, counts) {
    const { done, unchanged, failed, waiting, running } = sumByState(counts);
    const sums = { to_change: 0, done, unchanged, failed, not_begun: waiting + running };
    return { version: 1, rollout: id, counts: sums };
  },
  paths: [
    'account',
    'name',
    'id',
    'state',
    ...['created', 'updated', 'deleted', 'unchanged', 'failed', 'skipped'].map((count) => `counts.${count}`),
    'never_adopted',
    'error.message',
  ],
};
