import type { Context } from '../../command/context.ts';
import type { Report } from '../../manifest/apply/report.ts';
import type { RowResult } from '../../manifest/csv/import-results.ts';
import type { Import, ImportRow } from '../../manifest/csv/read-import.ts';
import { rowOutcomes } from '../../manifest/csv/row-outcomes.ts';
import type { Plan } from '../../manifest/plan.ts';
import { carryOut } from '../manifest/apply/carry-out.ts';
import type { AccountPlanning } from '../manifest/plan/planning.ts';

/** The work that is carried out, and who is told. */
export interface ImportRun {
  readonly part: Import;
  readonly planning: AccountPlanning;
  readonly plan: Plan;
  /** Rows that have steps. */
  readonly rows: readonly ImportRow[];
  /** Told of each row as its last step ends. */
  told(result: RowResult): void;
}

/** The result of an import. */
export interface ImportEnd {
  readonly report: Report;
  readonly rows: readonly RowResult[];
}

/**
 * Carries the plan of an import out, as a run of the log, so that `undo` can reverse it. The ledger does not hear of it:
 * an import manages nothing.
 */
export async function runImport(
  context: Context,
  { part, planning, plan, rows, told }: ImportRun,
): Promise<ImportEnd> {
  const { observed, store } = planning;
  const { id: accountId } = observed.account;
  if (accountId === undefined || store === undefined) throw new Error('The account is not there.');
  const confidential = new Map(planning.desired.objects.map((object) => [object.key, object.confidential]));
  const outcomes = rowOutcomes(rows, plan.steps, observed);
  const writer = await (await context.state()).log.begin();
  try {
    const report = await carryOut(context, {
      plan,
      accountId,
      observed,
      store,
      onError: 'continue',
      confidential: (key) => confidential.get(key) ?? [],
      entryAfter: () => undefined,
      told(result, over, total) {
        const row = outcomes.add(result);
        if (row) told(row);
        context.notices.progress(over, total, 'import');
      },
      run: writer,
      start: {
        what: 'apply',
        owner: accountId,
        part: 1,
        parts: 1,
        inputs: part.inputs,
        options: { import: part.name },
      },
    });
    return { report, rows: outcomes.all() };
  } finally {
    await writer.close();
  }
}
