import {
  createHint,
  Failure,
  type FailureKind,
  type Hint,
  type NextStep,
  nextStep,
  type OpenQuestion,
} from '../../../../base/failure.ts';
import { isObject, type Json, omitUndefined } from '../../../../base/json.ts';
import { firstLines, formatCount, joinUpTo, quoteName, shownAtMost } from '../../../../base/wording.ts';
import { commandWordsOf } from '../../../../contract/resource.ts';
import {
  type Action,
  type ApplyReport,
  doneResults,
  failedResults,
  type ReportCounts,
  reportCounts,
  type StepOutcome,
  type StepResult,
  unknownResults,
  unverifiableSteps,
} from '../../../../engine/manifest/plan.ts';
import { describeNeverDeleted, type ShownKept, shownKept } from '../../../../engine/manifest/shown-plan.ts';
import type { Result } from '../../../command/result.ts';
import { failedLines } from '../../bulk/bulk.ts';

/** Returns the result of an apply without changes, and a failure if objects could not be looked up. */
export function nothingToDo(reports: readonly ApplyReport[]): Result {
  const names = reports.map(({ plan }) => plan.account.name);
  const match = names.length === 1 ? 'matches' : 'match';
  const counts = reports.map(reportCounts);
  const unverifiable = counts.reduce((sum, each) => sum + each.unverifiable, 0);
  const unknown =
    unverifiable === 0
      ? ''
      : `, as far as can be read; ${formatCount(unverifiable, 'object')} ${unverifiable === 1 ? 'is' : 'are'} unverifiable`;
  const failure = unseenFailure(reports);
  const said =
    failure && counts.every(({ unchanged }) => unchanged === 0)
      ? 'Nothing was sent.'
      : `Nothing to do: ${names.join(', ')} ${match} the manifest${unknown}.`;
  return {
    kind: 'done',
    message: [said, ...reports.flatMap(({ plan }) => describeNeverDeleted(plan))],
    value: reportJson(reports),
    ...(failure ? { failure } : {}),
  };
}

/** Objects are skipped if the service cannot list them. */
function unseenFailure(reports: readonly ApplyReport[]): Failure | undefined {
  const unseen = reports.flatMap(unverifiableSteps);
  if (unseen.length === 0) return undefined;
  const labels = unseen.map(({ label }) => label);
  const isPartial = reports.some((report) => doneResults(report).length > 0);
  const text = `${formatCount(labels.length, 'object')} of the manifest ${labels.length === 1 ? 'was' : 'were'} not sent, because this service does not list such objects: ${joinUpTo(labels, shownAtMost)}.`;
  return new Failure(isPartial ? 'partial' : 'refused', text, {
    hint: 'If they do not exist yet, create them with --send-unreadable. After that, the state knows them.',
    details: { not_sent: unseen.map(({ key }) => key) },
  });
}

/** Another runner created the same record. The hint removes the record of this run. */
function duplicateFailure(reports: readonly ApplyReport[]): Failure | undefined {
  const duplicates = reports.flatMap((report) => report.duplicates ?? []);
  const [first] = duplicates;
  if (first === undefined) return undefined;
  const [kept = '', removed = ''] = first.ids;
  const lines = duplicates.map(
    ({ label, ids }) => `Another run created ${label} at the same time: ${ids.join(', ')}.`,
  );
  return new Failure('partial', firstLines(lines), {
    hint: createHint`To keep ${kept} and remove the other: ${nextStep`${commandWordsOf(first.kind.resource)} delete ${removed}`}`,
    details: { duplicates: duplicates.map(({ label, ids }) => ({ label, ids })) },
  });
}

/**
 * Returns the result of an apply or an undo: a summary, a report for scripts, and the exit code. `mended`: the command
 * to run after the manifest is corrected.
 */
export function applyResult(
  reports: readonly ApplyReport[],
  resume: NextStep | Hint,
  mended?: NextStep,
): Result {
  const failure = incompleteFailure(reports, resume, mended);
  return {
    kind: 'done',
    message: [
      ...reports.map((report) => formatRunSummary(report, reports.length > 1)),
      ...reports.flatMap(({ plan }) => describeNeverDeleted(plan)),
    ],
    value: reportJson(reports),
    ...(failure ? { failure } : {}),
  };
}

