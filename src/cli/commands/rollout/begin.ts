import { format } from '../../../base/decimal.ts';
import { Failure, leadsOn, nextStep } from '../../../base/failure.ts';
import { counted } from '../../../base/wording.ts';
import { limitsOf } from '../../../engine/manifest/plan-safety.ts';
import type { Manifest } from '../../../engine/manifest/read-manifest.ts';
import type { RolloutAccount, RolloutStart } from '../../../engine/state/rollouts.ts';
import type { Consent, Context } from '../../command/context.ts';
import type { ReportLine } from '../../command/result.ts';
import { isSettled, leftAsTheyAre } from '../account-job.ts';
import { ownerOf } from '../apply-plans.ts';
import type { ChosenAccount } from '../choose-accounts.ts';
import { whereText } from '../labels.ts';
import { type FleetPlan, fleetPlan, planHash } from '../manifest/accounts/fleet-plan.ts';
import { inputFor, plannedEach } from '../manifest/accounts/many-accounts.ts';
import { holderName } from '../manifest/apply/account-locks.ts';
import { readManifestInput } from '../manifest/manifest-input.ts';
import { optionsOf } from '../manifest/plan/save-plan.ts';
import { factsOf } from './one-account.ts';
import type { RolloutInput } from './prepare.ts';

/** Facts of one account's plan that the record keeps. An account that needs nothing is over with them. */
export type PlannedFacts = Pick<RolloutAccount, 'agreed' | 'planned'> & Partial<RolloutAccount>;

export interface Beginning {
  /** Waves and limits, and what else the record says of how it goes. */
  readonly how: Pick<RolloutStart, 'waves' | 'pauseMs' | 'maxFailures'> & Partial<RolloutStart>;
  readonly input: RolloutInput;
  /** File that the accounts stand in, where one was named. */
  readonly list: string | undefined;
  readonly accounts: readonly ChosenAccount[];
  /** What is asked once all accounts were planned. */
  question(sizes: FleetPlan['sizes']): string;
  /** Facts of plans that somebody reviewed before, by the account's id; nothing is planned first then. */
  readonly agreed?: ReadonlyMap<string, PlannedFacts>;
  /** The plans that were reviewed, for people. */
  readonly shown?: readonly ReportLine[];
}

/**
 * Plans every account, asks once, and keeps the record of the rollout. Gives its number. Throws `Failure`:
 * `refused` where so much would change that it takes an option, `interrupted` if the answer is no.
 */
export async function beginRollout(context: Context, beginning: Beginning): Promise<string> {
  const { input, accounts, how } = beginning;
  const [first] = accounts;
  if (first === undefined) throw new Error('A rollout is of one account or more.');
  const silent = { ...context, notices: { ...context.notices, warn: () => undefined } };
  const manifest = await readManifestInput(silent, inputFor(input, first));
  const options = kept(context, beginning, manifest);
  const planned = beginning.agreed ?? (await plannedFirst(context, beginning));
  if (beginning.agreed) await askAgain(context, beginning);
  const owner = await ownerOf(context);
  const { command } = await context.facts();
  const start: RolloutStart = {
    version: 1,
    what: 'apply',
    atMs: context.host.clock.now(),
    who: await holderName(context),
    ...(command === undefined ? {} : { command }),
    origin: owner.origin,
    ownerId: owner.accountId,
    set: manifest.desired.set,
    inputs: manifest.desired.inputs.map(({ name: file, sha256 }) => ({ name: file, sha256 })),
    options,
    ...how,
    maxDeletesTotal: limitsOf(input).maxDeletesTotal,
    charges: chargesOf(context.options.consent),
  };
  const { rollouts } = await context.state();
  const id = await rollouts.begin({ ...start, state: 'running' }, placed(accounts, how.waves, planned));
  context.notices.say(
    `rollout ${id}: ${counted(accounts.length, 'account')}${whereText(how.where)}, ${counted(how.waves.length, 'wave')}`,
  );
  return id;
}

