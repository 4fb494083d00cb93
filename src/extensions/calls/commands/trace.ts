import { mapWithConcurrency } from '../../../base/concurrency.ts';
import { Failure, ignoreFailure, nextStep } from '../../../base/failure.ts';
import { isObject, type JsonObject, textsIn, valueAt } from '../../../base/json.ts';
import { findNearest } from '../../../base/nearest.ts';
import { parseCallTime } from '../../../base/zoned-time.ts';
import type { InputOf } from '../../../cli/command/command.ts';
import type { Context } from '../../../cli/command/context.ts';
import type { TextResult } from '../../../cli/command/result.ts';
import { readFlows } from '../../../cli/commands/callflows/read-flows.ts';
import { type DrawnFlowStep, drawTree } from '../../../cli/commands/callflows/show.ts';
import { flattenPages } from '../../../cli/commands/generic/list.ts';
import { quotedAccount } from '../../../cli/commands/labels.ts';
import { operationFor, pathTo } from '../../../cli/commands/records/find-named.ts';
import type { Api } from '../../../client/api/api.ts';
import { findModule, listReferences } from '../../../contract/callflow-modules.ts';
import { normalisedNumber } from '../../../contract/phone-number.ts';
import { devices } from '../../../contract/resources/devices.ts';
import { registrations } from '../../../contract/resources/registrations.ts';
import { assumedZone, zoneOfStep } from '../../../contract/temporal-route.ts';
import type { FlowSet } from '../../../engine/callflows/flow-set.ts';
import { tryReadRecord } from '../../../engine/manifest/account-reader.ts';
import { kindOfSection } from '../../../engine/manifest/kinds.ts';
import { createService } from '../../../engine/manifest/service.ts';
import {
  deadNumbers,
  type Match,
  matchNumber,
  passedRecords,
  type Trace,
  type TracedCall,
  type TraceStep,
  trace,
} from '../lint/trace.ts';
import type { traceArguments, traceOptions } from './callflows.ts';

type TraceInput = InputOf<typeof traceOptions, typeof traceArguments>;

const suggestedAtMost = 3;

/** Shows every branch of calls to a number, or a single call if the caller or digits are given. */
export async function traceNumber(input: TraceInput, context: Context): Promise<TextResult> {
  if (input.number.trim() === '') throw new Failure('usage', 'The number is empty.');
  const isCall = input.digits.length > 0 || input.from !== undefined;
  const { traceCall } = await import('./trace-call.ts');
  if (isCall) return traceCall(input, context, (numbers) => notFound(context, input, numbers));
  const { sets, isWhole } = await readFlows(context, input, [
    'menus',
    'account_settings',
    ...(input.at === undefined ? [] : (['temporal_rules', 'temporal_rules_sets'] as const)),
  ]);
  const dead = sets.flatMap((set) => deadNumbers(set, input.number));
  for (const { callflow, text } of dead)
    context.notices.warn(
      `No call matches the number ${JSON.stringify(text)} of ${callflow.name}, because the service keeps it as typed. To find such numbers: ${nextStep`callflows lint`}`,
    );
  const found = await onlyMatch(context, input, sets);
  const { match } = found;
  const at = input.at === undefined ? undefined : callTime(context, found.set, input.at);
  const steps = await traceSteps(context, found, { at, match }, input.file.length === 0);
  return {
    kind: 'text',
    text: drawTree(formatTitle(input.number, match), drawStep(steps)),
    value: {
      version: 1,
      number: input.number,
      called: normalisedNumber(input.number),
      matched: { by: match.by, text: match.text },
      callflow: { id: match.callflow.id, name: match.callflow.name },
      ...(at === undefined ? {} : { at: new Date(at * 1000).toISOString() }),
      first: stepJson(steps),
      not_simulated: [],
    },
    ...(isWhole ? {} : { exit: 'partial' }),
  };
}

interface FoundFlow {
  readonly set: FlowSet;
  readonly match: Match;
}

