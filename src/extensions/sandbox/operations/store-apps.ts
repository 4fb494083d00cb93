import { isObject, type JsonObject } from '../../../base/json.ts';
import { writeUnchecked } from '../collections/records.ts';
import { pick, textsAt } from '../fields.ts';
import { invalid, unknownId } from '../refusal.ts';
import {
  accountOf,
  pathParameter,
  type RequestHandler,
  type RequestHandlers,
  recordIn,
  type ServiceRequest,
} from '../requests/service-request.ts';

const shippedApps: Readonly<Record<string, string>> = {
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

const appIdOf = (name: string): string => Buffer.from(name).toString('hex').padEnd(32, '0').slice(0, 32);

/** Returns the settings of the account: allowed users by app id, and hidden apps. */
async function appSettings(call: ServiceRequest) {
  const { body = {} } = (await recordIn(call, 'store_apps', 'store_apps')) ?? {};
  const entries: JsonObject = isObject(body.entries) ? body.entries : {};
  return { entries, blacklist: textsAt(body, 'blacklist') };
}

const writeSettings = async (call: ServiceRequest, said: Partial<Awaited<ReturnType<typeof appSettings>>>) =>
  writeUnchecked(call, 'store_apps', { ...(await appSettings(call)), ...said });

async function setAllowed(call: ServiceRequest, id: string, entry: JsonObject): Promise<void> {
  const { entries } = await appSettings(call);
  await writeSettings(call, { entries: { ...entries, [id]: entry } });
}

/** Lists the apps of the account. By default, all users are allowed. */
async function accountApps(call: ServiceRequest): Promise<readonly JsonObject[]> {
  const { entries, blacklist } = await appSettings(call);
  return Object.entries(shippedApps).flatMap(([name, label]) => {
    const id = appIdOf(name);
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

/** Returns the app in the path. Refuses (404) an unknown app. */
async function namedApp(call: ServiceRequest): Promise<JsonObject> {
  const id = pathParameter(call, 'store_app_id');
  const app = (await accountApps(call)).find((each) => each.id === id);
  if (app) return app;
  throw unknownId(id);
}

const allowUsers: RequestHandler = async (call) => {
  const { id, name = '' } = await namedApp(call);
  const entry = { allowed_users: 'all', users: [], ...pick(call.data, ['allowed_users', 'users']) };
  await setAllowed(call, String(id), entry);
  return { data: { ...entry, name } };
};

const uninstall: RequestHandler = async (call) => {
  const { id } = await namedApp(call);
  await setAllowed(call, String(id), { allowed_users: 'specific', users: [] });
  return { data: {} };
};

const showBlacklist: RequestHandler = async (call) => ({
  data: { blacklist: [...(await appSettings(call)).blacklist] },
});

const setBlacklist: RequestHandler = async (call) => {
  const ids = textsAt(call.data, 'blacklist');
  const known = new Set(Object.keys(shippedApps).map(appIdOf));
  const unknown = ids.findIndex((id) => !known.has(id));
  if (unknown >= 0)
    throw invalid([{ path: `blacklist.${unknown}`, rule: 'enum', message: 'is not the id of an app' }]);
  await writeSettings(call, { blacklist: ids });
  return { data: { blacklist: [...ids] } };
};

/** Conventions, apps store. */
export const storeAppHandlers: RequestHandlers = {
  'store_apps.list': async (call) => ({ data: [...(await accountApps(call))] }),
  'store_apps.get': async (call) => ({ data: await namedApp(call) }),
  'store_apps.install': allowUsers,
  'store_apps.allow': allowUsers,
  'store_apps.uninstall': uninstall,
  'store_apps.blacklist': showBlacklist,
  'store_apps.set-blacklist': setBlacklist,
};
