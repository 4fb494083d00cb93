import type { Failure } from '../../../base/failure.ts';
import type { Context } from '../../../command/context.ts';
import type { ReportResult } from '../../../command/result.ts';
import { pathText } from '../../../manifest/change-text.ts';
import { keptNote } from '../../../manifest/kept.ts';
import { shownPlan, shownPlans, shownStep } from '../../../manifest/shown-plan.ts';
import type { Planning } from '../../planning.ts';
import { type Detail, type PlannedAccount, planLines, refusalLine } from './plan-lines.ts';
import { planMarkdown } from './plan-markdown.ts';
import { unaskedOf } from './refusals.ts';

/**
 * Plans as `diff`, `plan` and `apply --dry-run` show them. `tooMuch`: why `apply` would refuse all of them together.
 */
export function planReport(
  { options, settings, notices }: Context,
  { accounts }: { readonly accounts: readonly PlannedAccount[] },
  tooMuch?: Failure,
  looking: Pick<Detail, 'drift' | 'undoes'> = {},
): ReportResult {
  const detail = { verbose: options.verbosity === 'verbose', ...looking };
  const steps = accounts.flatMap(({ plan }) => plan.steps.map((step) => ({ plan, step })));
  const refused = [
    ...accounts.flatMap(({ plan, refusal }) => (refusal ? [refusedAs(plan.account.name, refusal)] : [])),
    ...(tooMuch ? [refusedAs('', tooMuch)] : []),
  ];
  const names = steps.flatMap(({ step }) =>
    isDifference(step.action) && step.completes === undefined ? [step.key] : [],
  );
  // Names leave no room for anything else.
  if (settings.output.value === 'name') {
    for (const { message } of refused) notices.warn(`apply would refuse this: ${message}`);
    if (names.length === 0) notices.say('Nothing would change.');
  }
  return {
    kind: 'report',
    lines: [...planLines(accounts, detail), ...(tooMuch ? [refusalLine(tooMuch)] : [])],
    value: shownPlans(
      accounts.map((account) => ({
        ...shownPlan(account.plan, account.refusal, unaskedOf(account)),
        ...unmanagedJson(account),
        ...(account.prices === undefined ? {} : { prices: account.prices }),
      })),
      tooMuch,
    ),
    rows: [
      ...steps.map(({ plan, step }) => ({
        account: plan.account.name,
        ...shownStep(step),
        fields: step.changes.map(({ path }) => pathText(path)),
      })),
      ...accounts.flatMap(({ plan, unmanaged }) =>
        (unmanaged?.objects ?? []).map((object) => ({
          ...{ account: plan.account.name, action: 'unmanaged', notes: [] },
          ...object,
        })),
      ),
      ...accounts.flatMap(({ plan }) =>
        (plan.kept ?? []).map((each) => ({
          account: plan.account.name,
          action: 'kept',
          key: each.key,
          label: each.label,
          fields: [],
          notes: [keptNote(each)],
        })),
      ),
      ...refused.map(({ account, message, hint }) => ({
        ...{ account, action: 'refused', label: `apply would refuse this: ${message}` },
        notes: hint === undefined ? [] : [hint],
      })),
    ],
    columns: ['account', 'action', 'key', 'label', 'id', 'fields', 'notes'].map((path) => ({
      header: path.toUpperCase(),
      paths: [path],
    })),
    names,
    markdown: planMarkdown(accounts, tooMuch),
  };
}

const unmanagedJson = ({ unmanaged }: PlannedAccount) =>
  unmanaged === undefined ? {} : { unmanaged: unmanaged.objects, unread: unmanaged.unread };

const refusedAs = (account: string, { message, hint }: Failure) => ({ account, message, hint });

const isDifference = (action: string): boolean =>
  action === 'create' || action === 'update' || action === 'delete';

/** True when anything would be done. */
export const hasDifferences = ({ accounts }: Planning): boolean =>
  accounts.some(({ plan }) => plan.steps.some(({ action }) => isDifference(action)));

/** Shows plans before somebody is asked about them. */
export const showPlans = (
  { notices, options }: Context,
  accounts: readonly PlannedAccount[],
  looking: Pick<Detail, 'undoes'> = {},
): Promise<void> =>
  notices.report(planLines(accounts, { verbose: options.verbosity === 'verbose', ...looking }));
