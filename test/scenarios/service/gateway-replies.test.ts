import { expect, test } from 'vitest';
import type { Fault } from '../../support/faults.ts';
import { openWorld } from '../../support/world.ts';

const htmlPage = (status: number): Fault => ({
  kind: 'answer',
  status,
  headers: { 'content-type': 'text/html' },
  body: '<html><title>Access denied</title>Ray ID: 1234</html>',
});

test.each([401, 403, 502])(
  'an HTML page with status %i is reported as a gateway response, at sign-in as well',
  async (status) => {
    for (const signIn of ['api-key', 'none'] as const) {
      const world = await openWorld({ signIn });
      const env = { TELCTL_BASE_URL: world.url, TELCTL_API_KEY: 'x' };
      const own = signIn === 'none' ? { env } : {};
      const run = await world.telctl('users list --retries 0', {
        ...own,
        faults: [{ fault: htmlPage(status) }],
      });
      expect(run.code, run.stderr).toBe(status === 502 ? 75 : 1);
      expect(run.stderr).toContain(
        `responded with a page (${status}): "Access denied". The service did not respond.`,
      );
      expect(run.stderr).not.toMatch(/API key|sign in/i);
    }
  },
);

test('the message of a 403 at sign-in is shown', async () => {
  const world = await openWorld({ signIn: 'none' });
  const body = JSON.stringify({
    status: 'error',
    error: '403',
    message: 'forbidden',
    data: { message: 'Your address is blocked.' },
  });
  const env = { TELCTL_BASE_URL: world.url, TELCTL_API_KEY: 'x' };
  const run = await world.telctl('users list', {
    env,
    faults: [{ fault: { kind: 'answer', status: 403, body } }],
  });
  expect([run.code, run.stderr]).toEqual([4, expect.stringContaining('Your address is blocked.')]);
});

test.each([
  [{ attempts: [{ result: 'success', hook_id: 'h' }] }, /success/],
  [{ delivered: 3, failed: 0 }, /"delivered": ?3/],
  [['one', 'two'], /two/],
])('webhooks attempts shows %j unchanged', async (data, shown) => {
  const world = await openWorld();
  const body = JSON.stringify({ status: 'success', data });
  const faults = [{ path: /attempts$/, fault: { kind: 'answer', status: 200, body } as const }];
  const run = await world.telctl('webhooks attempts -o json', { faults });
  expect([run.code, run.stdout], run.stderr).toEqual([0, expect.stringMatching(shown)]);
});

test('patch lists the fields that the service dropped, and that nothing changed', async () => {
  const world = await openWorld();
  await world.service('PUT', 'menus', { name: 'main' });
  const drops: Fault = {
    kind: 'rewrite',
    change(reply) {
      const { data, ...envelope } = JSON.parse(reply);
      const { flag: _, ...rest } = data;
      return JSON.stringify({ ...envelope, data: rest });
    },
  };
  const faults = [{ method: 'PATCH', path: /\/menus\//, fault: drops }];
  const line = 'menus patch main --set-json flag=true --allow-unknown-fields';
  const none = await world.telctl(line, { faults });
  expect(none.stderr).toContain('flag ignored by the service');
  expect(none.stderr + none.stdout).toContain('Nothing changed');
  const some = await world.telctl(`${line} --name other`, { faults });
  expect(some.stderr).toContain('flag ignored by the service');
  expect(some.stderr + some.stdout).toContain('Changed menu other');
});
