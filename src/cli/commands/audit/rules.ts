import { type NextStep, nextStep } from '../../../base/failure.ts';
import { type JsonObject, valueAt } from '../../../base/json.ts';
import { isTimeZone } from '../../../base/zoned-time.ts';
import { temporalFindings } from '../../../contract/temporal-findings.ts';
import { matches, nextChange, ruleState } from '../../../contract/temporal-match.ts';
import type { Severity } from '../../../engine/html/audit-page.ts';
import type { KindName } from '../../../engine/manifest/kinds.ts';
import {
  auditedRecords,
  type Facts,
  forwardedTo,
  isAdministrator,
  isWhole,
  moduleDataIn,
  pinsOf,
  ringsUsers,
  trimmedText,
  weakness,
  whyGuessable,
} from './facts.ts';

/** A rule of the audit: a record of which it says something is a finding. */
export interface Rule {
  readonly code: string;
  readonly severity: Severity;
  readonly kind: KindName;
  /** What it finds, for the page of rules. */
  readonly doc: string;
  /** What is wrong with a record, as a sentence without its subject; `undefined` where nothing is. */
  readonly says?: (record: JsonObject, facts: Facts) => string | undefined;
  /** The same where it is one sentence, and when it is true. */
  readonly is?: (record: JsonObject, facts: Facts) => boolean;
  readonly sentence?: string;
  /** The command that goes on from there; that which edits the record where left out. */
  readonly next?: (id: string) => NextStep;
}

/** Phones that register by themselves; others are numbers or addresses that calls are sent to. */
const registering = new Set(['', 'sip_device', 'softphone', 'smartphone', 'fax', 'ata']);

/** Numbers that cost much: premium lines and satellite phones. */
const costly = /^(?:\+1900|\+1976|\+87[0-9]|\+88[123]|\+979|\+808|\+449)/;

const forwardsFar = (record: JsonObject): string | undefined => {
  const number = forwardedTo(record);
  return number !== undefined && costly.test(number)
    ? `forwards calls to ${number}, a premium or satellite number: each call costs`
    : undefined;
};

function ruleNever(rule: JsonObject, { zone, nowS }: Facts): string | undefined {
  if (rule.enabled === false) return 'is switched off: it never matches';
  const found = temporalFindings(rule);
  if (found.length > 0) return found.map(({ message }) => message).join('. ');
  const here = isTimeZone(zone) ? zone : 'UTC';
  if (nextChange(rule, here, nowS) !== undefined) return undefined;
  return matches(ruleState(rule, here, nowS))
    ? 'always matches: what stands after it is never reached'
    : 'never matches any more';
}

const show = (noun: string) => (id: string) => nextStep`${noun} get ${id}`;

/** The rule about records of a kind that no callflow leads to. */
const unused = (kind: KindName, word: string, noun: string): Rule => ({
  code: `${word}-unused`,
  severity: 'note',
  kind,
  doc: `a ${word} that no callflow uses`,
  is: ({ id }, facts) => isWhole(facts, 'callflows') && !facts.used.has(trimmedText(id)),
  sentence: 'is used by no callflow',
  next: show(noun),
});

export const saidBy = ({ says, is, sentence }: Rule, record: JsonObject, facts: Facts): string | undefined =>
  says ? says(record, facts) : is?.(record, facts) ? sentence : undefined;

/** Says that temporal rules go by UTC since the account names no time zone that is known. */
function zoneMissing({ timezone }: JsonObject, facts: Facts): string | undefined {
  const zone = trimmedText(timezone);
  if (isTimeZone(zone) || auditedRecords(facts, 'temporal_rules').length === 0) return undefined;
  const what = zone === '' ? 'has no time zone' : `has the unknown time zone ${JSON.stringify(zone)}`;
  return `${what}, so that temporal rules may match at other times than intended`;
}

