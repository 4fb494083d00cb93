import { createHash } from 'node:crypto';
import { Failure } from '../../../../base/failure.ts';
import type { Host } from '../../../../base/host/host.ts';
import { humanize, quoteName } from '../../../../base/wording.ts';
import { largestMedia } from '../../../../contract/resources/media.ts';
import { effectWords } from '../../../../contract/write-effect.ts';
import { findDuplicates } from '../../../../engine/manifest/duplicates.ts';
import {
  confirmUnchanged,
  entryAfterStep,
  renamedEntries,
  storedSource,
} from '../../../../engine/manifest/ledger-entries.ts';
import { noOwnIds } from '../../../../engine/manifest/own-ids.ts';
import {
  type ApplyReport,
  doneResults,
  isWithoutEffect,
  type Observed,
  type Performed,
  type Plan,
  reportCounts,
  type Step,
} from '../../../../engine/manifest/plan.ts';
import { type RunParts, runPlan } from '../../../../engine/manifest/run-plan.ts';
import { createService, type SentFile } from '../../../../engine/manifest/service.ts';
import { keepLedger, type LedgerKeeper } from '../../../../engine/state/keep-ledger.ts';
import type { LedgerEntry } from '../../../../engine/state/ledger.ts';
import { loggedStep, type StartLine } from '../../../../engine/state/log.ts';
import type { LedgerStore, RunWriter } from '../../../../engine/state/state.ts';
import type { Consent, Context } from '../../../command/context.ts';
import { stoppingText } from '../../bulk/bulk.ts';
import { runUser } from './record-writes.ts';

export interface PlanToApply {
  readonly plan: Plan;
  readonly accountId: string;
  readonly observed: Observed;
  /** Writes the ledger. A ledger that the user named is written only when it changes. */
  readonly store: LedgerStore;
  readonly onError: 'stop' | 'continue';
  /** Returns dotted paths of fields that are never shown. */
  confidential(key: string): readonly string[];
  /** Returns the ledger's entry after a step (default: the entry of an apply). */
  readonly entryAfter?: (step: Step, performed: Performed, ledger: LedgerKeeper) => LedgerEntry | undefined;
  /** Ids that a create can choose (default: none). */
  readonly ownIds?: RunParts['ownIds'];
  /** Called for each result when it arrives (default: prints the progress of an apply). */
  readonly onResult?: RunParts['onResult'] | undefined;
  /** `undefined` if the plan sends no requests. */
  readonly run: RunWriter | undefined;
  /** Replaces the consent of the command line. */
  readonly consent?: Consent | undefined;
  /** Files whose names determine the set name, if the manifest does not name the set. */
  readonly source?: readonly string[] | undefined;
  readonly start: Pick<StartLine, 'what' | 'owner' | 'undoes' | 'part' | 'parts' | 'inputs' | 'options'>;
}

/** Carries out the plan of one account. Failed requests are in the report and do not throw. */
export async function carryOut(context: Context, carrying: PlanToApply): Promise<ApplyReport> {
  const { host, settings } = context;
  const { plan, accountId, observed, store, run } = carrying;
  const ledger = await openLedger(context, carrying);
  if (run) await store.setBehind(run.id);
  await run?.write({
    line: 'start',
    version: 2,
    ...(await context.facts()),
    run: run.id,
    atMs: host.clock.now(),
    pid: host.processes.pid,
    account: { ...plan.account, id: accountId },
    ...(await runUser(context, { asks: true })),
    set: plan.set,
    salt: ledger.salt,
    ...carrying.start,
    steps: plan.steps.filter(({ by }) => by !== undefined).map(loggedStep),
  });
  await run?.flush();
  const onResult = carrying.onResult ?? progressReporter(context);
  const facts = () => ({ nowMs: host.clock.now(), confidential: carrying.confidential });
  const report = await runPlan(plan, {
    service: createService(
      await context.bulkApi(quoteName(plan.account.name), {
        recorded: false,
        ...(carrying.consent ? { consent: carrying.consent } : {}),
      }),
      accountId,
    ),
    observed,
    ledger,
    entryAfter: (step, performed) =>
      carrying.entryAfter
        ? carrying.entryAfter(step, performed, ledger)
        : entryAfterStep(plan, step, performed, ledger, facts()),
    ownIds: carrying.ownIds ?? (() => noOwnIds),
    fileOf: (step) => readStepFile(host, step),
    confidential: carrying.confidential,
    log: async (line) => run?.write(line),
    run: run?.id,
    clock: host.clock,
    soon: host.timers.soon,
    interrupted: host.interrupted,
    atOnce: settings.concurrency.value,
    onInterrupt: (running) => context.notices.say(stoppingText(running)),
    onError: carrying.onError,
    onResult,
  });
  confirmUnchanged(plan, observed, ledger, { ...facts(), onlyNews: store.file !== undefined });
  // The ledger is still written if the disk is too full for the log.
  const closing = await closeRun(context, carrying, ledger, report).catch((error: unknown) => {
    if (error instanceof Failure) return error;
    throw error;
  });
  const trouble = report.trouble ?? closing;
  if (trouble) return { ...report, trouble };
  return report.interrupted ? report : { ...report, ...(await duplicatesAfter(context, carrying, report)) };
}

