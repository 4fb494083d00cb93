import { isObject, type JsonObject, textOrUndefined, textsIn, valueAt } from '../../../base/json.ts';
import { compilePattern } from '../../../contract/call-patterns.ts';
import { listReferences } from '../../../contract/callflow-modules.ts';
import { toStoredNumber } from '../../../contract/phone-number.ts';
import { createFieldFinding, type Finding } from '../../../engine/callflows/finding.ts';
import { type Callflow, type FlowSet, quoteText, walkSteps } from '../../../engine/callflows/flow-set.ts';
import { findFlow, indexOfFlows } from '../engine/records.ts';

export function accountFindings(set: FlowSet): readonly Finding[] {
  const codes = codesOf(set);
  return [
    ...forwardLoops(set),
    ...shadowedCodes(codes),
    ...numbersInCodes(set, codes),
    ...set.objects.flatMap((object) => objectFindings(object, set)),
  ];
}

function objectFindings(object: FlowSet['objects'][number], set: FlowSet): readonly Finding[] {
  const { record, resource } = object;
  if (resource === 'vmboxes') {
    const why = record.delete_after_notify === true ? whyNotSent(record, set) : undefined;
    if (why === undefined) return [];
    const message = `deletes each message after the notification, but ${why}, so messages are lost`;
    return [createFieldFinding(object, 'delete_after_notify')('message-lost', message)];
  }
  if (resource === 'conferences') {
    const moderators = new Set(textsIn(valueAt(record, 'moderator.pins')));
    return textsIn(valueAt(record, 'member.pins')).some((pin) => moderators.has(pin))
      ? [
          createFieldFinding(object, 'moderator')(
            'same-pin',
            'members and moderators have the same PIN, so members can join as moderators',
          ),
        ]
      : [];
  }
  return resource === 'limits' && record.calls === 0
    ? [
        createFieldFinding(object, 'calls')(
          'no-calls',
          'calls is 0: the service refuses every call except emergency calls',
        ),
      ]
    : [];
}

/**
 * Returns why the notification of a mailbox does not include the message. Returns `undefined` if it does, or if this
 * is unknown.
 */
function whyNotSent(box: JsonObject, { targets }: FlowSet): string | undefined {
  if (box.include_message_on_notify === false) return 'the notification does not include the recording';
  if (textsIn(box.notify_email_addresses).length > 0) return undefined;
  const id = textOrUndefined(box.owner_id);
  if (id === undefined || id === '') return 'no address receives the notification';
  const owner = targets.get(id)?.record;
  if (owner === undefined) return undefined;
  if (owner.vm_to_email_enabled === false) return 'its owner receives no notifications by e-mail';
  return (textOrUndefined(owner.email) ?? '') === '' ? 'its owner has no e-mail address' : undefined;
}

const forwardOf = (record: JsonObject): string | undefined => {
  const isOn = ['enabled', 'failover'].some((key) => valueAt(record, `call_forward.${key}`) === true);
  const number = textOrUndefined(valueAt(record, 'call_forward.number')) ?? '';
  return isOn && number !== '' ? toStoredNumber(number) : undefined;
};

/** Finds users and devices whose forwarded calls return to them. */
function forwardLoops(set: FlowSet): readonly Finding[] {
  const people = set.objects.filter(
    ({ resource, record }) => (resource === 'users' || resource === 'devices') && forwardOf(record),
  );
  const index = indexOfFlows(set.callflows.map(({ record }) => record));
  const targetsOf = (number: string): ReadonlySet<string> => {
    const found = findFlow(index, number, false);
    return found ? ringTargets(found.flow, set) : new Set();
  };
  const next = new Map(
    people.map(({ id, record }) => {
      const rung = targetsOf(forwardOf(record) ?? '');
      const isRung = (each: Callflow): boolean =>
        rung.has(each.id) || rung.has(textOrUndefined(each.record.owner_id) ?? '');
      return [id, people.filter(isRung)] as const;
    }),
  );
  return people.flatMap((person) => {
    const way = returnPath(person, next);
    if (way === undefined) return [];
    const names = [person, ...way].map(({ name }) => quoteText(name)).join(' → ');
    const found = createFieldFinding(person, 'call_forward.number');
    return [found('forward-ring', `call forwarding loops: ${names}`)];
  });
}

