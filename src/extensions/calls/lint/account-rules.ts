import { isObject, type JsonObject, textOrUndefined, textsIn, valueAt } from '../../../base/json.ts';
import { compilePattern } from '../../../contract/call-patterns.ts';
import { listReferences } from '../../../contract/callflow-modules.ts';
import { toStoredNumber } from '../../../contract/phone-number.ts';
import { createFieldFinding, type Finding } from '../../../engine/callflows/finding.ts';
import { type Callflow, type FlowSet, quoteText, walkSteps } from '../../../engine/callflows/flow-set.ts';
import { findFlow, indexOfFlows } from '../engine/records.ts';

export const accountFindings = (set: FlowSet): readonly Finding[] => [
  ...forwardLoops(set),
  ...shadowedCodes(set),
  ...set.objects.flatMap((object) => objectFindings(object, set)),
];

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
  /** The digits at the start of every number that the pattern matches. */
  readonly start: string;
}

/** Finds feature codes that lose some numbers to a pattern with a shorter prefix. */
function shadowedCodes({ callflows }: FlowSet): readonly Finding[] {
  const codes = callflows.flatMap((callflow): readonly Code[] =>
    textsIn(callflow.record.patterns).flatMap((text, index) => {
      const start = /^\^\(?((?:\\[*#+]|\d)+)/.exec(text)?.[1]?.replaceAll('\\', '') ?? '';
      return start === '' || compilePattern(text) === undefined
        ? []
        : [{ callflow, field: `patterns.${index}`, text, start }];
    }),
  );
  return codes.flatMap((code) => {
    if (!code.start.startsWith('*')) return [];
    for (const other of codes) {
      if (other.callflow === code.callflow || !code.start.startsWith(other.start)) continue;
      const example = exampleNumber(code, other);
      if (example === undefined) continue;
      const message = `${example} goes to ${quoteText(other.callflow.name)}, because its pattern ${quoteText(other.text)} matches more of the number`;
      return [createFieldFinding(code.callflow, 'patterns', code.field)('lost-code', message)];
    }
    return [];
  });
}

/** Returns a number that matches a code but that the call engine assigns to another pattern. */
function exampleNumber(code: Code, other: Code): string | undefined {
  const index = indexOfFlows([code.callflow.record, other.callflow.record]);
  return ['', '1', '12', '123', '1234', '12345']
    .map((more) => `${code.start}${more}`)
    .find(
      (number) =>
        compilePattern(code.text)?.test(number) === true &&
        findFlow(index, number, false)?.pattern === other.text,
    );
}