/** Every rule about records, the kinds in the order in which people look at them. */
export const rules: readonly Rule[] = [
  {
    code: 'no-time-zone',
    severity: 'warning',
    kind: 'account_settings',
    doc: 'an account with temporal rules whose time zone is missing or unknown',
    says: zoneMissing,
    next: () => nextStep`accounts patch --set timezone=America/New_York`,
  },
  {
    code: 'user-without-email',
    severity: 'note',
    kind: 'users',
    doc: 'a user without an e-mail address',
    is: ({ email }) => trimmedText(email) === '',
    sentence: 'has no e-mail address: no voicemail, fax or new password can be sent',
  },
  {
    code: 'administrator',
    severity: 'note',
    kind: 'users',
    doc: 'an administrator beside the one who stays',
    is: (user, { staying }) => isAdministrator(user) && trimmedText(user.id) !== staying,
    sentence: 'is an administrator, who may change everything in the account',
    next: (id) => nextStep`users patch ${id} --priv-level user`,
  },
  {
    code: 'forward-to-premium',
    severity: 'error',
    kind: 'users',
    doc: 'a user whose calls are forwarded to a premium or satellite number',
    says: forwardsFar,
  },
  {
    code: 'disabled-user-rings',
    severity: 'warning',
    kind: 'users',
    doc: 'a disabled user whom callflows ring',
    is: (user, facts) => user.enabled === false && ringsUsers(facts).has(trimmedText(user.id)),
    sentence: 'is disabled, and callflows still ring this user: nobody answers',
    next: (id) => nextStep`find ${id}`,
  },
  {
    code: 'user-without-phone',
    severity: 'warning',
    kind: 'users',
    doc: 'a user whom callflows ring and who has no phone',
    is: (user, facts) =>
      user.enabled !== false &&
      isWhole(facts, 'devices') &&
      ringsUsers(facts).has(trimmedText(user.id)) &&
      forwardedTo(user) === undefined &&
      !auditedRecords(facts, 'devices').some(
        (device) =>
          device.owner_id === user.id ||
          valueAt(device, `hotdesk.users.${trimmedText(user.id)}`) !== undefined,
      ),
    sentence: 'is rung by callflows and has no phone',
    next: (id) => nextStep`find ${id}`,
  },
  {
    code: 'hotdesk-without-pin',
    severity: 'warning',
    kind: 'users',
    doc: 'a user as whom everybody can sign in at any phone',
    is: (user) =>
      valueAt(user, 'hotdesk.enabled') === true &&
      (valueAt(user, 'hotdesk.require_pin') !== true || trimmedText(valueAt(user, 'hotdesk.pin')) === ''),
    sentence: 'may be signed in at any phone without a PIN',
  },
  {
    code: 'weak-sip-password',
    severity: 'warning',
    kind: 'devices',
    doc: 'a phone whose SIP password is easily guessed',
    says: (device) => {
      const password = trimmedText(valueAt(device, 'sip.password'));
      const weak =
        password === '' ? undefined : weakness(password, trimmedText(valueAt(device, 'sip.username')));
      return weak === undefined ? undefined : `has a weak SIP password: it ${weak}`;
    },
  },
  {
    code: 'device-without-owner',
    severity: 'note',
    kind: 'devices',
    doc: 'a phone of nobody',
    is: ({ owner_id: owner }) => trimmedText(owner) === '',
    sentence: 'belongs to nobody',
  },
  {
    code: 'device-not-registered',
    severity: 'note',
    kind: 'devices',
    doc: 'a phone that is not registered now',
    is: (device, { registered }) => {
      const username = trimmedText(valueAt(device, 'sip.username'));
      return (
        registered !== undefined &&
        device.enabled !== false &&
        registering.has(trimmedText(device.device_type)) &&
        !registered.has(trimmedText(device.id)) &&
        (username === '' || !registered.has(username))
      );
    },
    sentence: 'is not registered now: calls do not ring it',
    next: () => nextStep`devices status`,
  },
  {
    code: 'phone-forward-to-premium',
    severity: 'error',
    kind: 'devices',
    doc: 'a phone whose calls are forwarded to a premium or satellite number',
    says: forwardsFar,
  },
  {
    code: 'mailbox-without-pin',
    severity: 'warning',
    kind: 'vmboxes',
    doc: 'a voicemail box without a PIN',
    is: ({ pin }) => trimmedText(pin) === '',
    sentence: 'has no PIN: who can call it can listen to its messages',
  },
  {
    code: 'mailbox-guessable-pin',
    severity: 'warning',
    kind: 'vmboxes',
    doc: 'a voicemail box whose PIN is its number, a row of digits or one digit',
    says: ({ pin, mailbox }) => {
      const why = trimmedText(pin) === '' ? undefined : whyGuessable(trimmedText(pin), trimmedText(mailbox));
      return why === undefined ? undefined : `has a PIN that is easily guessed: it ${why}`;
    },
  },
  {
    code: 'open-conference',
    severity: 'warning',
    kind: 'conferences',
    doc: 'a conference without PINs',
    is: (room) => pinsOf(room).length === 0,
    sentence: 'asks for no PIN: who knows its number listens and talks',
  },
  {
    code: 'disa-without-pin',
    severity: 'error',
    kind: 'callflows',
    doc: 'a callflow in which callers dial on without a PIN',
    is: (flow) => moduleDataIn(flow, 'disa').some(({ pin }) => trimmedText(pin) === ''),
    sentence: 'lets every caller dial on by disa, at the cost of the account: it asks for no PIN',
    next: (id) => nextStep`callflows show ${id}`,
  },
  {
    code: 'disa-short-pin',
    severity: 'error',
    kind: 'callflows',
    doc: 'a callflow in which callers dial on by a PIN that is soon found',
    is: (flow) =>
      moduleDataIn(flow, 'disa').some(
        ({ pin }) =>
          trimmedText(pin) !== '' &&
          (trimmedText(pin).length < 6 || whyGuessable(trimmedText(pin), '') !== undefined),
      ),
    sentence: 'lets callers dial on by disa with a PIN that is soon found: give it six digits or more',
    next: (id) => nextStep`callflows show ${id}`,
  },
  {
    code: 'plain-pivot',
    severity: 'warning',
    kind: 'callflows',
    doc: 'a callflow that asks an address by plain HTTP where calls go',
    is: (flow) =>
      [...moduleDataIn(flow, 'pivot'), ...moduleDataIn(flow, 'webhook')].some(({ voice_url: url, uri }) =>
        /^http:/i.test(trimmedText(url) || trimmedText(uri)),
      ),
    sentence:
      'asks or tells an address by plain HTTP of calls: who listens sees callers, and may send them elsewhere',
    next: (id) => nextStep`callflows show ${id}`,
  },
  {
    code: 'plain-webhook',
    severity: 'warning',
    kind: 'webhooks',
    doc: 'a webhook whose events go out by plain HTTP',
    is: ({ uri }, { isLocal }) => !isLocal && /^http:/i.test(trimmedText(uri)),
    sentence: 'sends events by plain HTTP: who listens reads numbers and names',
  },
  {
    code: 'queue-without-agents',
    severity: 'warning',
    kind: 'queues',
    doc: 'a queue without agents',
    is: ({ id }, facts) =>
      isWhole(facts, 'users') &&
      !auditedRecords(facts, 'users').some(
        ({ queues }) => Array.isArray(queues) && queues.includes(id ?? null),
      ),
    sentence: 'has no agents: callers wait in vain',
    next: show('queues'),
  },
  {
    code: 'rule-never-or-always',
    severity: 'warning',
    kind: 'temporal_rules',
    doc: 'a temporal rule that never or always matches, or means something other than it says',
    says: ruleNever,
  },
  unused('menus', 'menu', 'menus'),
  unused('temporal_rules', 'rule', 'temporal-rules'),
  unused('groups', 'group', 'groups'),
  unused('directories', 'directory', 'directories'),
  {
    code: 'media-unused',
    severity: 'note',
    kind: 'media',
    doc: 'a sound that nothing plays',
    is: ({ id }, facts) =>
      isWhole(facts, 'callflows') && isWhole(facts, 'menus') && !facts.used.has(trimmedText(id)),
    sentence: 'is played nowhere',
    next: show('media'),
  },
];
