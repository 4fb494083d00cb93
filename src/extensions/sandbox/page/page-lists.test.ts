import { expect, test } from 'vitest';
import { lookedAt } from '../../../../test/support/looked-at.ts';
import { parseLine } from '../../../cli/shell/parse-line.ts';

type Looked = Awaited<ReturnType<typeof lookedAt>>;

const rowsIn = (text: string): readonly string[] =>
  [...text.matchAll(/<th scope="row"><a href="[^"]*"><bdi>([^<]*)/g)].map(([, name = '']) => name);

/** The address that a link of that rel leads to, without the account. */
const linkIn = (text: string, rel: string): string | undefined =>
  new RegExp(`<a href="\\?account=[0-9a-f]+&amp;([^"]*)" rel="${rel}"`)
    .exec(text)?.[1]
    ?.replaceAll('&amp;', '&');

async function withMenus({ put }: Looked, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1)
    await put('menus', { name: `Menu ${String(index).padStart(3, '0')}` });
}

test('a long list has pages in both directions', async () => {
  const looked = await lookedAt();
  await withMenus(looked, 230);
  const pages = [await looked.look('kind=menus')];
  for (let next = linkIn(pages[0] ?? '', 'next'); next; next = linkIn(pages.at(-1) ?? '', 'next'))
    pages.push(await looked.look(next));
  expect(pages.map((page) => rowsIn(page).length)).toEqual([100, 100, 30]);
  expect(new Set(pages.flatMap(rowsIn)).size).toBe(230);
  const back = await looked.look(linkIn(pages[2] ?? '', 'prev') ?? '');
  expect(rowsIn(back)).toEqual(rowsIn(pages[1] ?? ''));
  expect(linkIn(pages[0] ?? '', 'prev')).toBeUndefined();
});

test('a search of a list finds shown values on any page, and no masked values', async () => {
  const looked = await lookedAt();
  await withMenus(looked, 120);
  expect(rowsIn(await looked.look('kind=menus&find=MENU%20119'))).toEqual(['Menu 119']);
  expect(rowsIn(await looked.look('kind=menus&find=Menu%2011'))).toHaveLength(10);
  expect(await looked.look('kind=menus&find=nowhere')).toContain('No matches on this page.');
  await looked.put('vmboxes', { name: 'Office', mailbox: '101', pin: '471199' });
  expect(rowsIn(await looked.look('kind=vmboxes&find=101'))).toHaveLength(1);
  expect(rowsIn(await looked.look('kind=vmboxes&find=471199'))).toEqual([]);
  await looked.put('webhooks', { name: 'CRM', uri: 'http://127.0.0.1:9/?key=word', hook: 'channel_destroy' });
  expect(rowsIn(await looked.look('kind=webhooks&find=key%3Dword'))).toEqual([]);
});

test('equal failures share an entry with their reason and sender, before other content', async () => {
  const { call, seed, token, get } = await lookedAt();
  const path = `/v2/accounts/${seed.accountId}/menus`;
  expect((await get()).text).toContain('No recent failures.');
  for (let index = 0; index < 3; index += 1)
    await call('PUT', path, { token, body: JSON.stringify({ data: { retries: 'sesame' } }) });
  await call('GET', path, { token: 'nonsense' });
  const { text } = await get();
  const [, trouble = ''] = /<section class="trouble">(.*?)<\/section>/s.exec(text) ?? [];
  const shown = trouble.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
  expect(shown).toMatch(/401 GET acme \/menus invalid_credentials .*400 PUT acme \/menus validation_error: /);
  expect(shown).toMatch(/retries type.* · by admin · 3 times/);
  expect(text).not.toContain('sesame');
});

