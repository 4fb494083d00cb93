import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { controlCharacters } from '../../../test/support/control-characters.ts';
import { type Fault, rateLimited } from '../../../test/support/faults.ts';
import { hostilities } from '../../../test/support/hostile-service.ts';
import { smallOffice } from '../../../test/support/small-office.ts';
import { isSignIn, openWorld, type Run, type World } from '../../../test/support/world.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import { operations, resources } from '../../contract/catalogue.ts';

const parsed = (run: Run): JsonObject => JSON.parse(run.stdout);

/** The rows of a report, by operation. */
function rowsOf(run: Run): ReadonlyMap<string, JsonObject> {
  const { operations: rows } = parsed(run);
  const list = Array.isArray(rows) ? rows.filter(isObject) : [];
  return new Map(list.map((row) => [String(row.id), row]));
}

/** Ids of the operations with that result. */
const withResult = (run: Run, result: string): readonly string[] =>
  [...rowsOf(run)].filter(([, row]) => row.result === result).map(([id]) => id);

/** A world with a record of most kinds. */
async function office(like?: 'specification' | 'kazoo'): Promise<World> {
  const world = await openWorld(like === undefined ? {} : { like });
  const run = await world.telctl('apply -f office.yaml --yes', { files: { 'office.yaml': smallOffice } });
  if (run.code !== 0) throw new Error(run.stderr);
  return world;
}

const html = { 'content-type': 'text/html' };
const report = ['conformance', '-o', 'json'];

/** Refused while there is no rate deck, and while nobody set the account's brand, restrictions and allotments. */
const unset = [
  'rates.of-number',
  'rates.of-number-everywhere',
  'allotments.get',
  'whitelabel.get',
  'token_restrictions.get',
];