/** Returns the users and devices on the way of a forwarded call back to `start`, with `start` last. */
function returnPath(
  start: Callflow,
  next: ReadonlyMap<string, readonly Callflow[]>,
): readonly Callflow[] | undefined {
  const open: (readonly Callflow[])[] = [[start]];
  const seen = new Set<string>();
  // The loop appends to this list.
  for (const way of open)
    for (const each of next.get(way.at(-1)?.id ?? '') ?? []) {
      if (each.id === start.id) return [...way.slice(1), each];
      if (seen.has(each.id)) continue;
      seen.add(each.id);
      open.push([...way, each]);
    }
  return undefined;
}

/** Returns ids of the users and devices that a flow rings, directly or through groups and other callflows. */
function ringTargets(flow: JsonObject, { targets }: FlowSet): ReadonlySet<string> {
  const rung = new Set<string>();
  const open: JsonObject[] = [flow];
  const seen = new Set<JsonObject>();
  for (const here of open) {
    if (seen.has(here)) continue;
    seen.add(here);
    for (const { step } of walkSteps(here.flow))
      for (const { id, reference } of listReferences(step)) {
        const record = targets.get(id)?.record;
        if (reference.to === 'callflows' && record) open.push(record);
        else if (reference.to === 'groups' && isObject(record?.endpoints))
          for (const member of Object.keys(record.endpoints)) rung.add(member);
        else if (step.module !== 'missed_call_alert' && step.module !== 'notification') rung.add(id);
      }
  }
  return rung;
}

interface Code {
  readonly callflow: Callflow;
  readonly field: string;
  readonly text: string;
  readonly pattern: NonNullable<ReturnType<typeof compilePattern>>;
  /** The digits at the start of every number that the pattern matches. */
  readonly start: string;
  /** A feature code, or the slots of a parking lot. */
  readonly isFeature: boolean;
}

/** Returns the patterns of callflows that start with digits. */
function codesOf({ callflows }: FlowSet): readonly Code[] {
  return callflows.flatMap((callflow): readonly Code[] =>
    textsIn(callflow.record.patterns).flatMap((text, index) => {
      const start = /^\^\(?((?:\\[*#+]|\d)+)/.exec(text)?.[1]?.replaceAll('\\', '') ?? '';
      const pattern = start === '' ? undefined : compilePattern(text);
      if (pattern === undefined) return [];
      const { featurecode, flow } = callflow.record;
      const isFeature =
        /^[*#]/.test(start) ||
        isObject(featurecode) ||
        [...walkSteps(flow)].some(({ step }) => step.module === 'park');
      return [{ callflow, field: `patterns.${index}`, text, pattern, start, isFeature }];
    }),
  );
}

/** Finds feature codes, parking slots and extensions that lose some numbers to the pattern of another callflow. */
function shadowedCodes(codes: readonly Code[]): readonly Finding[] {
  return codes.flatMap((code) => {
    for (const other of codes) {
      if (other.callflow === code.callflow || !(code.isFeature || other.isFeature)) continue;
      if (!code.start.startsWith(other.start)) continue;
      const example = exampleNumber(code, other);
      if (example === undefined) continue;
      const message = `${example} goes to ${quoteText(other.callflow.name)}, because its pattern ${quoteText(other.text)} matches more of the number`;
      return [createFieldFinding(code.callflow, 'patterns', code.field)('lost-code', message)];
    }
    return [];
  });
}

/** Finds numbers of callflows that are also numbers of a feature code or a parking slot. */
function numbersInCodes({ callflows }: FlowSet, codes: readonly Code[]): readonly Finding[] {
  const features = codes.filter(({ isFeature }) => isFeature);
  return callflows.flatMap((callflow) =>
    textsIn(callflow.record.numbers).flatMap((text, index) => {
      const number = toStoredNumber(text);
      const code = features.find((each) => each.callflow !== callflow && each.pattern.test(number));
      if (code === undefined) return [];
      const message = `${number} also matches the pattern ${quoteText(code.text)} of ${quoteText(code.callflow.name)}, which loses this number`;
      return [createFieldFinding(callflow, 'numbers', `numbers.${index}`)('lost-code', message)];
    }),
  );
}

/** Returns a number that matches a code but that the call engine assigns to another pattern. */
function exampleNumber(code: Code, other: Code): string | undefined {
  const index = indexOfFlows([code.callflow.record, other.callflow.record]);
  return ['', '1', '12', '123', '1234', '12345']
    .map((more) => `${code.start}${more}`)
    .find((number) => code.pattern.test(number) && findFlow(index, number, false)?.pattern === other.text);
}
