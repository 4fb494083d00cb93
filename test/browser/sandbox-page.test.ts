import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { receiver } from '../support/receiver.ts';
import { serveSandbox } from '../support/served-sandbox.ts';

/** Folder for screenshots, for manual review. */
const pictures = process.env.TELCTL_PICTURES;

let browser: BrowserContext;
beforeAll(async () => {
  browser = await openBrowser(afterAll);
});

/** Opens the page of a sandbox in this process. Records the requests and errors of the browser. */
async function openPage() {
  const served = await serveSandbox('--memory');
  const { baseUrl, seed } = served.state();
  const accountId = String(seed.accountId);
  const signedIn = await sendRequest(baseUrl, 'PUT', '/v2/api_auth', { api_key: seed.apiKey });
  const token = String(signedIn.auth_token);
  const ask: Ask = async (method, path, data) => {
    const whole = path.startsWith('/') ? path : `/v2/accounts/${accountId}/${path}`;
    return (await sendRequest(baseUrl, method, whole, data, token)).data;
  };
  const page = await browser.newPage();
  onTestFinished(() => page.close());
  const asked: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.goto(baseUrl);
  await page.locator('#state', { hasText: 'live' }).waitFor();
  return { ...served, baseUrl, accountId, ask, page, asked, complaints };
}

