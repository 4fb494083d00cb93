import { request } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { logAttempt } from '../../../../test/support/logged-attempts.ts';
import { openWorld, type Run } from '../../../../test/support/world.ts';
import { isObject } from '../../../base/json.ts';
import { buildPut } from '../placement.ts';

interface Reply {
  readonly status: number;
  readonly text: string;
  readonly cookie: string | undefined;
  readonly location: string | undefined;
}

/** Asks past `fetch`, which chooses Host and Origin itself. */
function ask(url: string, headers: Readonly<Record<string, string>> = {}, method = 'GET'): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, agent: false, headers }, (reply) => {
      let text = '';
      reply.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      const cookie = reply.headers['set-cookie']?.[0]?.split(';')[0];
      const { statusCode: status = 0, headers: all } = reply;
      reply.on('end', () => resolve({ status, text, cookie, location: all.location }));
    });
    sent.on('error', reject);
    sent.end();
  });
}

const flow = (user: string, menu = 'Main menu') => `callflows:
  main:
    name: Main line
    numbers: ["100"]
    flow: { module: menu, data: { id: "\${menus.main}" }, children: { "1": { module: user, data: { id: "\${users.${user}}" } } } }
menus: { main: { name: ${menu} } }
users:
  alice: { username: alice, first_name: Alice, last_name: Archer, password: first-sign-in }
  bob: { username: bob, first_name: Bob, last_name: Brown, password: first-sign-in }
`;

/** A console over a small account, that was opened in a browser; it ends with the test. */
async function opened(line = 'console', like?: 'kazoo') {
  const world = await openWorld({ like });
  const files = { 'office.yaml': flow('alice'), 'next.yaml': flow('bob', 'Night menu') };
  const done = async (words: string): Promise<Run> => {
    const run = await world.telctl(words, { files });
    if (run.code !== 0) throw new Error(`${words}: ${run.stderr}`);
    return run;
  };
  await done('apply -f office.yaml --yes');
  const hook = await world.service('PUT', 'webhooks', {
    ...{
      name: 'crm',
      uri: 'http://hooks.acme.example/in?key=s3cret',
      hook: 'channel_destroy',
      http_verb: 'post',
    },
  });
  await logAttempt(world, String(hook.id));
  if (line.includes('.plan')) await done('plan -f next.yaml --set-name office --out next.plan');
  const over = new AbortController();
  let run: Promise<Run> | undefined;
  const address = await new Promise<string>((resolve, reject) => {
    run = world.telctl(`${line} --no-browser -o ndjson`, {
      interrupted: over.signal,
      shown: (stdout) => resolve(JSON.parse(stdout.split('\n')[0] ?? '').address),
    });
    run.then(({ stderr }) => reject(new Error(stderr)), reject);
  });
  const end = async () => {
    over.abort();
    return run;
  };
  onTestFinished(async () => void (await end()));
  return { world, address, end, hookId: String(hook.id) };
}

/** The same, with the cookie that the address left. */
async function inside(line?: string, like?: 'kazoo') {
  const console = await opened(line, like);
  const first = await ask(console.address);
  const base = new URL(first.location ?? '', console.address).href;
  const headers = { cookie: first.cookie ?? '' };
  return { ...console, base, headers, get: (query: string) => ask(`${base}?${query}`, headers) };
}

test('the address works once, and other requests are refused', async () => {
  const { address } = await opened();
  const { host, pathname, port } = new URL(address);
  // A name that was pointed here (DNS rebinding), and pages of others, neither see anything nor use up the key.
  for (const headers of [
    { host: `evil.example:${port}` },
    { host: '127.0.0.1.evil.example' },
    { host, origin: 'https://evil.example' },
    { host, origin: 'null' },
    { host, 'sec-fetch-site': 'cross-site' },
    { host, 'sec-fetch-site': 'same-site' },
  ])
    expect((await ask(address, headers)).status, JSON.stringify(headers)).toBe(403);
  const wrong = address.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'));
  for (const url of [`http://${host}/`, `http://${host}${pathname}`, wrong])
    expect((await ask(url)).status).toBe(403);

  const first = await ask(address);
  expect(first).toMatchObject({ status: 303, location: pathname, text: '' });
  const cookie = first.cookie ?? '';
  expect((await ask(address)).status).toBe(403);
  const page = `http://${host}${pathname}`;
  expect((await ask(page, { cookie })).status).toBe(200);
  expect((await ask(page, { cookie: `${cookie.slice(0, -4)}AAAA` })).status).toBe(403);
  expect((await ask(page, { cookie, host: `evil.example:${port}` })).status).toBe(403);
  expect((await ask(page, { cookie, origin: `http://${host}` }, 'POST')).status).toBe(405);
  // The cookie goes to these pages alone, whatever else listens on this machine.
  expect(cookie).toMatch(/^telctl_console=\S{40,}$/);
  expect(pathname).toMatch(/^\/[\w-]{16}\/$/);
});

