import { format } from '../../base/decimal.ts';
import { durationOf } from '../../base/duration.ts';
import { Failure } from '../../base/failure.ts';
import { counted } from '../../base/wording.ts';
import type { InputOf } from '../../command/command.ts';
import type { Consent, Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { limitsOf } from '../../manifest/plan-safety.ts';
import type { Manifest } from '../../manifest/read-manifest.ts';
import type { RolloutAccount, RolloutStart } from '../../state/rollouts.ts';
import { ownerOf } from '../apply-plans.ts';
import { accountsBelow, type ChosenAccount } from '../choose-accounts.ts';
import { type FleetPlan, fleetPlan } from '../manifest/accounts/fleet-plan.ts';
import { checkManifest, inputFor, openAccounts, planMany } from '../manifest/accounts/many-accounts.ts';
import { holderName } from '../manifest/apply/account-locks.ts';
import { readManifestInput } from '../manifest/manifest-input.ts';
import { optionsOf } from '../manifest/plan/save-plan.ts';
import { overAccounts } from '../over-accounts.ts';
import { planAccounts } from '../planning.ts';
import { carryOn, rolloutOf } from './carry-on.ts';
import type { startOptions } from './commands.ts';
import type { Prepared } from './prepare.ts';
import { rolloutFailure, rolloutReport, wavesText } from './report.ts';
import { failuresOf, usualFailures, usualWaves, wavesOf } from './waves.ts';

type StartInput = InputOf<typeof startOptions>;

/** Facts of one account's plan that the record keeps. */
type PlannedAccount = Pick<RolloutAccount, 'agreed' | 'planned'>;

/** Begins a rollout: plans every account, asks once, keeps the record and carries it out. */
export async function startRollout(input: StartInput, context: Context): Promise<Result> {
  if (input.detach && (await context.state()).shared === undefined)
    throw new Failure(
      'usage',
      '--detach leaves the work to others, and this state is of this machine alone.',
      {
        hint: 'Name a state that machines share with --state postgres://USER@HOST/DATABASE.',
      },
    );
  const accounts = await accountsOf(context, input);
  const [first] = accounts;
  if (first === undefined) throw new Failure('not_found', 'There is no account below the one acted on.');
  const maxFailures = failuresOf(input.maxFailures ?? usualFailures);
  const pauseMs = input.pause === undefined ? 0 : durationOf(input.pause, '--pause');
  const waves = wavesOf(input.waves ?? usualWaves, accounts.length);
  if (context.options.dryRun) return planMany(context, input, accounts);
  const silent = { ...context, notices: { ...context.notices, warn: () => undefined } };
  const manifest = await readManifestInput(silent, inputFor(input, first));
  const plan = fleetPlan({ verbose: context.options.verbosity === 'verbose' });
  const planned = await plannedFirst(context, accounts, input, plan);
  if (planned !== undefined) await agreed(context, input, plan, waves);
  const name = await holderName(context);
  const owner = await ownerOf(context);
  const { command } = await context.facts();
  const start: RolloutStart = {
    ...{ version: 1, what: 'apply', atMs: context.host.clock.now(), who: name },
    ...(command === undefined ? {} : { command }),
    ...{ origin: owner.origin, ownerId: owner.accountId, set: manifest.desired.set },
    inputs: manifest.desired.inputs.map(({ name: file, sha256 }) => ({ name: file, sha256 })),
    options: kept(context, input, manifest, accounts),
    ...{ waves, pauseMs, maxFailures },
    maxDeletesTotal: limitsOf(input).maxDeletesTotal,
    charges: chargesOf(context.options.consent),
  };
  const { rollouts } = await context.state();
  const id = await rollouts.begin({ ...start, state: 'running' }, placed(accounts, waves, planned));
  context.notices.say(
    `rollout ${id}: ${counted(accounts.length, 'account')}, ${counted(waves.length, 'wave')}`,
  );
  if (input.detach)
    return {
      kind: 'done',
      message: `Workers carry it out: telctl rollout worker. Watch: telctl rollout show ${id} --follow`,
      value: { rollout: id },
    };
  const vars = new Map(accounts.map((each) => [each.word, each.vars]));
  return carriedOut(context, id, { input, vars });
}

/** Carries a rollout on, and shows how far it came. */
export async function carriedOut(context: Context, id: string, prepared: Prepared): Promise<Result> {
  const ended = await carryOn(context, id, prepared);
  const failure = await rolloutFailure(context, ended);
  const report = await rolloutReport(context, await rolloutOf(context, id));
  return failure ? { ...report, failure } : report;
}

async function accountsOf(context: Context, input: StartInput): Promise<readonly ChosenAccount[]> {
  if (input.accounts !== undefined) return openAccounts(context, input, input.accounts);
  if (input.below) {
    const accounts = await accountsBelow(context);
    await checkManifest(context, input, accounts);
    return accounts;
  }
  throw new Failure('usage', 'No accounts were named.', {
    hint: 'Name a list with --accounts FILE, or take all accounts below this one with --below.',
  });
}

/**
 * Plans every account before anything is sent, and keeps sums alone; `undefined` where nobody is asked and no limit
 * needs it, so that each account is planned once only, when its turn comes.
 */
async function plannedFirst(
  context: Context,
  accounts: readonly ChosenAccount[],
  input: StartInput,
  plan: FleetPlan,
): Promise<ReadonlyMap<string, PlannedAccount> | undefined> {
  if (context.options.yes && !input.prune && limitsOf(input).maxChangePercent === 100) return undefined;
  const ends = await overAccounts(context, accounts, {
    what: 'accounts',
    async work(account, own): Promise<PlannedAccount> {
      const { agreed, counts } = plan.add(account, await planAccounts(own, inputFor(input, account)));
      return { agreed, planned: { ...counts } };
    },
  });
  for (const end of ends) if (end.state === 'failed') plan.fail(end.account, end.failure);
  const tooMuch = plan.tooMuch(limitsOf(input));
  if (tooMuch) throw tooMuch;
  const { count, first } = plan.failed();
  if (first && count === accounts.length) throw first;
  return new Map(
    ends.flatMap((end) => (end.state === 'done' ? [[end.account.id, end.result] as const] : [])),
  );
}

/** Shows what would change, and asks. Throws `Failure` of kind `interrupted` for a no. */
async function agreed(
  context: Context,
  input: StartInput,
  plan: FleetPlan,
  waves: readonly number[],
): Promise<void> {
  if (!context.options.yes) await context.notices.report(plan.lines());
  const { count } = plan.failed();
  const without = count === 0 ? '' : ` (${count} cannot be planned)`;
  const pause = input.pause === undefined ? '' : `, with ${input.pause} between them`;
  const question = `Roll this out to ${counted(plan.accounts(), 'account')} ${wavesText(waves)}${pause}${without}?`;
  if (!(await context.ask.confirm(question, { option: '--yes' })))
    throw new Failure('interrupted', 'Nothing was changed.');
}

/** Options that make the same plans again; the list of accounts only where it has values of variables. */
function kept(
  { host }: Context,
  input: StartInput,
  manifest: Manifest,
  accounts: readonly ChosenAccount[],
): RolloutStart['options'] {
  const hasVars = accounts.some(({ vars }) => vars.size > 0);
  if (hasVars && input.accounts === '-')
    throw new Failure('usage', 'A rollout reads values of variables from the list again when it goes on.', {
      hint: 'Put the list into a file: --accounts FILE',
    });
  return {
    ...optionsOf({ manifest, desired: manifest.desired, accounts: [] }, input),
    ...(hasVars ? { accounts: input.accounts } : {}),
    overwrite: input.overwrite ?? false,
    cwd: host.cwd,
  };
}

/** The charges that all accounts of a rollout may come to, by the words of the one who starts it or goes on with it. */
export function chargesOf(consent: Consent): RolloutStart['charges'] {
  if (consent.kind === 'all') return 'all';
  return consent.kind === 'up-to' ? { upTo: format(consent.budget) } : 'none';
}

/** The accounts of a list in their waves. */
export function placed(
  accounts: readonly Pick<ChosenAccount, 'id' | 'word'>[],
  waves: readonly number[],
  planned: ReadonlyMap<string, PlannedAccount> = new Map(),
): readonly RolloutAccount[] {
  const ends = waves.map((_, index) => waves.slice(0, index + 1).reduce((sum, each) => sum + each, 0));
  return accounts.map(({ id, word }, index) => ({
    ...{ position: index + 1, wave: ends.findIndex((end) => index < end) + 1, accountId: id, word },
    ...{ state: 'waiting', tries: 0, runs: [] },
    ...planned.get(id),
  }));
}
