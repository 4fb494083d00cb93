import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { writeFiles } from '../../../../test/support/fake-host.ts';
import type { Fault } from '../../../../test/support/faults.ts';
import { openWorld, type Run, type RunOptions, type World } from '../../../../test/support/world.ts';
import type { JsonObject } from '../../../base/json.ts';
import { gregorianOffset } from '../../../base/moment.ts';

/** Requests that a receiver got. */
interface Got {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly type: string;
  readonly body: string;
}

/** A receiver of events that remembers what came and answers as it is told. */
interface SmallReceiver {
  readonly url: string;
  readonly got: readonly Got[];
  answer: {
    readonly status: number;
    readonly body: string;
    readonly headers?: Readonly<Record<string, string>>;
  };
}

/** Opens a receiver on this machine; it ends with the test. */
async function receiver(): Promise<SmallReceiver> {
  const got: Got[] = [];
  const state: { answer: SmallReceiver['answer'] } = { answer: { status: 200, body: 'seen' } };
  const server = createServer(async (request: IncomingMessage, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const { method = '', url = '', headers } = request;
    got.push({ method, url, type: headers['content-type'] ?? '', body });
    response.writeHead(state.answer.status, state.answer.headers ?? {}).end(state.answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  return Object.assign(state, { url: `http://127.0.0.1:${port}/hook`, got });
}

const secret = 'a-secret-that-nobody-guesses';

async function withWebhook(fields: JsonObject = {}) {
  const world = await openWorld();
  const target = await receiver();
  const made = await world.service('PUT', 'webhooks', {
    name: 'crm',
    uri: `${target.url}?key=${secret}`,
    hook: 'channel_create',
    ...fields,
  });
  return { world, target, id: String(made.id) };
}

const at = (world: World, minutesAgo: number): number =>
  Math.floor(world.clock.now() / 1000) + gregorianOffset - minutesAgo * 60;

const attemptsAnswer = (attempts: readonly JsonObject[]): NonNullable<RunOptions['faults']>[number] => ({
  fault: {
    kind: 'answer',
    status: 200,
    body: JSON.stringify({ status: 'success', data: attempts, request_id: 'r' }),
  },
  method: 'GET',
  path: /\/attempts$/,
});

const failure = (timestamp: number, more: JsonObject = {}): JsonObject => ({
  hook_event: 'channel_create',
  result: 'failure',
  timestamp,
  event_id: '0123456789',
  uri: `http://127.0.0.1:9100/hook?key=${secret}`,
  custom_data: { secret },
  resp_status_code: 500,
  resp_body: `no: ${secret}`,
  reason: 'bad response code',
  retries_left: 1,
  try: 1,
  ...more,
});

/** The receiver of these tests takes its secret in the address. */
const doubtful =
  'warning: Webhook crm: its address holds a secret ("key"), which lists and logs of the service show.\n';

const created = ({ requests }: Run) => requests.findLast(({ method }) => method === 'PUT')?.body;

describe('webhooks health', () => {
  test('shows working, failing and disabled webhooks with the next step, and exits with code 8', async () => {
    const { world } = await withWebhook();
    await world.service('PUT', 'webhooks', {
      name: 'audit',
      uri: 'https://audit.example/',
      hook: 'sms',
      enabled: false,
    });
    const faults = [
      attemptsAnswer([failure(at(world, 1)), failure(at(world, 2), { resp_status_code: 502 })]),
    ];
    const run = await world.telctl('webhooks health', { faults });
    expect(run.code).toBe(8);
    expect(run.stdout).toContain('STATE');
    expect(run.stdout).toMatch(
      /^crm +channel_create +failing +2 failed +500 from http:\/\/127\.0\.0\.1:9100\/hook\?•+ \(1 × 500, 1 × 502\)$/m,
    );
    expect(run.stdout).toMatch(/^audit +sms +disabled +2 failed +turned off by hand: 500 from/m);
    expect(run.stderr).toBe(
      `${doubtful}1 of 2 webhooks is disabled, 1 is failing. Repair the target, then: telctl webhooks enable audit --probe\n`,
    );
    expect(run.stdout).not.toContain(secret);
  });

  test('lists webhooks of a killed listener, and the command that removes them', async () => {
    const { world } = await withWebhook();
    writeFiles(world.folders.home, { '.local/state/telctl/machine': '0a1b2c3d' });
    const dead = 2 ** 22 + 1;
    const uri = 'http://127.0.0.1:9/events';
    const enabled = false;
    const name = `telctl-listen-0a1b2c3d-${dead}-sms`;
    await world.service('PUT', 'webhooks', { name, uri, hook: 'sms', enabled });
    const elsewhere = `telctl-listen-ffffffff-${dead}-sms`;
    await world.service('PUT', 'webhooks', { name: elsewhere, uri, hook: 'sms' });
    const run = await world.telctl('webhooks health');
    expect(run.code).toBe(8);
    expect(run.stdout.match(/left by a listener that was killed/g)).toHaveLength(1);
    expect(run.stderr).toBe(
      `${doubtful}1 of 3 webhooks is disabled. 1 left by listeners that were killed: the next telctl webhooks listen removes it. To do so now: telctl webhooks delete ${name}\n`,
    );
    const names = await world.telctl('webhooks health -o name');
    expect(names.stdout.trim().split('\n').sort()).toEqual(['crm', name, elsewhere].sort());
  });

  test('reports missing attempts, and accepts a webhook whose last attempt succeeded', async () => {
    const { world } = await withWebhook();
    expect(await world.telctl('webhooks health')).toMatchObject({
      code: 0,
      stderr: `${doubtful}1 webhook, none failing; nothing was logged in the last 24 hours for it\n`,
    });
    const faults = [attemptsAnswer([{ ...failure(at(world, 1)), result: 'success' }, failure(at(world, 2))])];
    const run = await world.telctl('webhooks health', { faults });
    expect(run.code).toBe(0);
    expect(run.stdout).toMatch(
      /enabled +2 sent, 1 failed +2025-01-15 08:59:00Z +last failure 2 min ago: 500 from/,
    );
  });

  test('checks accounts below, and names the account of a disabled webhook', async () => {
    const { world } = await withWebhook();
    const token = await world.sandbox.adminToken();
    const account = { name: 'North', realm: 'north.example' };
    const made = await world.sandbox.call('PUT', `/v2/accounts/${world.seed.accountId}`, {
      token,
      data: account,
    });
    const id = made.at('data.id');
    const data = { name: 'far', uri: 'https://far.example/', hook: 'sms', enabled: false };
    expect((await world.sandbox.call('PUT', `/v2/accounts/${id}/webhooks`, { token, data })).status).toBe(
      201,
    );
    expect((await world.telctl('webhooks health')).code).toBe(0);
    const run = await world.telctl('webhooks health --below -o json');
    expect(run.code).toBe(8);
    const shown: JsonObject[] = JSON.parse(run.stdout);
    expect(shown.map(({ account, name, state }) => [account, name, state])).toEqual([
      ['acme', 'crm', 'enabled'],
      ['North', 'far', 'disabled'],
    ]);
    const named = await world.telctl('webhooks health --accounts list.txt', {
      files: { 'list.txt': 'north.example\n' },
    });
    expect(named.code).toBe(8);
    expect(named.stderr).toContain(`telctl webhooks enable far --account ${id} --probe`);
  });
});

describe('webhooks enable --probe', () => {
  test('enables the webhook after its target accepts a test event', async () => {
    const { world, target } = await withWebhook({ enabled: false, format: 'json', custom_data: { secret } });
    const run = await world.telctl('webhooks enable crm --probe');
    expect(run).toMatchObject({ code: 0, stdout: '' });
    expect(run.stderr).toMatch(/accepted a test event: 200 in \d+ ms\.\nEnabled webhook crm\.\n$/);
    expect(target.got).toHaveLength(1);
    expect(JSON.parse(target.got[0]?.body ?? '')).toMatchObject({
      hook_event: 'channel_create',
      telctl_probe: true,
      secret,
    });
    expect((await world.telctl('webhooks get crm -o json')).stdout).toContain('"enabled": true');
    expect(run.stderr).not.toContain(secret);
  });

  test('keeps the webhook disabled if the target rejects the event, and prints the response without the secret', async () => {
    const { world, target } = await withWebhook({ enabled: false, custom_data: { secret } });
    target.answer = { status: 500, body: `cannot: ${secret}` };
    const run = await world.telctl('webhooks enable crm --probe');
    expect(run).toMatchObject({ code: 1, stdout: '' });
    expect(run.stderr).toMatch(
      /The webhook crm was not enabled: http:\/\/127\.0\.0\.1:\d+\/hook\?•+ did not accept a test event \(500 in \d+ ms\)\.\nIt said: cannot: •+\n/,
    );
    expect(run.requests.filter(({ method }) => method === 'PATCH')).toEqual([]);
  });

  test('exits with code 75 if the probed target does not respond, and probes only with --probe', async () => {
    const { world, id } = await withWebhook({ enabled: false, uri: 'http://127.0.0.1:9/down' });
    const run = await world.telctl('webhooks enable crm --probe');
    expect(run.code).toBe(75);
    expect(run.stderr).toContain('connection refused');
    expect((await world.telctl('webhooks enable crm --probe --dry-run')).stdout).toContain(
      'enabled: false → true',
    );
    expect(await world.telctl(`webhooks enable ${id}`)).toMatchObject({ code: 0 });
  });
});

describe('webhooks attempts', () => {
  test('lists the newest attempts first without secrets, and summarizes the reasons', async () => {
    const { world } = await withWebhook();
    const attempts = [
      { ...failure(at(world, 1)), result: 'success', resp_status_code: 200 },
      failure(at(world, 2), { try: 2, retries_left: 'retries exceeded' }),
      failure(at(world, 3), {
        resp_status_code: null,
        client_error: 'econnrefused',
        reason: 'kazoo http client error',
      }),
    ];
    const faults = [attemptsAnswer(attempts)];
    const run = await world.telctl('webhooks attempts crm', { faults });
    expect(run.code).toBe(0);
    expect(run.stdout.split('\n')[1]).toMatch(/^2025-01-15 08:59:00Z +channel_create +success +200/);
    expect(run.stderr).toBe('3 attempts: 1 delivered, 2 failed (1 × 500, 1 × econnrefused)\n');
    const failed = await world.telctl('webhooks attempts crm --failed --limit 1 -o json', { faults });
    expect(JSON.parse(failed.stdout)).toHaveLength(1);
    expect(failed.stdout).toContain('"resp_body": "no: ••••••"');
    expect(run.stdout + failed.stdout).not.toContain(secret);
  });

  test('requires a time range', async () => {
    const { world } = await withWebhook();
    const { requests } = await world.telctl('webhooks attempts crm --since 1h --until 2025-01-15T08:30');
    const sent = new URLSearchParams(requests.at(-1)?.search);
    expect(Number(sent.get('created_from'))).toBe(at(world, 60));
    expect(Number(sent.get('created_to'))).toBe(at(world, 30));
    expect(await world.telctl('webhooks attempts crm --since soon')).toMatchObject({ code: 2, stdout: '' });
  });

  test('--follow prints each attempt once, oldest first, and exits with code 0 on Ctrl-C', async () => {
    const { world } = await withWebhook();
    const stop = new AbortController();
    const one = failure(at(world, 3), { event_id: 'a' });
    const two = failure(at(world, 2), { event_id: 'b' });
    const three = failure(at(world, 2), { event_id: 'c' });
    const looks = [[one], [two, one], [three, two], [three, two]];
    const faults = looks.map((attempts, index) => ({
      ...attemptsAnswer(attempts),
      times: index === looks.length - 1 ? 99 : 1,
      met: () => {
        if (index === looks.length - 1) stop.abort();
      },
    }));
    const run = await world.telctl('webhooks attempts crm --follow -o ndjson', {
      faults,
      interrupted: stop.signal,
    });
    expect(run.code).toBe(0);
    const shown = run.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).event_id);
    expect(shown).toEqual(['a', 'b', 'c']);
    expect(run.slept.every((ms) => ms === 2000)).toBe(true);
  });
});

describe('webhooks create', () => {
  const line = 'webhooks create --name crm --uri https://crm.example/hook --hook object';

  test('generates a secret, stores it in custom_data, and prints it once on stdout', async () => {
    const world = await openWorld();
    const run = await world.telctl(`${line} --type user --action all --custom team=red --secret generate`);
    expect(run.code).toBe(0);
    expect(run.stdout).toMatch(/^[\w-]{43}\n$/);
    expect(run.stderr).toMatch(
      /^Created webhook crm {2}[0-9a-f]{32}\nIts secret, which is shown only once:\n$/,
    );
    expect(created(run)).toMatchObject({
      data: { custom_data: { type: 'user', action: 'all', team: 'red', secret: run.stdout.trim() } },
    });
    const json = await world.telctl(`${line} --type user --action all --secret generate -o json`);
    const { custom_data: shown, generated_secret: made } = JSON.parse(json.stdout);
    expect(shown).toEqual({ type: 'user', action: 'all', secret: '••••••' });
    expect(made).toMatch(/^[\w-]{43}$/);
  });

  test('puts the secret in the URL or in a private file', async () => {
    const world = await openWorld();
    const run = await world.telctl(
      `${line} --type all --action all --secret generate --secret-in uri --secret-out s.txt`,
    );
    expect(run).toMatchObject({ code: 0, stdout: '' });
    const path = join(world.folders.cwd, 's.txt');
    const made = readFileSync(path, 'utf8').trim();
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(created(run)).toMatchObject({
      data: { uri: `https://crm.example/hook?secret=${made}` },
    });
    expect(run.stderr).not.toContain(made);
    const again = await world.telctl(`${line} --type all --action all --secret generate --secret-out s.txt`);
    expect(again).toMatchObject({ code: 2, stdout: '' });
  });

  test('removes the secret file if no webhook was created, and keeps it if one may exist', async () => {
    const world = await openWorld();
    const path = join(world.folders.cwd, 's.txt');
    const create = (fault: Fault) =>
      world.telctl(`${line} --type all --action all --secret generate --secret-out s.txt`, {
        faults: [{ method: 'PUT', path: /webhooks$/, fault }],
      });
    const refused = await create({ kind: 'answer', status: 400, body: '{"data":{}}' });
    expect([refused.code, existsSync(path)], refused.stderr).toEqual([10, false]);
    const lost = await create({ kind: 'lose-reply' });
    expect(lost.code, lost.stderr).toBe(75);
    const [made] = lost.requests.filter(
      ({ method, path: to }) => method === 'PUT' && to.endsWith('webhooks'),
    );
    expect(made?.body).toMatchObject({
      data: { custom_data: { secret: readFileSync(path, 'utf8').trim() } },
    });
    expect(lost.stderr).toContain('The secret of the webhook is in s.txt.');
  });

  test('rejects a secret on the command line', async () => {
    const world = await openWorld();
    const typed = await world.telctl(`${line} --secret hunter2`);
    const custom = await world.telctl(`${line} --type all --action all --custom api_token=hunter2`);
    for (const run of [typed, custom]) {
      expect(run.code).toBe(2);
      expect(
        run.requests.filter(({ method, path }) => method === 'PUT' && path.endsWith('webhooks')),
      ).toEqual([]);
    }
    const stdin = await world.telctl(`${line} --type all --action all --secret-stdin`, {
      stdin: `${secret}\n`,
    });
    expect(stdin).toMatchObject({ code: 0, stdout: '' });
    expect(created(stdin)).toMatchObject({ data: { custom_data: { secret } } });
  });

  test('names the options that choose events if the hook requires them', async () => {
    const world = await openWorld({ like: 'kazoo' });
    const run = await world.telctl(line);
    expect(run).toMatchObject({ code: 10, stdout: '' });
    expect(run.stderr).toContain('Choose events with --type all --action all');
  });
});

describe('webhooks trigger', () => {
  const readers: Readonly<Record<string, (text: string) => unknown>> = {
    json: (text) => JSON.parse(text).call_id,
    'form-data': (text) => new URLSearchParams(text).get('call_id'),
  };
  for (const verb of ['post', 'put', 'get'])
    for (const format of ['json', 'form-data'])
      test(`sends a sample with ${verb} as ${format}`, async () => {
        const world = await openWorld({ signIn: 'none' });
        const target = await receiver();
        const run = await world.telctl(
          `webhooks trigger channel_destroy --url ${target.url} --verb ${verb} --format ${format} --set hangup_cause=USER_BUSY`,
        );
        expect(run).toMatchObject({ code: 0, stderr: '' });
        expect(run.stdout).toMatch(/Answer +200 in \d+ ms/);
        const [got] = target.got;
        expect(got?.method).toBe(verb.toUpperCase());
        const sent = verb === 'get' ? (got?.url.split('?')[1] ?? '') : (got?.body ?? '');
        const read = verb === 'get' ? readers['form-data'] : readers[format];
        expect(read?.(sent)).toMatch(/^[0-9a-f]{32}$/);
        expect(sent).toContain('USER_BUSY');
        if (verb !== 'get')
          expect(got?.type).toBe(
            format === 'json' ? 'application/json' : 'application/x-www-form-urlencoded',
          );
      });

  test('sends to the target of a webhook with its custom_data, and prints no secret', async () => {
    const { world, target } = await withWebhook({ format: 'json', custom_data: { secret, team: 'red' } });
    target.answer = { status: 200, body: `got ${secret}\u001b[31m` };
    const run = await world.telctl('webhooks trigger channel_create --webhook crm', { tty: true });
    expect(run.code).toBe(0);
    expect(JSON.parse(target.got[0]?.body ?? '')).toMatchObject({ secret, team: 'red' });
    expect(target.got[0]?.url).toBe(`/hook?key=${secret}`);
    expect(run.stdout).not.toContain(secret);
    expect(run.stdout).not.toContain('\u001b[31m');
    const dry = await world.telctl('webhooks trigger channel_create --webhook crm --dry-run');
    expect(dry.stdout).toContain('Nothing was sent.');
    expect(dry.stdout).not.toContain(secret);
    expect(target.got).toHaveLength(1);
  });

  test('exits with code 1 for a non-2xx response, without following redirects', async () => {
    const world = await openWorld({ signIn: 'none' });
    const target = await receiver();
    target.answer = { status: 302, body: '', headers: { location: `${target.url}/other` } };
    const run = await world.telctl(`webhooks trigger sms --url ${target.url}`);
    expect(run.code).toBe(1);
    expect(run.stderr).toContain('The sample was not delivered: 302 (a redirect, which is not followed)');
    expect(target.got).toHaveLength(1);
    target.answer = { status: 503, body: 'x'.repeat(100_000) };
    const long = await world.telctl(`webhooks trigger sms --url ${target.url}`);
    expect(long.code).toBe(1);
    expect(long.stdout.length).toBeLessThan(1000);
    const down = await world.telctl('webhooks trigger sms --url http://127.0.0.1:9/ -o json');
    expect(down.code).toBe(1);
    expect(JSON.parse(down.stdout)).toMatchObject({ delivered: false });
  });

  test('has a sample of every hook, and suggests the nearest one', async () => {
    const world = await openWorld({ signIn: 'none' });
    const target = await receiver();
    for (const hook of [
      'channel_create',
      'channel_answer',
      'channel_bridge',
      'object',
      'notifications',
      'fax',
      'sms',
      'all',
    ])
      expect((await world.telctl(`webhooks trigger ${hook} --url ${target.url} --format json`)).code).toBe(0);
    expect(target.got.every(({ body }) => Object.keys(JSON.parse(body)).length > 4)).toBe(true);
    const wrong = await world.telctl(`webhooks trigger objekt --url ${target.url}`);
    expect(wrong).toMatchObject({ code: 2, stdout: '' });
    expect(wrong.stderr).toContain('Did you mean "object"?');
    expect(await world.telctl('webhooks trigger sms')).toMatchObject({ code: 2, stdout: '' });
    expect(await world.telctl('webhooks trigger sms --url ftp://a.example')).toMatchObject({
      code: 2,
      stdout: '',
    });
  });
});
