import { Failure, nextStep } from '../../../base/failure.ts';
import { counted } from '../../../base/wording.ts';
import type { Context } from '../../command/context.ts';
import type { ReportLine } from '../../command/result.ts';
import { type ChosenAccount, readAccountList } from '../choose-accounts.ts';
import { kindsIn, openFleet } from '../manifest/accounts/fleet-file.ts';
import { chargesLines } from '../manifest/accounts/fleet-plan.ts';
import { inputFor } from '../manifest/accounts/many-accounts.ts';
import { refuseOtherFiles } from '../manifest/apply/resume.ts';
import { readManifestInput } from '../manifest/manifest-input.ts';
import { planLines } from '../manifest/plan/plan-lines.ts';
import { inputOf } from '../manifest/plan/save-plan.ts';
import type { PlanningInput } from '../planning.ts';
import type { PlannedFacts } from './begin.ts';

/** The plan of a fleet that somebody reviewed, and what it takes to carry it out. */
export interface Reviewed {
  readonly name: string;
  readonly input: PlanningInput;
  /** File that values of variables of the accounts are read from. */
  readonly list: string | undefined;
  readonly accounts: readonly ChosenAccount[];
  readonly agreed: ReadonlyMap<string, PlannedFacts>;
  readonly shown: readonly ReportLine[];
}

/**
 * Opens the plan of a fleet. Throws `Failure`: `conflict` where it is for another service, or its files are others by
 * now, `refused` where so much would change that all of it is refused, and what `openFleet` throws.
 */
export async function reviewedFleet(
  context: Context,
  name: string,
  given: Pick<PlanningInput, 'var' | 'allowFiles'>,
): Promise<Reviewed> {
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
      `${counted(fleet.failed.length, 'account')} that could not be planned are left out.`,
    );
  const input = { ...inputOf(name, fleet.options, given.var), allowFiles: given.allowFiles };
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
  const silent = { ...context, notices: { ...context.notices, warn: () => undefined } };
  const { desired } = await readManifestInput(silent, inputFor(input, first));
  refuseOtherFiles(name, fleet.inputs, desired.inputs, nextStep`plan --accounts FILE --out PLAN`);
  return {
    name,
    input,
    list,
    accounts,
    agreed: new Map(fleet.accounts.map(({ id, hash, counts }) => [id, { agreed: hash, planned: counts }])),
    shown: [
      ...planLines(await kindsIn(name, fleet, { verbose: false, fleet: true }), {
        verbose: false,
        fleet: true,
      }),
      ...chargesLines(fleet.charges),
    ],
  };
}