describe('telctl conformance', () => {
  test('names every operation of the contract once, in order', async () => {
    const world = await openWorld();
    const run = await world.telctl(report);
    expect(run.code).toBe(0);
    expect([...rowsOf(run).keys()]).toEqual(operations.map(({ id }) => id));
    expect(parsed(run)).toMatchObject({
      version: 1,
      service: world.url,
      account_id: world.seed.accountId,
      wrote: false,
      rate_limit: { refused: 0 },
    });
  });

  test('sends only GET requests and the sign-in', async () => {
    const world = await office();
    await world.revokeTokens();
    const run = await world.telctl('conformance');
    expect(run.code).toBe(0);
    expect(new Set(run.requests.filter((request) => !isSignIn(request)).map(({ method }) => method))).toEqual(
      new Set(['GET']),
    );
    // No more than an operation each, what tells unknown paths apart, and a sign-in.
    expect(run.requests.length).toBeLessThan(operations.filter(({ method }) => method === 'GET').length + 8);
  });

  test('finds all reads of a service that offers them, with ids from its lists', async () => {
    const run = await (await office()).telctl(report);
    expect(withResult(run, 'as-documented')).toEqual(
      expect.arrayContaining([
        'users.get',
        'users.vcard',
        'callflows.get',
        'keys.get',
        'tokens.info-by-query',
      ]),
    );
    expect(withResult(run, 'other-shape')).toEqual(unset);
    expect(withResult(run, 'not-offered')).toEqual([]);
    expect(withResult(run, 'failed')).toEqual([]);
    expect(rowsOf(run).get('store_apps.blacklist')).toMatchObject({
      result: 'not-tried',
      note: 'only for accounts above (403)',
    });
    expect(rowsOf(run).get('system_carriers.list')).toMatchObject({
      result: 'not-tried',
      note: 'only for super administrators (403)',
    });
    expect(rowsOf(run).get('links.get')).toMatchObject({
      result: 'not-tried',
      note: 'no record to read: links.list is empty',
    });
    const notes = ['users.create', 'faxes.create', 'numbers.create'].map((id) => rowsOf(run).get(id)?.note);
    expect(notes).toEqual([
      'it writes; --write tries it',
      'a fax would be sent',
      'a carrier might be asked for the number, and it may outlive the account',
    ]);
  });

  test('a service like the specification offers exactly the documented reads', async () => {
    const world = await openWorld({ like: 'specification' });
    const run = await world.telctl(report);
    const missing = withResult(run, 'not-offered');
    expect(missing.length).toBeGreaterThan(15);
    for (const [id, { source, result }] of rowsOf(run)) {
      if (source === 'specification')
        expect([id, result]).toEqual([id, expect.stringMatching(/^(?:as-documented|not-tried)$/)]);
      else expect([id, result]).toEqual([id, expect.stringMatching(/^not-(?:offered|tried)$/)]);
    }
    const table = await world.telctl('conformance');
    expect(table.stdout).toContain('users list will report that it is not supported');
    expect(table.stdout).toMatch(/0 of \d+ reads that are not documented are supported\./);
  });

  /** Replies to lists, each to another one, so that one run meets them all. */
  const replies = [
    ['devices', 'a bare list', 200, {}, '[]', 'other-shape', 'a bare list'],
    [
      'conferences',
      'an envelope without data',
      200,
      {},
      '{"status":"success"}',
      'other-shape',
      'an envelope without data',
    ],
    ['directories', 'no envelope', 200, {}, '{"id":"x"}', 'other-shape', 'a bare record'],
    [
      'groups',
      'another kind of data',
      200,
      {},
      '{"status":"success","data":"x"}',
      'other-shape',
      'data is a text',
    ],
    ['media', 'items that are no records', 200, {}, '{"data":["x"]}', 'other-shape', 'its items are texts'],
    [
      'menus',
      'a field of another type',
      200,
      {},
      '{"data":[{"name":7}]}',
      'other-shape',
      'name must be text',
    ],
    ['vmboxes', 'nothing', 200, {}, '', 'other-shape', 'an empty body'],
    ['callflows', 'a table', 200, { 'content-type': 'text/csv' }, 'id,name', 'other-shape', 'CSV'],
    ['webhooks', 'a page', 200, html, '<html>', 'failed', 'a web page instead of JSON'],
    ['blacklists', 'half of a reply', 200, {}, '{"data":[', 'failed', 'damaged JSON'],
    ['queues', 'a method that it lacks', 405, {}, '{}', 'not-offered', '405'],
    [
      'temporal_rules',
      'a path that it lacks',
      404,
      {},
      '{"code":"not_found","message":"No such path."}',
      'not-offered',
      '404',
    ],
    [
      'faxboxes',
      'nothing in it yet',
      404,
      {},
      '{"code":"bad_identifier"}',
      'other-shape',
      '404 without a record',
    ],
    ['users', 'a refusal', 403, {}, '{}', 'failed', 'not allowed to this sign-in (403)'],
    ['cdrs', 'trouble', 500, {}, '{}', 'failed', 'answers 500'],
  ] as const;
  const toReplies = async () => {
    const world = await openWorld();
    const faults = replies.map(([list, _, status, more, body]) => {
      const headers = { 'content-type': 'application/json', ...more };
      return { path: new RegExp(`/${list}$`), fault: { kind: 'answer', status, headers, body } } as const;
    });
    const run = await world.telctl(report, { faults });
    expect(run.code).toBe(0);
    return rowsOf(run);
  };
  let told: ReturnType<typeof toReplies> | undefined;

  test.each(replies)(
    'distinguishes %s from %s by the reply',
    async (list, _what, _status, _headers, _body, result, note) => {
      told ??= toReplies();
      expect((await told).get(`${list}.list`)).toMatchObject({ result, note });
    },
  );

  test('a listed record that cannot be read is a failure', async () => {
    const run = await (await office()).telctl(report, {
      faults: [
        {
          path: /\/users\/[^/]+$/,
          fault: {
            kind: 'answer',
            status: 404,
            body: '{"code":"bad_identifier","message":"Nothing","request_id":"r"}',
          },
        },
      ],
    });
    expect(rowsOf(run).get('users.get')).toMatchObject({
      result: 'failed',
      note: '404 for an existing record',
    });
  });

  test('names the command that cannot read a reply', async () => {
    const world = await openWorld();
    const run = await world.telctl('conformance', {
      faults: [
        { path: /\/menus$/, fault: { kind: 'answer', status: 200, body: '[]' } },
        { path: /\/auth\/keys$/, fault: { kind: 'answer', status: 405, body: '{}' } },
      ],
    });
    expect(run.stdout).toMatch(/menus\.list +other-shape: a bare list; menus list cannot read it/);
    expect(run.stdout).toMatch(
      /keys\.list +not-offered: 405; keys list will report that it is not supported/,
    );
    expect(run.stdout).toMatch(/1 is not supported +keys\.list/);
  });

  test.each([
    ['pages everywhere', 200, html, '<html>hello</html>'],
    ['404 everywhere', 404, html, '<html>nothing</html>'],
    ['405 everywhere', 405, {}, ''],
  ])('reports a service with %s as another service', async (_, status, headers, body) => {
    const world = await openWorld();
    const run = await world.telctl('conformance', {
      faults: [{ method: 'GET', fault: { kind: 'answer', status, headers, body } }],
    });
    expect(run.code).toBe(0);
    expect(run.stdout).toContain('This does not look like a compatible service.');
  });

  test('fails like other commands without a sign-in or a service', async () => {
    const stranger = await openWorld({ signIn: 'none' });
    expect((await stranger.telctl('conformance')).code).toBe(4);
    const world = await openWorld();
    expect((await world.telctl('conformance', { faults: [{ fault: { kind: 'refuse' } }] })).code).toBe(75);
    const dead = await world.telctl('conformance', {
      faults: [{ fault: { kind: 'answer', status: 401, body: '{}' } }],
    });
    expect(dead.code).toBe(4);
  });

  test('continues after one lost reply', async () => {
    const world = await openWorld();
    const run = await world.telctl(report, {
      faults: [{ path: /\/limits$/, fault: { kind: 'lose-reply' } }],
    });
    expect(run.code).toBe(0);
    expect(rowsOf(run).get('limits.get')).toMatchObject({ result: 'failed', note: 'no reply came' });
    expect(rowsOf(run).get('webhooks.hooks')).toMatchObject({ result: 'as-documented' });
  });

  test.each([...hostilities])('shows text of a service that is hostile %s as data', async (_, fault) => {
    const run = await (await office()).telctl('conformance --all', { faults: [{ method: 'GET', fault }] });
    expect(run.code).toBe(0);
    expect(controlCharacters(run.stdout + run.stderr)).toEqual([]);
  });

  test.each([
    [
      'tokens of the envelope',
      { tokens: { consumed: 1, remaining: 97 } },
      {},
      { said_by: 'tokens', burst: 97, remaining: 97 },
    ],
    [
      'headers',
      {},
      { 'ratelimit-limit': '100, 100;w=10', 'ratelimit-remaining': '42' },
      { said_by: 'headers', burst: 100, per_second: 10, remaining: 42 },
    ],
    [
      'older headers',
      {},
      { 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '59' },
      { said_by: 'headers', burst: 60, per_second: null },
    ],
  ])('reads the rate limit from %s', async (_, envelope, headers, expected) => {
    const world = await openWorld();
    const body = JSON.stringify({ status: 'success', data: {}, ...envelope });
    const run = await world.telctl(report, {
      faults: [{ path: /\/limits$/, fault: { kind: 'answer', status: 200, headers, body } }],
    });
    expect(parsed(run).rate_limit).toMatchObject(expected);
  });

  test.each([undefined, 'kazoo'] as const)(
    'detects the rate limit of a service that only responds 429, before a service like %s',
    async (like) => {
      const world = await office(like);
      const bucket = { size: 20, perSecond: 2 };
      let refused = 0;
      const faults = [rateLimited(world.clock, bucket, { met: () => (refused += 1) })];
      const run = await world.telctl(report, { faults });
      expect(run.code, run.stderr).toBe(0);
      const { rate_limit: found } = parsed(run);
      expect(found).toMatchObject({ said_by: 'status-429', burst: null, remaining: null, refused });
      expect(refused).toBeGreaterThan(0);
      expect(isObject(found) ? Number(found.per_second) : 0).toBeCloseTo(bucket.perSecond, 0);
      // Without a mailer, the templates of the service cannot be read there.
      const failed = like === 'kazoo' ? ['system_notifications.list'] : [];
      expect(withResult(run, 'failed').toSorted()).toEqual(failed.toSorted());
      const text = await world.telctl('conformance', { faults: [rateLimited(world.clock, bucket)] });
      expect(text.stdout).toMatch(/Rate limit: .*a second, \d+ refused\./);
    },
  );
});

