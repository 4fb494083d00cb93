import { Failure, leadsOn, nextStep } from '../../../base/failure.ts';
import { counted } from '../../../base/wording.ts';
import type { AccountCount, RolloutAccount } from '../../../engine/state/rollouts.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { openAccounts, planMany } from '../manifest/accounts/many-accounts.ts';
import type { ApplyInput } from '../manifest/apply/apply.ts';
import { passwordGiver } from '../manifest/apply/generate-passwords.ts';
import { beginRollout } from './begin.ts';
import { type Carrying, shownWhile } from './carried-out.ts';
import { carryOn } from './carry-on.ts';
import { afterCanary } from './judge-wave.ts';
import { type RolloutForm, rolloutOf } from './report.ts';
import { sumsOf } from './report-lines.ts';

/**
 * `apply` of one manifest to many accounts: a rollout that waits, in one wave, or two with `--canary`. What fails in one
 * account leaves the others alone, unless errors stop.
 */
export async function applyFleet(context: Context, input: ApplyInput, file: string): Promise<Result> {
  refuseCombinations(input);
  if (context.options.dryRun) return planMany(context, input, file);
  const { generatePasswords } = input;
  const passwords =
    generatePasswords === undefined ? undefined : passwordGiver(context, generatePasswords, false);
  const accounts = await openAccounts(context, input, file);
  const first = Math.min(input.canary ?? accounts.length, accounts.length);
  const rest = accounts.length - first;
  const id = await beginRollout(context, {
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
      return `Apply these changes to ${sizes.changing} of ${counted(sizes.accounts, 'account')}${canary}${without}?`;
    },
  });
  const prepared = { input, vars: new Map(accounts.map((each) => [each.word, each.vars])), passwords };
  const work: Carrying = async (told) => {
    await carryOn(context, id, prepared, { told });
    if (await goesOn(context, id)) await carryOn(context, id, prepared, { told });
    passwords?.tell();
  };
  return shownWhile(context, id, work, applyForm);
}

function refuseCombinations({ plan, resume }: ApplyInput): void {
  if (plan !== undefined)
    throw new Failure(
      'usage',
      'A saved plan names its accounts itself; give manifests with -f beside --accounts.',
      { hint: leadsOn`The plan of a fleet is carried out by: ${nextStep`rollout start PLAN`}` },
    );
  if (resume)
    throw new Failure('usage', '--resume continues the run of one account.', {
      hint: 'With --accounts repeat the same command: accounts that are done are left as they are.',
    });
}

/** Asks after the canary whether the others follow. A no leaves the rollout for `rollout resume`. */
async function goesOn(context: Context, id: string): Promise<boolean> {
  const { state, why, waves } = await rolloutOf(context, id);
  if (state !== 'stopped' || why !== afterCanary) return false;
  const [first = 0, rest = 0] = waves;
  const are = first === 1 ? 'account is' : `${first} accounts are`;
  const question = `The first ${are} done. Go on with the other ${counted(rest, 'account')}?`;
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
    ...(neverAdopted ? { never_adopted: [...neverAdopted] } : {}),
    ...(error ? { error: { ...error } } : {}),
  }),
  summary({ id }, counts: readonly AccountCount[]) {
    const { done, unchanged, failed, waiting, running } = sumsOf(counts);
    const sums = { to_change: 0, done, unchanged, failed, not_begun: waiting + running };
    return { version: 1, rollout: id, counts: sums };
  },
  paths: [
    'account',
    'name',
    'id',
    'state',
    'counts.created',
    'counts.updated',
    'counts.deleted',
    'counts.unchanged',
    'counts.failed',
    'counts.skipped',
    'never_adopted',
    'error.message',
  ],
};
