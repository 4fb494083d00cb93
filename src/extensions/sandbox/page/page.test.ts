import { expect, test } from 'vitest';
import type { ResourceName } from '../../../contract/types.ts';
import type { LogEntry, PlannedChange, ReadAccount, Reader, ReadRecord } from '../reader.ts';
import { answerPage, type PageFrame } from './page.ts';
import { kindsOfAccounts } from './views/records.ts';

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
    count: async () => ({ count: 11 }),
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

const plannedChange = (name: string, how: string): PlannedChange => ({
  path: `${name}.${how}`,
  ...{ how, before: name, after: { [name]: name }, from: name, sources: [name], drift: true },
});

/** What a console shows beside the service: an audit, changes and a plan, full of the same names. */
const consoleParts: Pick<Reader, 'audit' | 'runs' | 'plan'> = {
  audit: async ({ name }) => ({
    name,
    missing: [name],
    findings: hostile.map((each) => ({
      ...{
        code: each,
        severity: 'error',
        kind: each,
        name: each,
        id: each,
        sentence: each,
        next: { line: each },
      },
    })),
  }),
  runs: async () =>
    hostile.map((name) => ({
      ...{
        id: name,
        at: name,
        who: name,
        account: name,
        line: name,
        changed: name,
        note: name,
        trouble: name,
      },
    })),
  plan: {
    name: hostile[0] ?? '',
    accounts: hostile.map((name, index) => ({
      ...{ id: idOf(index + 1), name, origin: name, isHere: true, refused: name },
      steps: ['create', 'update', 'delete', name].map((action) => ({
        ...{
          key: `callflows.${action}`,
          kind: 'callflows',
          label: name,
          action,
          id: 'callflows',
          notes: [name],
        },
        changes: [
          ...['set', 'changed', 'added', 'removed', 'moved'].map((how) => plannedChange(name, how)),
          {
            path: 'flow',
            how: 'set',
            after: { module: name, data: { id: name }, children: { [name]: { module: name } } },
          },
          { path: 'numbers', how: 'added', after: name },
        ],
      })),
    })),
  },
};

const frame: PageFrame = {
  name: hostile[0] ?? '',
  facts: [{ text: hostile[1] ?? '', title: hostile[1] ?? '' }],
  warnings: [{ text: hostile[2] ?? '' }],
};

/** Every page that links lead to, from the first one on, and searches for each name. */
async function crawl(reader: Reader, around = frame): Promise<ReadonlyMap<string, string>> {
  const pages = new Map<string, string>();
  const searches = hostile.map((name) => `/?kind=menus&find=${encodeURIComponent(name)}`);
  const waiting = ['/', ...searches];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (pages.has(next)) continue;
    const { body } = await answerPage(new URLSearchParams(next.slice(2)), reader, around);
    pages.set(next, body);
    for (const [, link = ''] of body.matchAll(/href="(\?[^"#]*)"/g))
      waiting.push(`/${link.replaceAll('&amp;', '&')}`);
  }
  return pages;
}

/** All tags of a page, without those of its own style and script. */
const tagsIn = (text: string): readonly string[] =>
  text.replaceAll(/<(style|script)>.*?<\/\1>/gs, '').match(/<[a-z!/][^>]*>/gi) ?? [];

function expectHarmless(pages: ReadonlyMap<string, string>): void {
  for (const [address, text] of pages) {
    const harmful = tagsIn(text).filter(
      (tag) =>
        /^<(?:img|script|iframe|object|base|meta http)/i.test(tag) ||
        /\son\w+=|style=|javascript:/i.test(tag.replaceAll(/"[^"]*"/g, '')),
    );
    const links = [...text.matchAll(/href="([^"]*)"/g)].map(([, link = '']) => link);
    expect([harmful, links.filter((link) => !/^(?:\?|#|data:image\/svg)/.test(link))], address).toEqual([
      [],
      [],
    ]);
    expect(text, address).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
    expect(text, address).not.toContain('\u0007');
  }
  expect([...pages.values()].join('')).toContain('left \ufffdgnp.exe\ufffd right');
}

test('every view of plain data escapes markup, without a sandbox', async () => {
  const pages = await crawl(plainReader(entries));
  expect(pages.size).toBeGreaterThan(2 * hostile.length * kindsOfAccounts.length);
  expectHarmless(pages);
});

test('audits, changes and a plan escape markup, and the plan is shown first', async () => {
  const reader = { ...plainReader(), ...consoleParts };
  const addresses = ['', 'view=audit', 'view=runs', 'view=plan', `account=${idOf(1)}`];
  const pages = new Map<string, string>();
  for (const address of addresses)
    pages.set(address, (await answerPage(new URLSearchParams(address), reader, frame)).body);
  expectHarmless(pages);
  const titles = addresses.map((address) => /<title>(\S+)/.exec(pages.get(address) ?? '')?.[1]);
  expect(titles.slice(0, 4)).toEqual(['Plan', 'Audit', 'Changes', 'Plan']);
  expect(titles[4]).not.toBe('Plan');
});

test('a page without a log has no feed and no script', async () => {
  const pages = await crawl(plainReader(), { ...frame, unknown: 'Not known here.' });
  for (const text of pages.values()) {
    expect(text).not.toMatch(/<script>|<aside|log=/);
    expect(text).toContain('<nav id="side"');
    expect(text).toContain('Not known here.');
  }
  const { status } = await answerPage(new URLSearchParams('kind=nothing'), plainReader(), frame);
  expect(status).toBe(404);
});

test('equal failures share an item of the feed, with their number', async () => {
  const entryOf = (sequence: number, path: string, status: number): LogEntry => ({
    ...{ sequence, path, status, kind: 'request', method: 'GET', time: '2026-05-04T09:00:00Z', ms: 1 },
    ...{ account_id: null, request_id: `r${sequence}` },
  });
  const log = [
    ...[entryOf(1, '/lost', 404), entryOf(2, '/fine', 200), entryOf(3, '/lost', 404)],
    ...[entryOf(4, '/fine', 200), entryOf(5, '/lost', 503), entryOf(6, '/lost', 404)],
  ];
  const { body } = await answerPage(new URLSearchParams(), plainReader(log), frame);
  const [, column = ''] = body.split('<ol class="feed">');
  const items = column.split('</ol>')[0]?.split('<li').slice(1) ?? [];
  expect(items.map((item) => /data-sequence="(\d+)"/.exec(item)?.[1])).toEqual(['6', '5', '4', '2']);
  expect(items.map((item) => /\d+ times/.exec(item)?.[0])).toEqual([
    '3 times',
    undefined,
    undefined,
    undefined,
  ]);
});

test('the account that the frame names is shown first', async () => {
  const query = new URLSearchParams();
  const { body } = await answerPage(query, plainReader(), { ...frame, home: idOf(0) });
  expect(body).toContain('<h1><bdi>platform</bdi></h1>');
});

test('an incomplete or unknown count is marked', async () => {
  const counts = new Map<ResourceName, { count: number; isMore?: boolean }>([
    ['users', { count: 100, isMore: true }],
    ['menus', { count: 7 }],
  ]);
  const reader = { ...plainReader(), count: async (_: string, kind: ResourceName) => counts.get(kind) };
  const { body } = await answerPage(new URLSearchParams(`account=${idOf(0)}`), reader, frame);
  expect(body).toMatch(
    /title="At least 100. The service does not report the total."[^>]*><b>100\+<\/b><span>users/,
  );
  expect(body).toMatch(/<a href="[^"]*"><b>7<\/b><span>menus/);
  expect(body).toMatch(/title="The service does not show these records"[^>]*><b>\?<\/b><span>devices/);
});
