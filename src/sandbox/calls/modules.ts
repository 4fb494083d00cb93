import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { compiled, mayHunt } from '../../contract/call-patterns.ts';
import { textAt, textsAt } from '../fields.ts';
import { gregorianSeconds } from '../made-values.ts';
import { calledName } from '../telephony/account-records.ts';
import { entriesOf, entryFor } from '../telephony/list-entries.ts';
import { freeSlot, parkedCalls } from '../telephony/parked-calls.ts';
import { realmOf } from './call-ending.ts';
import { callOut, conference, disa, voicemail } from './doors.ts';
import type { Target } from './phones.ts';
import { acdcAgent, acdcMember, acdcQueue } from './queue-steps.ts';
import { causeOf } from './ring-legs.ts';
import { ring, ringingOf, targetsOf } from './ringing.ts';
import { matchNumber } from './routing.ts';
import {
  type Act,
  choosing,
  type FlowStep,
  found,
  greeting,
  idOf,
  missing,
  type Outcome,
  onwards,
  pickUp,
  type Simulation,
  waiting,
} from './simulation.ts';
import { temporalRoute } from './time-route.ts';

/** A number in a step's data that is none below 0; 0 where it is not there. */
function secondsAt(data: JsonObject, key: string): number {
  const value = data[key];
  return typeof value === 'number' && value > 0 ? value : 0;
}

async function rung(
  call: Simulation,
  step: FlowStep,
  targets: readonly Target[],
  notes: readonly string[],
): Promise<Outcome> {
  const began = call.now;
  const rang = await ring(call, targets, ringingOf(step.data));
  const said = [...notes, ...rang.notes];
  const seconds = call.now - began;
  if (rang.leg)
    return {
      note: [...said, `${rang.by} answers after ${seconds} s`].join('; '),
      end: { kind: 'talk', other: rang.leg, words: `Answered by ${rang.by}` },
    };
  const words = { busy: 'busy', 'no-answer': `nobody answers in ${seconds} s`, answer: 'nobody is there' };
  return onwards(
    [...said, ...(seconds > 0 || said.length === 0 ? [words[call.request.answering]] : [])].join('; '),
  );
}

const single =
  (type: 'user' | 'device' | 'group'): Act =>
  async (call, step) => {
    const notes: string[] = [];
    const endpoint = { id: idOf(step), type, delay: secondsAt(step.data, 'delay') };
    const ignores = type === 'group' && step.data.ignore_forward !== false;
    const targets = await targetsOf(call, endpoint, ignores, notes);
    if (notes.length > 0 && targets.length === 0) return missing(call, type);
    return rung(call, step, targets, notes);
  };

const ringGroup: Act = async (call, step) => {
  const notes: string[] = [];
  const listed: readonly Json[] = Array.isArray(step.data.endpoints) ? step.data.endpoints : [];
  const targets: Target[] = [];
  for (const each of listed.filter(isObject)) {
    const type = textAt(each, 'endpoint_type') ?? 'user';
    const endpoint = { id: textAt(each, 'id') ?? '', type, delay: secondsAt(each, 'delay') };
    targets.push(...(await targetsOf(call, endpoint, step.data.ignore_forward !== false, notes)));
  }
  return rung(call, step, targets, notes);
};

const menu: Act = async (call, step) => {
  const record = await found(call, 'menus', step);
  if (!record) return missing(call, 'menu');
  pickUp(call);
  call.now += greeting;
  const dialled = call.digits.shift() ?? 'timeout';
  const children = isObject(step.step.children) ? step.step.children : {};
  if (dialled === 'timeout') {
    call.now += waiting;
    return { go: 'timeout', note: 'the caller dials nothing' };
  }
  call.now += choosing;
  if (Object.hasOwn(children, dialled)) return { go: dialled, note: `the caller dials ${dialled}` };
  const extension = mayHunt(record.body, dialled) ? await matchNumber(call.records, dialled) : undefined;
  if (extension && extension.by !== 'no_match')
    return { flow: extension.callflow, key: dialled, note: `the caller dials ${dialled}` };
  return { go: '_', note: `${JSON.stringify(dialled)} is not a choice` };
};

const collect: Act = (call) => {
  pickUp(call);
  const dialled = call.digits.shift() ?? 'timeout';
  call.now += dialled === 'timeout' ? waiting : choosing;
  return dialled === 'timeout' ? onwards('the caller dials nothing') : { go: dialled };
};

const callflow: Act = async (call, step) => {
  const flow = await found(call, 'callflows', step);
  return flow ? { flow } : missing(call, 'callflow');
};

