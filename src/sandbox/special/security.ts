import { isObject, type JsonObject, valueAt } from '../../base/json.ts';
import type { ResourceName } from '../../contract/types.ts';
import { collectionHandlers, namedRecord } from '../collections/collection.ts';
import { acceptable, checked, write, writeHidden } from '../collections/records.ts';
import { merged } from '../fields.ts';
import { unknownId } from '../refusal.ts';
import { accountOf, type Call, type Handlers } from '../requests/call.ts';
import type { StoredRecord } from '../store/store.ts';

/** Settings that an account has once: their id, and the answer where nothing was ever set. */
interface Setting {
  readonly name: ResourceName;
  readonly id: string;
  readonly unset: 'empty' | 'unknown';
}

const recordName = (call: Call, { name, id }: Setting) => ({ kind: name, scope: accountOf(call).id, id });

const readSetting = (call: Call, setting: Setting): Promise<StoredRecord | undefined> =>
  call.services.store.get(recordName(call, setting));

/** Reads, replaces and removes settings that an account has once. */
function settingHandlers(setting: Setting): Handlers {
  const { name, id, unset } = setting;
  return {
    [`${name}.get`]: async (call) => {
      const record = await readSetting(call, setting);
      if (!record && unset === 'unknown') throw unknownId(id);
      return record ? { data: record.body, record } : { data: {} };
    },
    [`${name}.update`]: async (call) => {
      const body = checked(call, name, acceptable(call, name), 'update');
      const before = await readSetting(call, setting);
      const record = await write(call, { name: recordName(call, setting), resource: name, body, before });
      return { data: record.body, record };
    },
    [`${name}.delete`]: (call) => removeSetting(call, setting),
  };
}

async function removeSetting(call: Call, setting: Setting) {
  const record = await readSetting(call, setting);
  if (!record && setting.unset === 'unknown') throw unknownId(setting.id);
  if (record) call.changes.push({ change: 'remove', record: recordName(call, setting), erase: true });
  return { data: setting.unset === 'unknown' ? (record?.body ?? {}) : {} };
}

const modules = ['cb_api_auth', 'cb_auth', 'cb_ip_auth', 'cb_user_auth'];

/** The settings of the service, which all accounts inherit. */
const inherited: JsonObject = Object.fromEntries(
  modules.map((module) => [
    module,
    {
      enabled: true,
      log_failed_attempts: true,
      log_successful_attempts: module === 'cb_user_auth',
      token_auth_expiry_s: 3600,
    },
  ]),
);

/** Settings that a device has once; they are kept with its record, whose change webhooks hear of. */
const deviceSettings = (name: 'device_access_lists' | 'device_rate_limits'): Handlers => {
  const set = async (call: Call, value: JsonObject) => {
    const device = await namedRecord(call, 'devices');
    writeHidden(call, device, 'devices', { [name]: value });
    return { data: value, record: device };
  };
  return {
    [`${name}.get`]: async (call) => {
      const device = await namedRecord(call, 'devices');
      const kept = device.hidden[name];
      return isObject(kept) && Object.keys(kept).length > 0 ? { data: kept, record: device } : { data: {} };
    },
    [`${name}.update`]: (call) => set(call, checked(call, name, acceptable(call, name), 'update')),
    [`${name}.delete`]: (call) => set(call, {}),
  };
};

/** Networks that the switches of the sandbox would know, had it any. */
const networks: JsonObject = {
  'proxy.example': { cidr: '192.0.2.0/24', type: 'allow', 'network-list-name': 'authoritative' },
  'carrier.example': { cidr: '198.51.100.0/24', type: 'allow', 'network-list-name': 'trusted' },
};

const security: Setting = { name: 'security', id: 'configs_crossbar.auth', unset: 'unknown' };

/** Writes the ways to sign in of an account. The sandbox keeps them; its own sign-in does not go by them. */
async function writeSecurity(call: Call, bodyFrom: (before: JsonObject, sent: JsonObject) => JsonObject) {
  const before = await readSetting(call, security);
  const body = bodyFrom(before?.body ?? {}, acceptable(call, 'security'));
  const record = await write(call, { name: recordName(call, security), resource: 'security', body, before });
  return { data: { auth_modules: {}, ...record.body, id: security.id }, record };
}

const generic = collectionHandlers('multi_factor');

const providers = [
  { id: 'duo', enabled: false, name: 'Duo', provider_name: 'duo', provider_type: 'multi_factor' },
];

/** Security settings (Conventions, Security settings). */
export const securityHandlers: Handlers = {
  ...settingHandlers({ name: 'token_restrictions', id: 'token_restrictions', unset: 'unknown' }),
  ...settingHandlers({ name: 'access_lists', id: 'access_lists', unset: 'empty' }),
  ...settingHandlers({ name: 'rate_limits', id: 'rate_limits', unset: 'empty' }),
  ...deviceSettings('device_access_lists'),
  ...deviceSettings('device_rate_limits'),
  'acls.of-account': async () => ({ data: networks }),
  'acls.everywhere': async () => ({ data: networks }),
  'security.get': async (call) => {
    const record = await readSetting(call, security);
    const own = valueAt(record?.body ?? {}, 'auth_modules');
    return {
      data: {
        account: isObject(own) ? { auth_modules: own } : {},
        inherited_config: { auth_modules: inherited },
      },
    };
  },
  'security.update': (call) => writeSecurity(call, (_, sent) => sent),
  'security.patch': (call) => writeSecurity(call, (before, sent) => merged(before, sent, false)),
  'security.delete': async (call) => {
    const { data } = await removeSetting(call, security);
    return { data: { ...data, id: security.id } };
  },
  'security.attempts': async () => ({ data: [] }),
  'security.modules': async () => ({ data: { available_auth_modules: modules } }),
  'multi_factor.list': async (call) => {
    const { data, envelope } = await generic.list(call);
    return {
      data: { configured: data ?? [], multi_factor_providers: providers },
      ...(envelope ? { envelope } : {}),
    };
  },
};
