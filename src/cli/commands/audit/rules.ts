import { type NextStep, nextStep } from '../../../base/failure.ts';
import { type JsonObject, valueAt } from '../../../base/json.ts';
import { isTimeZone } from '../../../base/zoned-time.ts';
import { temporalFindings } from '../../../contract/temporal-findings.ts';
import { isMatchingState, nextChange, ruleState } from '../../../contract/temporal-match.ts';
import type { Severity } from '../../../engine/html/audit-page.ts';
import type { KindName } from '../../../engine/manifest/kinds.ts';
import {
  auditedRecords,
  type Facts,
  forwardNumber,
  hasAdminLevel,
  isWhole,
  moduleDataIn,
  passwordWeakness,
  pinsOf,
  pinWeakness,
  rungIds,
  trimmedText,
} from './facts.ts';

/** A rule of the audit. Each record that it describes is a finding. */
export interface Rule {
  readonly code: string;
  readonly severity: Severity;
  readonly kind: KindName;
  readonly doc: string;
  /** Describes the problem of a record as a sentence without subject. Returns `undefined` if there is no problem. */
  readonly says?: (record: JsonObject, facts: Facts) => string | undefined;
  /** A fixed sentence and its condition, as an alternative to `says`. */
  readonly is?: (record: JsonObject, facts: Facts) => boolean;
  readonly sentence?: string;
  /** The next command (default: the command that edits the record). */
  readonly next?: (id: string) => NextStep;
}

const registeringTypes = new Set(['', 'sip_device', 'softphone', 'smartphone', 'fax', 'ata']);

const expensiveNumbers = /^(?:\+1900|\+1976|\+87[0-9]|\+88[123]|\+979|\+808|\+449)/;

const expensiveForward = (record: JsonObject): string | undefined => {
  const number = forwardNumber(record);
  return number !== undefined && expensiveNumbers.test(number)
    ? `forwards calls to ${number}, an expensive premium or satellite number`
    : undefined;
};

function ruleProblem(rule: JsonObject, { zone, nowS }: Facts): string | undefined {
  if (rule.enabled === false) return 'is disabled and never matches';
  const found = temporalFindings(rule);
  if (found.length > 0) return found.map(({ message }) => message).join('. ');
  const here = isTimeZone(zone) ? zone : 'UTC';
  if (nextChange(rule, here, nowS) !== undefined) return undefined;
  return isMatchingState(ruleState(rule, here, nowS))
    ? 'always matches, so later rules are never reached'
    : 'can no longer match';
}

const showCommand = (noun: string) => (id: string) => nextStep`${noun} get ${id}`;

const unusedRule = (kind: KindName, word: string, noun: string): Rule => ({
  code: `${word}-unused`,
  severity: 'note',
  kind,
  doc: `a ${word} that no callflow uses`,
  is: ({ id }, facts) => isWhole(facts, 'callflows') && !facts.used.has(trimmedText(id)),
  sentence: 'is not used by a callflow',
  next: showCommand(noun),
});

export const ruleSentence = (
  { says, is, sentence }: Rule,
  record: JsonObject,
  facts: Facts,
): string | undefined => (says ? says(record, facts) : is?.(record, facts) ? sentence : undefined);