test('a callflow shows the path of a call at a time, with the keys that were pressed', async () => {
  const { world, get, end } = await inside();
  const { accountId } = world.seed;
  const { data } = await world.sandbox.call('GET', `/v2/accounts/${accountId}/callflows`, {
    token: await world.sandbox.adminToken(),
  });
  const [callflow] = Array.isArray(data) ? data.filter(isObject) : [];
  const address = `account=${accountId}&kind=callflows&id=${callflow?.id}`;
  const plain = await get(address);
  expect(plain.text).toMatch(/<input type="datetime-local" name="at" value="2\d{3}-\d\d-\d\dT\d\d:\d\d"/);
  expect(plain.text).not.toContain('step reached');
  const marked = (text: string) =>
    [...text.matchAll(/<g class="step reached"><title>(\w+)/g)].map(([, module]) => module);
  const followed = await get(`${address}&at=2026-12-25T10:00&presses=1`);
  expect(marked(followed.text)).toEqual(['menu', 'user']);
  expect(followed.text).toMatch(/A call to 100 at that time, if everybody answers: [A-Z][^<]+\./);
  expect(followed.text).toContain('value="2026-12-25T10:00"');
  expect(marked((await get(`${address}&at=2026-12-25T10:00`)).text)).toEqual(['menu']);
  expect((await get(`${address}&at=<b>soon`)).text).toContain('&lt;b&gt;soon');
  await end();
});

test('the console shows accounts, lists, records, failing webhooks, an audit and changes, and only reads', async () => {
  const { world, get, end, hookId } = await inside();
  const account = await get('');
  expect(account.text).toContain('<h1><bdi>acme</bdi></h1>');
  expect(account.text).toMatch(/Webhook <bdi>crm<\/bdi>/);
  expect(account.text).toContain('Picture of Main line');
  expect(account.text).toContain('Live requests and deliveries are not available here');
  expect(account.text).toMatch(/<b>3<\/b><span>users/);
  const { accountId } = world.seed;
  expect((await get(`account=${accountId}&kind=users&find=ALICE`)).text).toMatch(/alice(?!.*<bdi>bob)/s);
  const webhook = await get(`account=${accountId}&kind=webhooks&id=${hookId}`);
  expect(webhook.text).toContain('bad response code');
  expect(webhook.text).not.toContain('s3cret');
  const audit = await get(`account=${accountId}&view=audit`);
  expect(audit.text).toContain('user-without-email');
  const changes = await get('view=runs');
  expect(/<code><bdi>(.*?)<\/bdi>/.exec(changes.text)?.[1]).toBe('apply --file office.yaml --yes');
  expect(changes.text).not.toContain('refused');
  const no = { status: 400, body: '{"status":"error","error":"400","message":"no","data":{}}' };
  await world.telctl('menus create --name No', {
    faults: [{ method: 'PUT', fault: { kind: 'answer', ...no } }],
  });
  expect((await get('view=runs')).text).toContain('refused');
  expect((await get('kind=menus&id=0123456789abcdef0123456789abcdef')).status).toBe(404);

  const run = await end();
  expect(run?.code).toBe(0);
  const attempts = (run?.requests ?? []).find(({ path }) =>
    /webhooks\/attempts$/.test(path.split('?')[0] ?? ''),
  );
  expect([attempts?.method, /ascending/.test(JSON.stringify(attempts))]).toEqual(['GET', false]);
  const writes = (run?.requests ?? []).filter(({ method, path }) => method !== 'GET' && !/_auth$/.test(path));
  expect(writes).toEqual([]);
  const tokens = (run?.requests ?? []).flatMap(({ headers }) => Object(headers)['x-auth-token'] ?? []);
  for (const text of [account, webhook, audit, changes].map((each) => each.text))
    for (const secret of [world.seed.apiKey, world.seed.adminPassword, ...tokens])
      expect(text.includes(String(secret))).toBe(false);
});

