import { describe, expect, test } from 'vitest';
import { calledSandbox } from '../../../../test/support/called-sandbox.ts';
import { lookedAt } from '../../../../test/support/looked-at.ts';
import type { JsonObject } from '../../../base/json.ts';
import { gregorianSeconds } from '../ids-and-secrets.ts';
import { buildPut } from '../placement.ts';

describe('the page', () => {
  test('runs, loads and is framed only by itself, and is never cached', async () => {
    const { get } = await lookedAt();
    const { status, headers, text } = await get();
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    const policy = String(headers['content-security-policy']);
    expect(policy).toMatch(
      /^default-src 'none'; script-src 'sha256-[\w+/=]+'; style-src 'sha256-[\w+/=]+'; /,
    );
    expect(policy).toContain("frame-ancestors 'none'");
    expect(text.match(/https?:\/\/[^ "'<&]+/g) ?? []).toEqual(['http://www.w3.org/2000/svg']);
  });

  test('shows the account below the platform first, with its counts and the clock', async () => {
    const { get, put, clock } = await lookedAt();
    await put('menus', { name: 'Main menu' });
    await clock.advance(25 * 3_600_000 + 60_000);
    const { text } = await get();
    expect(text).toContain('<h1><bdi>acme</bdi></h1>');
    expect(text).toMatch(/kind=menus"><b>1<\/b><span>menus/);
    expect(text).toMatch(/kind=numbers"><b>1<\/b><span>numbers/);
    expect(text).toContain('2026-05-05 11:01:00');
    expect(text).toContain('turned ahead 1 d 1 h');
  });

  test('shows the legs of a live call in one row, and a bar for each minute of the last hour', async () => {
    const { get, store, clock, seed } = await lookedAt();
    expect((await get()).text).not.toContain('<h2>Calls</h2>');
    const started = gregorianSeconds(clock);
    const leg = (id: string, hidden: JsonObject, createdAt: number) =>
      buildPut(
        {
          ...{
            kind: 'cdrs',
            scope: seed.accountId,
            id,
            body: { request: '2001@acme', call_direction: 'inbound', call_id: id, interaction_id: 'i' },
          },
          ...{ hidden: { started, ...hidden }, createdAt, modifiedAt: started, revision: 0 },
        },
        'cdrs',
      );
    const minute = `missed ${Math.floor(started / 60)}`;
    await store.commit([
      leg('a', {}, started + 600),
      leg('b', {}, started + 600),
      leg('c', { minute }, started),
    ]);
    const { text } = await get();
    expect(text).toContain('1 live call. Calls in the last hour: 1 missed.');
    expect(text.match(/ringing, 0 s, 2 legs/g)).toHaveLength(1);
    expect(text).toMatch(/<rect class="missed" x="590" y="0" width="8" height="60"\/>/);
  });

  test('returns 404 for unknown accounts, kinds and records', async () => {
    const { get, seed } = await lookedAt();
    const account = `?account=${seed.accountId}`;
    for (const query of [
      '?account=nobody',
      `${account}&kind=keys`,
      `${account}&kind=users&id=nobody`,
      `${account}&kind=numbers&id=%2B15550000000`,
    ]) {
      const { status, text } = await get(query);
      expect(status, query).toBe(404);
      expect(text).toContain('Not here');
    }
  });

  test('does not show numbers of other accounts', async () => {
    const { get, seed } = await lookedAt();
    const of = (account: string) =>
      get(`?account=${account}&kind=numbers&id=${encodeURIComponent(seed.phoneNumber)}`);
    expect((await of(seed.accountId)).status).toBe(200);
    expect((await of(seed.masterAccountId)).status).toBe(404);
  });

  test('shows no secret, neither in fields of the contract nor in fields with similar names', async () => {
    const { get, put, seed } = await lookedAt();
    const account = `?account=${seed.accountId}`;
    const user = await put('users', {
      username: 'alice',
      password: 'sesame-1-sesame',
      first_name: 'A',
      last_name: 'B',
      crm: { api_token: 'sesame-2', refresh_token: 'sesame-3', pin: 'sesame-4', label: 'shown' },
    });
    const hook = await put('webhooks', {
      name: 'CRM',
      uri: 'http://me:sesame-5@127.0.0.1:9/x?key=sesame-6#sesame-7',
      hook: 'object',
      custom_data: { type: 'all', action: 'all', word: 'sesame-8' },
    });
    const pages = await Promise.all(
      ['', `${account}&kind=users`, `${account}&kind=users&id=${user}`].map(get),
    );
    const hooks = await Promise.all(
      [`${account}&kind=webhooks`, `${account}&kind=webhooks&id=${hook}`].map(get),
    );
    const all = [...pages, ...hooks].map(({ text }) => text).join('\n');
    expect(all).toContain('shown');
    expect(all).toContain('http://••••••@127.0.0.1:9/x?••••••#••••••');
    expect(all).not.toContain('sesame');
    expect(all).not.toContain(seed.apiKey);
  });

  test('is not in its own list of requests', async () => {
    const { get, log } = await lookedAt();
    const before = log.since().length;
    await get();
    await get('?account=nobody');
    expect(log.since()).toHaveLength(before);
  });

  test('accepts only GET at the root, and leaves other paths to the service', async () => {
    const [{ call, token }, plain] = [await lookedAt(), await calledSandbox()];
    for (const [method, path] of [
      ['POST', '/'],
      ['DELETE', '/?x=1'],
      ['GET', '//'],
      ['GET', '/v2'],
      ['GET', '/v2/'],
      ['GET', '/v2/?x=1'],
      ['GET', '/index.html'],
      ['GET', '/nowhere'],
    ] as const) {
      const [here, there] = [await call(method, path, { token }), await plain.call(method, path, { token })];
      expect(here.status, `${method} ${path}`).toBe(there.status);
      expect(here.headers['content-type']).toBe(there.headers['content-type']);
      expect(here.data).toEqual(there.data);
    }
  });
});