/** `Created 1, updated 3, unchanged 12, failed 1, skipped 0   (4.1 s)` */
function formatRunSummary(report: ApplyReport, severalAccounts: boolean): string {
  const counts = reportCounts(report);
  const always = new Set(['created', 'updated', 'unchanged', 'failed', 'skipped']);
  const text = Object.entries<number>({ ...counts })
    .flatMap(([word, count]) => (count > 0 || always.has(word) ? [`${word} ${count}`] : []))
    .join(', ');
  const sentence = `${text.charAt(0).toUpperCase()}${text.slice(1)}   (${(report.tookMs / 1000).toFixed(1)} s)`;
  return severalAccounts ? `${quoteName(report.plan.account.name)}: ${sentence}` : sentence;
}

export type ShownResult = {
  readonly key: string;
  readonly action: Action;
  readonly outcome: StepOutcome;
  readonly id?: string;
  readonly request_id?: string;
  readonly charges?: string;
  readonly because?: string;
  /** Fields that were sent and had no effect. */
  readonly untaken?: readonly string[];
  /** Fields that the service stores in another form than sent. */
  readonly altered?: readonly string[];
  /** Fields that the change did not include but the service removed. */
  readonly lost?: readonly string[];
  readonly error?: {
    readonly kind: FailureKind;
    readonly message: string;
    readonly status: number | undefined;
    readonly code: string | undefined;
  };
};

/** A report as scripts read it (docs/apply.md). */
export type ShownReport = {
  readonly version: 1;
  readonly accounts: readonly {
    readonly account: string;
    readonly account_id: string | null;
    readonly run: string | null;
    readonly interrupted: boolean;
    readonly results: readonly ShownResult[];
    /** Records that another runner created at the same time, with all ids for the name. */
    readonly duplicates?: readonly { readonly label: string; readonly ids: readonly string[] }[];
    /** Objects that the manifest no longer names, and that were kept. */
    readonly kept?: readonly ShownKept[];
    readonly counts: Pick<ReportCounts, keyof ReportCounts>;
  }[];
};

export function reportJson(reports: readonly ApplyReport[]): ShownReport {
  return {
    version: 1,
    accounts: reports.map((report) => ({
      account: report.plan.account.name,
      account_id: report.accountId ?? null,
      run: report.run ?? null,
      interrupted: report.interrupted,
      results: report.results.map(resultJson),
      ...omitUndefined({
        duplicates: report.duplicates?.map(({ label, ids }) => ({ label, ids })),
        kept: report.plan.kept?.map(shownKept),
      }),
      counts: { ...reportCounts(report) },
    })),
  };
}

export function resultJson(result: StepResult): ShownResult {
  const { step, outcome, id, requestId, failure, because, charges, untaken, altered, lost } = result;
  return {
    key: step.key,
    action: step.action,
    outcome,
    ...omitUndefined({ id, request_id: requestId, charges, because, untaken, altered, lost }),
    ...(failure === undefined
      ? {}
      : {
          error: { kind: failure.kind, message: failure.message, status: failure.status, code: failure.code },
        }),
  };
}

const failedText = ({ step, failure, requestId }: StepResult): string =>
  `${step.label}: ${failure?.message ?? ''}${requestId === undefined ? '' : ` (request ${requestId})`}`;

interface RunOutcomes {
  readonly total: number;
  readonly done: number;
  readonly failed: readonly StepResult[];
  readonly unknown: readonly StepResult[];
  readonly skipped: readonly StepResult[];
  /** Reason why a whole account was not finished. */
  readonly trouble: Failure | undefined;
  readonly interrupted: boolean;
}

function outcomesOf(reports: readonly ApplyReport[]): RunOutcomes {
  const results = reports.flatMap((report) => report.results);
  return {
    total: results.length,
    done: reports.flatMap(doneResults).length,
    failed: reports.flatMap(failedResults),
    unknown: reports.flatMap(unknownResults),
    skipped: results.filter(({ outcome }) => outcome === 'skipped'),
    trouble: reports.find((report) => report.trouble)?.trouble,
    interrupted: reports.some((report) => report.interrupted),
  };
}