/** Reports that temporal rules use UTC because the time zone of the account is missing or unknown. */
function zoneMissing({ timezone }: JsonObject, facts: Facts): string | undefined {
  const zone = trimmedText(timezone);
  if (isTimeZone(zone) || auditedRecords(facts, 'temporal_rules').length === 0) return undefined;
  const what = zone === '' ? 'has no time zone' : `has the unknown time zone ${JSON.stringify(zone)}`;
  return `${what}, so temporal rules may match at the wrong times`;
}

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
    sentence: 'has no e-mail address for voicemail, faxes and new passwords',
  },
  {
    code: 'administrator',
    severity: 'note',
    kind: 'users',
    doc: 'an additional administrator',
    is: (user, { staying }) => hasAdminLevel(user) && trimmedText(user.id) !== staying,
    sentence: 'is an administrator and can change everything in the account',
    next: (id) => nextStep`users patch ${id} --priv-level user`,
  },
  {
    code: 'forward-to-premium',
    severity: 'error',
    kind: 'users',
    doc: 'a user whose calls are forwarded to a premium or satellite number',
    says: expensiveForward,
  },
  {
    code: 'disabled-user-rings',
    severity: 'warning',
    kind: 'users',
    doc: 'a disabled user whom callflows ring',
    is: (user, facts) => user.enabled === false && rungIds(facts).has(trimmedText(user.id)),
    sentence: 'is disabled, but callflows still ring this user',
    next: (id) => nextStep`find ${id}`,
  },
  {
    code: 'user-without-phone',
    severity: 'warning',
    kind: 'users',
    doc: 'a user without a phone in a callflow',
    is: (user, facts) =>
      user.enabled !== false &&
      isWhole(facts, 'devices') &&
      rungIds(facts).has(trimmedText(user.id)) &&
      forwardNumber(user) === undefined &&
      !auditedRecords(facts, 'devices').some(
        (device) =>
          device.owner_id === user.id ||
          valueAt(device, `hotdesk.users.${trimmedText(user.id)}`) !== undefined,
      ),
    sentence: 'has no phone, but callflows ring this user',
    next: (id) => nextStep`find ${id}`,
  },
  {
    code: 'hotdesk-without-pin',
    severity: 'warning',
    kind: 'users',
    doc: 'a hotdesk user without a PIN',
    is: (user) =>
      valueAt(user, 'hotdesk.enabled') === true &&
      (valueAt(user, 'hotdesk.require_pin') !== true || trimmedText(valueAt(user, 'hotdesk.pin')) === ''),
    sentence: 'can be signed in at any phone without a PIN',
  },
  {
    code: 'weak-sip-password',
    severity: 'warning',
    kind: 'devices',
    doc: 'a phone with a weak SIP password',
    says: (device) => {
      const password = trimmedText(valueAt(device, 'sip.password'));
      const weak =
        password === ''
          ? undefined
          : passwordWeakness(password, trimmedText(valueAt(device, 'sip.username')));
      return weak === undefined ? undefined : `has a weak SIP password: it ${weak}`;
    },
  },
  {
    code: 'device-without-owner',
    severity: 'note',
    kind: 'devices',
    doc: 'a phone without an owner',
    is: ({ owner_id: owner }) => trimmedText(owner) === '',
    sentence: 'has no owner',
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
        registeringTypes.has(trimmedText(device.device_type)) &&
        !registered.has(trimmedText(device.id)) &&
        (username === '' || !registered.has(username))
      );
    },
    sentence: 'is not registered, so calls do not ring it',
    next: () => nextStep`devices status`,
  },
  {
    code: 'phone-forward-to-premium',
    severity: 'error',
    kind: 'devices',
    doc: 'a phone whose calls are forwarded to a premium or satellite number',
    says: expensiveForward,
  },
  {
    code: 'mailbox-without-pin',
    severity: 'warning',
    kind: 'vmboxes',
    doc: 'a voicemail box without a PIN',
    is: ({ pin }) => trimmedText(pin) === '',
    sentence: 'has no PIN: every caller can listen to its messages',
  },
  {
    code: 'mailbox-guessable-pin',
    severity: 'warning',
    kind: 'vmboxes',
    doc: 'a voicemail box with a PIN that is easy to guess',
    says: ({ pin, mailbox }) => {
      const why = trimmedText(pin) === '' ? undefined : pinWeakness(trimmedText(pin), trimmedText(mailbox));
      return why === undefined ? undefined : `has a PIN that is easy to guess: it ${why}`;
    },
  },
  {
    code: 'open-conference',
    severity: 'warning',
    kind: 'conferences',
    doc: 'a conference without PINs',
    is: (room) => pinsOf(room).length === 0,
    sentence: 'has no PIN: everyone who knows its number can join',
  },
  {
    code: 'disa-without-pin',
    severity: 'error',
    kind: 'callflows',
    doc: 'a callflow with disa and without a PIN',
    is: (flow) => moduleDataIn(flow, 'disa').some(({ pin }) => trimmedText(pin) === ''),
    sentence: 'has disa without a PIN: every caller can make calls that the account pays for',
    next: (id) => nextStep`callflows show ${id}`,
  },
  {
    code: 'disa-short-pin',
    severity: 'error',
    kind: 'callflows',
    doc: 'a callflow with disa and a PIN that is easy to guess',
    is: (flow) =>
      moduleDataIn(flow, 'disa').some(
        ({ pin }) =>
          trimmedText(pin) !== '' &&
          (trimmedText(pin).length < 6 || pinWeakness(trimmedText(pin), '') !== undefined),
      ),
    sentence: 'has disa with a PIN that is easy to guess: use six digits or more',
    next: (id) => nextStep`callflows show ${id}`,
  },
  {
    code: 'plain-pivot',
    severity: 'warning',
    kind: 'callflows',
    doc: 'a callflow that sends call data over plain HTTP',
    is: (flow) =>
      [...moduleDataIn(flow, 'pivot'), ...moduleDataIn(flow, 'webhook')].some(({ voice_url: url, uri }) =>
        /^http:/i.test(trimmedText(url) || trimmedText(uri)),
      ),
    sentence: 'sends call data over plain HTTP: others can read it and redirect calls',
    next: (id) => nextStep`callflows show ${id}`,
  },
  {
    code: 'plain-webhook',
    severity: 'warning',
    kind: 'webhooks',
    doc: 'a webhook that sends events over plain HTTP',
    is: ({ uri }, { isLocal }) => !isLocal && /^http:/i.test(trimmedText(uri)),
    sentence: 'sends events over plain HTTP: others can read numbers and names',
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
    sentence: 'has no agents to answer calls',
    next: showCommand('queues'),
  },
  {
    code: 'rule-never-or-always',
    severity: 'warning',
    kind: 'temporal_rules',
    doc: 'a temporal rule that never or always matches, or is misleading',
    says: ruleProblem,
  },
  unusedRule('menus', 'menu', 'menus'),
  unusedRule('temporal_rules', 'rule', 'temporal-rules'),
  unusedRule('groups', 'group', 'groups'),
  unusedRule('directories', 'directory', 'directories'),
  {
    code: 'media-unused',
    severity: 'note',
    kind: 'media',
    doc: 'an unused sound',
    is: ({ id }, facts) =>
      isWhole(facts, 'callflows') && isWhole(facts, 'menus') && !facts.used.has(trimmedText(id)),
    sentence: 'is not used',
    next: showCommand('media'),
  },
];