test('shows a saved plan before and after, with two pictures per callflow', async () => {
  const { get } = await inside('console next.plan');
  const { text } = await get('');
  expect(text).toContain('<h1>Plan <small><bdi>next.plan</bdi></small></h1>');
  expect(text).toContain('callflow &quot;Main line&quot;');
  const [before = '', after = ''] = [
    ...text.matchAll(/<figcaption>(?:Before|After)<\/figcaption>.*?<\/figure>/gs),
  ].map(([each]) => each);
  expect([before, after].map((each) => /~ user.*?>(alice|bob)</s.exec(each)?.[1])).toEqual(['alice', 'bob']);
  // The value is shown: it is no secret.
  expect(text).toContain('<bdi>Night menu</bdi>');
  expect((await get('view=runs')).text).toContain('<a href="?view=plan">Plan</a>');
});

test('pages show no data of other accounts or services', async () => {
  const { world, get } = await inside();
  const { id: branch } = await world.service('PUT', '', { name: 'branch', realm: 'branch.example' });
  const own = world.seed.accountId;
  const made = async (name: string, at: string): Promise<string> => {
    const run = await world.telctl(`menus create --set name=${name} --account ${at} -o json`);
    expect(run.code, run.stderr).toBe(0);
    return JSON.parse(run.stdout).id;
  };
  const ids = { Here: await made('Here', own), There: await made('There', String(branch)) };
  // The first page's reads are shown again for a while.
  world.clock.turn(16_000);
  for (const [account, name, other] of [
    [own, 'Here', 'There'],
    [String(branch), 'There', 'Here'],
  ] as const) {
    const { text } = await get(`account=${account}&kind=menus`);
    expect([text.includes(`<bdi>${name}</bdi>`), text.includes(`<bdi>${other}</bdi>`)]).toEqual([
      true,
      false,
    ]);
    expect((await get(`account=${account}&kind=menus&id=${ids[name]}`)).status).toBe(200);
    expect((await get(`account=${account}&kind=menus&id=${ids[other]}`)).status).toBe(404);
  }
  const twin = await world.twinService();
  const elsewhere = await world.telctl(
    `blacklists create --set name=Elsewhere --set-json numbers={} --profile ${twin.profile}`,
  );
  expect(elsewhere.code, elsewhere.stderr).toBe(0);
  const { text } = await get('view=runs');
  expect([text.includes('menus create'), text.includes('blacklists create')]).toEqual([true, false]);
});

