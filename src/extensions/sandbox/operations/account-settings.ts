import { isObject, type Json, type JsonObject, valueAt } from '../../../base/json.ts';
import { resourceByName } from '../../../contract/catalogue.ts';
import type { ResourceName } from '../../../contract/types.ts';
import { createNormaliser } from '../../../contract/validate.ts';
import { collectionHandlers, namedRecord, viewList } from '../collections/collection.ts';
import {
  settingPlace,
  validateRecord,
  writableFields,
  write,
  writeHidden,
  writeUnchecked,
} from '../collections/records.ts';
import { mergeRecords, withoutKeys } from '../fields.ts';
import { invalid, Refusal, type RefusedField, unknownId } from '../refusal.ts';
import { listRevision } from '../requests/envelope.ts';
import {
  accountOf,
  type RequestHandler,
  type RequestHandlers,
  recordIn,
  type ServiceRequest,
} from '../requests/service-request.ts';
import type { StoredRecord } from '../store/store.ts';
import { refuseUnlessReseller } from '../telephony/charges.ts';

/** Default limits of an account. */
const defaults = createNormaliser(resourceByName('limits').schema, 'conventions');

const postpay = { allow_postpay: false, max_postpay_amount: 0 };

const isDocument = ({ services }: ServiceRequest): boolean => services.behaviour.limits.shape === 'document';

const getLimits: RequestHandler = async (call) => {
  const record = await recordIn(call, 'limits', 'limits');
  if (record && isDocument(call)) return { data: { id: 'limits', ...postpay, ...record.body }, record };
  return { data: { id: 'limits', ...(record?.body ?? Object(defaults({}).value)) } };
};

const setLimits: RequestHandler = async (call) => {
  await refuseUnlessReseller(call, 'limits');
  const sent = writableFields(call, 'limits');
  const body = isDocument(call) ? withoutKeys(sent, (key) => Object.hasOwn(postpay, key)) : sent;
  const record = await write(call, 'limits', await settingPlace(call, 'limits'), body);
  return { data: { id: 'limits', ...record.body }, record };
};

/** Returns the metaflow settings, which are part of the account's record. */
const metaflowsOf = (call: ServiceRequest): JsonObject => {
  const { metaflows } = accountOf(call).body;
  return isObject(metaflows) ? metaflows : {};
};

async function replaceMetaflows(
  call: ServiceRequest,
  settings: JsonObject | undefined,
): Promise<StoredRecord> {
  const account = accountOf(call);
  const others = withoutKeys(account.body, (key) => key === 'metaflows');
  return write(call, 'accounts', account, settings ? { ...others, metaflows: settings } : others);
}

const genericSelectors = collectionHandlers('selectors');
const rulesId = 'resource_selector_rules';

/** Allowed steps of rules (Conventions, Resource selectors). */
const ruleSteps = ['get_resources', 'filter_list', 'filter_regex', 'order'];

function stepProblems(rule: Json, index: number): readonly RefusedField[] {
  const names = isObject(rule) ? Object.keys(rule) : [];
  if (names.length === 1 && names.every((name) => ruleSteps.includes(name))) return [];
  const message = `must be an object with one of ${ruleSteps.join(', ')}`;
  return [{ path: `rules.${index}`, rule: 'enum', message, target: ruleSteps }];
}

const selectorRules = ({ services }: ServiceRequest, body: JsonObject): JsonObject => ({
  id: rulesId,
  ...services.behaviour.selectors.rules,
  ...body,
});

/** Replaces the rules. Also stores the fields of the specification's record. */
const replaceRules: RequestHandler = async (call) => {
  const body = writableFields(call, 'selectors');
  const isChecked = call.services.behaviour.selectors.unknownSteps === 'refused';
  const problems = isChecked && Array.isArray(body.rules) ? body.rules.flatMap(stepProblems) : [];
  if (problems.length > 0) throw invalid(problems);
  const record = await writeUnchecked(call, 'selectors', body, 'selector_rules', rulesId);
  return { data: selectorRules(call, body), record };
};

const getRules: RequestHandler = async (call) => {
  const record = await recordIn(call, 'selector_rules', rulesId);
  if (!record && call.services.behaviour.selectors.none === 'refused') throw unknownId(rulesId);
  return { data: selectorRules(call, record?.body ?? {}), ...(record ? { record } : {}) };
};

const listSelectors: RequestHandler = async (call) => {
  const { store, behaviour } = call.services;
  if (behaviour.selectors.none === 'refused' && (await store.count('selectors', accountOf(call).id)) === 0)
    throw new Refusal(503, 'datastore_fault', 'The service could not read its store.', {});
  return genericSelectors.list(call);
};

/** Settings of an account, and the response for an account without settings. */
interface Setting {
  readonly name: ResourceName;
  readonly id: string;
  readonly unset: 'empty' | 'unknown';
}

function settingHandlers(setting: Setting): RequestHandlers {
  const { name, id, unset } = setting;
  return {
    [`${name}.get`]: async (call) => {
      const record = await recordIn(call, name, id);
      if (!record && unset === 'unknown') throw unknownId(id);
      return record ? { data: record.body, record } : { data: {} };
    },
    [`${name}.update`]: async (call) => {
      const body = validateRecord(call, name, writableFields(call, name), 'update');
      const record = await write(call, name, await settingPlace(call, name, id), body);
      return { data: record.body, record };
    },
    [`${name}.delete`]: (call) => removeSetting(call, setting),
  };
}