/** Finds the callflow of a number. Throws `Failure`: `not_found`, or `conflict` if several accounts have it. */
async function onlyMatch(context: Context, input: TraceInput, sets: readonly FlowSet[]): Promise<FoundFlow> {
  const [first, second] = sets.flatMap((set) => {
    const match = matchNumber(set, input.number);
    return match ? [{ set, match }] : [];
  });
  const numbers = sets.flatMap(({ callflows }) => callflows.flatMap(({ record }) => textsIn(record.numbers)));
  if (first === undefined) throw await notFound(context, input, numbers);
  if (second === undefined) return first;
  throw new Failure('conflict', `${input.number} belongs to callflows of several accounts in the manifest.`, {
    hint: 'Pass only the files of one account.',
  });
}

/** Returns the time of `--at`, in seconds since the Unix epoch. Reports the time zone if it is assumed. */
function callTime({ notices, host }: Context, { account, targets }: FlowSet, at: string): number {
  const rules = [...targets.values()].flatMap(({ resource, record }) =>
    resource === 'temporal_rules' ? [record] : [],
  );
  const assumed = assumedZone(account?.timezone, rules);
  if (assumed !== undefined) notices.say(assumed);
  return parseCallTime(at, zoneOfStep({}, account?.timezone), host.clock.now());
}

/** Traces a call. With `isLive`, reads full records and registrations from the service. */
async function traceSteps(
  context: Context,
  found: FoundFlow,
  call: TracedCall,
  isLive: boolean,
): Promise<TraceStep> {
  const { callflow } = found.match;
  if (!isLive) return trace(found.set, callflow, call).first;
  const set = await readInvolved(context, found, call);
  const known = trace(set, callflow, call);
  const unreachable = await unreachableSteps(context, set, known);
  return unreachable ? trace(set, callflow, { ...call, unreachable }).first : known.first;
}

/** Reads the records of a call completely, because lists omit PINs and plans. Warns if a record cannot be read. */
async function readInvolved(context: Context, { set, match }: FoundFlow, call: TracedCall): Promise<FlowSet> {
  const service = createService(await context.api(), await context.accountId());
  const targets = new Map(set.targets);
  const known = new Set<string>();
  // Records refer to other records, such as a group to its members.
  while (true) {
    const here = { ...set, targets };
    const open = passedRecords(here, trace(here, match.callflow, call)).filter(
      ({ id, resource }) => !known.has(id) && !readInFull.has(resource),
    );
    if (open.length === 0) return here;
    await mapWithConcurrency(open, context.settings.concurrency.value, async ({ resource, id }) => {
      known.add(id);
      const target = targets.get(id);
      const kind = kindOfSection(resource);
      const got = kind && (await tryReadRecord(service, kind, id));
      if (typeof got === 'string') context.notices.warn(`${resource} ${target?.name}: ${got}`);
      if (target && typeof got === 'object') targets.set(id, { ...target, record: { ...got, id } });
    });
  }
}

const readInFull: ReadonlySet<string> = new Set([
  'callflows',
  'menus',
  'temporal_rules',
  'temporal_rules_sets',
]);

/** Formats the title: `+15551230000 → Main line`, with the matching pattern. */
function formatTitle(typed: string, { callflow, by, text }: Match): string {
  const why =
    by === 'number'
      ? ''
      : by === 'pattern'
        ? ` (pattern ${text})`
        : ' (no_match: no number or pattern matches)';
  return `${normalisedNumber(typed)} → ${callflow.name}${why}`;
}

function drawStep({ label, seconds, note, branches }: TraceStep): DrawnFlowStep {
  const rings = seconds === undefined ? '' : ` (${seconds} s)`;
  return {
    label: `${label}${rings}${note === undefined ? '' : `  (${note})`}`,
    leaves: false,
    branches: branches.map(({ key, name = key, step }) => ({ key: name, step: drawStep(step) })),
  };
}

function stepJson({ label, module, id, seconds, missing, note, branches }: TraceStep): JsonObject {
  return {
    label,
    ...(module === undefined ? {} : { module }),
    ...(id === undefined ? {} : { id }),
    ...(seconds === undefined ? {} : { seconds }),
    ...(missing.length === 0 ? {} : { missing: [...missing] }),
    ...(note === undefined ? {} : { note }),
    branches: branches.map(({ key, name, step }) => ({
      key,
      ...(name === undefined ? {} : { name }),
      step: stepJson(step),
    })),
  };
}

