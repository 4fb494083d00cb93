import { mapWithConcurrency } from '../../../base/concurrency.ts';
import { Failure, nextStep, unlessFailed } from '../../../base/failure.ts';
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
import { moduleOf, referencesOf } from '../../../contract/callflow-modules.ts';
import { normalisedNumber } from '../../../contract/phone-number.ts';
import { devices } from '../../../contract/resources/devices.ts';
import { registrations } from '../../../contract/resources/registrations.ts';
import { assumedZone, zoneOfStep } from '../../../contract/temporal-route.ts';
import type { FlowSet } from '../../../engine/callflows/flow-set.ts';
import { tryReadRecord } from '../../../engine/manifest/account-reader.ts';
import { kindOfSection } from '../../../engine/manifest/kinds.ts';
import { serviceOf } from '../../../engine/manifest/service.ts';
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

const suggestedAtMost = 3;

/** Shows every branch of calls to a number, or a single call if the caller or digits are given. */
export async function traceNumber(
  input: InputOf<typeof traceOptions, typeof traceArguments>,
  context: Context,
): Promise<TextResult> {
  if (input.number.trim() === '') throw new Failure('usage', 'The number is empty.');
  const isCall = input.digits.length > 0 || input.from !== undefined;
  const { traceCall } = await import('./trace-call.ts');
  if (isCall) return traceCall(input, context, (numbers) => notFound(context, input, numbers));
  const { sets, isWhole } = await readFlows(context, input, [
    'menus',
    'account_settings',
    ...(input.at === undefined ? [] : (['temporal_rules', 'temporal_rules_sets'] as const)),
  ]);
  const found = sets.flatMap((set) => {
    const match = matchNumber(set, input.number);
    return match ? [{ set, match }] : [];
  });
  const dead = sets.flatMap((set) => deadNumbers(set, input.number));
  for (const { callflow, text } of dead)
    context.notices.warn(
      `No call matches the number ${JSON.stringify(text)} of ${callflow.name}, because the service keeps it as typed. To find such numbers: ${nextStep`callflows lint`}`,
    );
  const [first, second] = found;
  const numbers = sets.flatMap(({ callflows }) => callflows.flatMap(({ record }) => textsIn(record.numbers)));
  if (first === undefined) throw await notFound(context, input, numbers);
  if (second !== undefined)
    throw new Failure(
      'conflict',
      `${input.number} belongs to callflows of several accounts in the manifest.`,
      {
        hint: 'Pass only the files of one account.',
      },
    );
  const zone = zoneOfStep({}, first.set.account?.timezone);
  const rules = [...first.set.targets.values()].flatMap(({ resource, record }) =>
    resource === 'temporal_rules' ? [record] : [],
  );
  const assumed = input.at === undefined ? undefined : assumedZone(first.set.account?.timezone, rules);
  if (assumed !== undefined) context.notices.say(assumed);
  const at = input.at === undefined ? undefined : parseCallTime(input.at, zone, context.host.clock.now());
  const call: TracedCall = { at, match: first.match };
  const isLive = input.file.length === 0;
  const set = isLive ? await readOnTheWay(context, first, call) : first.set;
  const known = trace(set, first.match.callflow, call);
  const unreachable = isLive ? await unreachableSteps(context, set, known) : undefined;
  const steps = unreachable ? trace(set, first.match.callflow, { ...call, unreachable }).first : known.first;
  return {
    kind: 'text',
    text: drawTree(titleOf(input.number, first.match), drawn(steps)),
    value: {
      version: 1,
      number: input.number,
      called: normalisedNumber(input.number),
      matched: { by: first.match.by, text: first.match.text },
      callflow: { id: first.match.callflow.id, name: first.match.callflow.name },
      ...(at === undefined ? {} : { at: new Date(at * 1000).toISOString() }),
      first: asValue(steps),
      not_simulated: [],
    },
    ...(isWhole ? {} : { exit: 'partial' }),
  };
}