/** Asks before a plan that was reviewed is carried out; where nobody can be asked, it is what the user said. */
async function askAgain(
  { ask, options, notices }: Context,
  { accounts, question, shown = [] }: Beginning,
): Promise<void> {
  if (options.yes || !ask.available) return;
  await notices.report(shown);
  const sizes = { accounts: accounts.length, changing: accounts.length, failed: 0 };
  if (!(await ask.confirm(question(sizes), { option: '--yes' })))
    throw new Failure('interrupted', 'Nothing was changed.');
}

/**
 * Plans every account before anything is sent, keeps sums and hashes alone, and asks; `undefined` where nobody is asked
 * and no limit needs it, so that each account is planned once only, when its turn comes.
 */
async function plannedFirst(
  context: Context,
  { accounts, input, how, question }: Beginning,
): Promise<ReadonlyMap<string, PlannedFacts> | undefined> {
  const { yes, verbosity } = context.options;
  if (yes && !input.prune && limitsOf(input).maxChangePercent === 100) return undefined;
  const plan = fleetPlan({ verbose: verbosity === 'verbose', where: how.where });
  const facts = new Map<string, PlannedFacts>();
  const ends = plannedEach(context, input, accounts, {
    givesPasswords: input.generatePasswords !== undefined,
    async facts(own, planning) {
      const isOver = !input.takeOver && (await isSettled(own, planning));
      return {
        agreed: planHash(planning.accounts),
        ...(isOver ? factsOf({}, leftAsTheyAre(planning)) : {}),
      };
    },
  });
  for await (const end of ends)
    if (end.state === 'done') {
      const { planned, facts: kept } = end.result;
      facts.set(end.account.id, { ...kept, planned: { ...plan.add(planned) } });
    } else plan.fail(end);
  const tooMuch = plan.tooMuch(limitsOf(input));
  if (tooMuch) throw tooMuch;
  const { failed, changing } = plan.sizes;
  const none = plan.failure(
    leadsOn`Nothing was sent. Look at one of them by itself: ${nextStep`plan --account NAME`}`,
  );
  if (none && (facts.size === 0 || none.kind === 'interrupted')) throw none;
  if (changing + failed === 0) return facts;
  if (!yes) await context.notices.report(plan.lines());
  if (await context.ask.confirm(question(plan.sizes), { option: '--yes' })) return facts;
  throw new Failure('interrupted', 'Nothing was changed.');
}

/** Options that make the same plans again; the list of accounts only where it has values of variables. */
function kept(
  { host }: Context,
  { input, list, accounts }: Beginning,
  manifest: Manifest,
): RolloutStart['options'] {
  const hasVars = accounts.some(({ vars }) => vars.size > 0);
  if (hasVars && list === '-')
    throw new Failure('usage', 'A rollout reads values of variables from the list again when it goes on.', {
      hint: 'Put the list into a file: --accounts FILE',
    });
  return {
    ...optionsOf({ manifest, desired: manifest.desired, accounts: [] }, input),
    ...(hasVars ? { accounts: list } : {}),
    ...(input.wait === undefined ? {} : { wait: input.wait }),
    ...(input.onError === undefined ? {} : { onError: input.onError }),
    ...(input.generatePasswords === undefined ? {} : { generatePasswords: input.generatePasswords }),
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
function placed(
  accounts: readonly Pick<ChosenAccount, 'id' | 'word'>[],
  waves: readonly number[],
  planned: ReadonlyMap<string, PlannedFacts> = new Map(),
): readonly RolloutAccount[] {
  let wave = 1;
  let end = waves[0] ?? 0;
  return accounts.map(({ id, word }, index) => {
    while (index >= end && wave < waves.length) {
      end += waves[wave] ?? 0;
      wave += 1;
    }
    return {
      position: index + 1,
      wave,
      accountId: id,
      word,
      state: 'waiting',
      tries: 0,
      runs: [],
      ...planned.get(id),
    };
  });
}
