import type { JsonObject } from '../../base/json.ts';
import { type Met, type Part, unheeded } from '../../contract/call-settings.ts';
import type { ResourceName } from '../../contract/types.ts';
import { textAt } from '../fields.ts';
import type { StoredRecord } from '../store/store.ts';
import { calledName } from '../telephony/account-records.ts';
import type { Simulation } from './simulation.ts';
import type { Walk } from './walk.ts';

/**
 * Lists everything stored that affects a call of this path and was not simulated: steps whose modules the sandbox
 * cannot act on, and settings of the records that the call came past.
 */
export async function notSimulated(call: Simulation, walked: Walk): Promise<readonly JsonObject[]> {
  const steps = walked.passedOver.map((module) => ({
    ...{ setting: 'callflows.flow', of: module, words: `steps of the module ${module}` },
  }));
  const settings = unheeded('call', await metBy(call, walked));
  return [...steps, ...settings.map((each) => ({ ...each }))];
}

const met = (resource: ResourceName, record: StoredRecord, parts: readonly Part[]): Met => ({
  ...{ resource, record: record.body, name: calledName(record), parts: new Set<Part>(['passed', ...parts]) },
});

/** Lists the participants of a call, with their roles. */
async function metBy({ records, caller, timeline }: Simulation, walked: Walk): Promise<readonly Met[]> {
  const { end } = walked;
  const made = timeline.legs.flatMap(({ direction, authorizing }) =>
    direction === 'outbound' && authorizing ? [authorizing] : [],
  );
  const rung = [...new Set(made.flatMap(({ type, id }) => (type === 'user' ? [id] : [])))];
  const out: readonly Part[] = made.some(({ type }) => type === 'resource') ? ['goes out'] : [];
  const calls: readonly Part[] = caller.user ? ['calls'] : [];
  const rings: readonly Part[] = rung.length > 0 ? ['rings'] : [];
  const whole: readonly Part[] =
    end.kind === 'talk' || end.kind === 'conference' ? ['talks'] : end.kind === 'message' ? ['message'] : [];
  const user = async (id: string | undefined, parts: readonly Part[]): Promise<readonly Met[]> => {
    const record = id === undefined ? undefined : await records.get('users', id);
    return record ? [met('users', record, parts)] : [];
  };
  const other = end.kind === 'talk' ? end.other?.authorizing?.id : undefined;
  const owner = end.kind === 'message' ? textAt(end.box.body, 'owner_id') : undefined;
  const users = await Promise.all([
    user(caller.user?.id, [...calls, ...out, ...whole]),
    ...rung.map((id) => user(id, id === other ? ['rings', 'talks'] : ['rings'])),
    user(owner, ['message']),
  ]);
  return [
    met('accounts', records.account, [...calls, ...out, ...rings, ...whole]),
    ...users.flat(),
    ...walked.met.flatMap(({ resource, record }) =>
      resource === 'users' ? [] : [met(resource, record, whole)],
    ),
  ];
}
