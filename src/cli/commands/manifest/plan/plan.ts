import { createHint, Failure, nextStep } from '../../../../base/failure.ts';
import type { JsonObject } from '../../../../base/json.ts';
import { formatCount } from '../../../../base/wording.ts';
import type { SavedPlan } from '../../../../engine/manifest/saved-plan.ts';
import { readSavedPlan } from '../../../../engine/manifest/saved-plan.ts';
import type { InputOf } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import { plainColumns, type Result } from '../../../command/result.ts';
import { requirePart } from '../../extension.ts';
import { fleetLines, isFleetPlan, openFleet, readSavedAccountPlan } from '../accounts/fleet-file.ts';
import { planMany } from '../accounts/many-accounts.ts';
import { withAnnotations } from '../annotations.ts';
import type { diffOptions, savedPlanOptions, showArguments } from '../commands.ts';
import { hasDifferences, planReport, withDetails } from './plan-report.ts';
import { planAccounts } from './planning.ts';
import { combinedRefusal } from './refusals.ts';
import { readPlanFile, refuseSaving, savePlan } from './save-plan.ts';

/** Shows what an apply would do, and saves the plan to a file if one is named. Sends no writes. */
export const planManifest = (input: InputOf<typeof savedPlanOptions>, context: Context): Promise<Result> =>
  withAnnotations(context, input.annotate, (own) => planOrSave(input, own));

async function planOrSave(input: InputOf<typeof savedPlanOptions>, context: Context): Promise<Result> {
  const { out, accounts, drift, calls } = input;
  if (out === undefined && calls.length === 0) return diffManifest(input, context);
  if (out !== undefined) {
    if (drift)
      throw new Failure('usage', '--out cannot save the changes that --drift shows.', {
        hint: createHint`Leave out --out or --drift. To revert changes by others: ${nextStep`apply --overwrite`}`,
      });
    await refuseSaving(context, input, out);
    if (accounts === '-')
      throw new Failure(
        'usage',
        'The list of accounts for a saved plan must be a file, because the plan reads it again.',
        { hint: 'Put the list into a file: --accounts FILE' },
      );
    if (accounts !== undefined) return planMany(context, input, accounts, out);
  } else if (accounts !== undefined)
    throw new Failure('usage', '--calls cannot be combined with --accounts.');
  const { planning, report, exit } = await planWithReport(input, context);
  if (out !== undefined) {
    await savePlan(context, planning, input, out);
    context.notices.say(`Saved to ${out}. To apply it: ${nextStep`apply ${out}`}`);
  }
  if (calls.length === 0) return { ...report, ...exit };
  const { addChangedCalls } = await requirePart('changedCalls', '--calls')();
  return { ...(await addChangedCalls(context, report, planning.accounts, calls)), ...exit };
}

/** Shows how accounts differ from their manifest. Sends no writes. */
export async function diffManifest(input: InputOf<typeof diffOptions>, context: Context): Promise<Result> {
  if (input.accounts !== undefined) return planMany(context, input, input.accounts);
  const { report, exit } = await planWithReport(input, context);
  return { ...report, ...exit };
}

async function planWithReport(input: InputOf<typeof diffOptions>, context: Context) {
  const { drift, exitCode } = input;
  const planning = await withDetails(context, await planAccounts(context, input), input);
  const tooMuch = drift ? undefined : combinedRefusal(planning.accounts, input);
  const report = planReport(context, planning, tooMuch, { drift });
  const exit = exitCode && hasDifferences(planning) ? ({ exit: 'differences' } as const) : {};
  return { planning, report, exit };
}

/** Shows a saved plan unchanged. Sends no requests. */
export async function showSavedPlan(
  { plan: name }: InputOf<Record<never, never>, typeof showArguments>,
  context: Context,
): Promise<Result> {
  const text = await readPlanFile(context, name);
  if (isFleetPlan(text)) return showFleet(context, name);
  const saved = await readSavedPlan(name, text);
  const accounts = await Promise.all(saved.accounts.map(({ plan }) => readSavedAccountPlan(name, plan)));
  const report = planReport(context, { accounts });
  return { ...report, lines: [[{ text: sourceText(saved), mark: 'dim' }], [], ...report.lines] };
}

/** Shows the plan of a fleet by kinds. JSON also has a hash for each account. */
async function showFleet(context: Context, name: string): Promise<Result> {
  const fleet = await openFleet(context, name);
  const { accounts, kinds, others, counts, failed, set, origin, inputs, options, charges } = fleet;
  const rows = accounts.map((account): JsonObject => ({ ...account, counts: { ...account.counts } }));
  return {
    kind: 'report',
    lines: [
      [{ text: sourceText({ inputs, options }), mark: 'dim' }],
      [],
      ...(await fleetLines(name, fleet, context.options.verbosity === 'verbose')),
      ...(failed.length === 0
        ? []
        : [[{ text: `${formatCount(failed.length, 'account')} could not be planned.` }]]),
    ],
    value: {
      version: 1,
      set,
      origin,
      counts: { ...counts },
      accounts: rows,
      failed: [...failed],
      kinds: kinds.map((kind) => ({ ...kind, names: [...kind.names] })),
      others,
      ...(charges ? { charges } : {}),
    },
    rows,
    columns: plainColumns('account', 'id', 'counts.create', 'counts.update', 'counts.delete', 'hash'),
    names: accounts.map(({ account }) => account),
  };
}

/** `A plan made from base.yaml and prod.yaml, with --prune` */
function sourceText({ inputs, options }: Pick<SavedPlan, 'inputs' | 'options'>): string {
  const files = inputs.map(({ name }) => name).join(', ');
  const only = Array.isArray(options.only) ? options.only.map((each) => `--only ${String(each)}`) : [];
  const given = [...(options.prune === true ? ['--prune'] : []), ...only];
  return `A plan made from ${files}${given.length === 0 ? '' : `, with ${given.join(' ')}`}`;
}