async function notFound(
  context: Context,
  { number, file }: TraceInput,
  numbers: readonly string[],
): Promise<Failure> {
  const where = file.length > 0 ? 'of the manifest' : `in ${await quotedAccount(context)}`;
  const near = nearNumbers(normalisedNumber(number), numbers);
  return new Failure(
    'not_found',
    `No callflow ${where} matches ${JSON.stringify(number)} by number, by pattern or as no_match.`,
    near.length === 0
      ? {}
      : { hint: `The nearest ${near.length === 1 ? 'number is' : 'numbers are'} ${near.join(', ')}.` },
  );
}

function nearNumbers(wanted: string, numbers: readonly string[]): readonly string[] {
  const left = new Set(numbers);
  const near: string[] = [];
  for (let found = findNearest(wanted, left); found !== undefined; found = findNearest(wanted, left)) {
    near.push(found);
    left.delete(found);
    if (near.length === suggestedAtMost) break;
  }
  return near;
}

const listRecords = (api: Api, resource: typeof devices): Promise<readonly JsonObject[]> =>
  Array.fromAsync(flattenPages(api.pages({ operation: operationFor(resource, 'list') })));

/** Returns ids of users and devices that a step rings. Groups are replaced by their members. */
function ringTargets({ targets }: FlowSet, step: JsonObject): readonly string[] {
  return listReferences(step).flatMap(({ id }) => {
    const members = valueAt(targets.get(id)?.record, 'endpoints');
    return isObject(members) ? Object.keys(members) : [id];
  });
}

const isOn = (record: JsonObject | undefined, path: string): boolean => valueAt(record, path) === true;

/** Returns true for users and devices that ring without a registration: they are forwarded or have a fixed address. */
const ringsAnyway = (record: JsonObject | undefined): boolean =>
  isOn(record, 'call_forward.enabled') ||
  isOn(record, 'call_forward.failover') ||
  record?.device_type === 'sip_uri' ||
  valueAt(record, 'sip.method') === 'ip';

/**
 * Returns a test for steps that ring no registered phone (Conventions, Registrations). Skips users without devices,
 * because services differ there. Returns `undefined` if no step rings, or if the service does not list registrations.
 */
async function unreachableSteps(
  context: Context,
  set: FlowSet,
  { steps }: Trace,
): Promise<((step: JsonObject) => boolean) | undefined> {
  const ringing = steps.filter((step) => findModule(step)?.end === 'rings');
  if (ringing.length === 0) return undefined;
  const silent = await ignoreFailure(silentSteps(context, set, ringing));
  return silent && ((step) => silent.has(step));
}

/** Returns the steps that ring no one, or `undefined` if this is unknown for all steps. */
async function silentSteps(
  context: Context,
  set: FlowSet,
  ringing: readonly JsonObject[],
): Promise<ReadonlySet<JsonObject> | undefined> {
  const api = await context.api();
  const [all, registered] = await Promise.all([listRecords(api, devices), listRecords(api, registrations)]);
  const there = new Set(registered.map(({ authorizing_id: id }) => id));
  // Registrations without device ids cannot be assigned to steps.
  if (there.has(undefined)) return undefined;
  const findPhones = (id: string): readonly JsonObject[] =>
    all.filter((each) => each.id === id || each.owner_id === id);
  const silent = new Set<JsonObject>();
  for (const step of ringing) {
    const rung = ringTargets(set, step);
    const phones = rung.map(findPhones);
    if (rung.length === 0 || phones.some((each) => each.length === 0)) continue;
    if (phones.flat().some(({ id }) => there.has(id))) continue;
    if (rung.some((id) => ringsAnyway(set.targets.get(id)?.record))) continue;
    // Lists omit call forwarding.
    const whole = await mapWithConcurrency(
      phones.flat(),
      context.settings.concurrency.value,
      async ({ id }) => {
        const { data } = await api.call({
          operation: operationFor(devices, 'get'),
          path: pathTo(devices, String(id)),
        });
        return isObject(data) ? data : {};
      },
    );
    if (!whole.some(ringsAnyway)) silent.add(step);
  }
  return silent;
}