const transfer: Act = async (call, { data }) => {
  const target = textAt(data, 'target') ?? '';
  const match = await matchNumber(call.records, target);
  return match ? { flow: match.callflow } : missing(call, 'number');
};

const respond: Act = (call, { data }) => {
  const code = typeof data.code === 'number' ? data.code : 486;
  call.cause = causeOf(code);
  return {
    end: { kind: 'hangup', cause: call.cause, words: `Refused with ${code}` },
    note: `answers ${code}`,
  };
};

const out: Act = (call, { data }) => {
  const [captured] = call.match?.captures ?? [];
  return callOut(call, textAt(data, 'to_did') ?? captured ?? call.request.to);
};

const checkCid: Act = ({ caller }, { data, step }) => {
  const children = isObject(step.children) ? step.children : {};
  if (data.use_absolute_mode === true)
    return { go: Object.hasOwn(children, caller.number) ? caller.number : 'nomatch' };
  const fits = compiled(textAt(data, 'regex') ?? '.*')?.test(caller.number) ?? false;
  return { go: fits ? 'match' : 'nomatch' };
};

const sleep: Act = (call, { data }) => {
  const unit = { ms: 0.001, s: 1, m: 60, h: 3600 }[String(data.unit ?? 's')] ?? 1;
  call.now += Math.min(Math.ceil(secondsAt(data, 'duration') * unit), 3600);
  return onwards();
};

const play: Act = (call, { data }) => {
  pickUp(call);
  if (data.endless_playback === true)
    return { end: { kind: 'talk', words: 'The caller hears what is played' } };
  call.now += greeting;
  return onwards();
};

/** Begins or ends a recording of the call; it runs on while the call goes on. */
const record: Act = (call, { data }) => {
  const running = call.recorded.at(-1);
  const isOn = running !== undefined && running.until === undefined;
  if (data.action === 'stop') {
    if (!isOn) return onwards('nothing is recorded');
    call.recorded.splice(-1, 1, { ...running, until: call.now });
    return onwards('recording ends');
  }
  if (isOn) return onwards('is recorded already');
  const flow = call.match?.callflow;
  const origin =
    textAt(data, 'origin') ?? `callflow : ${textAt(data, 'label') ?? (flow && calledName(flow)) ?? ''}`;
  call.recorded.push({ from: call.now, data, origin });
  return onwards('recording begins');
};

const answer: Act = (call) => {
  pickUp(call);
  return onwards();
};

const setVariables: Act = (call, { data }) => {
  const { custom_application_vars: several } = data;
  const variable = textAt(data, 'variable');
  const one: JsonObject = variable === undefined ? {} : { [variable]: data.value };
  call.timeline.set(isObject(several) ? several : one);
  return onwards();
};

const ends =
  (words: string): Act =>
  (call) => {
    pickUp(call);
    return { note: words.charAt(0).toLowerCase() + words.slice(1), end: { kind: 'talk', words } };
  };

/** Parks the call in the slot of the step or of the number that was dialled, else in a free one; or takes one out. */
const park: Act = async (call, { data }) => {
  const { services, records, match, caller } = call;
  const { account } = records;
  const taken = await parkedCalls(services.store, account.id, gregorianSeconds(services.clock));
  const asked = textAt(data, 'slot') || match?.captures[0] || undefined;
  const action = textAt(data, 'action') ?? 'park';
  const isThere = asked !== undefined && Object.hasOwn(taken, asked);
  if (isThere && (action === 'retrieve' || action === 'auto'))
    return ends(`The caller takes the call in slot ${asked}`)(call, { step: {}, data });
  if (action === 'retrieve') return onwards(`nothing is parked in slot ${asked ?? 'of no number'}`);
  const slot = asked === undefined || isThere ? freeSlot(taken) : asked;
  const realm = realmOf(account);
  const parked = {
    ...{ slot, cid_name: caller.name, cid_number: caller.number, cid_uri: `${caller.number}@${realm}` },
    ...{ presence_id: `${slot}@${realm}`, presence_user: slot, presence_realm: realm },
    ...{ node: 'sandbox', attended: false },
  };
  pickUp(call);
  const words = `The call is parked in slot ${slot}`;
  const end = { kind: 'talk', words, kept: { parked }, facts: { outcome: 'parked', slot } } as const;
  return { note: `is parked in slot ${slot}`, end };
};

/** The entry of a list of the account that the caller's number fits. */
async function listed({ services, records, caller }: Simulation, listId: string) {
  return entryFor(await entriesOf(services.store, records.account.id, listId), caller.number);
}