test('the log can be filtered and searched, newest first', async () => {
  const { call, seed, token, get } = await lookedAt();
  const account = `/v2/accounts/${seed.accountId}`;
  await call('GET', `${account}/users`, { token });
  await call('GET', `${account}/menus/none`, { token });
  const rows = (text: string): number => text.split('<tr><td><time').length - 1;
  const all = (await get('?log=all')).text;
  expect(all.indexOf('/menus/none')).toBeLessThan(all.indexOf('/users'));
  expect(rows((await get('?log=failed')).text)).toBe(1);
  expect(rows((await get('?log=all&find=BAD_IDENTIFIER')).text)).toBe(1);
  expect(rows((await get('?log=all&find=by+nobody')).text)).toBe(0);
  for (let index = 0; index < 150; index += 1) await call('GET', `${account}/groups`, { token });
  const first = (await get('?log=all&find=groups')).text;
  const [, older = ''] = /href="(\?[^"]*)" rel="next"/.exec(first) ?? [];
  const second = (await get(older.replaceAll('&amp;', '&'))).text;
  expect([rows(first), rows(second)]).toEqual([100, 50]);
});

test('ids in values and keys are links with the name of their record, if it exists', async () => {
  const { put, look, seed } = await lookedAt();
  const directory = await put('directories', { name: 'Sales' });
  const flow = { module: 'directory', data: { id: directory } };
  const callflow = await put('callflows', { name: 'Main line', numbers: ['300'], flow });
  const gone = '0'.repeat(32);
  const user = await put('users', {
    ...{ username: 'alice', password: 'first-sign-in', first_name: 'A', last_name: 'B' },
    ...{ directories: { [directory]: callflow }, crm: { partner: gone, account: seed.masterAccountId } },
  });
  const fields = (await look(`kind=users&id=${user}`)).replaceAll('&amp;', '&');
  const link = (kind: string, id: string, name: string) =>
    `<a href="?account=${seed.accountId}&kind=${kind}&id=${id}" title="${id}"><bdi>${name}</bdi></a>`;
  expect(fields).toContain(`<dt>${link('directories', directory, 'Sales')}</dt>`);
  expect(fields).toContain(`<dd>${link('callflows', callflow, 'Main line')}</dd>`);
  expect(fields).toContain(`<a href="?account=${seed.masterAccountId}"`);
  expect(fields).toContain(`<dd><bdi>${gone}</bdi></dd>`);
});

test('each page shows the command for the same data, and telctl accepts it', async () => {
  const looked = await lookedAt();
  const { put, get, look, seed, call, token } = looked;
  const linesIn = (text: string): readonly string[] =>
    [...text.matchAll(/<code tabindex="0">([^<]*)<\/code>/g)].map(([, line = '']) => line);
  const menu = await put('menus', { name: 'Main menu' });
  const below = await call('PUT', `/v2/accounts/${seed.accountId}`, {
    token,
    data: { name: 'Harbour', realm: 'harbour.example' },
  });
  const ofBelow = (await get(`?account=${below.at('data.id')}&kind=users`)).text;
  const lines = [
    ...linesIn((await get()).text),
    ...linesIn(await look('kind=menus')),
    ...linesIn(await look(`kind=menus&id=${menu}`)),
    ...linesIn(await look(`kind=numbers&id=${encodeURIComponent(seed.phoneNumber)}`)),
    ...linesIn(await look('kind=limits')),
    ...linesIn((await get('?log=failed')).text),
    ...linesIn((await get(`?account=${below.at('data.id')}`)).text),
  ];
  expect(lines).toContain(`telctl menus get ${menu}`);
  expect(lines).toContain(`telctl --account ${below.at('data.id')} accounts get ${below.at('data.id')}`);
  expect(ofBelow).toContain('None yet.');
  expect(lines.length).toBeGreaterThanOrEqual(6);
  for (const line of lines) {
    const parsed = await parseLine(line.split(' ').slice(1), {});
    expect(parsed.kind, line).toBe('run');
  }
  // The profile of the sandbox does not reach the account above its own.
  expect(linesIn((await get(`?account=${seed.masterAccountId}`)).text)).toEqual([]);
});
