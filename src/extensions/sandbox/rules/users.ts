import { isObject, type Json, type JsonObject, textAt, valueAt } from '../../../base/json.ts';
import { hexDigits } from '../../../contract/phone-number.ts';
import { withoutKeys } from '../fields.ts';
import { isAdministrator, isSuper } from '../identity/principal.ts';
import { credentialDigests, newSecret } from '../ids-and-secrets.ts';
import { forbidden, invalid, missingField, type RefusedField } from '../refusal.ts';
import {
  principalOf,
  type RecordDraft,
  type ResourceRules,
  type ServiceRequest,
} from '../requests/service-request.ts';
import type { StoredRecord } from '../store/store.ts';
import { flushRegistration } from '../telephony/registrations.ts';

const requiredField = (path: string, message: string, cause?: string) =>
  invalid([{ path, rule: 'required', message, cause }]);

/**
 * Returns the digests that a user signs in with. A new password replaces them and the user's secret, which
 * invalidates the user's tokens. A new username needs a password, because the digests include the username.
 */
function hiddenCredentials(
  { body, hidden }: RecordDraft,
  before: StoredRecord | undefined,
  newSubjectSecret: () => string,
): RecordDraft['hidden'] {
  const username = textAt(body, 'username');
  const password = textAt(body, 'password') || undefined;
  if (password !== undefined && username === undefined) {
    throw requiredField('username', 'is required with a password');
  }
  if (username !== undefined && password !== undefined) {
    return { ...hidden, ...credentialDigests(username, password), secret: newSubjectSecret() };
  }
  if (username !== undefined && (textAt(hidden, 'md5') === undefined || username !== before?.body.username)) {
    throw requiredField('password', 'is required with a new username', username);
  }
  const kept = username === undefined ? withoutKeys(hidden, (key) => key === 'md5' || key === 'sha') : hidden;
  return { ...kept, secret: textAt(hidden, 'secret') ?? newSubjectSecret() };
}

/** Features in the list of users, and the fields that enable them (Conventions, lists). */
const features: readonly (readonly [name: string, path: string, isOn: (value: Json) => boolean])[] = [
  ['hotdesk', 'hotdesk.enabled', (value) => value === true],
  ['call_forward', 'call_forward.enabled', (value) => value === true],
  ['call_forward_failover', 'call_forward.failover', (value) => value === true],
  ['caller_id', 'caller_id', () => true],
  ['vm_to_email', 'vm_to_email_enabled', (value) => value === true],
  ['music_on_hold', 'music_on_hold.media_id', () => true],
  ['do_not_disturb', 'do_not_disturb.enabled', (value) => value === true],
];

const userFeatures = ({ body }: StoredRecord): readonly string[] =>
  features.flatMap(([name, path, isOn]) => {
    const value = valueAt(body, path);
    return value !== undefined && isOn(value) ? [name] : [];
  });

/**
 * Refuses (403) changes of administrators by plain users. Otherwise, every user could become an administrator and
 * read all secrets (Authentication, 7).
 */
function refuseEscalation(
  call: ServiceRequest,
  ...bodies: readonly (RecordDraft['body'] | undefined)[]
): void {
  if (call.services.behaviour.identity.plainUsers === 'trusted' || isAdministrator(principalOf(call))) return;
  if (!bodies.some((body) => body?.priv_level === 'admin')) return;
  throw forbidden('Only an administrator of the account may make, change or remove administrators.');
}

/** Rules of users: names are in lower case, and only digests of passwords are stored (Conventions, Users). */
export const userRules: ResourceRules = {
  normalize: (data) => {
    const username = textAt(data, 'username');
    return username === undefined ? data : { ...data, username: username.toLowerCase() };
  },
  refine: (sent, before, call) => {
    const { random, behaviour } = call.services;
    const { body } = sent;
    const lacksName = textAt(body, 'password') !== undefined && textAt(body, 'username') === undefined;
    const makes = lacksName && behaviour.identity.usernames === 'made';
    const username = makes ? { username: `user_${newSecret(random).slice(0, 16)}` } : {};
    const draft = { ...sent, body: { ...body, ...username } };
    refuseEscalation(call, before?.body, draft.body);
    return {
      body: withoutKeys(draft.body, (key) => key === 'password'),
      hidden: hiddenCredentials(draft, before, () => newSecret(random)),
    };
  },
  refuseRemoval: ({ body }, call) => refuseEscalation(call, body),
  summary: async (record) => ({ features: userFeatures(record) }),
};

const ipv4 = /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/;

function deviceProblems(body: JsonObject): readonly RefusedField[] {
  const sip = isObject(body.sip) ? body.sip : {};
  const mobile = isObject(body.mobile) ? body.mobile : {};
  const ip = textAt(sip, 'ip');
  return [
    ...(sip.method === 'ip' && !(ip !== undefined && ipv4.test(ip))
      ? [{ path: 'sip.ip', rule: 'type', message: 'must be an IPv4 address', cause: ip }]
      : []),
    ...(body.device_type === 'mobile' && !textAt(mobile, 'mdn') ? [missingField('mobile.mdn')] : []),
  ];
}

function withoutClearedKeys(provision: JsonObject): JsonObject {
  const cleared = (value: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(value).filter(([, key]) => key !== null));
  return Object.fromEntries(
    Object.entries(provision).map(([name, value]) => [
      name,
      ['combo_keys', 'feature_keys'].includes(name) && isObject(value) ? cleared(value) : value,
    ]),
  );
}

/** Rules of devices: addresses are normalized, and the type cannot change (Conventions, Devices). */
export const deviceRules: ResourceRules = {
  normalize: (data) => {
    const mac = textAt(data, 'mac_address');
    const { outbound_flags: flags, provision } = data;
    return {
      ...withoutKeys(data, (key) => key === 'sync'),
      ...(mac === undefined ? {} : { mac_address: hexDigits(mac) }),
      ...(flags === undefined || Array.isArray(flags) ? {} : { outbound_flags: [] }),
      ...(isObject(provision) ? { provision: withoutClearedKeys(provision) } : {}),
    };
  },
  refine: (draft, before, call) => {
    const { body } = draft;
    const type = textAt(body, 'device_type') ?? '';
    const isOther = before !== undefined && type !== (textAt(before.body, 'device_type') ?? '');
    const mayChange = isSuper(principalOf(call));
    const problems = [
      ...deviceProblems(body),
      ...(isOther && !mayChange
        ? [{ path: 'device_type', rule: 'invalid', message: 'cannot be changed', cause: type }]
        : []),
    ];
    if (problems.length > 0) throw invalid(problems);
    return draft;
  },
  followUp: (before, after, { services }) => flushRegistration(services, before, after),
  summary: async ({ body }) => {
    const username = isObject(body.sip) ? textAt(body.sip, 'username') : undefined;
    return {
      ...(username === undefined ? {} : { username }),
      mac_address: textAt(body, 'mac_address') ?? '',
      device_type: textAt(body, 'device_type') ?? 'sip_device',
      flags: body.flags ?? [],
    };
  },
};
