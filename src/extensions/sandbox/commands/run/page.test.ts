import { chmodSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { serveSandbox } from '../../../../../test/support/served-sandbox.ts';

test('the address of the page is printed, and opened in a terminal', async () => {
  const { telctl, state, folders } = await serveSandbox('--memory');
  const address = `${state().baseUrl}/`;
  const [browser, opened] = [join(folders.home, 'browser'), join(folders.home, 'opened')];
  writeFileSync(browser, `#!/bin/sh\nprintf %s "$1" > "${opened}.new" && mv "${opened}.new" "${opened}"\n`);
  chmodSync(browser, 0o700);
  const env = { TELCTL_BROWSER: browser };
  const text = async (): Promise<string> => readFile(opened, 'utf8').catch(() => '');

  expect(await telctl('sandbox page', { env })).toEqual({ code: 0, stdout: `${address}\n`, stderr: '' });
  expect(await telctl('sandbox page --no-browser', { env, tty: true })).toMatchObject({ code: 0 });
  expect(await text()).toBe('');
  expect((await telctl('sandbox page', { env, tty: true })).stdout).toContain(address);
  await expect.poll(text).toBe(address);

  const gone = await telctl('sandbox page', {
    env: { TELCTL_BROWSER: join(folders.home, 'none') },
    tty: true,
  });
  expect(gone).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('telctl could not start a browser.'),
  });
  expect((await telctl('sandbox status')).stdout).toMatch(/^Page +http:\/\/127\.0\.0\.1:\d+\/$/m);
});

test('a sandbox that does not run has no page', async () => {
  const { telctl } = await serveSandbox('--memory');
  const run = await telctl('sandbox page --name other');
  expect(run).toMatchObject({ stdout: '', stderr: expect.stringContaining('The sandbox is not running.') });
  expect(run.code).toBe(75);
});
