import { expect, test } from 'vitest';
import { throughValidatingProxy } from '../../support/validating-proxy.ts';
import { openWorld } from '../../support/world.ts';

throughValidatingProxy();

const manifest = `set: office
menus:
  main: { name: Main menu }
users:
  alice:
    username: alice
    password: \${env.ALICE_PASSWORD}
    first_name: Alice
    last_name: Archer
`;
const files = { 'office.yaml': manifest };

test('a job with the key applies the plan of a read-only profile', async () => {
  const { telctl, seed, url } = await openWorld({ signIn: 'none' });
  const job = {
    ALICE_PASSWORD: 'first-sign-in-of-alice',
    TELCTL_API_KEY: seed.apiKey,
    TELCTL_BASE_URL: url,
    TELCTL_ACCOUNT: seed.accountName,
    CI: 'true',
  };
  const login = ['login', '--profile', 'plan', '--base-url', url, '--api-key-stdin'];
  expect((await telctl(login, { stdin: seed.apiKey, env: job })).code).toBe(0);
  expect((await telctl('profiles set plan --protect read-only', { env: job })).code).toBe(0);
  const ledger = ['--ledger', 'office.ledger.json'];
  const plan = await telctl(
    ['plan', '--profile', 'plan', '-f', 'office.yaml', ...ledger, '--out', 'office.plan', '-o', 'markdown'],
    { files, env: job },
  );
  expect([plan.code, plan.stderr]).toEqual([0, expect.stringContaining('office.plan')]);
  expect(plan.stdout).toContain('alice');
  expect(plan.stdout).not.toContain(job.ALICE_PASSWORD);
  const refused = await telctl('apply --profile plan -f office.yaml --yes', { env: job });
  expect(refused.code).toBe(9);
  const applied = await telctl('apply office.plan --accept-charges-up-to 50', { env: job });
  expect([applied.code, applied.stderr]).toEqual([0, expect.stringContaining('Created 2')]);
  const nightly = await telctl(['diff', '-f', 'office.yaml', ...ledger, '--exit-code'], { env: job });
  expect(nightly.code).toBe(0);
});
