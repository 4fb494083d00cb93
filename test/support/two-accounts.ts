import type { JsonObject } from '../../src/base/json.ts';
import { operations, resourceByName } from '../../src/contract/catalogue.ts';
import { bodyExample, samples } from '../../src/contract/samples.ts';
import type { Operation } from '../../src/contract/types.ts';
import { type CalledSandbox, calledSandbox, type SandboxReply } from './called-sandbox.ts';
import { mode } from './mode.ts';

/** Part of every name in the other account, and of no other name. */
export const canary = 'kestrel';

/** An unrelated account with records. */
export interface Neighbour {
  readonly accountId: string;
  readonly token: string;
  /** Record ids by path parameter: `user_id`. */
  readonly ids: ReadonlyMap<string, string>;
}

/** Two unrelated accounts of one service. */
export interface TwoAccounts {
  readonly sandbox: CalledSandbox;
  readonly neighbour: Neighbour;
  /** Calls an operation with the path parameters of `ids` and a valid body. */
  call(
    operation: Operation,
    token: string,
    ids: ReadonlyMap<string, string>,
    query?: string,
  ): Promise<SandboxReply>;
  /** Returns all records of the neighbor, as it sees them. */
  snapshot(): Promise<readonly string[]>;
}

const named = ['name', 'first_name', 'username', 'from_name'];

/** Examples that need a provider of the sandbox. */
const fitted = new Map<string, JsonObject>([['apps', { provider: 'google' }]]);

/** Returns an example with the canary in its names. */
const markNames = (example: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(example).map(([key, value]) => [key, named.includes(key) ? `${canary}-${key}` : value]),
  );

function exampleBody(operation: Operation): JsonObject | undefined {
  const { body } = operation;
  if (body === undefined) return undefined;
  if (body.kind === 'action') return { action: body.action, data: bodyExample(operation) ?? {} };
  return { data: bodyExample(operation) ?? {} };
}

const nobody = 'f'.repeat(32);

function createCaller({ call }: CalledSandbox): TwoAccounts['call'] {
  return ({ path, method, body, ...rest }, token, ids, query = '') => {
    const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(ids.get(name) ?? nobody),
    );
    const sent = exampleBody({ path, method, ...rest, ...(body ? { body } : {}) });
    return call(method, `/v2${address}${query}`, { token, ...(sent ? { body: sent } : {}) });
  };
}

/** Creates records of every kind in the neighbor account, with the canary in their names. */
async function populate(
  sandbox: CalledSandbox,
  accountId: string,
  tokens: { readonly own: string; readonly superior: string },
): Promise<Map<string, string>> {
  const ids = new Map([['account_id', accountId]]);
  for (const { verb, resource, path, method, role } of operations) {
    const { idParameter } = resourceByName(resource);
    const example = samples[resource]?.record;
    if (verb !== 'create' || resource === 'accounts' || !example || !idParameter) continue;
    // Records of the whole service belong to no account.
    if (role === 'super' && !path.startsWith('/accounts/{account_id}/')) continue;
    const number = '+14155550177';
    // Only a superior account can create numbers.
    const token = role === 'super' || resource === 'numbers' ? tokens.superior : tokens.own;
    const address = path.replaceAll(
      /\{(\w+)\}/g,
      (_, name: string) => ids.get(name) ?? encodeURIComponent(number),
    );
    // KAZOO creates no SSO applications.
    const reply = await sandbox.callUsually(method, `/v2${address}`, {
      token,
      data: { ...markNames(example), ...fitted.get(resource) },
    });
    if (reply.status === 201) ids.set(idParameter, reply.at('data.id'));
    else if (reply.status !== 501) throw new Error(`${resource}: ${reply.text}`);
  }
  return ids;
}

/** Creates a sandbox with a neighbor of the seeded account. */
export async function createTwoAccounts(): Promise<TwoAccounts> {
  const sandbox = await calledSandbox({ like: mode });
  const { seed } = sandbox;
  const superior = await sandbox.superToken();
  const account = await sandbox.callUsually('PUT', `/v2/accounts/${seed.masterAccountId}`, {
    token: superior,
    data: { name: canary, realm: `${canary}.example` },
  });
  const accountId = account.at('data.id');
  const admin = { username: `${canary}-admin`, password: 'first-sign-in', priv_level: 'admin' };
  const names = { first_name: canary, last_name: canary };
  await sandbox.callUsually('PUT', `/v2/accounts/${accountId}/users`, {
    token: superior,
    data: { ...names, ...admin },
  });
  const token = await sandbox.tokenOf(admin.username, admin.password, canary);
  const ids = await populate(sandbox, accountId, { own: token, superior });
  const call = createCaller(sandbox);
  // Reads with an effect make a phone ring and have varying responses.
  const reads = operations.filter(
    ({ method, path, resource, effect }) =>
      method === 'GET' &&
      effect === 'read' &&
      path.startsWith('/accounts/{account_id}') &&
      resource !== 'tokens',
  );
  return {
    sandbox,
    neighbour: { accountId, token, ids },
    call,
    async snapshot() {
      const replies = await Promise.all(
        reads.map((operation) => call(operation, token, ids, '?paginate=false')),
      );
      return replies.map(({ data }, index) => `${reads[index]?.id} ${JSON.stringify(data)}`);
    },
  };
}
