import { formatDecimal } from '../../../base/decimal.ts';
import { createHint, Failure, nextStep } from '../../../base/failure.ts';
import { omitUndefined } from '../../../base/json.ts';
import { formatCount } from '../../../base/wording.ts';
import type { Consent, Context } from '../../../cli/command/context.ts';
import type { ReportLine } from '../../../cli/command/result.ts';
import type { ChosenAccount } from '../../../cli/commands/bulk/choose-accounts.ts';
import { confirmChange } from '../../../cli/commands/change.ts';
import { whereText } from '../../../cli/commands/labels.ts';
import { FleetSummary, planHash } from '../../../cli/commands/manifest/accounts/fleet-plan.ts';
import {
  planEachAccount,
  readManifestQuietly,
} from '../../../cli/commands/manifest/accounts/many-accounts.ts';
import { isUpToDate } from '../../../cli/commands/manifest/apply/account-job.ts';
import { holderName } from '../../../cli/commands/manifest/apply/account-locks.ts';
import { currentAccount, unchangedReport } from '../../../cli/commands/manifest/apply/apply-plans.ts';
import { savedOptions } from '../../../cli/commands/manifest/plan/save-plan.ts';
import { openGeneratedPasswords } from '../../../cli/commands/passwords/passwords-file.ts';
import { planLimits } from '../../../engine/manifest/plan-safety.ts';
import type { Manifest } from '../../../engine/manifest/read-manifest.ts';
import type { RolloutAccount, RolloutStart } from '../../../engine/state/rollouts.ts';
import { endFacts } from './one-account.ts';
import type { Prepared, RolloutInput } from './prepare.ts';

/** Facts about the plan of an account that the record contains. Without changes, the account is already finished. */
type PlannedFacts = Partial<RolloutAccount>;

interface NewRollout {
  readonly how: Pick<RolloutStart, 'waves' | 'pauseMs' | 'maxFailures'> & Partial<RolloutStart>;
  readonly input: RolloutInput;
  readonly list: string | undefined;
  readonly accounts: readonly ChosenAccount[];
  /** Returns the question that is asked after planning. */
  question(sizes: FleetSummary['sizes']): string;
  /** The reviewed plans by account id. With them, accounts are not planned before the start. */
  readonly reviewed?:
    | { readonly agreed: ReadonlyMap<string, PlannedFacts>; readonly shown: readonly ReportLine[] }
    | undefined;
}

/**
 * Plans every account, asks once, and stores the rollout. Throws `Failure`: `refused` if the changes exceed a limit,
 * `interrupted` if the user declines.
 */
export async function beginRollout(
  context: Context,
  beginning: NewRollout,
): Promise<{ readonly id: string; readonly prepared: Prepared }> {
  const { input, accounts, how, reviewed } = beginning;
  const [first] = accounts;
  if (first === undefined) throw new Error('A rollout needs at least one account.');
  const manifest = await readManifestQuietly(context, input, first);
  const options = optionsToSave(context, beginning, manifest);
  const passwords = openGeneratedPasswords(context, input.generatePasswords, false);
  const planned = reviewed?.agreed ?? (await planAccounts(context, beginning));
  if (reviewed) await confirmReviewed(context, beginning, reviewed.shown);
  const { rollouts } = await context.state();
  const id = await rollouts.begin(
    {
      ...(await startFacts(context)),
      what: 'apply',
      state: 'running',
      set: manifest.desired.set,
      inputs: manifest.desired.inputs.map(({ name: file, sha256 }) => ({ name: file, sha256 })),
      options,
      ...how,
      maxDeletesTotal: planLimits(input).maxDeletesTotal,
    },
    assignWaves(accounts, how.waves, planned),
  );
  context.notices.say(
    `rollout ${id}: ${formatCount(accounts.length, 'account')}${whereText(how.where)}, ${formatCount(how.waves.length, 'wave')}`,
  );
  const vars = new Map(accounts.map((each) => [each.label, each.vars]));
  return { id, prepared: { input, vars, passwords } };
}

