import type { Failure } from '../../base/failure.ts';
import type { WriteEffect } from '../../contract/write-effect.ts';
import { isWholeStep } from '../state/log.ts';
import type { Plan, Step } from './plan.ts';
import type { Answer } from './service.ts';

/**
 * Outcome of a step. `found`: what it sent was there without a reply that said so. `unknown`: no proper reply came,
 * and nobody could check whether it was done.
 */
export type Outcome = 'done' | 'found' | 'failed' | 'unknown' | 'skipped';

/** Result of a step that succeeded. */
export interface Performed {
  readonly id: string;
  readonly answer: Answer;
  /** What was sent turned out to be there: no reply came, or somebody else made it at the same time. */
  readonly found?: 'no-reply' | 'there';
  /** Charges that were accepted for it, as text. */
  readonly charges?: string | undefined;
}

export interface StepResult extends Partial<WriteEffect> {
  readonly step: Step;
  readonly outcome: Outcome;
  readonly id?: string | undefined;
  readonly requestId?: string | undefined;
  readonly found?: Performed['found'];
  readonly failure?: Failure;
  /** Reason why it was not begun. */
  readonly because?: string;
  /** Charges that were accepted, as text. */
  readonly charges?: string | undefined;
}

export interface Report {
  readonly plan: Plan;
  readonly accountId: string | undefined;
  /** Number of the run in the log; `undefined` where there was nothing to do. */
  readonly run: string | undefined;
  /** In the order of the plan. */
  readonly results: readonly StepResult[];
  /** It was stopped by Ctrl-C. */
  readonly interrupted: boolean;
  /** Trouble that stopped it and is not that of a single step, such as a full disk. */
  readonly trouble?: Failure | undefined;
  readonly tookMs: number;
}

export type ReportCounts = Readonly<
  Record<
    'created' | 'updated' | 'deleted' | 'unchanged' | 'unverifiable' | 'failed' | 'unknown' | 'skipped',
    number
  >
>;

const isOf = (action: Step['action'], step: Step): boolean => step.action === action && isWholeStep(step);

const isDone = ({ outcome }: StepResult): boolean => outcome === 'done' || outcome === 'found';

export const doneResults = ({ results }: Report): readonly StepResult[] => results.filter(isDone);

/** The steps of which nobody knows whether they were done. */
export const unknownResults = ({ results }: Report): readonly StepResult[] =>
  results.filter(({ outcome }) => outcome === 'unknown');

export const failedResults = ({ results }: Report): readonly StepResult[] =>
  results.filter(({ outcome }) => outcome === 'failed');

/** Objects of which nobody knows whether they are there: the service cannot look for them. */
export const unseenSteps = ({ plan }: Pick<Report, 'plan'>): readonly Step[] =>
  plan.steps.filter(
    ({ action, id, by }) => action === 'unverifiable' && id === undefined && by === undefined,
  );

/** True for a change of which the service took nothing. */
export const isUntaken = ({ step, untaken = [] }: StepResult): boolean =>
  step.action === 'update' &&
  step.changes.length > 0 &&
  step.changes.every(({ path }) => untaken.includes(path));

export function reportCounts(report: Report): ReportCounts {
  const { results, plan } = report;
  const done = (action: Step['action']): number =>
    results.filter((result) => isDone(result) && !isUntaken(result) && isOf(action, result.step)).length;
  const planned = (action: Step['action']): number =>
    plan.steps.filter((step) => isOf(action, step) && step.by === undefined).length;
  const made = new Set(doneResults(report).map(({ step }) => step.key));
  // What completes an object that was not made is no further loss.
  const ended = (outcome: Outcome): number =>
    results.filter(
      (result) =>
        result.outcome === outcome &&
        (result.step.completes === undefined || made.has(result.step.completes)),
    ).length;
  return {
    created: done('create'),
    updated: done('update'),
    deleted: done('delete'),
    unchanged: planned('unchanged'),
    unverifiable: planned('unverifiable') + results.filter(isUntaken).length,
    failed: ended('failed'),
    unknown: ended('unknown'),
    skipped: ended('skipped'),
  };
}
