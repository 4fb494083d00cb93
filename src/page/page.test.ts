import { expect, test } from 'vitest';
import type { ResourceName } from '../contract/types.ts';
import { answerPage, type PageFrame } from './page.ts';
import type { LogEntry, ReadAccount, Reader, ReadRecord } from './reader.ts';
import { kindsOfAccounts } from './views/names.ts';

const hostile = [
  `<img src=x onerror="alert('x')">`,
  `"'><script>alert(1)</script>`,
  '</title></style></script><svg onload=alert(2)>',
  'left \u202egnp.exe\u2066 right\u0007',
];
const nowMs = Date.parse('2026-05-04T10:00:00Z');
const idOf = (index: number): string => String(index).padStart(32, 'a');

/** An account above, and one below it for each name; each has a record of each kind that is called so, too. */
function plainReader(log?: readonly LogEntry[]): Reader {
  const accounts: readonly ReadAccount[] = [
    { id: idOf(0), body: { name: 'platform' }, above: [] },
    ...hostile.map((name, index) => ({
      id: idOf(index + 1),
      body: { name, realm: name, note: idOf(0), [name]: { [name]: name } },
      above: [idOf(0)],
    })),
  ];
  const nameOf = (accountId: string): string =>
    hostile[accounts.findIndex(({ id }) => id === accountId) - 1] ?? 'platform';
  const recordOf = (accountId: string, kind: ResourceName): ReadRecord => {
    const name = nameOf(accountId);
    const flow = {
      module: name,
      children: {
        [name]: { module: 'menu', data: { id: `of-${name}` } },
        _: { module: 'callflow', data: { id: kind } },
      },
    };
    return { id: kind, body: { name, username: name, numbers: [name], uri: name, [name]: [name], flow } };
  };
  return {
    now: () => nowMs,
    accounts: async () => accounts,
    record: async (accountId, kind, id) => (id === kind ? recordOf(accountId, kind) : undefined),
    count: async () => 11,
    list: async ({ accountId, kind, isWanted = () => true }) => ({
      records: [recordOf(accountId, kind)].filter(isWanted),
      next: nameOf(accountId),
      previous: nameOf(accountId),
    }),
    messages: async (accountId) => [recordOf(accountId, 'messages')],
    attempts: async (accountId) => {
      const name = nameOf(accountId);
      const body = { result: 'failure', hook_event: name, reason: name, client_error: name, try: 1 };
      return [{ timestamp: nowMs / 1000 + 62_167_219_200, body }];
    },
    ...(log && { log: () => log }),
  };
}

const entries: readonly LogEntry[] = hostile.flatMap((name, index) =>
  (['request', 'delivery'] as const).map((kind) => ({
    ...{
      sequence: index + 1,
      kind,
      time: '2026-05-04T09:00:00Z',
      method: name,
      path: `/${name}`,
      status: 400,
    },
    ...{
      ms: 1,
      account_id: idOf(index + 1),
      request_id: name,
      hook: name,
      webhook_id: name,
      by: name,
      note: name,
    },
  })),
);

const frame: PageFrame = {
  name: hostile[0] ?? '',
  facts: [{ text: hostile[1] ?? '', title: hostile[1] ?? '' }],
  warnings: [{ text: hostile[2] ?? '' }],
};

/** Every page that links lead to, from the first one on, and searches for each name. */
async function crawl(reader: Reader): Promise<ReadonlyMap<string, string>> {
  const pages = new Map<string, string>();
  const searches = hostile.map((name) => `/?kind=menus&find=${encodeURIComponent(name)}`);
  const waiting = ['/', ...searches];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (pages.has(next)) continue;
    const { body } = await answerPage(new URLSearchParams(next.slice(2)), reader, frame);
    pages.set(next, body);
    for (const [, link = ''] of body.matchAll(/href="(\/[^"#]*)"/g))
      waiting.push(link.replaceAll('&amp;', '&'));
  }
  return pages;
}

/** All tags of a page, without those of its own style and script. */
const tagsIn = (text: string): readonly string[] =>
  text.replaceAll(/<(style|script)>.*?<\/\1>/gs, '').match(/<[a-z!/][^>]*>/gi) ?? [];

test('names that would be markup are text in every view of plain data, without a sandbox', async () => {
  const pages = await crawl(plainReader(entries));
  expect(pages.size).toBeGreaterThan(2 * hostile.length * kindsOfAccounts.length);
  for (const [address, text] of pages) {
    for (const tag of tagsIn(text)) {
      expect(tag, address).not.toMatch(/^<(?:img|script|iframe|object|base|meta http)/i);
      expect(tag.replaceAll(/"[^"]*"/g, ''), address).not.toMatch(/\son\w+=|style=|javascript:/i);
    }
    for (const [, link = ''] of text.matchAll(/href="([^"]*)"/g))
      expect(link, address).toMatch(/^(?:\/$|\/\?|#|data:image\/svg)/);
    expect(text, address).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
    expect(text, address).not.toContain('\u0007');
  }
  expect([...pages.values()].join('')).toContain('left \ufffdgnp.exe\ufffd right');
});

test('a page of a service whose requests nobody knows has no log, no feed and no script', async () => {
  const pages = await crawl(plainReader());
  for (const text of pages.values()) {
    expect(text).not.toMatch(/<script>|<aside|log=/);
    expect(text).toContain('<nav id="side"');
  }
  const { status } = await answerPage(new URLSearchParams('kind=nothing'), plainReader(), frame);
  expect(status).toBe(404);
});

test('the account that the frame names is shown first', async () => {
  const query = new URLSearchParams();
  const { body } = await answerPage(query, plainReader(), { ...frame, home: idOf(0) });
  expect(body).toContain('<h1><bdi>platform</bdi></h1>');
});
