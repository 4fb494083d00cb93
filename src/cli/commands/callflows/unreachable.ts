import { bounded } from '../../../base/bounded.ts';
import { Failure } from '../../../base/failure.ts';
import { isObject, type JsonObject, valueAt } from '../../../base/json.ts';
import type { Api } from '../../../client/api/api.ts';
import { moduleOf, referencesOf } from '../../../contract/callflow-modules.ts';
import { devices } from '../../../contract/resources/devices.ts';
import { registrations } from '../../../contract/resources/registrations.ts';
import type { FlowSet } from '../../../engine/callflows/flow-set.ts';
import type { Trace } from '../../../engine/callflows/trace.ts';
import type { Context } from '../../command/context.ts';
import { operationFor, pathTo } from '../generic/find-named.ts';
import { flattened } from '../generic/list.ts';

async function allOf(api: Api, resource: typeof devices): Promise<readonly JsonObject[]> {
  const all: JsonObject[] = [];
  for await (const each of flattened(api.pages({ operation: operationFor(resource, 'list') })))
    all.push(each);
  return all;
}

/** Ids of users and devices that a step rings: those that it names, and the members of groups. */
function rungBy({ targets }: FlowSet, step: JsonObject): readonly string[] {
  return referencesOf(step).flatMap(({ id }) => {
    const members = valueAt(targets.get(id)?.record, 'endpoints');
    return isObject(members) ? Object.keys(members) : [id];
  });
}

const isOn = (record: JsonObject | undefined, path: string): boolean => valueAt(record, path) === true;

/** True for what rings although nothing is registered: it forwards calls, or is called at its address. */
const ringsAnyway = (record: JsonObject | undefined): boolean =>
  isOn(record, 'call_forward.enabled') ||
  isOn(record, 'call_forward.failover') ||
  record?.device_type === 'sip_uri' ||
  valueAt(record, 'sip.method') === 'ip';

/**
 * Tells of which steps of a trace nobody who is to ring has a phone that is registered now (Conventions, Registrations).
 * Users without any device are left out: who answers for them differs. `undefined` where nothing rings, or the service
 * does not tell which phones are registered.
 */
export async function unreachableSteps(
  context: Context,
  set: FlowSet,
  { steps }: Trace,
): Promise<((step: JsonObject) => boolean) | undefined> {
  const ringing = steps.filter((step) => moduleOf(step)?.end === 'rings');
  if (ringing.length === 0) return undefined;
  try {
    const api = await context.api();
    const [all, registered] = await Promise.all([allOf(api, devices), allOf(api, registrations)]);
    const there = new Set(registered.map(({ authorizing_id: id }) => id));
    // Without the device of each, nothing can be said of any.
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
      // Lists leave out what forwards.
      const whole = await bounded(phones.flat(), context.settings.concurrency.value, async ({ id }) => {
        const { data } = await api.call({
          operation: operationFor(devices, 'get'),
          path: pathTo(devices, String(id)),
        });
        return isObject(data) ? data : {};
      });
      if (!whole.some(ringsAnyway)) silent.add(step);
    }
    return (step) => silent.has(step);
  } catch (error) {
    if (error instanceof Failure && error.kind !== 'interrupted') return undefined;
    throw error;
  }
}
