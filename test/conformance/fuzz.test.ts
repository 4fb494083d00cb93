import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { isObject, type Json, type JsonObject } from '../../src/base/json.ts';
import { resources } from '../../src/contract/catalogue.ts';
import type { Operation, Resource, ResourceName } from '../../src/contract/types.ts';
import { behaviourOf, traitsOf } from '../../src/extensions/sandbox/behaviour.ts';
import { operationsWithoutHandler } from '../../src/extensions/sandbox/handlers.ts';
import { type CalledSandbox, calledSandbox, type SandboxReply } from '../support/called-sandbox.ts';
import { isServedHere, mode } from '../support/mode.ts';
import { keptBody, recordBodies } from '../support/record-bodies.ts';
import { type Breakage, findBreakages, replaceAt } from '../support/schema-arbitrary.ts';

// Every run uses the same bodies, so that a failure is caused by a change of the code. FUZZ_SEED=random or
// FUZZ_RUNS=2000 tries others. FUZZ_SEED with the seed of a failure repeats and shrinks it.
const { FUZZ_SEED: seed, FUZZ_RUNS: runs = '20' } = process.env;
const settings = {
  numRuns: Number(runs),
  ...(seed === 'random' ? {} : { seed: Number(seed ?? 20_250_115) }),
  endOnFailure: seed === undefined,
};

interface Collection {
  readonly resource: Resource;
  readonly create: Operation;
  readonly get: Operation;
  readonly remove: Operation | undefined;
}

const isMadeByBody = ({ path }: Operation): boolean => !path.replace('{account_id}', '').includes('{');

const unserved = new Set(operationsWithoutHandler());
const isOffered = (each: Operation): boolean => !unserved.has(each) && isServedHere(each);
const behaviour = behaviourOf(mode);

type Parameters = Readonly<Record<string, string>>;

/** Path parameters of the next record, for records that are created below another one or under a given name. */
const namings: Partial<
  Readonly<Record<ResourceName, (sandbox: CalledSandbox, token: string) => Promise<() => Parameters>>>
> = {
  messages: async (sandbox, token) => {
    const boxes = `/v2/accounts/${sandbox.seed.accountId}/vmboxes`;
    const box = await sandbox.call('PUT', boxes, { token, data: { name: 'Box', mailbox: '100' } });
    return () => ({ vm_box_id: box.at('data.id') });
  },
  list_entries: async (sandbox, token) => {
    const lists = `/v2/accounts/${sandbox.seed.accountId}/lists`;
    const list = await sandbox.call('PUT', lists, { token, data: { name: 'Callers' } });
    return () => ({ list_id: list.at('data.id') });
  },
  numbers: async () => {
    let made = 0;
    return () => {
      made += 1;
      return { phone_number: `+1415${String(5_550_000 + made)}` };
    };
  },
};

/** Resources whose records are created by a body and read by id. */
const collections: readonly Collection[] = resources.flatMap((resource) => {
  const findOperation = (name: string) =>
    resource.operations.find((each) => each.verb === name && isOffered(each));
  const [create, get, remove] = [findOperation('create'), findOperation('get'), findOperation('delete')];
  const isWhole =
    create?.body?.kind === 'record' && (isMadeByBody(create) || Object.hasOwn(namings, resource.name));
  return isWhole && create && get ? [{ resource, create, get, remove }] : [];
});

/** Returns the paths of sent values that are missing in the stored record. */
function findLostValues(kept: Json | undefined, sent: Json | undefined, path = ''): readonly string[] {
  if (Array.isArray(sent)) {
    if (!Array.isArray(kept) || kept.length !== sent.length) return [path];
    return sent.flatMap((item, index) => findLostValues(kept[index], item, `${path}[${index}]`));
  }
  if (!isObject(sent)) return Object.is(kept, sent) ? [] : [path];
  if (!isObject(kept)) return [path];
  return Object.keys(sent).flatMap((key) =>
    findLostValues(Object.hasOwn(kept, key) ? kept[key] : undefined, sent[key], `${path}.${key}`),
  );
}

/** Returns the problems of a field in an error, by rule. */
function fieldProblems({ body }: SandboxReply, path: string): JsonObject {
  const { data } = body;
  const rules = isObject(data) && Object.hasOwn(data, path) ? data[path] : undefined;
  return isObject(rules) ? rules : {};
}

const operationPath = ({ path }: Operation, parameters: Parameters): string =>
  `/v2${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(parameters[name] ?? ''))}`;

const describeReply = (reply: SandboxReply, body: JsonObject): string =>
  `${reply.text}\n${JSON.stringify(body)}`;

