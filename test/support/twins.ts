import { isObject, type Json, type JsonObject } from '../../src/base/json.ts';
import type { Likeness } from '../../src/extensions/sandbox/differences.ts';
import { type CalledSandbox, calledSandbox } from './called-sandbox.ts';
import type { TurnedClock } from './clock.ts';

/** An account that can be taken for the world's own one: its administrator has the same name and the same password. */
export interface Twin {
  /** Name of its profile, signed in with the password. */
  readonly profile: string;
  readonly url: string;
  readonly accountId: string;
  readonly accountName: string;
  readonly sandbox: CalledSandbox;
  /** Calls the service past telctl, as the account's administrator; gives `data`. Throws unless it succeeds. */
  service(method: string, path: string, data?: Json): Promise<JsonObject>;
}

/** Calls one account of a sandbox as its administrator. */
export function serviceOf(sandbox: CalledSandbox, accountId: string, token: () => Promise<string>) {
  return async (method: string, path: string, data?: Json): Promise<JsonObject> => {
    const reply = await sandbox.call(method, `/v2/accounts/${accountId}/${path}`.replace(/\/$/, ''), {
      token: await token(),
      ...(data === undefined ? {} : { data }),
    });
    if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.status} ${reply.text}`);
    return isObject(reply.data) ? reply.data : {};
  };
}

/** Makes an account beside the one of the seed, at the same service. */
export async function twinAccount(sandbox: CalledSandbox, url: string): Promise<Twin> {
  const { seed } = sandbox;
  const accountName = 'acme-twin';
  const token = await sandbox.superToken();
  const make = async (path: string, data: JsonObject): Promise<string> =>
    (await sandbox.callUsually('PUT', path, { token, data })).at('data.id');
  const realm = `${accountName}.sandbox.example`;
  const accountId = await make(`/v2/accounts/${seed.masterAccountId}`, { name: accountName, realm });
  await make(`/v2/accounts/${accountId}/users`, {
    ...{ username: seed.adminUsername, password: seed.adminPassword, priv_level: 'admin' },
    ...{ first_name: 'Acme', last_name: 'Admin', email: 'admin@acme.example' },
  });
  const own = (): Promise<string> => sandbox.tokenOf(seed.adminUsername, seed.adminPassword, accountName);
  const service = serviceOf(sandbox, accountId, own);
  return { profile: 'twin-account', url, accountId, accountName, sandbox, service };
}

/** Makes a second service, whose accounts have the ids, names, passwords and API keys of the first one's. */
export async function twinService(
  clock: TurnedClock,
  url: string,
  like: Likeness | undefined,
): Promise<Twin> {
  const sandbox = await calledSandbox({ like }, { clock });
  const { accountId, accountName } = sandbox.seed;
  const service = serviceOf(sandbox, accountId, sandbox.adminToken);
  return { profile: 'twin-service', url, accountId, accountName, sandbox, service };
}
