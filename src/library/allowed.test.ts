import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { failureOf } from '../../test/support/failure-of.ts';
import { makeFolders } from '../../test/support/fake-host.ts';
import { Failure } from '../base/failure.ts';
import { possibleEffects, requestEffects } from '../contract/capabilities.ts';
import { isListed } from '../contract/resource.ts';
import type { Operation } from '../contract/types.ts';
import { type Sandbox, startSandbox } from '../extensions/sandbox/library.ts';
import { connect } from './client.ts';
import type { Allowed, Client, ClientSettings } from './client-types.ts';
import { apply, plan } from './manifest.ts';
import { type Given, idParameters, methodName, offeredOperations, takesData, takesFile } from './methods.ts';

const folders = makeFolders();
let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(async () => {
  await sandbox.stop();
  folders.remove();
});

const own = { configFolder: `${folders.home}/config`, stateFolder: `${folders.home}/state` };
const clientWith = (more: ClientSettings) =>
  connect({ baseUrl: sandbox.baseUrl, apiKey: sandbox.admin.apiKey, ...own, ...more });
const clients = new Map<string, Client>();
/** The one client of these settings. */
function kept(more: ClientSettings): Client {
  const key = JSON.stringify(more);
  const client = clients.get(key) ?? clientWith(more);
  clients.set(key, client);
  return client;
}

const words: readonly Allowed[] = ['costs', 'deletes', 'privileges', 'sign-in', 'shows-secrets'];

/** Calls an operation about what is not there, with data where it takes some. */
async function calling(client: Client, operation: Operation): Promise<unknown> {
  const given: readonly Given[] = [
    ...idParameters(operation).map(() => 'b'.repeat(32)),
    ...(takesData(operation) ? [{}] : []),
    ...(takesFile(operation) ? [{ type: 'text/plain', bytes: new Uint8Array(1) }] : []),
  ];
  const { [operation.resource]: methods } = Object.fromEntries(Object.entries(client));
  const answer: unknown = Reflect.apply(
    Reflect.get(Object(methods), methodName(operation)),
    undefined,
    given,
  );
  return isListed(operation) ? Reflect.get(Object(answer), 'all').call() : answer;
}

describe('every operation', () => {
  const changing = offeredOperations.filter(({ effect }) => effect !== 'read');
  test('that changes something is refused before sending if the client is read-only', async () => {
    const client = kept({ readOnly: true });
    for (const operation of changing)
      expect(await failureOf(calling(client, operation)), operation.id).toMatchObject({
        kind: 'refused',
        message: `This client is read-only, so ${operation.id} was not sent.`,
      });
  });

  const doing = offeredOperations.flatMap((operation) =>
    [...requestEffects(operation, undefined)].map((word) => [operation, word] as const),
  );
  test('is refused if the client may not have its effect, and the error names the effect', async () => {
    expect(new Set(doing.map(([, word]) => word))).toEqual(new Set(words));
    for (const [operation, word] of doing) {
      const client = kept({ allow: words.filter((each) => each !== word) });
      const failure = await failureOf(calling(client, operation));
      expect([failure.kind, failure.message], operation.id).toEqual([
        'refused',
        expect.stringContaining(`(${word})`),
      ]);
    }
  });

  test('is sent if all of its possible effects are allowed', async () => {
    for (const operation of changing.filter(
      ({ effect, body }) => effect === 'write' && body?.kind !== 'file',
    )) {
      const allow = [...possibleEffects(operation)].flatMap((word) => words.filter((each) => each === word));
      const refused = await calling(kept({ allow }), operation).then(
        () => false,
        (error: unknown) => error instanceof Failure && error.message.includes('may not do'),
      );
      expect(refused, operation.id).toBe(false);
    }
  });
});

test('checks the effects of a request by its fields', async () => {
  const client = clientWith({ allow: [] });
  const [admin] = await client.users.list().all();
  const id = String(admin?.id);
  expect(await client.users.patch(id, { timezone: 'Europe/Zurich' })).toHaveProperty('id', id);
  for (const data of [{ priv_level: 'user' }, { password: 'another-password' }, { pvt_secret: 'x' }])
    expect((await failureOf(client.users.patch(id, data))).kind, JSON.stringify(data)).toBe('refused');
  expect((await failureOf(client.limits.set({ inbound_trunks: 1 }))).kind).toBe('refused');
});

test('a read-only client can plan a manifest but not apply it', async () => {
  const manifest = { text: 'set: night\nmenus: { night: { name: Night } }' };
  const client = clientWith({ readOnly: true });
  expect((await plan(client, manifest)).accounts).toMatchObject([{ steps: [{ action: 'create' }] }]);
  expect((await failureOf(apply(client, manifest))).kind).toBe('refused');
  expect(await client.menus.list().all()).toEqual([]);
  const { failure } = await apply(clientWith({ allow: [] }), {
    text: 'set: boss\nusers: { boss: { username: boss, first_name: B, last_name: B, priv_level: admin } }',
  });
  expect(failure).toMatchObject({ message: expect.stringContaining('privileges') });
  await apply(clientWith({ allow: [] }), manifest);
  expect(await client.menus.list().all()).toHaveLength(1);
});