/** Reads the records of a call in full, because lists omit PINs and plans. Warns if one cannot be read. */
async function readOnTheWay(
  context: Context,
  { set, match }: { readonly set: FlowSet; readonly match: Match },
  call: TracedCall,
): Promise<FlowSet> {
  const service = serviceOf(await context.api(), await context.accountId());
  const targets = new Map(set.targets);
  const known = new Set<string>();
  // Records refer to others, such as a group to its members.
  while (true) {
    const here = { ...set, targets };
    const open = passedRecords(here, trace(here, match.callflow, call)).filter(
      ({ id, resource }) => !known.has(id) && !readWhole.has(resource),
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

/** Resources that the trace reads in full. */
const readWhole: ReadonlySet<string> = new Set([
  'callflows',
  'menus',
  'temporal_rules',
  'temporal_rules_sets',
]);

/** Formats the title: `+15551230000 → Main line`, with the pattern that matched. */
function titleOf(typed: string, { callflow, by, text }: Match): string {
  const why =
    by === 'number' ? '' : by === 'pattern' ? ` (pattern ${text})` : ' (no number or pattern fits: no_match)';
  return `${normalisedNumber(typed)} → ${callflow.name}${why}`;
}

function drawn({ label, seconds, note, branches }: TraceStep): DrawnFlowStep {
  const rings = seconds === undefined ? '' : ` (${seconds} s)`;
  return {
    label: `${label}${rings}${note === undefined ? '' : `  (${note})`}`,
    leaves: false,
    branches: branches.map(({ key, name = key, step }) => ({ key: name, step: drawn(step) })),
  };
}

function asValue({ label, module, id, seconds, missing, note, branches }: TraceStep): JsonObject {
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
      step: asValue(step),
    })),
  };
}

async function notFound(
  context: Context,
  { number, file }: InputOf<typeof traceOptions, typeof traceArguments>,
  numbers: readonly string[],
): Promise<Failure> {
  const where = file.length > 0 ? 'of the manifest' : `in ${await quotedAccount(context)}`;
  const near = nearNumbers(normalisedNumber(number), numbers);
  return new Failure(
    'not_found',
    `No callflow ${where} takes ${JSON.stringify(number)}: no number, no pattern, and none is for all other numbers (no_match).`,
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

const allOf = (api: Api, resource: typeof devices): Promise<readonly JsonObject[]> =>
  Array.fromAsync(flattenPages(api.pages({ operation: operationFor(resource, 'list') })));

/** Ids of users and devices that a step rings, with members of groups. */
function rungBy({ targets }: FlowSet, step: JsonObject): readonly string[] {
  return referencesOf(step).flatMap(({ id }) => {
    const members = valueAt(targets.get(id)?.record, 'endpoints');
    return isObject(members) ? Object.keys(members) : [id];
  });
}

const isOn = (record: JsonObject | undefined, path: string): boolean => valueAt(record, path) === true;

/** Returns true for users and devices that ring without a registration, by forwarding or by address. */
const ringsAnyway = (record: JsonObject | undefined): boolean =>
  isOn(record, 'call_forward.enabled') ||
  isOn(record, 'call_forward.failover') ||
  record?.device_type === 'sip_uri' ||
  valueAt(record, 'sip.method') === 'ip';

/**
 * Finds steps of a trace that ring no registered phone (Conventions, Registrations). Skips users without devices,
 * because services differ there. Returns `undefined` if no step rings, or if the service does not list registrations.
 */
async function unreachableSteps(
  context: Context,
  set: FlowSet,
  { steps }: Trace,
): Promise<((step: JsonObject) => boolean) | undefined> {
  const ringing = steps.filter((step) => moduleOf(step)?.end === 'rings');
  if (ringing.length === 0) return undefined;
  const silent = await unlessFailed(silentSteps(context, set, ringing));
  return silent && ((step) => silent.has(step));
}

/** Returns the steps that ring nobody, or `undefined` if this is unknown for all steps. */
async function silentSteps(
  context: Context,
  set: FlowSet,
  ringing: readonly JsonObject[],
): Promise<ReadonlySet<JsonObject> | undefined> {
  const api = await context.api();
  const [all, registered] = await Promise.all([allOf(api, devices), allOf(api, registrations)]);
  const there = new Set(registered.map(({ authorizing_id: id }) => id));
  // Registrations without device ids cannot be assigned to steps.
  if (there.has(undefined)) return undefined;
  const phonesOf = (id: string): readonly JsonObject[] =>
    all.filter((each) => each.id === id || each.owner_id === id);
  const silent = new Set<JsonObject>();
  for (const step of ringing) {
    const rung = rungBy(set, step);
    const phones = rung.map(phonesOf);
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