async function removeSetting(call: ServiceRequest, { name, id, unset }: Setting) {
  const record = await recordIn(call, name, id);
  if (!record && unset === 'unknown') throw unknownId(id);
  if (record) call.changes.push({ change: 'remove', record, erase: true });
  if (!record || unset === 'empty') return { data: {} };
  return { data: { ...record.body, _read_only: { deleted: true } }, record };
}

const modules = ['cb_api_auth', 'cb_auth', 'cb_ip_auth', 'cb_user_auth'];

/** Default settings of the service. */
const inheritedModules: JsonObject = Object.fromEntries(
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

/** Creates handlers of device settings. They are stored in the device's record, so that changes fire webhook events. */
const deviceSettings = (name: 'device_access_lists' | 'device_rate_limits'): RequestHandlers => {
  const writeDeviceSetting = async (call: ServiceRequest, value: JsonObject) => {
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
    [`${name}.update`]: (call) =>
      writeDeviceSetting(call, validateRecord(call, name, writableFields(call, name), 'update')),
    [`${name}.delete`]: (call) => writeDeviceSetting(call, {}),
  };
};

/** Sample networks, because the sandbox has no switches. */
const networks: JsonObject = {
  'proxy.example': { cidr: '192.0.2.0/24', type: 'allow', 'network-list-name': 'authoritative' },
  'carrier.example': { cidr: '198.51.100.0/24', type: 'allow', 'network-list-name': 'trusted' },
};

const security: Setting = { name: 'security', id: 'configs_crossbar.auth', unset: 'unknown' };

/** Writes the authentication settings of an account. Sign-in in the sandbox ignores them. */
async function writeSecurity(
  call: ServiceRequest,
  bodyFrom: (before: JsonObject, sent: JsonObject) => JsonObject,
) {
  const before = await recordIn(call, security.name, security.id);
  const body = bodyFrom(before?.body ?? {}, writableFields(call, 'security'));
  const record = await write(
    call,
    'security',
    before ?? (await settingPlace(call, 'security', security.id)),
    body,
  );
  return { data: { auth_modules: {}, ...record.body, id: security.id }, record };
}

const genericFactors = collectionHandlers('multi_factor');

const factorType = { provider_type: 'multi_factor' };

const providers = [{ id: 'duo', enabled: false, name: 'Duo', provider_name: 'duo', ...factorType }];

export const accountSettingHandlers: RequestHandlers = {
  // Limits and accepted charges (Limits; Errors, rule 1).
  'limits.get': getLimits,
  'limits.set': setLimits,
  // Conventions, Metaflows.
  'metaflows.get': async (call) => ({ data: metaflowsOf(call) }),
  'metaflows.update': async (call) => {
    const settings = validateRecord(call, 'metaflows', writableFields(call, 'metaflows'));
    return { data: settings, record: await replaceMetaflows(call, settings) };
  },
  'metaflows.delete': async (call) => ({ data: {}, record: await replaceMetaflows(call, undefined) }),
  // Selectors and their rules (Conventions, Resource selectors).
  'selectors.rules': getRules,
  'selectors.update-rules': replaceRules,
  'selectors.list': listSelectors,
  // Conventions, Security settings.
  ...settingHandlers({ name: 'token_restrictions', id: 'token_restrictions', unset: 'unknown' }),
  ...settingHandlers({ name: 'access_lists', id: 'access_lists', unset: 'empty' }),
  ...settingHandlers({ name: 'rate_limits', id: 'rate_limits', unset: 'empty' }),
  ...deviceSettings('device_access_lists'),
  ...deviceSettings('device_rate_limits'),
  'acls.of-account': async () => ({ data: networks }),
  'acls.everywhere': async () => ({ data: networks }),
  'security.get': async (call) => {
    const record = await recordIn(call, security.name, security.id);
    const own = valueAt(record?.body ?? {}, 'auth_modules');
    return {
      data: {
        account: isObject(own) ? { auth_modules: own } : {},
        inherited_config: { auth_modules: inheritedModules },
      },
    };
  },
  'security.update': (call) => writeSecurity(call, (_, sent) => sent),
  'security.patch': (call) => writeSecurity(call, (before, sent) => mergeRecords(before, sent, false)),
  'security.delete': async (call) => {
    const answer = await removeSetting(call, security);
    return { ...answer, data: { ...answer.data, id: security.id } };
  },
  'security.attempts': async (call) => viewList(call, []),
  'security.modules': async () => ({ data: { available_auth_modules: modules } }),
  'multi_factor.list': async (call) => {
    const { data, envelope } = await genericFactors.list(call);
    const configured = Array.isArray(data)
      ? data.map((item: Json) => ({ ...factorType, ...Object(item) }))
      : [];
    return {
      data: { configured, multi_factor_providers: providers },
      ...(configured.length > 0 ? { revision: listRevision(configured) } : {}),
      ...(envelope ? { envelope } : {}),
    };
  },
};