/** Finds records that another runner created at the same time. Warns if the list cannot be read. */
async function duplicatesAfter(
  context: Context,
  { accountId, observed }: PlanToApply,
  report: ApplyReport,
): Promise<Pick<ApplyReport, 'duplicates'>> {
  try {
    const service = createService(await context.api(), accountId);
    const duplicates = await findDuplicates(report, observed, service);
    return duplicates.length === 0 ? {} : { duplicates };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    context.notices.warn(`telctl could not check for records that another runner created: ${error.message}`);
    return {};
  }
}

function readStepFile({ files }: Host, { label, file }: Step): SentFile {
  if (file === undefined) throw new Error(`${label} has no file.`);
  const changed = new Failure('conflict', `${file.name} was changed since the plan was made.`);
  if (files.kindOf(file.path) !== 'file') throw changed;
  const bytes = files.readBytes(file.path, largestMedia);
  if (createHash('sha256').update(bytes).digest('hex') !== file.sha256) throw changed;
  return { type: file.type, bytes };
}

/** Writes the ledger and the end of the run. If the ledger cannot be written, the next run repairs it from the log. */
async function closeRun(
  { host }: Context,
  { store, run }: PlanToApply,
  ledger: LedgerKeeper,
  report: ApplyReport,
): Promise<void> {
  await ledger.save();
  if (!run) return;
  await store.setBehind(undefined);
  const { failed, unknown, skipped } = reportCounts(report);
  await run.write({
    line: 'finish',
    atMs: host.clock.now(),
    done: doneResults(report).length,
    failed: failed + unknown,
    skipped,
    ...(report.interrupted ? { interrupted: true } : {}),
  });
  await run.flush();
}

/**
 * Returns the ledger of an account. Creates a missing one first, because its salt is needed for hashes. Renamed objects
 * are stored under their new names. Objects that others deleted are removed.
 */
async function openLedger(
  { host }: Context,
  { plan, store, observed, source }: PlanToApply,
): Promise<LedgerKeeper> {
  const { set } = plan;
  const ledger = await store.update((now) => ({
    put: renamedEntries(now, set, observed.matches),
    removed: [...observed.vanished].map((key) => ({ set, key })),
    source: storedSource(store, set, source),
  }));
  return keepLedger(ledger, host.clock.now(), {
    update: store.update,
    unfiltered: observed.unfiltered,
  });
}

const foundTexts = {
  'no-reply': 'no response, but the object exists',
  there: 'someone else did at the same time',
} as const;

const deeds = {
  create: 'created',
  update: 'updated',
  delete: 'deleted',
  unchanged: 'updated',
  unverifiable: 'updated',
} as const;

function verbOf({ action, releases, completes }: Step): string {
  if (releases !== undefined) return 'made room with';
  return completes === undefined ? deeds[action] : 'completed';
}

/** Shows a bar at a terminal, otherwise a line for each change. Failures are listed at the end. */
function progressReporter({ host, notices }: Context): RunParts['onResult'] {
  const isTerminal = host.stderr.isTTY === true;
  return (result, over, total) => {
    const { step, outcome, charges } = result;
    const doing = `${step.action} ${humanize(step.kind)}`;
    if (outcome === 'done' || outcome === 'found') {
      const found = result.found === undefined ? '' : ` (${foundTexts[result.found]})`;
      const accepted = charges === undefined ? '' : ` (charges accepted: ${charges})`;
      for (const words of effectWords(step.label, result)) notices.warn(words);
      if (isWithoutEffect(result)) return notices.progress(over, total, doing);
      if (!isTerminal || found !== '' || accepted !== '')
        notices.say(`${verbOf(step)} ${step.label}${found}${accepted}`);
    }
    notices.progress(over, total, doing);
  };
}
