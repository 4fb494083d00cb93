import { expect, test } from 'vitest';
import type { FaultRule } from '../../support/faults.ts';
import { freePort } from '../../support/free-port.ts';
import { startNotificationReceiver } from '../../support/notification-receiver.ts';
import { openWorld } from '../../support/world.ts';

const files = { 'office.yaml': 'menus:\n  main: { name: Main menu, retries: 2 }\n' };
const isWrite = ({ method, path }: { readonly method: string; readonly path: string }): boolean =>
  method !== 'GET' && !path.endsWith('_auth');

/** Returns the address of the metrics that a run printed to stderr. */
const metricsAddress = (text: string): string => /Metrics: (\S+)\/metrics/.exec(text)?.[1] ?? '';

test('reconcile only reports by default, corrects on request, and notifies Prometheus and a health check', async () => {
  const world = await openWorld();
  const looks = await world.telctl('reconcile -f office.yaml --every 1s --rounds 2', { files });
  expect(looks.code, looks.stderr).toBe(0);
  expect(looks.requests.filter(isWrite)).toEqual([]);
  expect(looks.stderr.match(/1 account: 1 object differs in 1 account/g)).toHaveLength(2);
  const unasked = await world.telctl('reconcile -f office.yaml --every 1s --rounds 1 --correct');
  expect([unasked.code, unasked.stderr]).toEqual([2, expect.stringContaining('--yes')]);
  const fixes = await world.telctl('reconcile -f office.yaml --every 1s --rounds 1 --correct --yes');
  expect([fixes.code, fixes.stderr]).toEqual([0, expect.stringContaining('1 object corrected in 1 account')]);
  await world.telctl('menus patch --all --set-json retries=4 --yes');
  const again = await world.telctl('reconcile -f office.yaml --every 1s --rounds 2 --correct --yes');
  expect(again.stderr).toMatch(/1 object corrected.*\n.*no drift/);
});

test('reports each different or failed account by name and checks the rest', async () => {
  const world = await openWorld();
  const ids: string[] = [];
  for (const name of ['north', 'south', 'west']) {
    const { id } = await world.service('PUT', '', { name, realm: `${name}.acme.example` });
    ids.push(String(id));
  }
  const line = 'reconcile -f office.yaml --accounts list.csv --every 1s --rounds 1';
  const faults: readonly FaultRule[] = [
    {
      ...{ method: 'GET', path: new RegExp(`${ids[1]}/menus$`) },
      fault: {
        kind: 'answer',
        status: 403,
        body: '{"status":"error","error":"403","message":"no","data":{}}',
      },
    },
  ];
  const list = { ...files, 'list.csv': 'account\nnorth\nsouth\nwest\n' };
  const looks = await world.telctl(line, { files: list, faults });
  expect([looks.code, looks.requests.filter(isWrite)]).toEqual([8, []]);
  expect(looks.stderr).toContain('3 accounts: 2 objects differ in 2 accounts, 1 failed');
  expect(looks.stderr).toMatch(/south: .*no/);
  expect(looks.stderr.match(/\S+ differs in 1 object/g)).toEqual(
    ['north', 'west'].map((name) => `${name} differs in 1 object`),
  );
  const fixes = await world.telctl(`${line} --correct --yes`, { faults });
  expect(fixes.stderr).toContain('3 accounts: 2 objects differed in 2 accounts, 1 failed');
  expect(new Set(fixes.requests.filter(isWrite).map(({ path }) => path.split('/')[3]))).toEqual(
    new Set([ids[0], ids[2]]),
  );
  const again = await world.telctl(line);
  expect(again.stderr).toContain('3 accounts: 1 object differs in 1 account   (');
  expect(again.stderr).toContain('south differs in 1 object');
});

