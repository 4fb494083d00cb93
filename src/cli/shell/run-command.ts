import { createHint, exitCodes, Failure, nextStep, withFacts } from '../../base/failure.ts';
import type { Host } from '../../base/host/host.ts';
import { isObject, objectsIn } from '../../base/json.ts';
import { doubtKey } from '../../base/wording.ts';
import { resolveSettings } from '../../client/session/resolve-settings.ts';
import type { Settings } from '../../client/session/settings.ts';
import { isDatabase } from '../../client/session/state-address.ts';
import { hasOpenRuns } from '../../engine/state/state.ts';
import type { Command } from '../command/command.ts';
import type { RunOptions } from '../command/context.ts';
import type { Result } from '../command/result.ts';
import type { Output } from '../terminal/output.ts';
import { gatedResult } from '../terminal/outside-gate.ts';
import { checkAccount, guardProtection } from './guard-run.ts';
import { type OutputPlan, outputPlan, readOutputOptions } from './output-plan.ts';
import type { ParsedLine } from './parse-line.ts';
import { startDeadline } from './run-options.ts';
import { createServices, type Parts, type RunServices } from './services.ts';
import { showResult } from './show-result.ts';

export type ParsedRun = Extract<ParsedLine, { kind: 'run' }>;

async function settingsHost({ withoutSettings }: Command, host: Host): Promise<Host> {
  if (!withoutSettings) return host;
  return (await import('../../client/session/setting-troubles.ts')).settingTroubles(host).host;
}

/** Runs a parsed command: settings, guards, handler, output. Returns the exit code; throws `Failure`. */
export async function runCommand(line: ParsedRun, machine: Host, parts: Parts, out: Output): Promise<number> {
  const { command, global } = line;
  const settings = resolveSettings({ options: global, host: await settingsHost(command, machine) });
  const { options, template } = await readOutputOptions(line, parts);
  const deadline = startDeadline(machine, options.deadlineMs);
  const { host } = deadline;
  const plan = await outputPlan(line, { host, settings, options, parts }, template);
  const services = createServices({
    host,
    settings,
    options,
    style: await plan.styleOf(host.stderr.isTTY === true),
    errorsStandAlone: plan.errorsStandAlone,
    operation: command.operations?.[0],
    parts,
    line: { command: line.shown, note: global.note },
  });
  const { notices } = services;
  for (const note of line.notes) notices.warn(note);
  try {
    const result = await handlerResult(line, services, host);
    // The failure already names the refused fields.
    if (result.kind === 'done' && result.failure) notices.printFieldWarnings(refusedFields(result.failure));
    // The output of a program or a live list is watched while it arrives.
    if (result.kind === 'program' || (result.kind === 'list' && result.live)) notices.release();
    await showResult(result, plan, { line, services, host }, out);
    return await exitCodeOf(result, deadline.resultOf(result), { services, plan, out });
  } catch (thrown) {
    const error = asPartial(deadline.errorOf(thrown), services.troubles);
    notices.printFieldWarnings(refusedFields(error));
    throw plan.errorsStandAlone ? (await import('./report-failure.ts')).withWarnings(error, notices) : error;
  } finally {
    await services.close();
  }
}

async function handlerResult(line: ParsedRun, services: RunServices, host: Host): Promise<Result> {
  const { command, input, many } = line;
  const { options, settings, notices } = services;
  await checkAccount(command, services);
  await guardProtection(command, services);
  // Refuses before any request is sent, because a created secret could not be shown afterwards.
  if (options.reveal && !options.dryRun && input.out === undefined) notices.disclose([]);
  if (checksInterruptedRuns(command, options, host, settings))
    await (await import('../commands/state/open-state.ts')).reportKilledRuns(services);
  const result = many
    ? await (await import('./many/run-many.ts')).runMany(command, input, many, services)
    : await (await command.load())(input, services);
  return gatedResult(result, host.outside);
}

/**
 * Returns the exit code of a result that was shown. Throws the `Failure` of changes that were not made or not
 * recorded.
 */
async function exitCodeOf(
  result: Result,
  ended: Result,
  { services, plan, out }: { services: RunServices; plan: OutputPlan; out: Output },
): Promise<number> {
  const { notices } = services;
  await services.endRecord();
  const failure =
    (ended.failure && asPartial(ended.failure, services.troubles)) ??
    recordingFailure(services) ??
    (plan.errorsStandAlone && ended.exit
      ? (await import('./report-failure.ts')).errorOfExit(ended, notices)
      : undefined);
  if (failure) {
    // The error page follows the result.
    await out.flush();
    throw failure;
  }
  notices.printFieldWarnings();
  notices.release();
  if (result.kind === 'program') return result.code;
  return ended.exit === undefined ? 0 : exitCodes[ended.exit];
}

/** Returns the failure if changes were sent but not completely recorded. */
function recordingFailure({
  troubles: { untold: failure, isSent },
  settings,
  notices,
}: RunServices): Failure | undefined {
  if (failure === undefined || !isSent) return undefined;
  if (failure.kind === 'failed' && settings.state.source !== 'option') {
    notices.warn(`${failure.message} The log may be incomplete.`);
    return undefined;
  }
  return withFacts(failure, {
    kind: 'partial',
    lines: [...failure.lines, 'The log of this run is incomplete.'],
    hint: createHint`To see the log: ${nextStep`log`}. The changes were made, as shown in the result.`,
  });
}

/** Converts a state error to `partial` if a change was already sent. */
function asPartial<E>(error: E, { kinds, isSent }: RunServices['troubles']): E | Failure {
  return error instanceof Failure && isSent && kinds.has(error.kind)
    ? withFacts(error, { kind: 'partial' })
    : error;
}

/**
 * Returns dotted paths of the fields that the service refused. With several records, paths include the record's
 * index.
 */
function refusedFields(error: unknown): ReadonlySet<string> {
  const details = error instanceof Failure && isObject(error.details) ? error.details : {};
  const one = fieldsIn(details);
  const many = objectsIn(details.failed).flatMap(({ place, error: why }) =>
    fieldsIn(isObject(why) ? why : {}).flatMap((field) => [field, doubtKey(String(place), field)]),
  );
  return new Set([...one, ...many]);
}

const fieldsIn = ({ fields }: { readonly fields?: unknown }): readonly string[] =>
  objectsIn(fields).flatMap(({ field }) => (typeof field === 'string' ? [field] : []));

/** Returns true if the command first looks for interrupted runs. Only changes open a shared or untrusted state. */
function checksInterruptedRuns(
  { effect }: Command,
  { dryRun }: RunOptions,
  host: Host,
  { state: { value, source } }: Settings,
): boolean {
  if (effect === 'local') return false;
  const isOwn = source !== 'directory' && !isDatabase(value ?? '');
  return isOwn ? hasOpenRuns(host, value) : effect !== 'read' && !dryRun;
}
