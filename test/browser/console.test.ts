import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { serveSandbox } from '../support/served-sandbox.ts';

/** Folder for screenshots, for manual review. */
const pictures = process.env.TELCTL_PICTURES;

let browser: BrowserContext;
beforeAll(async () => {
  browser = await openBrowser(afterAll);
});

const hostile = `<img src=x onerror="alert(1)">"'</script><script>alert(2)</script>`;

/** Returns a manifest of an office. `evening` is the user who takes calls at night. */
const office = (evening: string): string => `users:
  alice: { username: alice, first_name: Alice, last_name: Archer, password: first-sign-in }
  bob: { username: bob, first_name: Bob, last_name: ${JSON.stringify(hostile)}, password: first-sign-in }
menus:
  main: { name: ${JSON.stringify(hostile)} }
vmboxes:
  office: { name: Office, mailbox: "101", pin: "4711" }
callflows:
  main:
    name: ${JSON.stringify(`Main line ${hostile}`)}
    numbers: ["100", "+15555550100"]
    flow:
      module: menu
      data: { id: "\${menus.main}" }
      children:
        "1": { module: user, data: { id: "\${users.${evening}}" }, children: { _: { module: voicemail, data: { id: "\${vmboxes.office}" } } } }
        "${evening === 'alice' ? 2 : 3}": { module: user, data: { id: "\${users.${evening === 'alice' ? 'bob' : 'alice'}}" } }
`;

/** Takes screenshots of a page at two widths, in light and dark mode. */
async function takeScreenshots(page: Page, name: string): Promise<void> {
  for (const [width, height, colorScheme] of [
    [1440, 900, 'light'],
    [1440, 900, 'dark'],
    [390, 844, 'dark'],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme });
    const beyond = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    expect(beyond, `${name} at ${width} pixels`).toBeLessThanOrEqual(0);
    if (pictures === undefined) continue;
    mkdirSync(pictures, { recursive: true });
    await page.screenshot({ path: join(pictures, `${name}-${width}-${colorScheme}.png`), fullPage: true });
  }
  await page.setViewportSize({ width: 1440, height: 900 });
}

test('the console shows account, record, audit, changes and plan with markup escaped', async () => {
  const { telctl, folders, state } = await serveSandbox('--memory');
  writeFileSync(join(folders.cwd, 'office.yaml'), office('alice'));
  expect(await telctl('apply -f office.yaml --yes')).toMatchObject({ code: 0 });
  writeFileSync(join(folders.cwd, 'office.yaml'), office('bob'));
  expect(await telctl('plan -f office.yaml --out office.plan')).toMatchObject({ code: 0 });
  writeFileSync(join(folders.cwd, 'branch.yaml'), 'set: branch\nmenus:\n  main: { name: Hall }\n');
  writeFileSync(join(folders.cwd, 'list.csv'), 'account\nnorth\nsouth\n');
  writeFileSync(
    join(folders.cwd, 'accounts.yaml'),
    '- { name: north, realm: n.example }\n- { name: south, realm: s.example }\n',
  );
  for (const line of [
    'accounts create -f accounts.yaml',
    'rollout start -f branch.yaml --accounts list.csv --waves 1,100% --yes',
  ])
    expect(await telctl(line)).toMatchObject({ code: 0 });
  const over = new AbortController();
  let ended: Promise<unknown> | undefined;
  const address = await new Promise<string>((resolve, reject) => {
    const shown = (stdout: string) => resolve(JSON.parse(stdout.split('\n')[0] ?? '').address);
    ended = telctl('console office.plan -o ndjson', { interrupted: over.signal, shown });
    ended.then(reject, reject);
  });
  onTestFinished(async () => {
    over.abort();
    await ended;
  });

  const page = await browser.newPage();
  onTestFinished(() => page.close());
  const [asked, complaints]: [string[], string[]] = [[], []];
  page.on('request', (request) => asked.push(request.url()));
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });

  await page.goto(address);
  expect(page.url()).not.toContain('key=');
  expect(await page.locator('h1').innerText()).toContain('Plan');
  expect(await page.locator('.beside figure svg').count()).toBe(2);
  expect(
    await page.locator('.beside .flow .moved, .beside .flow .changed, .beside .flow .new').count(),
  ).toBeGreaterThan(0);
  await takeScreenshots(page, 'console-plan');

  await page.locator('#accounts a').first().click();
  expect(await page.locator('h1').innerText()).toBe('acme');
  await takeScreenshots(page, 'console-account');
  await page.locator('.tiles a', { hasText: 'callflows' }).click();
  await page.locator('tbody a').first().click();
  expect(await page.locator('h1').innerText()).toContain('<img src=x');
  await page.getByRole('button', { name: 'Follow a call' }).click();
  expect(await page.locator('.flow .reached').count()).toBeGreaterThan(0);
  await page.setViewportSize({ width: 390, height: 844 });
  const shown = await page.locator('input[name=at]').evaluate((field) => field.clientWidth);
  expect(shown, 'a date and a time fit in').toBeGreaterThan(205);
  await takeScreenshots(page, 'console-callflow');
  await page.getByRole('link', { name: 'Audit' }).click();
  expect(await page.locator('.audit tbody tr').count()).toBeGreaterThan(0);
  await takeScreenshots(page, 'console-audit');
  await page.getByRole('link', { name: 'Changes' }).click();
  expect(await page.locator('tbody tr').count()).toBeGreaterThan(0);
  await takeScreenshots(page, 'console-changes');
  await page.getByRole('link', { name: 'Rollouts' }).click();
  await takeScreenshots(page, 'console-rollouts');
  await page.locator('tbody a').first().click();
  expect(await page.locator('h1').innerText()).toContain('Rollout 1');
  expect(await page.locator('tbody tr').count()).toBe(2);
  await takeScreenshots(page, 'console-rollout');

  const { origin } = new URL(address);
  expect([complaints, asked.filter((url) => !url.startsWith(origin) && !url.startsWith('data:'))]).toEqual([
    [],
    [],
  ]);
  expect(asked.some((url) => url.startsWith(state().baseUrl))).toBe(false);
  // The address works only once: a browser without the cookie sees nothing.
  const other = await fetch(address);
  expect(other.status).toBe(403);
}, 60_000);