test('shows rollouts of the account with waves, stop reasons and failures', async () => {
  const { world, get, end } = await inside();
  expect((await get('')).text).not.toContain('view=rollouts');
  expect((await get('view=rollouts')).text).toContain('No rollouts yet.');
  const south = await world.service('PUT', '', { name: 'south', realm: 'south.example' });
  for (const name of ['north', 'west']) await world.service('PUT', '', { name, realm: `${name}.example` });
  const files = {
    'branch.yaml': 'set: branch\nmenus:\n  main: { name: Hall, retries: 3 }\n',
    'list.csv': 'account,region\nnorth,eu\nsouth,eu\nwest,us\n',
    'far.yaml': 'set: kestrel\nmenus:\n  main: { name: Hall }\n',
    'far.csv': 'account\nfar\n',
  };
  const begun = 'rollout start -f branch.yaml --accounts list.csv --yes';
  const message = 'no <b>menu</b>';
  const body = JSON.stringify({ status: 'error', error: '400', message, data: {} });
  const fault = { kind: 'answer', status: 400, body } as const;
  const failed = await world.telctl(`${begun} --where region=eu --waves 1,100%`, {
    ...{ files, faults: [{ method: 'PUT', path: new RegExp(`${south.id}/menus`), fault }] },
  });
  expect(failed.code, failed.stderr).toBe(8);
  const check = `'${process.execPath}' --eval 'process.exit(3)'`;
  const other = 'menus:\n  main: { name: Hall, retries: 2 }\n';
  const checked = await world.telctl([...begun.split(' '), '--waves', '2,100%', '--check', check], {
    files: { ...files, 'branch.yaml': `set: branch\n${other}` },
  });
  expect(checked.code, checked.stderr).toBe(8);
  for (const twin of [await world.twinAccount(), await world.twinService()]) {
    await twin.service('PUT', '', { name: 'far', realm: 'far.example' });
    const line = `rollout start -f far.yaml --accounts far.csv --yes --profile ${twin.profile}`;
    const far = await world.telctl(line, { files });
    expect(far.code, far.stderr).toBe(0);
  }
  const own = JSON.parse((await world.telctl('rollout list -o json')).stdout);
  expect(own.map(({ set }: { set: string }) => set)).toEqual(['branch', 'branch']);

  // The first page's reads are shown again for a while.
  world.clock.turn(16_000);
  expect((await get('')).text).toContain('<a href="?view=rollouts">Rollouts</a>');
  const cells = (text: string): readonly (readonly string[])[] =>
    [...text.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row = '']) =>
      [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell = '']) =>
        cell.replaceAll(/<[^>]*>/g, ''),
      ),
    );
  const list = (await get('view=rollouts')).text;
  expect(list).not.toContain('kestrel');
  const [, second = [], first = [], ...more] = cells(list);
  expect([first[0], first[1], ...first.slice(4, 11)]).toEqual([
    ...['1', 'stopped', 'branch', '1', '0', '1', '0', '0'],
    '1 of 1 account in wave 2 failed, and --max-failures allows 0',
  ]);
  expect([second[0], second[1], second[10], more]).toEqual([
    ...['2', 'stopped', 'the check after wave 1 failed with exit code 3'],
    [],
  ]);
  const one = (await get('view=rollouts&id=1')).text;
  expect(one).toContain('<bdi>where region=eu</bdi>');
  expect(one).toContain('no &lt;b&gt;menu&lt;/b&gt;');
  expect(one).not.toContain('<b>menu');
  expect(one).toContain(`<a href="?account=${south.id}">`);
  expect(cells(one)).toEqual([
    ['Wave', 'Accounts', 'Done', 'Unchanged', 'Failed', 'Running', 'Waiting'],
    ['1', '1', '1', '0', '0', '0', '0'],
    ['2 not well', '1', '0', '0', '1', '0', '0'],
    ['Account', 'Wave', 'Why'],
    ['south', '2', expect.stringContaining('no &lt;b&gt;menu&lt;/b&gt;')],
  ]);
  expect((await get('view=rollouts&id=2')).text).toContain('checked after each wave except the last');
  for (const id of ['3', '4', '5', '<b>']) {
    const none = await get(`view=rollouts&id=${encodeURIComponent(id)}`);
    expect([id, none.status, none.text.includes('kestrel')]).toEqual([id, 404, false]);
  }
  const writes = ((await end())?.requests ?? []).filter(
    ({ method, path }) => method !== 'GET' && !/_auth$/.test(path),
  );
  expect(writes).toEqual([]);
});

test('an invalid plan or missing sign-in fails before the server starts', async () => {
  const world = await openWorld({ signIn: 'none' });
  const nobody = await world.telctl('console --no-browser');
  expect([nobody.code, nobody.stdout]).toEqual([4, '']);
  const { telctl } = await openWorld();
  const missing = await telctl('console next.plan');
  expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('Plan next.plan not found')]);
});

test('shows why a webhook was disabled, even if only lists report it', async () => {
  const { world, hookId, get } = await inside('console', 'kazoo');
  const name = { kind: 'webhooks', scope: world.seed.accountId, id: hookId };
  const record = await world.sandbox.store.get(name);
  if (!record) throw new Error('it was not made');
  const body = { ...record.body, enabled: false, disable_reason: 'too many failed attempts' };
  await world.sandbox.store.commit([buildPut({ ...record, body }, 'webhooks')]);
  const { text } = await get(`account=${world.seed.accountId}&kind=webhooks&id=${hookId}`);
  expect(text).toContain('too many failed attempts');
  expect(text).not.toContain('turned off by hand');
});
