import { isObject, type JsonObject } from '../../base/json.ts';
import { hexDigits } from '../../contract/phone-number.ts';
import { textAt, without } from '../fields.ts';
import { isSuper } from '../identity/principal.ts';
import { invalid, type Problem } from '../refusal.ts';
import { principalOf } from '../requests/call.ts';
import { flushed } from '../telephony/registrations.ts';
import type { ResourceRules } from './resource-rules.ts';

const ipv4 = /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/;

/** Returns what is wrong with a device beside its schema: its address and its mobile number. */
function problemsOf(body: JsonObject): readonly Problem[] {
  const sip = isObject(body.sip) ? body.sip : {};
  const mobile = isObject(body.mobile) ? body.mobile : {};
  const ip = textAt(sip, 'ip');
  return [
    ...(sip.method === 'ip' && !(ip !== undefined && ipv4.test(ip))
      ? [{ path: 'sip.ip', rule: 'type', message: 'must be an IPv4 address', cause: ip }]
      : []),
    ...(body.device_type === 'mobile' && !textAt(mobile, 'mdn')
      ? [{ path: 'mobile.mdn', rule: 'required', message: 'is required' }]
      : []),
  ];
}

/** Programmable keys that are `null` are cleared. */
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

/**
 * Devices: addresses in one form, and a type that stays; lists show the SIP user name (Conventions, Devices). A device
 * that was stored without a type has none, so that a type which is sent later is a change, too.
 */
export const deviceRules: ResourceRules = {
  normalise: (data) => {
    const mac = textAt(data, 'mac_address');
    const { outbound_flags: flags, provision } = data;
    return {
      ...without(data, (key) => key === 'sync'),
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
      ...problemsOf(body),
      ...(isOther && !mayChange
        ? [{ path: 'device_type', rule: 'invalid', message: 'cannot be changed', cause: type }]
        : []),
    ];
    if (problems.length > 0) throw invalid(problems);
    return draft;
  },
  follow: (before, after, { services }) => flushed(services, before, after),
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