describe('stored findings', () => {
  const kept = async (world: World) => parsed(await world.telctl('profiles show -o json')).learned;

  test('findings are stored in the profile and shown by profiles show and doctor', async () => {
    const world = await openWorld({ like: 'specification' });
    expect(await kept(world)).toBeNull();
    await world.telctl('conformance');
    expect(await kept(world)).toEqual({
      checked_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      checked_by: expect.stringMatching(/^telctl\/./),
    });
    expect((await world.telctl('profiles show')).stdout).toMatch(/Learned +what the service offers, \d{4}-/);
    expect((await world.telctl('doctor')).stdout).toMatch(
      /conformance +ok +Operations as of .*: \d+ not\s+offered/,
    );
  });

  test('saves the requests for lists that the service lacks', async () => {
    const world = await openWorld({ like: 'specification' });
    const line = 'users get alice';
    const before = await world.telctl(line);
    expect(before.requests.length).toBeGreaterThan(0);
    await world.telctl('conformance');
    const after = await world.telctl(line);
    expect(after.code).toBe(before.code);
    expect(after.requests.length).toBeLessThan(before.requests.length);
    expect(after.stderr).toContain('telctl conformance detected that. Run it again to check.');
  });

  test('a missing operation can still be requested', async () => {
    const world = await openWorld();
    const lacking = '{"code":"not_found","message":"No such path."}';
    await world.telctl('conformance', {
      faults: [{ path: /\/menus$/, fault: { kind: 'answer', status: 404, body: lacking } }],
    });
    expect((await world.telctl('menus list')).code).toBe(0);
    expect((await world.telctl('menus get main')).code).toBe(5);
    await world.telctl('conformance');
    expect((await world.telctl('menus get main')).stderr).not.toContain('does not offer');
  });

  test('findings are deleted at the next sign-in, and not stored for other services', async () => {
    const world = await openWorld();
    await world.telctl('conformance', {
      faults: [{ method: 'GET', fault: { kind: 'answer', status: 404, body: '' } }],
    });
    expect(await kept(world)).toBeNull();
    await world.telctl('conformance');
    expect(await kept(world)).not.toBeNull();
    const login = ['login', '--profile', world.profile, '--base-url', world.url, '--api-key-stdin'];
    await world.telctl(login, { stdin: world.seed.apiKey });
    expect(await kept(world)).toBeNull();
  });
});