const listMatch: Act = async (call, step) => {
  if (!(await found(call, 'lists', step))) return missing(call, 'list');
  const entry = await listed(call, idOf(step));
  return entry
    ? { go: 'match', note: `${call.caller.number} is on the list` }
    : { go: 'nomatch', note: `${call.caller.number} is not on the list` };
};

/** Puts the name that a list has for the caller in place of the caller's own. */
const lookUpName: Act = async (call, { data }) => {
  for (const id of textsAt(data, 'lists')) {
    const name = textAt((await listed(call, id))?.body ?? {}, 'name');
    if (name === undefined) continue;
    call.caller = { ...call.caller, name };
    return onwards(`the caller is called ${JSON.stringify(name)}`);
  }
  return onwards('no list knows the caller');
};

/** Says to the phones that ring from here on that somebody else is calling. */
function showAs(
  call: Simulation,
  { name, number }: { readonly name?: string; readonly number?: string },
): Outcome {
  if (name === undefined && number === undefined) return onwards('the caller id stays');
  const caller = { ...call.caller, name: name ?? call.caller.name, number: number ?? call.caller.number };
  call.caller = caller;
  return onwards(`the caller id is ${caller.number}${name === undefined ? '' : ` (${name})`}`);
}

const withText = (key: 'name' | 'number', text: string | undefined) =>
  text === undefined ? {} : { [key]: text };

/** The caller id that is to be shown: given in the step, one of a list by its code, or what the caller dials. */
const dynamicCid: Act = async (call, step) => {
  const { data } = step;
  const { action } = data;
  const given = isObject(data.caller_id) ? data.caller_id : {};
  if (action === 'static')
    return showAs(call, {
      ...withText('name', textAt(given, 'name')),
      ...withText('number', textAt(given, 'number')),
    });
  pickUp(call);
  const dialled = call.digits.shift() ?? 'timeout';
  call.now += dialled === 'timeout' ? waiting : choosing;
  if (dialled === 'timeout') return onwards('the caller dials nothing');
  if (action === 'list' || action === 'lists') {
    if (!(await found(call, 'lists', step))) return missing(call, 'list');
    const entries = await entriesOf(call.services.store, call.records.account.id, idOf(step));
    const chosen = entries.find(({ body }) => textAt(body, 'capture_group_key') === dialled);
    if (!chosen) return onwards(`no entry of the list has the code ${dialled}`);
    const { body } = chosen;
    return showAs(call, {
      ...withText('name', textAt(body, 'name')),
      ...withText('number', textAt(body, 'number')),
    });
  }
  const [least, most] = [secondsAt(data, 'min_digits') || 10, secondsAt(data, 'max_digits') || 10];
  const fits = compiled(textAt(data, 'whitelist_regex') ?? String.raw`\d+`)?.test(dialled) ?? false;
  if (!fits || dialled.length < least || dialled.length > most)
    return onwards(`${dialled} cannot be a caller id here`);
  return showAs(call, { number: dialled });
};

/**
 * Actions of the modules on a call; a call passes through a module that is missing here by `_`, and ends where there
 * is no such branch.
 */
export const modules: ReadonlyMap<string, Act> = new Map<string, Act>([
  ['user', single('user')],
  ['device', single('device')],
  ['group', single('group')],
  ['ring_group', ringGroup],
  ['voicemail', voicemail],
  ['menu', menu],
  ['collect_dtmf', collect],
  ['disa', disa],
  ['answer', answer],
  ['noop', () => onwards()],
  ['callflow', callflow],
  ['conference', conference],
  ['transfer', transfer],
  ['response', respond],
  ['resources', out],
  ['offnet', out],
  ['check_cid', checkCid],
  ['cidlistmatch', listMatch],
  ['lookupcidname', lookUpName],
  ['dynamic_cid', dynamicCid],
  ['temporal_route', temporalRoute],
  ['branch_bnumber', (call) => ({ go: call.match?.captures[0] ?? call.request.to })],
  ['sleep', sleep],
  ['play', play],
  ['tts', play],
  ['record_call', record],
  ['set_variable', setVariables],
  ['set_variables', setVariables],
  ['hangup', () => ({ end: { kind: 'hangup', cause: 'NORMAL_CLEARING', words: 'Hung up by the callflow' } })],
  ['park', park],
  ['page_group', ends('The phones play what the caller says')],
  ['receive_fax', ends('A fax machine answers')],
  ['faxbox', ends('A fax machine answers')],
  ['acdc_member', acdcMember],
  ['acdc_agent', acdcAgent],
  ['acdc_queue', acdcQueue],
]);