export async function startFacts(context: Context) {
  const { origin, accountId } = await currentAccount(context);
  const { command } = await context.facts();
  return {
    version: 1,
    atMs: context.host.clock.now(),
    who: await holderName(context),
    ...omitUndefined({ command }),
    origin,
    ownerId: accountId,
    charges: allowedCharges(context.options.consent),
  } as const;
}

/** Asks before a reviewed plan is applied, if the user can be asked. */
async function confirmReviewed(
  context: Context,
  { accounts, question }: NewRollout,
  shown: readonly ReportLine[],
): Promise<void> {
  if (context.options.yes || !context.ask.available) return;
  await context.notices.report(shown);
  await confirmChange(context, question({ accounts: accounts.length, changing: accounts.length, failed: 0 }));
}

/**
 * Plans every account, and asks if there are changes. Only stores counts and hashes of the plans, because each
 * account is planned again when it starts. Returns `undefined` if no question or limit needs the plans.
 */
async function planAccounts(
  context: Context,
  { accounts, input, how, question }: NewRollout,
): Promise<ReadonlyMap<string, PlannedFacts> | undefined> {
  const { yes, verbosity } = context.options;
  if (yes && !input.prune && planLimits(input).maxChangePercent === 100) return undefined;
  const plan = new FleetSummary({ verbose: verbosity === 'verbose', where: how.where });
  const facts = new Map<string, PlannedFacts>();
  const ends = planEachAccount(context, input, accounts, {
    givesPasswords: input.generatePasswords !== undefined,
    async facts(own, planning) {
      const isOver = !input.takeOver && (await isUpToDate(own, planning));
      const over = isOver ? endFacts({}, planning.accounts.map(unchangedReport)) : {};
      return { agreed: planHash(planning.accounts), ...over };
    },
  });
  for await (const end of ends)
    if (end.state === 'done') {
      const { planned, facts: kept } = end.result;
      facts.set(end.account.id, { ...kept, planned: { ...plan.add(planned) } });
    } else plan.fail(end);
  const tooMuch = plan.refusal(planLimits(input));
  if (tooMuch) throw tooMuch;
  const { failed, changing } = plan.sizes;
  const none = plan.failure(
    createHint`No requests were sent. Plan one account: ${nextStep`plan --account NAME`}`,
  );
  if (none && (facts.size === 0 || none.kind === 'interrupted')) throw none;
  if (changing + failed === 0) return facts;
  if (!yes) await context.notices.report(plan.lines());
  await confirmChange(context, question(plan.sizes));
  return facts;
}

/** Returns the options for planning again. Includes the list of accounts only if it contains values of variables. */
function optionsToSave(
  { host: { cwd } }: Context,
  { input, list, accounts }: NewRollout,
  manifest: Manifest,
): RolloutStart['options'] {
  const hasVars = accounts.some(({ vars }) => vars.size > 0);
  if (hasVars && list === '-')
    throw new Failure('usage', 'A rollout with variables cannot read its accounts from standard input.', {
      hint: 'Write the list to a file: --accounts FILE',
    });
  const { wait, onError, generatePasswords, overwrite = false } = input;
  const more = { wait, onError, generatePasswords, overwrite, cwd };
  return { ...savedOptions({ manifest }, input), ...(hasVars ? { accounts: list } : {}), ...more };
}

export function allowedCharges(consent: Consent): RolloutStart['charges'] {
  if (consent.kind === 'all') return 'all';
  return consent.kind === 'up-to' ? { upTo: formatDecimal(consent.budget) } : 'none';
}

function assignWaves(
  accounts: readonly Pick<ChosenAccount, 'id' | 'label'>[],
  waves: readonly number[],
  planned: ReadonlyMap<string, PlannedFacts> = new Map(),
): readonly RolloutAccount[] {
  const places = waves.flatMap((many, index) => Array.from({ length: many }, () => index + 1));
  return accounts.map(({ id, label }, index) => ({
    position: index + 1,
    wave: places[index] ?? waves.length,
    accountId: id,
    word: label,
    state: 'waiting',
    tries: 0,
    runs: [],
    ...planned.get(id),
  }));
}
