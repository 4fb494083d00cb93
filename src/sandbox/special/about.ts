import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { resources } from '../../contract/catalogue.ts';
import { moduleData, moduleNames } from '../../contract/module-data.ts';
import { jsonSchema } from '../../contract/published-schema.ts';
import { collectionHandlers, namedRecord, removal, wholeList } from '../collections/collection.ts';
import { keep, shownAnswer, shownRecord, write } from '../collections/records.ts';
import { calledName, pick, textAt, textsAt } from '../fields.ts';
import { isAdministrator, isSuper } from '../identity/principal.ts';
import { gregorianSeconds, newId } from '../made-values.ts';
import { forbidden, invalid, missingFields, unknownId } from '../refusal.ts';
import {
  accountOf,
  type Call,
  type Handler,
  type Handlers,
  nowOf,
  parameter,
  principalOf,
  recordIn,
  recordsIn,
} from '../requests/call.ts';
import type { StoredRecord } from '../store/store.ts';
import { balanceOf } from './ledgers.ts';

const ofModules = 'callflows.';

const schemaNames = (): readonly string[] =>
  [
    ...resources.map(({ name }) => name),
    ...moduleNames('callflow').map((module) => `${ofModules}${module}`),
  ].toSorted();

const schema: Handler = async (call) => {
  const name = parameter(call, 'schema_name');
  const resource = resources.find((each) => each.name === name);
  const module = name.startsWith(ofModules)
    ? moduleData('callflow', name.slice(ofModules.length))
    : undefined;
  if (!resource && !module) throw unknownId(name);
  const found = resource ? jsonSchema(resource, 'conventions') : structuredClone(module ?? {});
  return { data: { ...JSON.parse(JSON.stringify(found)), id: name } };
};

const news = (call: Call, category: string, of: string, words: Omit<JsonObject, 'id'>): JsonObject => ({
  id: `${category}-${of}`,
  category,
  clearable: false,
  ...words,
  from: [{ type: 'account', value: textAt(accountOf(call).hidden, 'reseller_id') ?? accountOf(call).id }],
});

/** News that follow from the account itself: a balance below nothing, ports that were turned down. */
async function computed(call: Call): Promise<readonly JsonObject[]> {
  const account = accountOf(call);
  const balance = await balanceOf(call);
  const ports = await recordsIn(call, 'ports');
  return [
    ...(balance < 0
      ? [
          news(call, 'low_balance', account.id, {
            title: 'Low balance',
            message: `The balance of ${calledName(account)} is ${balance}.`,
            metadata: { current_balance: balance },
          }),
        ]
      : []),
    ...ports
      .filter(({ body }) => body.port_state === 'rejected')
      .map((port) =>
        news(call, 'port_action_required', port.id, {
          title: 'A port request needs you',
          message: `The port request ${JSON.stringify(calledName(port))} was rejected.`,
          metadata: { port_id: port.id },
        }),
      ),
  ];
}

/** Tells whether news are for whoever asks. */
function isFor(call: Call, { body }: StoredRecord): boolean {
  const caller = principalOf(call);
  const to: readonly Json[] = Array.isArray(body.to) ? body.to : [];
  const isOver = Number(body.expiration_date ?? Infinity) <= nowOf(call);
  const role = isSuper(caller) ? 'superduper' : isAdministrator(caller) ? 'admin' : 'user';
  return (
    !isOver &&
    to.filter(isObject).some(({ type, value }) => {
      if (type === 'all') return true;
      if (type === 'role') return value === role;
      return value === (type === 'user' ? caller.user?.id : accountOf(call).id);
    })
  );
}

const listAlerts: Handler = async (call) => {
  const stored = (await recordsIn(call, 'alerts')).filter((record) => isFor(call, record));
  const data = [
    ...(await computed(call)),
    ...(await Promise.all(stored.map((record) => shownRecord(call, 'alerts', record)))),
  ];
  return wholeList(data);
};

const getAlert: Handler = async (call) => {
  const id = parameter(call, 'alert_id');
  const found = (await computed(call)).find((each) => each.id === id);
  return found ? { data: found } : collectionHandlers('alerts').get(call);
};

const createAlert: Handler = async (call) => {
  const { clock, random, behaviour } = call.services;
  const missing = ['title', 'message', 'from', 'to'].filter((field) => call.data[field] === undefined);
  if (missing.length > 0) throw missingFields(missing, behaviour);
  const id = newId(random);
  const name = { kind: 'alerts', scope: accountOf(call).id, id };
  const body = { ...call.data, clearable: true, created: gregorianSeconds(clock) };
  const record = await write(call, 'alerts', name, body);
  return { ...(await shownAnswer(call, 'alerts', record)), created: id };
};

const removeAlert: Handler = async (call) => {
  const record = await namedRecord(call, 'alerts');
  if (!isFor(call, record) && !isSuper(principalOf(call))) throw unknownId(record.id);
  return removal(call, 'alerts', record);
};

