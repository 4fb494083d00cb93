import { isObject, type Json, type JsonObject } from '../../src/base/json.ts';
import type { SandboxMode } from '../../src/extensions/sandbox/differences.ts';
import { type CalledSandbox, calledSandbox } from './called-sandbox.ts';
import type { TurnedClock } from './clock.ts';

/** An account that can be confused with the account of the world: its administrator has the same name and password. */
export interface Twin {
  /** Name of its profile, signed in by password. */
  readonly profile: string;
  readonly url: string;
  readonly accountId: string;
  readonly accountName: string;
  readonly sandbox: CalledSandbox;
  /** Sends a request as the administrator of the account, and returns `data`. Throws on failure. */
  service(method: string, path: string, data?: Json): Promise<JsonObject>;
}

/** Sends requests to an account of a sandbox as its administrator. */
export function connectService(sandbox: CalledSandbox, accountId: string, token: () => Promise<string>) {
  return async (method: string, path: string, data?: Json): Promise<JsonObject> => {
    const reply = await sandbox.call(method, `/v2/accounts/${accountId}/${path}`.replace(/\/$/, ''), {
      token: await token(),
      ...(data === undefined ? {} : { data }),
    });
    if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.status} ${reply.text}`);
    return isObject(reply.data) ? reply.data : {};
  };
}

/** Creates another account on the same service. */
export async function createTwinAccount(sandbox: CalledSandbox, url: string): Promise<Twin> {
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
  const service = connectService(sandbox, accountId, own);
  return { profile: 'twin-account', url, accountId, accountName, sandbox, service };
}

/** Creates a second service with equal ids, names, passwords and API keys. */
export async function createTwinService(
  clock: TurnedClock,
  url: string,
  like: SandboxMode | undefined,
): Promise<Twin> {
  const sandbox = await calledSandbox({ like }, { clock });
  const { accountId, accountName } = sandbox.seed;
  const service = connectService(sandbox, accountId, sandbox.adminToken);
  return { profile: 'twin-service', url, accountId, accountName, sandbox, service };
}