/** Sends a request and returns the complete response. Throws on failure. */
async function sendRequest(
  baseUrl: string,
  method: string,
  path: string,
  data?: unknown,
  token?: string,
): Promise<Readonly<Record<string, unknown>>> {
  const answer = await fetch(`${baseUrl}${path}`, {
    method,
    headers: {
      ...(data === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === undefined ? {} : { 'x-auth-token': token }),
    },
    ...(data === undefined ? {} : { body: JSON.stringify({ data }) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return JSON.parse(text);
}

/** Sends a request to the account, or to the service if the path starts with a slash, and returns `data`. */
type Ask = (method: string, path: string, data?: unknown) => Promise<unknown>;

const user = (username: string, names: { first_name: string; last_name: string }) => ({
  username,
  password: 'first-sign-in-7',
  email: `${username}@acme.example`,
  ...names,
});

/** Takes screenshots of the page at two widths, in light and dark mode. */
async function takeScreenshots(page: Page, name: string): Promise<void> {
  for (const [width, height, colorScheme] of [
    [1440, 900, 'light'],
    [390, 844, 'dark'],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme });
    const beyond = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    expect(beyond, `${name} at ${width} pixels`).toBeLessThanOrEqual(0);
    if (pictures === undefined) continue;
    mkdirSync(pictures, { recursive: true });
    await page.screenshot({ path: join(pictures, `${name}-${width}.png`), fullPage: width < 500 });
  }
  await page.setViewportSize({ width: 1440, height: 900 });
}

async function createRecords(ask: Ask): Promise<void> {
  const alice = Object(
    await ask('PUT', 'users', user('alice', { first_name: 'Alice', last_name: 'Archer' })),
  );
  const bob = Object(await ask('PUT', 'users', user('bob', { first_name: 'Bob', last_name: 'Brown' })));
  const box = Object(await ask('PUT', 'vmboxes', { name: 'Office', mailbox: '101', pin: '4711' }));
  const menu = Object(await ask('PUT', 'menus', { name: 'Main menu' }));
  const voicemail = { module: 'voicemail', data: { id: box.id }, children: {} };
  const ringStep = (id: string) => ({
    module: 'user',
    data: { id, timeout: 20 },
    children: { _: voicemail },
  });
  await ask('PUT', 'callflows', {
    name: 'Main line',
    numbers: ['+15555550100', '100'],
    flow: {
      module: 'menu',
      data: { id: menu.id },
      children: { 1: ringStep(alice.id), 2: ringStep(bob.id), _: voicemail },
    },
  });
}

test('requests and their changes appear without a reload', async () => {
  const { ask, page, complaints } = await openPage();
  await page.evaluate('window.isSame = true');
  const users = page.locator('.tiles a', { hasText: 'users' }).locator('b');
  expect(await users.innerText()).toBe('1');

  await ask('PUT', 'users', user('alice', { first_name: 'Alice', last_name: 'Archer' }));

  const first = page.locator('.feed li.request').first();
  await first.filter({ hasText: 'acme/users' }).waitFor({ timeout: 3000 });
  expect(await first.innerText()).toMatch(/PUT.*acme\/users.*201/s);
  await expect.poll(() => users.innerText()).toBe('2');

  await page.locator('#pause').press('Enter');
  await ask('GET', 'menus');
  await ask('GET', 'callflows');
  await page.waitForTimeout(500);
  expect(await page.locator('.feed').innerText()).not.toContain('acme/menus');
  await page.locator('#pause').press('Enter');
  await page.locator('.feed li', { hasText: 'acme/menus' }).waitFor({ timeout: 3000 });
  expect(await page.evaluate('window.isSame')).toBe(true);
  expect(complaints).toEqual([]);
}, 60_000);

test('deliveries appear immediately, also on the page of their webhook', async () => {
  const target = await receiver({ answer: [200, 500] });
  const { ask, accountId, baseUrl, page, complaints } = await openPage();
  const hook = Object(
    await ask('PUT', 'webhooks', {
      name: 'CRM',
      uri: `${target.url}/hooks?key=abc-secret-abc`,
      hook: 'object',
      retries: 0,
      custom_data: { type: 'vmbox', action: 'all', word: 'def-secret-def' },
    }),
  );
  await ask('PUT', 'vmboxes', { name: 'Office', mailbox: '101' });
  await target.arrived(1);
  const delivered = page.locator('.feed li.delivery', { hasText: 'object' }).first();
  await delivered.waitFor({ timeout: 3000 });
  expect(await delivered.innerText()).toMatch(/object.*\/hooks.*200/s);

  await page.goto(`${baseUrl}/?account=${accountId}&kind=webhooks&id=${hook.id}`);
  await page.locator('#state', { hasText: 'live' }).waitFor();
  await ask('PUT', 'vmboxes', { name: 'Home', mailbox: '102' });
  await page.locator('#content tbody tr', { hasText: 'failure' }).first().waitFor({ timeout: 3000 });
  const html = await page.content();
  expect(html).not.toMatch(/abc-secret-abc|def-secret-def/);
  expect(complaints).toEqual([]);
}, 60_000);

test('markup and quotes in names are shown as text', async () => {
  const { ask, accountId, baseUrl, page, asked, complaints } = await openPage();
  const hostile = [
    `<img src="http://192.0.2.1/x" onerror="alert('x')">`,
    `"'><script>alert(1)</script>`,
    '</style></script></title><svg onload=alert(2)>',
    'left \u202egnp.exe\u2066 right',
    '&lt;b&gt;&#39;`alert(3)`',
    'x'.repeat(120),
  ];
  const alice = Object(
    await ask('PUT', 'users', user('alice', { first_name: 'A', last_name: hostile[0] ?? '' })),
  );
  await Promise.all(
    hostile.map(async (name, index) => {
      const flow = {
        module: 'user',
        data: { id: alice.id },
        children: { [name]: { module: 'menu', data: { id: name } } },
      };
      await ask('PUT', 'callflows', { name, numbers: [`30${index}`], flow });
      await ask('PUT', 'menus', { name });
      await ask('PUT', `/v2/accounts/${accountId}`, { name: `${name} ${index}`, realm: `r${index}.example` });
      await fetch(`${baseUrl}/v2/accounts/${accountId}/${encodeURIComponent(name)}`);
      await fetch(`${baseUrl}/v2/<script>alert(4)</script>"'`);
    }),
  );
  const flow = Object(Object(await ask('GET', 'callflows'))[0]).id;
  const shownNames: string[] = [];
  for (const address of [
    '/',
    '/?log=all',
    `/?account=${accountId}&kind=menus`,
    `/?account=${accountId}&kind=callflows&id=${flow}`,
    `/?account=${encodeURIComponent(hostile[1] ?? '')}&kind=<script>alert(5)</script>`,
  ]) {
    await page.goto(baseUrl + address);
    await page.locator('#state', { hasText: 'live' }).waitFor();
    shownNames.push(await page.locator('body').innerText());
    await takeScreenshots(page, `hostile-${shownNames.length}`);
    expect(await page.locator('img, script:not(:last-child), [onload], [onerror]').count()).toBe(0);
  }
  expect(shownNames[2]).toContain(hostile[0]);
  expect(shownNames[2]).toContain('left \ufffdgnp.exe\ufffd right');
  expect(shownNames.join('')).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
  const { origin } = new URL(baseUrl);
  expect(asked.filter((url) => !url.startsWith(origin) && !url.startsWith('data:'))).toEqual([]);
  // The last address does not exist, which the browser logs itself.
  expect(complaints.filter((each) => !each.includes('404'))).toEqual([]);
}, 60_000);

test('the page is readable at two widths and by keyboard, and reports a stopped sandbox', async () => {
  const { ask, baseUrl, restart, page, telctl, complaints } = await openPage();
  await createRecords(ask);
  expect((await telctl('sandbox clock advance 55m')).code).toBe(0);
  await page.locator('.badge', { hasText: 'turned ahead 55 min' }).waitFor();
  await page.locator('svg.flow').waitFor();
  expect(await page.locator('svg.flow').textContent()).toMatch(
    /otherwise.*\+15555550100.*Main menu.*alice.*101.*bob/s,
  );
  await takeScreenshots(page, 'account');

  await page.goto(baseUrl);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  expect(await page.evaluate('document.activeElement.textContent')).toBe('platform');
  await page.locator('.tiles a', { hasText: 'users' }).press('Enter');
  await page.locator('h1', { hasText: 'users' }).waitFor();
  await takeScreenshots(page, 'users');
  await page.getByRole('link', { name: 'alice' }).press('Enter');
  await page.locator('.record').waitFor();
  await takeScreenshots(page, 'user');

  expect(complaints).toEqual([]);
  const stop = performance.now();
  await restart(async () => {
    expect(performance.now() - stop).toBeLessThan(5000);
    await page.locator('#state', { hasText: 'not running' }).waitFor({ timeout: 5000 });
  });
}, 60_000);

test('typed text survives updates, and the page survives a restart of the sandbox', async () => {
  const { ask, accountId, baseUrl, restart, page } = await openPage();
  for (let index = 0; index < 12; index += 1) await ask('PUT', 'menus', { name: `Menu ${index}` });
  await page.goto(`${baseUrl}/?account=${accountId}&kind=menus`);
  await page.locator('#state', { hasText: 'live' }).waitFor();
  const field = page.getByRole('searchbox', { name: 'Search menus' });
  await field.fill('men');
  await ask('PUT', 'menus', { name: 'Night menu' });
  await page.locator('tbody', { hasText: 'Night menu' }).waitFor();
  expect(await field.inputValue()).toBe('men');
  expect(await page.evaluate('document.activeElement.id')).toBe('find');
  await field.fill('night');
  await field.press('Enter');
  await page.locator('tbody tr').nth(0).waitFor();
  await expect.poll(() => page.locator('tbody tr').count()).toBe(1);

  await restart(() => page.locator('#state', { hasText: 'not running' }).waitFor());
  await page.locator('#state', { hasText: 'live' }).waitFor();
  await page.locator('h1', { hasText: 'Not here' }).waitFor();
  await page.getByRole('link', { name: 'Go to the first account' }).click();
  await page.locator('h1', { hasText: 'acme' }).waitFor();
}, 60_000);

test('without JavaScript the page shows everything except live updates', async () => {
  const { ask, baseUrl, page } = await openPage();
  await createRecords(ask);
  await page.route('**/*', async (route) => {
    const reply = await route.fetch();
    const headers = { ...reply.headers(), 'content-security-policy': "script-src 'none'" };
    await route.fulfill({ response: reply, headers });
  });
  await page.goto(baseUrl);
  expect(await page.locator('#state').innerText()).toBe('as it was');
  expect(await page.locator('#pause').isVisible()).toBe(false);
  expect(await page.locator('main, nav[aria-label="Accounts and log"], header, aside, footer').count()).toBe(
    5,
  );
  await page.getByRole('link', { name: '3 users' }).click();
  await page.getByRole('link', { name: 'alice' }).click();
  await page.locator('h1', { hasText: 'alice' }).waitFor();
  await page.getByRole('link', { name: 'Requests and deliveries' }).click();
  await page.getByRole('searchbox').fill('menus');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.locator('tbody tr').waitFor();
  expect(await page.locator('tbody').innerText()).toMatch(/201\s+PUT\s+acme\/menus/);
}, 60_000);

test('a hidden tab sends no requests and catches up when it becomes visible', async () => {
  const { ask, page, asked } = await openPage();
  const setHidden = (isHidden: boolean) =>
    page.evaluate(`Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'))`);
  await setHidden(true);
  const before = asked.length;
  await ask('PUT', 'menus', { name: 'Night menu' });
  await page.waitForTimeout(600);
  expect(asked.slice(before)).toEqual([]);
  await setHidden(false);
  await page.locator('.tiles a', { hasText: 'menus' }).locator('b', { hasText: '1' }).waitFor();
}, 60_000);

test('a burst of requests arrives in batches, including the last one', async () => {
  const { ask, page, asked } = await openPage();
  const before = asked.length;
  const begun = performance.now();
  const count = 300;
  for (let sent = 0; sent < count; sent += 10)
    await Promise.all(
      Array.from({ length: 10 }, (_, index) => ask('GET', `users?page_size=${sent + index + 1}`)),
    );
  await page.locator('#feed li', { hasText: `page_size=${count}` }).waitFor();
  const seconds = (performance.now() - begun) / 1000;
  // The page sends at most three requests per second, regardless of the number of changes.
  expect(asked.length - before).toBeLessThan(4 * seconds + 4);
  expect(await page.locator('#feed li').count()).toBe(50);
}, 60_000);