/** Apps that a web interface of such services brings along, with their titles. */
const shipped: Readonly<Record<string, string>> = {
  accounts: 'Accounts Manager',
  callflows: 'Callflows',
  voip: 'SmartPBX',
  numbers: 'Number Manager',
  pbxs: 'PBX Connector',
  fax: 'Fax Manager',
  voicemails: 'Voicemails',
  webhooks: 'Webhooks',
  'csv-onboarding': 'CSV Onboarding',
};

/** The id of an app: its place in the list, as ids look. */
const idOf = (name: string): string => Buffer.from(name).toString('hex').padEnd(32, '0').slice(0, 32);

/** What the account says of its apps: entries by id, and those that it is not offered. */
async function saysOf(call: Call) {
  const { body = {} } = (await recordIn(call, 'store_apps', 'store_apps')) ?? {};
  const entries: JsonObject = isObject(body.entries) ? body.entries : {};
  return { entries, blacklist: textsAt(body, 'blacklist') };
}

const say = async (call: Call, said: Partial<Awaited<ReturnType<typeof saysOf>>>) =>
  keep(call, 'store_apps', { ...(await saysOf(call)), ...said });

/** Says who may use an app. */
async function allow(call: Call, id: string, entry: JsonObject): Promise<void> {
  const { entries } = await saysOf(call);
  await say(call, { entries: { ...entries, [id]: entry } });
}

/** Apps as the account has them; for all of its users where it has not said who. */
async function appsOf(call: Call): Promise<readonly JsonObject[]> {
  const { entries, blacklist } = await saysOf(call);
  return Object.entries(shipped).flatMap(([name, label]) => {
    const id = idOf(name);
    if (blacklist.includes(id)) return [];
    return [
      {
        id,
        name,
        published: true,
        masqueradable: true,
        tags: [],
        account_id: accountOf(call).id,
        i18n: { 'en-US': { label, description: label } },
        api_url: `http://${call.host}/v2/`,
        allowed_users: 'all',
        users: [],
        ...(isObject(entries[id]) ? entries[id] : {}),
      },
    ];
  });
}

/** The app in the path. Refuses (404) an unknown one. */
async function namedApp(call: Call): Promise<JsonObject> {
  const id = parameter(call, 'store_app_id');
  const app = (await appsOf(call)).find((each) => each.id === id);
  if (app) return app;
  throw unknownId(id);
}

const setApp: Handler = async (call) => {
  const { id, name = '' } = await namedApp(call);
  const entry = { allowed_users: 'all', users: [], ...pick(call.data, ['allowed_users', 'users']) };
  await allow(call, String(id), entry);
  return { data: { ...entry, name } };
};

const uninstall: Handler = async (call) => {
  const { id } = await namedApp(call);
  await allow(call, String(id), { allowed_users: 'specific', users: [] });
  return { data: {} };
};

/** Refuses (403) the account itself: what it is not offered is said by those above it. */
function refuseOwn(call: Call): void {
  if (principalOf(call).account.id === accountOf(call).id)
    throw forbidden('An account does not say itself which apps it is offered.');
}

const blacklist: Handler = async (call) => {
  refuseOwn(call);
  return { data: { blacklist: [...(await saysOf(call)).blacklist] } };
};

const setBlacklist: Handler = async (call) => {
  refuseOwn(call);
  const ids = textsAt(call.data, 'blacklist');
  const known = new Set(Object.keys(shipped).map(idOf));
  const unknown = ids.findIndex((id) => !known.has(id));
  if (unknown >= 0)
    throw invalid([{ path: `blacklist.${unknown}`, rule: 'enum', message: 'is the id of no app' }]);
  await say(call, { blacklist: ids });
  return { data: { blacklist: [...ids] } };
};

export const aboutHandlers: Handlers = {
  // Facts of the service itself (Conventions, facts of the service).
  'about.get': async () => ({
    data: { version: '5.0.0', erlang_version: '25', processes: 500, ports: 10, used_memory: 80_000_000 },
  }),
  'about.schemas': async () => ({ data: [...schemaNames()] }),
  'about.schema': schema,
  'about.config': async (call) => ({ data: { id: `configs_${parameter(call, 'config_name')}` } }),
  // News of the service (Conventions, Alerts).
  'alerts.list': listAlerts,
  'alerts.get': getAlert,
  'alerts.create': createAlert,
  'alerts.delete': removeAlert,
  // Apps of the web interface (Conventions, apps store).
  'store_apps.list': async (call) => ({ data: [...(await appsOf(call))] }),
  'store_apps.get': async (call) => ({ data: await namedApp(call) }),
  'store_apps.install': setApp,
  'store_apps.allow': setApp,
  'store_apps.uninstall': uninstall,
  'store_apps.blacklist': blacklist,
  'store_apps.set-blacklist': setBlacklist,
};