describe('telctl conformance --write', () => {
  const line = [...report, '--write', '--yes'];
  const changing = ({ requests }: Run) =>
    requests.filter((request) => request.method !== 'GET' && !isSignIn(request));
  /** Every record of the service and of the accounts that are there. */
  const database = async ({ sandbox: { store } }: World): Promise<readonly string[]> => {
    const kinds = await Promise.all(resources.map(({ name }) => store.allOfKind(name)));
    const living = new Set(['', ...(await store.allOfKind('accounts')).map(({ id }) => id)]);
    return kinds
      .flat()
      .filter(({ scope }) => living.has(scope))
      .map((record) => JSON.stringify(record))
      .sort();
  };

  /** A run that meets no trouble, and the records before and after it; one for each service, since several tests read it. */
  async function writeOnce(like?: 'kazoo') {
    const world = await office(like);
    const before = await database(world);
    const run = await world.telctl(line);
    expect(run.code, run.stderr).toBe(0);
    return { run, before, after: await database(world), own: world.seed.accountId };
  }
  const written = new Map<string | undefined, ReturnType<typeof writeOnce>>();
  const writtenAt = (like?: 'kazoo') => {
    const known = written.get(like) ?? writeOnce(like);
    written.set(like, known);
    return known;
  };

  test.each([undefined, 'kazoo'] as const)(
    'only writes in a temporary account, and removes it (%s)',
    async (like) => {
      const { run, before, after, own } = await writtenAt(like);
      const sent = changing(run);
      const [opened, ...inside] = sent;
      expect([opened?.method, opened?.path]).toEqual(['PUT', `/v2/accounts/${own}`]);
      const [, account = ''] = /^\/v2\/accounts\/([0-9a-f]{32})/.exec(inside.at(-1)?.path ?? '') ?? [];
      expect(account).not.toBe(own);
      for (const { path } of inside) expect(path).toMatch(new RegExp(`^/v2/accounts/${account}(?:/|$)`));
      expect(inside.at(-1)).toMatchObject({ method: 'DELETE', path: `/v2/accounts/${account}` });
      expect(JSON.stringify(sent)).not.toContain('accept_charges');
      expect(after).toEqual(before);
    },
  );

  test('tries every allowed operation, and gives a reason for the others', async () => {
    const { run } = await writtenAt();
    expect(withResult(run, 'not-offered')).toEqual([]);
    expect(withResult(run, 'as-documented')).toEqual(
      expect.arrayContaining([
        ...[
          'accounts.create',
          'accounts.update',
          'accounts.patch',
          'accounts.delete',
          'accounts.rotate-api-key',
        ],
        ...[
          'users',
          'menus',
          'callflows',
          'groups',
          'directories',
          'conferences',
          'vmboxes',
          'webhooks',
          'ports',
        ].flatMap((name) => ['get', 'create', 'update', 'patch', 'delete'].map((verb) => `${name}.${verb}`)),
        ...['messages.get', 'messages.delete-all', 'metaflows.delete', 'tokens.reset-user-secret'],
        ...['numbers.locality', 'ports.timeline'],
      ]),
    );
    // The account's own administrator may not set them there.
    expect(withResult(run, 'failed')).toEqual([
      'services.update',
      'services.override',
      'limits.set',
      'allotments.update',
    ]);
    const rows = rowsOf(run);
    for (const id of [
      'tokens.reset-system-secret',
      'keys.reset',
      'providers.update',
      'providers.delete',
      'apps.create',
    ])
      expect(rows.get(id)).toMatchObject({ result: 'not-tried', note: 'it is not about an account' });
    for (const id of ['numbers.create', 'faxes.create', 'services.assign', 'ports.submit', 'ports.comment'])
      expect(rows.get(id)).toMatchObject({ result: 'not-tried' });
    const told = run.requests.filter(
      ({ method, path }) => method !== 'GET' && /submitted|port_requests\/.*comments$|activate/.test(path),
    );
    expect(told).toEqual([]);
    expect(parsed(run)).toMatchObject({ wrote: true });
  });

  test('learns behaviors from writes', async () => {
    const { run: usual } = await writtenAt();
    const { run: kazoo } = await writtenAt('kazoo');
    expect(parsed(usual).habits).toMatchObject({
      takes_own_ids: false,
      refuses_taken_ids: null,
      patch_removes_by_null: true,
      honours_if_match: false,
      normalises_numbers: true,
      keeps_unknown_fields: true,
    });
    expect(parsed(kazoo).habits).toMatchObject({
      takes_own_ids: true,
      refuses_taken_ids: true,
      honours_if_match: true,
      normalises_numbers: false,
    });
    expect(parsed(usual)).toMatchObject({ refuses_tags: [], merges_one_level: [] });
    expect(parsed(kazoo)).toMatchObject({
      refuses_tags: expect.arrayContaining(['accounts.update', 'users.update']),
      merges_one_level: expect.arrayContaining(['webhooks.patch', 'carriers.patch']),
    });
    expect(withResult(kazoo, 'other-shape')).toContain('users.vcard');
    // An envelope without data, which says as much as one with an empty object.
    expect(withResult(kazoo, 'as-documented')).toEqual(
      expect.arrayContaining(['tokens.reset-account-secret', 'tokens.reset-user-secret']),
    );
  });

  test('finds that API keys are replaced by PUT, and the next rotation starts with PUT', async () => {
    const world = await office();
    const lacking: Fault = { kind: 'answer', status: 405, body: '{}' };
    const key = { 'content-type': 'application/json' };
    const replaced: Fault = {
      kind: 'answer',
      status: 201,
      headers: key,
      body: '{"status":"success","data":{"api_key":"x"}}',
    };
    const faults = [
      { method: 'POST', path: /\/api_key$/, fault: lacking },
      { method: 'PUT', path: /\/api_key$/, fault: replaced },
    ];
    const run = await world.telctl(line, { faults });
    expect(rowsOf(run).get('accounts.rotate-api-key')).toMatchObject({
      result: 'other-shape',
      note: 'PUT in place of POST',
      consequence: 'telctl accepts it',
    });
    const planned = await world.telctl('accounts api-key rotate --dry-run');
    expect(planned.stdout).toContain('Would send PUT ');
    await world.telctl(line);
    expect((await world.telctl('accounts api-key rotate --dry-run')).stdout).toContain('Would send POST ');
  });

  test('keeps learned behaviors after a run without --write', async () => {
    const world = await office();
    await world.telctl(line);
    await world.telctl('conformance');
    const config = readFileSync(join(world.folders.home, '.config/telctl/config.json'), 'utf8');
    expect(config).toContain('"keeps_unknown_fields": true');
  });

  test('writes nothing if the user declines', async () => {
    const world = await openWorld();
    const answers = [{ to: /delete the account/, type: 'n' }];
    const run = await world.telctl('conformance --write', { tty: true, answers });
    expect([run.code, changing(run)]).toEqual([130, []]);
    const silent = await world.telctl('conformance --write');
    expect([silent.code, changing(silent)]).toEqual([2, []]);
  });

  test('--dry-run shows the planned account, and a read-only profile is refused', async () => {
    const world = await openWorld();
    const dry = await world.telctl('conformance --write --dry-run');
    expect([dry.code, changing(dry)]).toEqual([0, []]);
    expect(dry.stdout).toContain('Would send PUT /v2/accounts/');
    await world.telctl(`profiles set ${world.profile} --protect read-only`);
    const held = await world.telctl(line);
    expect([held.code, changing(held)]).toEqual([9, []]);
    expect((await world.telctl('conformance')).code).toBe(0);
  });

  test('removes the account after Ctrl-C', async () => {
    const world = await office();
    const before = await database(world);
    const stop = new AbortController();
    const run = await world.telctl('conformance --write --yes', {
      interrupted: stop.signal,
      faults: [{ method: 'PUT', path: /\/menus$/, fault: { kind: 'pass' }, met: () => stop.abort() }],
    });
    expect(run.code).toBe(130);
    expect(changing(run).at(-1)?.method).toBe('DELETE');
    expect(run.stderr).toMatch(/Removed the account telctl-conformance-\w+\./);
    expect(await database(world)).toEqual(before);
  });

  test.each(['lose-reply', 'refuse'] as const)(
    'leaves no account behind if the creation meets %s',
    async (kind) => {
      const world = await office();
      const before = await database(world);
      const run = await world.telctl(line, {
        faults: [{ method: 'PUT', path: /\/accounts\/[0-9a-f]{32}$/, fault: { kind } }],
      });
      expect(run.code).toBe(0);
      expect(await database(world)).toEqual(before);
      expect(rowsOf(run).get('menus.create')).toMatchObject({
        result: 'not-tried',
        note: 'the temporary account could not be created',
      });
    },
  );

  test('names the leftover account with the command that deletes it', async () => {
    const world = await office();
    const run = await world.telctl(line, {
      faults: [
        {
          method: 'DELETE',
          path: /\/accounts\/[0-9a-f]{32}$/,
          fault: { kind: 'answer', status: 500, body: '{}' },
        },
      ],
    });
    expect(run.code).toBe(0);
    const [, command = ''] = /To delete it: telctl (accounts delete .+)/.exec(run.stderr) ?? [];
    expect(command).toMatch(/^accounts delete (telctl-conformance-\w+) --confirm \1$/);
    expect((await world.telctl(command)).code).toBe(0);
  });

  test.each([
    ['the account acted on', ({ seed }: World) => ({ id: seed.accountId, name: 'acme' })],
    ['itself under the asked name', ({ seed }: World, name: string) => ({ id: seed.accountId, name })],
    ['somebody else', () => ({ id: 'f'.repeat(32), name: 'Other' })],
    ['nothing', () => ({})],
  ])('never treats %s as the temporary account', async (_, record) => {
    const world = await office();
    const before = await database(world);
    const change = (body: string) => {
      const envelope = JSON.parse(body);
      return JSON.stringify({ ...envelope, data: record(world, envelope.data.name) });
    };
    const run = await world.telctl(line, {
      faults: [{ method: 'PUT', path: /\/accounts\/[0-9a-f]{32}$/, fault: { kind: 'rewrite', change } }],
    });
    expect(run.code).toBe(0);
    // It is found by its name, and goes unused.
    expect(changing(run).map(({ method }) => method)).toEqual(['PUT', 'DELETE']);
    expect(await database(world)).toEqual(before);
  });

  test('continues after a write without a reply', async () => {
    const world = await office();
    const run = await world.telctl(line, {
      faults: [{ method: 'PUT', path: /\/menus$/, fault: { kind: 'lose-reply' } }],
    });
    expect(run.code).toBe(0);
    expect(rowsOf(run).get('menus.create')).toMatchObject({ result: 'failed', note: 'no reply came' });
    expect(rowsOf(run).get('menus.patch')).toMatchObject({ result: 'not-tried' });
    expect(rowsOf(run).get('accounts.delete')).toMatchObject({ result: 'as-documented' });
  });

  test('rejects options that accept charges', async () => {
    const world = await openWorld();
    expect((await world.telctl('conformance --write --yes --accept-charges')).code).toBe(2);
  });
});
