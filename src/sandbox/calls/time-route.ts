import {
  branchAt,
  rulesOfSet,
  type TimeRecord,
  timeIdsOf,
  zoneOfStep,
} from '../../contract/temporal-route.ts';
import { textAt, textsAt } from '../fields.ts';
import { gregorianSeconds } from '../made-values.ts';
import { putOf } from '../placement.ts';
import type { StoredRecord } from '../store/store.ts';
import { calledName } from '../telephony/account-records.ts';
import { type Act, dialNext, onwards, pickUp, type Simulation } from './simulation.ts';

/** Reads the temporal rules and sets that a step names, by id, and the rules of the sets. */
async function timeRecords(
  { records }: Simulation,
  ids: readonly string[],
): Promise<ReadonlyMap<string, TimeRecord>> {
  const found = new Map<string, TimeRecord>();
  const add = async (id: string): Promise<void> => {
    const rule = await records.get('temporal_rules', id);
    const record = rule ?? (await records.get('temporal_rules_sets', id));
    if (record) found.set(id, { isSet: rule === undefined, name: calledName(record), record: record.body });
  };
  for (const id of ids) await add(id);
  for (const { isSet, record } of [...found.values()])
    for (const id of isSet ? rulesOfSet(record) : []) if (!found.has(id)) await add(id);
  return found;
}

/** Values of `enabled` by the action of a feature code, and what is said; 1, 2 and 3 choose them in the menu. */
const switches = new Map([
  ['enable', { enabled: true, words: 'are enabled' }],
  ['disable', { enabled: false, words: 'are disabled' }],
  ['reset', { enabled: undefined, words: 'are reset: they match by their times' }],
] as const);
const choices: readonly string[] = [...switches.keys()];

/** Lets a caller choose by one key; other keys are asked for again, and no key is no choice. */
function chosen(call: Simulation): string | undefined {
  pickUp(call);
  const dial = dialNext(call);
  while (true) {
    const dialled = dial();
    if (dialled === undefined || dialled === 'timeout') return undefined;
    const choice = choices[Number(dialled) - 1];
    if (choice !== undefined) return choice;
  }
}

/** Switches the rules of a step, as its feature code does; rules that its branches or its set name stay. */
const switchRules: Act = async (call, { data }) => {
  const action = textAt(data, 'action');
  const made = action === 'menu' ? chosen(call) : action;
  const to = [...switches].find(([name]) => name === made)?.[1];
  if (to === undefined) return onwards('nothing is switched');
  const rules: StoredRecord[] = [];
  for (const id of new Set(textsAt(data, 'rules'))) {
    const rule = await call.records.get('temporal_rules', id);
    if (rule) rules.push(rule);
  }
  for (const rule of rules) {
    const { enabled: _, ...body } = rule.body;
    const switched = {
      ...rule,
      modifiedAt: gregorianSeconds(call.services.clock),
      body: { ...body, ...(to.enabled === undefined ? {} : { enabled: to.enabled }) },
    };
    call.changes.push(putOf(switched, 'temporal_rules'));
  }
  pickUp(call);
  return onwards(
    `${rules.map((rule) => JSON.stringify(calledName(rule))).join(', ') || 'no rules'} ${to.words}`,
  );
};

/** Takes the branch of the first temporal rule that matches by the sandbox's clock, or switches rules. */
export const temporalRoute: Act = async (call, at) => {
  if (textAt(at.data, 'action') !== undefined) return switchRules(call, at);
  const found = await timeRecords(call, timeIdsOf(at.step));
  const zone = zoneOfStep(at.data, call.records.account.body.timezone);
  const now = Math.floor(call.services.clock.now() / 1000) + call.now;
  const { key, words } = branchAt(at.step, (id) => found.get(id), zone, now);
  return { go: key, note: words };
};
