import { isObject, type JsonObject, valueAt } from '../base/json.ts';
import { type Met, type Part, type Unheeded, unheeded } from '../contract/call-settings.ts';
import { moduleOf, referencesOf } from '../contract/module-references.ts';
import { isRoutable } from '../contract/phone-number.ts';
import type { ResourceName } from '../contract/types.ts';
import type { FlowSet } from './flow-set.ts';
import type { Trace } from './trace.ts';

/** A record that a traced call can come past, by its id. */
export interface OnTheWay {
  readonly resource: ResourceName;
  readonly id: string;
}

/** The records that a call can come past, members of groups included, as far as they are known. */
export function recordsOnTheWay({ targets }: FlowSet, { steps, boxes }: Trace): readonly OnTheWay[] {
  const referred = steps.flatMap((step) => referencesOf(step).map(({ id }) => id));
  const members = referred.flatMap((id) => Object.keys(groupMembers(targets.get(id)?.record)));
  return [...new Set([...referred, ...members, ...boxes])].flatMap((id) => {
    const target = targets.get(id);
    return target ? [{ resource: target.resource, id }] : [];
  });
}

const groupMembers = (record: JsonObject | undefined): JsonObject => {
  const members = valueAt(record, 'endpoints');
  return isObject(members) ? members : {};
};

const carriers: ReadonlySet<unknown> = new Set(['resources', 'offnet', 'disa']);

/**
 * The stored settings that have a say in what was traced and that the trace does not heed. `number` is what is called:
 * an extension is dialled inside the account alone.
 */
export function unheededByTrace(set: FlowSet, traced: Trace, number: string): readonly Unheeded[] {
  const { steps, through } = traced;
  const ringing = steps.filter((step) => moduleOf(step)?.end === 'rings');
  const rung = new Set(
    recordsOnTheWay(set, { ...traced, steps: ringing, boxes: [] }).flatMap(({ resource, id }) =>
      resource === 'users' ? [id] : [],
    ),
  );
  const has = (module: string): boolean => steps.some((step) => step.module === module);
  const out: readonly Part[] = steps.some(({ module }) => carriers.has(module)) ? ['goes out'] : [];
  const talks: readonly Part[] = rung.size > 0 || out.length > 0 || has('conference') ? ['talks'] : [];
  const message: readonly Part[] = has('voicemail') ? ['message'] : [];
  const whole: readonly Part[] = [...out, ...talks, ...message];
  const calls: readonly Part[] = isRoutable(number) ? [] : ['calls'];
  const met = (resource: ResourceName, name: string, record: JsonObject, parts: readonly Part[]): Met => ({
    ...{ resource, name, record, parts: new Set<Part>(['passed', ...parts]) },
  });
  const rings: readonly Part[] = rung.size > 0 ? ['rings'] : [];
  return unheeded('trace', [
    ...(set.account ? [met('accounts', 'the account', set.account, [...whole, ...calls, ...rings])] : []),
    ...(set.metaflows ? [met('metaflows', 'the account', set.metaflows.record, whole)] : []),
    ...through.map(({ name, record }) => met('callflows', name, record, whole)),
    ...recordsOnTheWay(set, traced).flatMap(({ resource, id }) => {
      const target = set.targets.get(id);
      const parts: readonly Part[] = resource !== 'users' ? whole : rung.has(id) ? ['rings', 'talks'] : [];
      return target ? [met(resource, target.name, target.record, parts)] : [];
    }),
  ]);
}