test('prints a manifest warning once, with the account name', async () => {
  const world = await openWorld();
  const { id } = await world.service('PUT', '', { name: 'Quay & Sons', realm: 'quay.example' });
  const clear =
    'users:\n  alice: { username: alice, first_name: A, last_name: B, password: first-sign-in }\n';
  for (const account of ['Quay & Sons', String(id)]) {
    const argv = ['reconcile', '-f', 'clear.yaml', '--every', '1s', '--rounds', '3', '--account', account];
    const run = await world.telctl(argv, { files: { 'clear.yaml': clear } });
    expect([run.code, run.stderr.match(/a secret in clear text/g)], run.stderr).toEqual([
      0,
      [expect.any(String)],
    ]);
    expect(run.stderr).not.toContain('\\"');
  }
});

test('serves metrics of its rounds while running, and exits with code 0 when stopped', async () => {
  const world = await openWorld();
  const stop = new AbortController();
  const seen: string[] = [];
  const readMetrics = async (): Promise<void> => {
    for (const path of ['/metrics', '/health', '/other']) {
      const reply = await fetch(`http://127.0.0.1:${port}${path}`);
      seen.push(`${reply.status} ${await reply.text()}`);
    }
    const posted = await fetch(`http://127.0.0.1:${port}/metrics`, { method: 'POST', body: 'x' });
    const head = await fetch(`http://127.0.0.1:${port}/metrics`, { method: 'HEAD' });
    seen.push(`${posted.status} ${head.status} ${await head.text()}`);
    stop.abort();
  };
  const port = await freePort();
  const faults: readonly FaultRule[] = [
    { method: 'GET', path: /menus$/, fault: { kind: 'pass' }, times: 1 },
    { method: 'GET', path: /menus$/, fault: { kind: 'meanwhile', does: readMetrics }, times: 1 },
  ];
  const run = await world.telctl(`reconcile -f office.yaml --every 1s --metrics 127.0.0.1:${port}`, {
    ...{ files, faults, interrupted: stop.signal },
  });
  expect([run.code, metricsAddress(run.stderr)], run.stderr).toEqual([0, `http://127.0.0.1:${port}`]);
  const [figures = '', health, other, methods] = seen;
  expect(methods).toBe('405 200 ');
  expect(figures).toContain('telctl_accounts 1');
  expect(figures).toContain('telctl_accounts_in_drift 1');
  expect(figures).toContain('telctl_account_drift_objects{account="acme"} 1');
  expect(figures).toMatch(/telctl_last_look_age_seconds \d/);
  expect(figures).toContain('telctl_rate_limit_waits_total 0');
  expect(health).toBe('200 ok\n');
  expect(other).toMatch(/^404/);
});

test('reports drift when it begins, changes and ends, not in each round', async () => {
  const world = await openWorld();
  const { news, url } = await startNotificationReceiver();
  const more: FaultRule = {
    ...{ method: 'GET', path: /menus$/, times: 1 },
    fault: {
      kind: 'meanwhile',
      does: async () => void (await world.service('PUT', 'menus', { name: 'Main menu', retries: 2 })),
    },
  };
  const pass: FaultRule = { method: 'GET', path: /menus$/, fault: { kind: 'pass' }, times: 2 };
  const run = await world.telctl(
    ['reconcile', '-f', 'office.yaml', '--every', '1s', '--rounds', '4', '--notify-file', 'news.txt'],
    { files: { ...files, 'news.txt': `${url}\n` }, faults: [pass, more] },
  );
  expect(run.code, run.stderr).toBe(0);
  expect(run.stderr.match(/warning: .*differs in 1 object/g)).toHaveLength(1);
  expect(run.stderr.match(/matches the manifest again/g)).toHaveLength(1);
  expect(news).toEqual([
    {
      ...{ version: 1, event: 'reconcile.drift', drifted: { acme: 1 } },
      text: '1 object of 1 account differs from the manifest: acme',
      counts: { accounts: 1, drifted: 1, objects: 1, failed: 0 },
    },
  ]);
});
