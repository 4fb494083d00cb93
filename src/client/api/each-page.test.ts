import { expect, test } from 'vitest';
import type { Json, JsonObject } from '../../base/json.ts';
import { operationById } from '../../contract/catalogue.ts';
import type { ApiRequest, Reply } from './api.ts';
import { eachPage } from './each-page.ts';

const call: ApiRequest = { operation: operationById('users.list'), query: { filter_enabled: 'true' } };
const page = (data: Json, envelope: JsonObject = {}): Reply => ({
  status: 200,
  data,
  requestId: undefined,
  envelope,
  headers: {},
});

async function read(...replies: Reply[]) {
  const queries: ApiRequest['query'][] = [];
  const items: JsonObject[] = [];
  const send = async ({ query }: ApiRequest) => {
    queries.push(query);
    const reply = replies[Math.min(queries.length, replies.length) - 1];
    if (reply === undefined) throw new Error('no more pages');
    return reply;
  };
  for await (const records of eachPage(send, call)) items.push(...records);
  return { items, queries };
}

test('follows pages to the last with the query of the first', async () => {
  const { items, queries } = await read(
    page([{ id: '1' }], { next_start_key: 'k1' }),
    page([{ id: '2' }], { next_start_key: ['k', 2] }),
    page([{ id: '3' }]),
  );
  expect(items.map(({ id }) => id)).toEqual(['1', '2', '3']);
  expect(queries).toEqual([
    { filter_enabled: 'true' },
    { filter_enabled: 'true', start_key: 'k1' },
    { filter_enabled: 'true', start_key: '["k",2]' },
  ]);
});

test.each([null, ''])('treats a page with the next key %j as the last', async (none) => {
  const { items, queries } = await read(page([{ id: '1' }], { next_start_key: none }), page([{ id: '2' }]));
  expect([items, queries.length]).toEqual([[{ id: '1' }], 1]);
});

test('fails if the next key repeats', async () => {
  const pages = ['1', '2', '3'].map((id) => page([{ id }], { next_start_key: 'k1' }));
  const sent: ApiRequest[] = [];
  const send = async (one: ApiRequest) => {
    sent.push(one);
    return pages[sent.length - 1] ?? page([]);
  };
  const reading = async () => {
    for await (const records of eachPage(send, call)) expect(records).toHaveLength(1);
  };
  await expect(reading()).rejects.toMatchObject({ kind: 'failed' });
  expect(sent).toHaveLength(2);
});

test('treats an empty object as an empty list and rejects other non-lists', async () => {
  expect((await read(page({}))).items).toEqual([]);
  await expect(read(page({ numbers: {} }))).rejects.toMatchObject({ kind: 'failed' });
  await expect(read(page(['text']))).rejects.toMatchObject({ kind: 'failed' });
});

test('stops endless pages, whether they repeat records or are empty', async () => {
  for (const data of [[{ id: '1' }], []]) {
    let pages = 0;
    const endless = async () => {
      pages += 1;
      return page(data, { next_start_key: `k${pages}` });
    };
    const reading = async () => {
      for await (const records of eachPage(endless, call)) expect(records).toEqual(pages === 1 ? data : []);
    };
    await expect(reading()).rejects.toMatchObject({ kind: 'failed' });
    expect(pages).toBeLessThan(60);
  }
});

test('returns a repeated record once and reports that the list moved', async () => {
  const replies = [
    page([{ id: '1' }, { id: '2' }], { next_start_key: 'k1' }),
    page([{ id: '2' }, { id: '3' }, { id: '3' }]),
  ];
  const items: JsonObject[] = [];
  const moved: unknown[] = [];
  const send = async ({ query }: ApiRequest) => replies[query?.start_key === undefined ? 0 : 1] ?? page([]);
  for await (const records of eachPage(send, call, ({ id }, again) => moved.push([id, again])))
    items.push(...records);
  expect(items.map(({ id }) => id)).toEqual(['1', '2', '3']);
  expect(moved).toEqual([['users.list', 2]]);
});

test('treats registrations with the same username as different records', async () => {
  const registrations = [
    { id: 'ann', contact: 'a' },
    { id: 'ann', contact: 'b' },
    { id: 'ann', contact: 'b' },
  ];
  const of = { operation: operationById('registrations.list') };
  const pages = eachPage(async () => page(registrations), of);
  expect((await Array.fromAsync(pages)).flat()).toEqual(registrations.slice(0, 2));
});
