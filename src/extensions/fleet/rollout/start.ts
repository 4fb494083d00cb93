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
import { carriedOut, carryOn, type RolloutWork, shownWhile } from './carry-on.ts';
import type { startArguments, startRolloutOptions } from './commands.ts';
import { afterCanary, checkOf } from './judge-wave.ts';
import { failuresOf, usualFailures, usualWaves, wavesOf, windowOf, windowText } from './limits.ts';
import { type RolloutForm, rolloutOf } from './report.ts';
import { sumsOf } from './report-lines.ts';

type StartInput = InputOf<typeof startRolloutOptions, typeof startArguments>;

/** Begins a rollout: plans every account, asks once, keeps the record and carries it out. */
export async function startRollout(typed: StartInput, context: Context): Promise<Result> {
  if (typed.detach && (await context.state()).shared === undefined)
    throw new Failure(
      'usage',
      '--detach leaves the work to others, and this state is of this machine alone.',
      { hint: 'Name a state that machines share with --state postgres://USER@HOST/DATABASE.' },
    );
  const reviewed = typed.plan === undefined ? undefined : await reviewedFleet(context, typed.plan, typed);
  const input = reviewed === undefined ? typed : { ...typed, ...reviewed.input };
  const accounts = reviewed?.accounts ?? (await accountsOf(context, input));
  if (accounts.length === 0) throw new Failure('not_found', 'There is no account below the one acted on.');
  const maxFailures = failuresOf(input.maxFailures ?? usualFailures);
  const pauseMs = input.pause === undefined ? 0 : requireDuration(input.pause, '--pause');
  const waves = wavesOf(input.waves ?? usualWaves, accounts.length);
  const window = input.window === undefined ? undefined : windowOf(input.window, input.windowZone);
  const check = checkOf(context, input.check);
  if (check && waves.length === 1)
    throw new Failure('usage', '--check runs between waves, and there is one.', {
      hint: `Name more with --waves, such as --waves ${usualWaves}.`,
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
  if (!input.detach) return carriedOut(context, id, { ...prepared, check, notify });
  return {
    kind: 'done',
    message: `Workers carry it out: ${nextStep`rollout worker`}. Watch: ${nextStep`rollout show ${id} --follow`}`,
    value: { rollout: id },
  };
}

async function accountsOf(context: Context, input: StartInput): Promise<readonly ChosenAccount[]> {
  if (input.accounts !== undefined) return openAccounts(context, input, input.accounts);
  if (input.below) {
    const accounts = await chooseDescendants(context);
    await checkManifest(context, input, accounts);
    return accounts;
  }
  throw new Failure('usage', 'No accounts were named.', {
    hint: 'Name a list with --accounts FILE, or take all accounts below this one with --below.',
  });
}

/**
 * Opens the plan of a fleet that somebody reviewed. Throws `Failure`: `conflict` where it is for another service, or its
 * files are others by now, `refused` where so much would change that all of it is refused, and what `openFleet` throws.
 */
async function reviewedFleet(context: Context, name: string, given: StartInput) {
  const fleet = await openFleet(context, name);
  const { profile } = await context.session();
  if (profile.baseUrl !== fleet.origin)
    throw new Failure('conflict', `${name} is a plan for ${fleet.origin}, not for ${profile.baseUrl}.`, {
      hint: 'Choose the profile of that service with --profile.',
    });
  if (fleet.refused !== undefined)
    throw new Failure('refused', String(fleet.refused.message), {
      hint: `${String(fleet.refused.hint ?? '')} That is an option of telctl plan, so that it is reviewed, too.`.trim(),
    });
  if (fleet.failed.length > 0)
    context.notices.warn(
      `${formatCount(fleet.failed.length, 'account')} that could not be planned are left out.`,
    );
  const input = { ...savedInput(name, fleet.options, given.var), allowFiles: given.allowFiles };
  const list = typeof fleet.options.accounts === 'string' ? fleet.options.accounts : undefined;
  const listed = list === undefined ? [] : await readAccountList(context.host, list);
  const vars = new Map(listed.map((one) => [one.word, one.vars]));
  const accounts = fleet.accounts.map(
    ({ account, id }): ChosenAccount => ({
      word: account,
      id,
      vars: vars.get(account) ?? new Map(),
      file: name,
      line: 0,
    }),
  );
  const [first] = accounts;
  if (first === undefined) throw new Failure('not_found', `${name} is a plan of no account.`);
  const { desired } = await readManifestQuietly(context, input, first);
  refuseChangedFiles(name, fleet.inputs, desired.inputs, nextStep`plan --accounts FILE --out PLAN`);
  const agreed = new Map(
    fleet.accounts.map(({ id, hash, counts }) => [id, { agreed: hash, planned: counts }]),
  );
  return { input, list, accounts, agreed, shown: await fleetLines(name, fleet, false) };
}

/** `apply` to many accounts: a rollout in one wave, or two with `--canary`. Errors stop it if asked to. */
export async function applyFleet(context: Context, input: ApplyInput, file: string): Promise<Result> {
  if (input.plan !== undefined)
    throw new Failure(
      'usage',
      'A saved plan names its accounts itself; give manifests with -f beside --accounts.',
      { hint: createHint`The plan of a fleet is carried out by: ${nextStep`rollout start PLAN`}` },
    );
  if (input.resume)
    throw new Failure('usage', '--resume continues the run of one account.', {
      hint: 'With --accounts repeat the same command: accounts that are done are left as they are.',
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
  const work: RolloutWork = async (told) => {
    await carryOn(context, id, prepared, { told });
    if (await goesOn(context, id)) await carryOn(context, id, prepared, { told });
    prepared.passwords?.report();
  };
  return shownWhile(context, id, work, applyForm);
}

/** Asks after the canary whether the others follow. A no leaves the rollout for `rollout resume`. */
async function goesOn(context: Context, id: string): Promise<boolean> {
  const { state, why, waves } = await rolloutOf(context, id);
  if (state !== 'stopped' || why !== afterCanary) return false;
  const [first = 0, rest = 0] = waves;
  const are = first === 1 ? 'account is' : `${first} accounts are`;
  const question = `The first ${are} done. Go on with the other ${formatCount(rest, 'account')}?`;
  if (!(await context.ask.confirm(question, { option: '--yes' }))) return false;
  const { rollouts } = await context.state();
  await rollouts.change(id, () => ({ state: 'running', why: undefined }));
  return true;
}

/** The form of `apply --accounts`: an account is done, unchanged, failed or not begun. */
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
    const { done, unchanged, failed, waiting, running } = sumsOf(counts);
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
