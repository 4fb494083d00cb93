import { describe, expect, test } from 'vitest';
import { controlCharacters } from '../../../test/support/control-characters.ts';
import { hostilities } from '../../../test/support/hostile-service.ts';
import { smallOffice } from '../../../test/support/small-office.ts';
import { isSignIn, openWorld, type Run, type World } from '../../../test/support/world.ts';
import { operations } from '../../contract/catalogue.ts';
import { isObject, type JsonObject } from '../../contract/json.ts';

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

describe('telctl conformance', () => {
  test('names every operation of the contract once, in its order', async () => {
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

  test('sends nothing but GET and the sign-in', async () => {
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

  test('finds all reads of a service that has them, with ids from its lists', async () => {
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
    expect(withResult(run, 'other-shape')).toEqual([]);
    expect(withResult(run, 'not-offered')).toEqual([]);
    expect(withResult(run, 'failed')).toEqual([]);
    expect(rowsOf(run).get('links.get')).toMatchObject({
      result: 'not-tried',
      note: 'there is nothing to ask about: links.list shows none',
    });
  });

  test('finds at the letter of the specification what it documents, and nothing else', async () => {
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
    expect(table.stdout).toContain('users list will say that it is not offered');
    expect(table.stdout).toContain('0 of 39 reads beyond the documentation are offered.');
  });

  test.each([
    ['a bare list', 200, {}, '[]', 'other-shape', 'a bare list'],
    ['an envelope without data', 200, {}, '{"status":"success"}', 'other-shape', 'an envelope without data'],
    ['no envelope', 200, {}, '{"id":"x"}', 'other-shape', 'a bare record'],
    ['another kind of data', 200, {}, '{"status":"success","data":"x"}', 'other-shape', 'data is a text'],
    ['items that are no records', 200, {}, '{"data":["x"]}', 'other-shape', 'its items are texts'],
    ['a field of another type', 200, {}, '{"data":[{"name":7}]}', 'other-shape', 'name must be text'],
    ['nothing', 200, {}, '', 'other-shape', 'an empty body'],
    ['a table', 200, { 'content-type': 'text/csv' }, 'id,name', 'other-shape', 'CSV'],
    ['a page', 200, html, '<html>', 'failed', 'a web page instead of JSON'],
    ['half of a reply', 200, {}, '{"data":[', 'failed', 'damaged JSON'],
    ['a method that it lacks', 405, {}, '{}', 'not-offered', '405'],
    ['a path that it lacks', 404, {}, '{"code":"not_found","message":"No such path."}', 'not-offered', '404'],
    ['nothing in it yet', 404, {}, '{"code":"bad_identifier"}', 'other-shape', '404 while there is nothing'],
    ['a refusal', 403, {}, '{}', 'failed', 'not allowed to this sign-in (403)'],
    ['trouble', 500, {}, '{}', 'failed', 'answers 500'],
  ])('tells %s apart by the reply', async (_, status, headers, body, result, note) => {
    const world = await openWorld();
    const run = await world.telctl(report, {
      faults: [
        {
          path: /\/menus$/,
          fault: {
            kind: 'answer',
            status,
            headers: { 'content-type': 'application/json', ...headers },
            body,
          },
        },
      ],
    });
    expect(run.code).toBe(0);
    expect(rowsOf(run).get('menus.list')).toMatchObject({ result, note });
  });

  test('says of a record that was listed and is not there that it failed', async () => {
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
      note: '404 for an id that the service listed',
    });
  });

  test('says which command cannot read what comes', async () => {
    const world = await openWorld();
    const run = await world.telctl('conformance', {
      faults: [
        { path: /\/menus$/, fault: { kind: 'answer', status: 200, body: '[]' } },
        { path: /\/auth\/keys$/, fault: { kind: 'answer', status: 405, body: '{}' } },
      ],
    });
    expect(run.stdout).toMatch(/menus\.list +other-shape: a bare list; menus list cannot read it/);
    expect(run.stdout).toMatch(/keys\.list +not-offered: 405; keys list will say that it is not offered/);
    expect(run.stdout).toMatch(/1 is not offered +keys\.list/);
  });

  test.each([
    ['pages everywhere', 200, html, '<html>hello</html>'],
    ['404 everywhere', 404, html, '<html>nothing</html>'],
    ['405 everywhere', 405, {}, ''],
  ])('says of a service with %s that it is another one', async (_, status, headers, body) => {
    const world = await openWorld();
    const run = await world.telctl('conformance', {
      faults: [{ method: 'GET', fault: { kind: 'answer', status, headers, body } }],
    });
    expect(run.code).toBe(0);
    expect(run.stdout).toContain('Nothing here answers like a service of this interface.');
  });

  test('ends as other commands do where nobody is signed in, or nothing answers', async () => {
    const stranger = await openWorld({ signIn: 'none' });
    expect((await stranger.telctl('conformance')).code).toBe(4);
    const world = await openWorld();
    expect((await world.telctl('conformance', { faults: [{ fault: { kind: 'refuse' } }] })).code).toBe(75);
    const dead = await world.telctl('conformance', {
      faults: [{ fault: { kind: 'answer', status: 401, body: '{}' } }],
    });
    expect(dead.code).toBe(4);
  });

  test('goes on where one operation alone gets no reply', async () => {
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
});

describe('what conformance found', () => {
  const kept = async (world: World) => parsed(await world.telctl('profiles show -o json')).learned;

  test('is kept with the profile, and shown by profiles show and doctor', async () => {
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
    expect(after.stderr).toContain('telctl conformance found that out, and asks again.');
  });

  test('keeps nobody from asking for the operation itself', async () => {
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

  test('is forgotten by the next sign-in, and nothing is kept of another kind of service', async () => {
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
