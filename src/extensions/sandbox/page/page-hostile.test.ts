import { expect, test } from 'vitest';
import { lookedAt } from '../../../../test/support/looked-at.ts';
import { isObject, type JsonObject } from '../../../base/json.ts';

const hostile = [
  `<img src=x onerror="alert('x')">`,
  `"'><script>alert(1)</script>`,
  '</title></style><svg onload=alert(2)>',
  'left \u202egnp.exe\u2066 right\u0007',
  '👩‍👧 שלום <blink>',
];

/** All tags of a page, without those of its own style and script. */
const tagsIn = (text: string): readonly string[] =>
  text.replaceAll(/<(style|script)>.*?<\/\1>/gs, '').match(/<[a-z!/][^>]*>/gi) ?? [];

/** Puts another body into the store, past the service's own checks. */
async function overwrite(
  { store }: Awaited<ReturnType<typeof lookedAt>>,
  kind: string,
  change: (body: JsonObject) => JsonObject,
) {
  for (const record of await store.allOfKind(kind)) {
    const changed = { ...record, body: change(record.body), revision: record.revision };
    await store.commit([{ change: 'put', record: changed, order: '', keys: [], claims: [] }]);
  }
}

test('every view and picture escapes markup in names, keys, ids and paths', async () => {
  const world = await lookedAt();
  const { put, get, look, call, token, seed } = world;
  for (const [index, name] of hostile.entries()) {
    const flow = { module: 'user', data: {}, children: { [name]: { module: 'menu', data: { id: name } } } };
    await put('callflows', { name, numbers: [`30${index}`], flow });
    await put('menus', { name, [name]: { [name]: [name] } });
    await call('GET', `/v2/accounts/${seed.accountId}/${encodeURIComponent(name)}`, { token });
    await call('PUT', `/v2/accounts/${seed.accountId}/menus`, {
      token,
      data: { retries: name, [name]: name },
    });
  }
  await overwrite(world, 'callflows', (body) => ({
    ...body,
    flow: { ...(isObject(body.flow) ? body.flow : {}), module: body.name },
  }));
  const listed = await look('kind=callflows');
  const ids = [...listed.matchAll(/id=([0-9a-f]{32})"/g)].map(([, id]) => id);
  expect(ids.length).toBeGreaterThanOrEqual(5);
  const menus = [...(await look('kind=menus')).matchAll(/id=([0-9a-f]{32})"/g)].map(([, id]) => id);
  const pages = [
    (await get()).text,
    (await get('?log=all')).text,
    (await get(`?log=all&find=${encodeURIComponent(hostile[1] ?? '')}`)).text,
    listed,
    await look(`kind=menus&find=${encodeURIComponent(hostile[0] ?? '')}`),
    await look(`kind=${encodeURIComponent(hostile[1] ?? '')}`),
    ...(await Promise.all(ids.map((id) => look(`kind=callflows&id=${id}`)))),
    ...(await Promise.all(menus.map((id) => look(`kind=menus&id=${id}`)))),
  ];
  for (const text of pages) {
    for (const tag of tagsIn(text)) {
      expect(tag).not.toMatch(/^<(?:img|script|blink|iframe|object|base|meta http)/i);
      expect(tag.replaceAll(/"[^"]*"/g, '')).not.toMatch(/\son\w+=|style=|javascript:/i);
    }
    for (const [, address = ''] of text.matchAll(/href="([^"]*)"/g))
      expect(address).toMatch(/^(?:\?|#|data:image\/svg)/);
    expect(text).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
    expect(text).not.toContain('\u0007');
  }
  expect(pages.join('')).toContain('left \ufffdgnp.exe\ufffd right');
});

test('shows script targets and invalid addresses as text, not as links', async () => {
  const world = await lookedAt();
  const { put, look } = world;
  const id = await put('webhooks', { name: 'CRM', uri: 'http://127.0.0.1:9/', hook: 'channel_destroy' });
  await overwrite(world, 'webhooks', (body) => ({ ...body, uri: 'javascript:alert(document.domain)' }));
  expect(await look(`kind=webhooks&id=${id}`)).not.toContain('javascript:');
});

test('truncates long names in lists and shows them in full on the record page', async () => {
  const { put, get, look } = await lookedAt();
  const name = 'Very long '.repeat(1000);
  const id = await put('callflows', {
    name: 'x'.repeat(120),
    numbers: ['300'],
    flow: { module: 'user', data: { note: name } },
  });
  for (let index = 0; index < 20; index += 1) await put('menus', { name: `Menu ${index}`, label: name });
  expect((await get()).text.length).toBeLessThan(60_000);
  expect((await look('kind=menus')).length).toBeLessThan(60_000);
  expect(await look(`kind=callflows&id=${id}`)).toContain(name);
});

test('the picture of a callflow has a maximum number of steps, and marks a circular callflow', async () => {
  const { put, look, call, token, seed } = await lookedAt();
  const menu = await put('menus', { name: 'Wide' });
  const wide = Object.fromEntries(
    Array.from({ length: 200 }, (_, index) => [String(index), { module: 'hangup', data: {}, children: {} }]),
  );
  const flow = { module: 'menu', data: { id: menu }, children: wide };
  const id = await put('callflows', { name: 'Wide', numbers: ['300'], flow });
  const boxes = (text: string): number => text.split('<g class="step').length - 1;
  expect(boxes(await look(`kind=callflows&id=${id}`))).toBe(201);

  const back = { module: 'callflow', data: { id }, children: {} };
  await call('PATCH', `/v2/accounts/${seed.accountId}/callflows/${id}`, {
    token,
    data: { flow: { children: { 7: back } } },
  });
  const looping = await look(`kind=callflows&id=${id}`);
  expect(looping).toMatch(/<g class="step back"><title>callflow ↺ Wide, from the beginning<\/title>/);
  expect(looping).toContain(
    `<a href="?account=${seed.accountId}&amp;kind=menus&amp;id=${menu}"><g class="step">`,
  );

  let deep: object = { module: 'hangup', data: {}, children: {} };
  for (let index = 0; index < 40; index += 1)
    deep = { module: 'menu', data: { id: menu }, children: { ...wide, _: deep } };
  const long = await put('callflows', { name: 'Deep', numbers: ['301'], flow: deep });
  const text = await look(`kind=callflows&id=${long}`);
  expect(boxes(text)).toBeLessThan(500);
  expect(text).toContain('more steps');
});

test('pages of other sites cannot embed or stream the page, but can link to it', async () => {
  const { call } = await lookedAt();
  const from = (site: string, mode: string, dest: string) => ({
    headers: { 'sec-fetch-site': site, 'sec-fetch-mode': mode, 'sec-fetch-dest': dest },
  });
  expect((await call('GET', '/', from('cross-site', 'navigate', 'document'))).status).toBe(200);
  expect((await call('GET', '/', from('none', 'navigate', 'document'))).status).toBe(200);
  expect((await call('GET', '/', from('same-origin', 'cors', 'empty'))).status).toBe(200);
  for (const headers of [
    from('cross-site', 'navigate', 'iframe'),
    from('cross-site', 'no-cors', 'image'),
    from('same-site', 'cors', 'empty'),
  ]) {
    expect((await call('GET', '/', headers)).status).toBe(403);
    expect((await call('GET', '/?live', headers)).status).toBe(403);
  }
});