for (const collection of collections) {
  const { resource, create, get, remove } = collection;
  const { name, idParameter = '' } = resource;
  const bodies = recordBodies(resource);
  let sandbox: CalledSandbox;
  let token: string;
  let next: () => Parameters;

  beforeAll(async () => {
    sandbox = await calledSandbox({ like: mode });
    token = await (create.role === 'super' ? sandbox.superToken() : sandbox.adminToken());
    const naming = await namings[name]?.(sandbox, token);
    next = () => ({ account_id: sandbox.seed.accountId, ...naming?.() });
  });

  test(`stores every valid ${name} record unchanged`, async () => {
    await fc.assert(
      fc.asyncProperty(bodies, async (body) => {
        const parameters = next();
        const made = await sandbox.call(create.method, operationPath(create, parameters), {
          token,
          data: body,
        });
        expect(made.status, describeReply(made, body)).toBe(201);
        const id = made.at(name === 'faxes' && mode === 'kazoo' ? 'data._id' : 'data.id');
        const one = operationPath(get, { ...parameters, [idParameter]: id });
        const read = await sandbox.call('GET', one, { token });
        expect(read.status, describeReply(read, body)).toBe(200);
        expect(findLostValues(read.data, keptBody(resource, body))).toEqual([]);
        if (remove) await sandbox.call('DELETE', one, { token });
      }),
      settings,
    );
  });

  test(`refuses every invalid ${name} record with the name of the field`, async () => {
    const { unchecked = [], faultPattern, escapesKeys } = traitsOf(behaviour, name);
    // Fields that the path determines are not checked in the body.
    const isChecked = ({ path, value, rule }: Breakage): boolean =>
      !create.path.includes(`{${path}}`) &&
      !(behaviour.records.fractions === 'rounded' && value === 1.5) &&
      !unchecked.some((each) => `${path}:${rule}`.startsWith(each)) &&
      faultPattern?.test(`${path}:${rule}`) !== true;
    const ways = fc.constantFrom(...findBreakages(resource.schema).filter(isChecked));
    await fc.assert(
      fc.asyncProperty(bodies, ways, async (body, { path, value, rule }) => {
        const wrong = replaceAt(body, path, value);
        const refused = await sandbox.call(create.method, operationPath(create, next()), {
          token,
          data: wrong,
        });
        expect(refused.status, describeReply(refused, wrong)).toBe(400);
        const key = escapesKeys ? path.replaceAll('.', '%2E') : path;
        const reported = Object.keys(fieldProblems(refused, key));
        if (!reported.includes('not_one_schema_valid') || !mode)
          expect(reported, describeReply(refused, wrong)).toContain(rule);
      }),
      settings,
    );
  });
}

test('a list returns every user once, with any names and any page size', async () => {
  const sandbox = await calledSandbox({ like: mode });
  const token = await sandbox.superToken();
  const character = fc.oneof(fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }), fc.constant('\0'));
  const name = fc.string({ unit: character, minLength: 1, maxLength: 20 });
  let accounts = 0;
  const people = fc.array(fc.record({ first_name: name, last_name: name }), { minLength: 1, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(people, fc.integer({ min: 1, max: 5 }), fc.boolean(), async (made, size, ascending) => {
      accounts += 1;
      const account = { name: `account ${accounts}`, realm: `account-${accounts}.example` };
      const above = `/v2/accounts/${sandbox.seed.accountId}`;
      const own = `/v2/accounts/${(await sandbox.call('PUT', above, { token, data: account })).at('data.id')}`;
      for (const data of made) await sandbox.call('PUT', `${own}/users`, { token, data });
      const found: Json[] = [];
      let next = '';
      do {
        const page = await sandbox.call(
          'GET',
          `${own}/users?page_size=${size}&ascending=${ascending}${next && `&start_key=${next}`}`,
          { token },
        );
        found.push(...(Array.isArray(page.data) ? page.data : []));
        next = typeof page.body.next_start_key === 'string' ? page.body.next_start_key : '';
      } while (next !== '' && found.length <= made.length);
      expect(new Set(found.map((each) => (isObject(each) ? each.id : ''))).size).toBe(made.length);
      expect(found).toHaveLength(made.length);
    }),
    { ...settings, numRuns: Math.ceil(settings.numRuns / 4) },
  );
});

test('covers every collection that supports create', () => {
  const made = resources.filter(({ operations }) =>
    operations.some((each) => each.verb === 'create' && isOffered(each)),
  );
  expect(collections.map(({ resource }) => resource.name)).toEqual(made.map(({ name }) => name));
});
