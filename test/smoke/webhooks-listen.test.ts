import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { atTerminal, hangUp } from '../support/at-terminal.ts';
import { listen } from '../support/listening-sandbox.ts';
import { type ProcessOptions, runProcess, startProcess } from '../support/process.ts';
import { testFolders } from '../support/world.ts';

/** Creates a sandbox and a machine that runs listeners. */
async function createMachine() {
  const { home } = testFolders();
  const { url, keyEnv: env } = await listen();
  const listWebhooks = async (): Promise<readonly string[]> => {
    const { stdout, stderr } = await runProcess(['webhooks', 'list', '-o', 'name'], { home, env });
    // telctl reports a listener that was killed.
    expect(stderr).toMatch(/^(?:warning: telctl webhooks listen .* was cut off: .*\n)*$/);
    return stdout.split('\n').filter((line) => line !== '');
  };
  async function startListener(options: Pick<ProcessOptions, 'pipedInto'>, ...argv: readonly string[]) {
    const running = startProcess(['webhooks', 'listen', ...argv], { home, env, ...options });
    let said = '';
    const address = new Promise<string>((resolve, reject) => {
      running.child.stderr.on('data', (chunk: Buffer) => {
        said += chunk.toString('utf8');
        const found = /Listening at (http:\S+)/.exec(said)?.[1];
        if (found !== undefined) resolve(found);
      });
      void running.end.then(() => reject(new Error(said)));
    });
    return { ...running, address: await address };
  }
  return { home, env, url, names: listWebhooks, listener: startListener };
}

test('a listener shows an event immediately and unsubscribes with Ctrl-C, even if pressed repeatedly', async () => {
  const { home, env, names, listener } = await createMachine();
  const secret = 'a secret of this test';
  const file = `${home}/secret`;
  writeFileSync(file, secret);
  const { child, end, address } = await listener(
    {},
    '--hook',
    'sms',
    '--hook',
    'fax',
    '--secret-file',
    file,
    '-o',
    'ndjson',
  );
  expect(await names()).toHaveLength(2);
  const shown = once(child.stdout, 'data');
  const reply = await fetch(`${address}/events`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ hook_event: 'sms', body: 'hello', secret }),
  });
  expect(reply.status).toBe(200);
  const [line] = await shown;
  expect(JSON.parse(String(line))).toMatchObject({ hook: 'sms', payload: { body: 'hello' } });
  for (const signal of ['SIGINT', 'SIGINT', 'SIGTERM', 'SIGINT'] as const) child.kill(signal);
  const ended = await end;
  expect(ended.code, ended.stderr).toBe(0);
  expect(ended.stderr).toContain('1 event. Unsubscribed.');
  expect(ended.stdout + ended.stderr).not.toContain(secret);
  expect(await names()).toEqual([]);
  const replayed = await runProcess(['webhooks', 'replay', '--list', '-o', 'json'], { home, env });
  expect(JSON.parse(replayed.stdout)).toMatchObject([{ hook: 'sms', payload: { body: 'hello' } }]);
});

test('leftovers of a killed listener or watch are removed when the next watch starts', async () => {
  const { home, env, names, listener } = await createMachine();
  const startWatch = async () => {
    const running = startProcess(['watch', '--every', '1h', '-o', 'ndjson'], { home, env });
    await once(running.child.stdout, 'data');
    return running;
  };
  const killed = [await listener({}, '--hook', 'sms'), await startWatch()];
  expect(await names()).toHaveLength(4);
  for (const { child } of killed) child.kill('SIGKILL');
  await Promise.all(killed.map(({ end }) => end));
  const next = await startWatch();
  expect((await names()).map((name) => name.split('-').at(-1)).toSorted()).toEqual([
    'channel_answer',
    'channel_create',
    'channel_destroy',
  ]);
  next.child.kill('SIGINT');
  const { code, stderr } = await next.end;
  expect(code, stderr).toBe(0);
  expect(stderr).toContain('Removed 4 subscriptions of a listener that was killed.');
  expect(await names()).toEqual([]);
});

test('a listener unsubscribes when its terminal closes', async () => {
  const { home, env, names } = await createMachine();
  const steps = [{ see: /End with Ctrl-C/, type: hangUp }] as const;
  const { code, shown } = await atTerminal(['webhooks', 'listen', '--hook', 'sms'], home, steps, env);
  expect(code, shown).toBe(0);
  expect(await names()).toEqual([]);
});

test('head receives its line, and the listener stops at the next event', async () => {
  const { home, names, listener } = await createMachine();
  const file = `${home}/secret`;
  writeFileSync(file, 'a secret of this test');
  const line = ['--hook', 'sms', '--secret-file', file, '-o', 'ndjson'];
  const { address, end } = await listener({ pipedInto: 'head -1' }, ...line);
  const isAccepted = async (): Promise<boolean> =>
    fetch(`${address}/events`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ hook_event: 'sms', secret: 'a secret of this test' }),
    }).then(
      ({ ok }) => ok,
      () => false,
    );
  while (await isAccepted());
  const { code, stdout, stderr } = await end;
  expect(code, stderr).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ hook: 'sms' });
  expect(await names()).toEqual([]);
});

test('a listener without a reader unsubscribes at the next event', async () => {
  const { home, names, listener } = await createMachine();
  const file = `${home}/secret`;
  writeFileSync(file, 'a secret of this test');
  const { child, end, address } = await listener({}, '--hook', 'sms', '--secret-file', file);
  child.stdout.destroy();
  const body = JSON.stringify({ hook_event: 'sms', secret: 'a secret of this test' });
  const isUp = async (): Promise<boolean> =>
    fetch(`${address}/events`, { method: 'POST', body }).then(
      () => true,
      () => false,
    );
  while (await isUp());
  expect((await end).code).toBe(0);
  expect(await names()).toEqual([]);
});