/** Returns the reason why a run is incomplete. `resume` continues it, `mended` applies the corrected manifest. */
function incompleteFailure(
  reports: readonly ApplyReport[],
  resume: NextStep | Hint,
  mended?: NextStep,
): Failure | undefined {
  const outcomes = outcomesOf(reports);
  const { done, failed, unknown, skipped, trouble, interrupted } = outcomes;
  if (failed.length + unknown.length + skipped.length === 0 && !trouble && !interrupted)
    return duplicateFailure(reports) ?? unseenFailure(reports);
  const kind = failureKind(outcomes);
  const isCharges = kind === 'charges';
  const lines = [
    ...(trouble?.lines ?? []),
    ...failedLines(failed.map(failedText)),
    ...failedLines(unknown.map(failedText), 'unknown'),
    ...(unknown.length === 0 ? [] : [unknownSentence(unknown)]),
    ...(interrupted ? [interruptedSentence(skipped)] : []),
  ];
  return new Failure(kind, lines.length > 0 ? lines : skippedLines(skipped), {
    hint: continueHint(outcomes, isCharges, resume, mended),
    sentence: sentenceOf(outcomes),
    ...(isCharges && 'line' in resume ? { open: consentQuestion(resume.line) } : {}),
    details: {
      ...(isCharges ? { limits: refusedCharges(failed) } : {}),
      done,
      failed: failed.map(({ step, failure, requestId }) => ({
        key: step.key,
        kind: failure?.kind,
        message: failure?.message,
        request_id: requestId,
        details: failure?.details,
      })),
      unknown: unknown.map(({ step }) => step.key),
      skipped: skipped.map(({ step }) => step.key),
    },
  });
}

/**
 * Returns `interrupted` after Ctrl-C, `charges` if refused charges are the only reason, `partial` if some changes were
 * made, otherwise the kind of the failure of the whole run or of the first change.
 */
function failureKind({ done, failed, unknown, trouble, interrupted }: RunOutcomes): FailureKind {
  if (interrupted) return 'interrupted';
  const areCharges =
    failed.length > 0 && unknown.length === 0 && failed.every(({ failure }) => failure?.kind === 'charges');
  if (areCharges && !trouble) return 'charges';
  if (done + unknown.length > 0) return 'partial';
  return trouble?.kind ?? failed[0]?.failure?.kind ?? 'partial';
}

function continueHint(
  { failed, unknown, trouble, interrupted }: RunOutcomes,
  isCharges: boolean,
  resume: NextStep | Hint,
  mended: NextStep | undefined,
): Hint {
  // Resuming would send the same input, which the service would refuse again.
  const isRefused = failed.some(({ failure }) => failure?.status === 400 && failure.kind !== 'charges');
  if (mended !== undefined && isRefused && !interrupted && !trouble && unknown.length === 0)
    return createHint`Correct the manifest and apply it again: ${mended}`;
  if ('text' in resume) return resume;
  return createHint`Resume it with: ${resume}${isCharges ? ', and --accept-charges or --accept-charges-up-to AMOUNT' : ''}`;
}

function sentenceOf({ total, failed, unknown, skipped, trouble, interrupted }: RunOutcomes): string {
  const all = formatCount(total, 'change');
  const [first] = failed;
  const isOnlySkipped = !trouble && !first && unknown.length === 0 && !interrupted;
  return [
    ...(trouble ? [trouble.message] : []),
    ...(first ? [`${failed.length} of ${all} failed; the first is ${failedText(first)}`] : []),
    ...(unknown.length === 0 ? [] : [unknownSentence(unknown)]),
    ...(interrupted ? [interruptedSentence(skipped)] : []),
    ...(isOnlySkipped
      ? [`${skipped.length} of ${all} ${skipped.length === 1 ? 'was' : 'were'} not made.`]
      : []),
  ].join(' ');
}

const interruptedSentence = ({ length }: readonly StepResult[]): string =>
  `Interrupted: ${length} ${length === 1 ? 'change was' : 'changes were'} not started.`;

/** The question about charges that stopped an apply. The command accepts them and continues. */
const consentQuestion = (line: string): OpenQuestion => ({
  question: 'Accept the charges of the changes that were not made? The owner of the account must decide.',
  flags: ['--accept-charges-up-to AMOUNT', '--accept-charges'],
  line,
});

const unknownSentence = ({ length }: readonly StepResult[]): string =>
  `${formatCount(length, 'change')} may have been made: the service sent no valid response, and telctl could not check the result.`;

/** For scripts. Charges of several accounts are listed with each failure. */
function refusedCharges(failed: readonly StepResult[]): Json | undefined {
  const [first, ...others] = failed.map(({ failure }) => failure?.details);
  return others.length === 0 && isObject(first) ? first.limits : undefined;
}

const skippedLines = (skipped: readonly StepResult[]): readonly string[] =>
  skipped.slice(0, shownAtMost).map(({ step, because }) => `skipped  ${step.label}: ${because ?? ''}`);
