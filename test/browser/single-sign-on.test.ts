import { expect, test } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { openSsoWorld } from '../support/sso-world.ts';

test('a user signs in with a real browser: sign-in page, consent, redirect, whoami', async () => {
  const [world, page] = [await openSsoWorld(), await (await openBrowser()).newPage()];
  const { signIn, telctl, login, ownUser, seed } = world;
  const closing: string[] = [];
  const signInOnPages = async (address: string): Promise<void> => {
    await page.goto(address);
    const name = page.getByLabel('Name');
    if (await name.isVisible()) {
      await name.fill('ann');
      await page.getByRole('button').click();
      await page.waitForLoadState();
    }
    if (await page.getByRole('button').isVisible()) await page.getByRole('button').click();
    await page.waitForURL(/^http:\/\/127\.0\.0\.1:\d+\/callback/);
    closing.push(await page.getByRole('heading').innerText(), await page.locator('p').innerText());
  };

  const linking = await signIn([...login, ...ownUser], signInOnPages);
  expect(linking.code, linking.stderr).toBe(0);
  expect((await telctl('logout', '--yes')).code).toBe(0);

  // The provider recognizes the browser and redirects immediately.
  const known = ['--client-id', world.provider.clientId, '--discovery', world.provider.discovery];
  const signed = await signIn([...login, ...known], signInOnPages);
  expect(signed.code, signed.stderr).toBe(0);
  const who = JSON.parse((await telctl('whoami', '-o', 'json')).stdout);
  expect(who).toMatchObject({ method: 'sso', username: 'admin', owner_id: seed.adminUserId });
  expect(closing).toEqual(
    [1, 2].flatMap(() => ['Back from google', 'You can close this page. telctl continues in the terminal.']),
  );
}, 60_000);
