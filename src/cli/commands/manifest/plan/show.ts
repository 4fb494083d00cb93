import { Failure } from '../../../../base/failure.ts';
import type { JsonObject } from '../../../../base/json.ts';
import { counted } from '../../../../base/wording.ts';
import { readShownPlan } from '../../../../engine/manifest/plan-schema.ts';
import { damagedPlan, readSavedPlan, type SavedPlan } from '../../../../engine/manifest/saved-plan.ts';
import type { InputOf } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import type { Result } from '../../../command/result.ts';
import { markdownCode } from '../../labels.ts';
import { isFleetPlan, kindsIn, openFleet } from '../accounts/fleet-file.ts';
import { chargesLines } from '../accounts/fleet-plan.ts';
import type { showArguments } from './plan-commands.ts';
import { type PlannedAccount, planLines } from './plan-lines.ts';
import { planMarkdown } from './plan-markdown.ts';
import { planReport } from './plan-report.ts';
import { chargesText } from './price-list.ts';
import { readPlanFile } from './save-plan.ts';

/** Shows a plan that was kept in a file, as it was shown when it was made. Asks no service. */
export async function showSavedPlan(
  { plan: name }: InputOf<Record<never, never>, typeof showArguments>,
  context: Context,
): Promise<Result> {
  const text = await readPlanFile(context, name);
  if (isFleetPlan(text)) return showFleet(context, name);
  const saved = await readSavedPlan(name, text);
  const accounts = saved.accounts.map(({ plan }): PlannedAccount => {
    const { plan: steps, refused, refusedUnasked, prices } = readShownPlan(plan, () => damagedPlan(name));
    return {
      plan: steps,
      refusal: refused && failureOf(refused),
      inUse: undefined,
      createdBy: undefined,
      unasked: refusedUnasked,
      ...(prices ? { prices } : {}),
    };
  });
  const report = planReport(context, { accounts });
  return { ...report, lines: [[{ text: madeFrom(saved), mark: 'dim' }], [], ...report.lines] };
}

/** Shows the plan of a fleet: its kinds of plan, and to scripts each account with the hash of its own. */
async function showFleet(context: Context, name: string): Promise<Result> {
  const fleet = await openFleet(context, name);
  const { accounts, kinds, others, counts, failed, set, origin, inputs, options, charges } = fleet;
  const verbose = context.options.verbosity === 'verbose';
  const rows = accounts.map((account): JsonObject => ({ ...account, counts: { ...account.counts } }));
  return {
    kind: 'report',
    lines: [
      [{ text: madeFrom({ inputs, options }), mark: 'dim' }],
      [],
      ...planLines(await kindsIn(name, fleet, { verbose, fleet: true }), { verbose, fleet: true }),
      ...chargesLines(charges),
      ...(failed.length === 0
        ? []
        : [[{ text: `${counted(failed.length, 'account')} could not be planned.` }]]),
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
    columns: ['account', 'id', 'counts.create', 'counts.update', 'counts.delete', 'hash'].map((path) => ({
      header: path.replace(/^.*\./, '').toUpperCase(),
      paths: [path],
    })),
    names: accounts.map(({ account }) => account),
    markdown: planMarkdown(
      await kindsIn(name, fleet, { verbose: false }),
      undefined,
      charges ? [markdownCode(chargesText(charges))] : [],
    ),
  };
}

const failureOf = ({ kind, message, hint }: ReturnType<typeof readShownPlan>['refusedUnasked'][number]) =>
  new Failure(kind, message, hint === undefined ? {} : { hint });

/** `A plan made from base.yaml and prod.yaml, with --prune` */
function madeFrom({ inputs, options }: Pick<SavedPlan, 'inputs' | 'options'>): string {
  const files = inputs.map(({ name }) => name).join(', ');
  const only = Array.isArray(options.only) ? options.only.map((each) => `--only ${String(each)}`) : [];
  const given = [...(options.prune === true ? ['--prune'] : []), ...only];
  return `A plan made from ${files}${given.length === 0 ? '' : `, with ${given.join(' ')}`}`;
}
