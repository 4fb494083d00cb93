import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openWorld, type Run } from '../../support/world.ts';

const secrets = [
  ...['ALICE_PASSWORD', 'BOB_PASSWORD', 'CAROL_PASSWORD', 'DAVE_PASSWORD', 'CRM_TOKEN'],
  ...['SUPERVISOR_PASSWORD', 'AGENT_PASSWORD', 'EVENTS_TOKEN'],
  ...['RIVERSIDE_PASSWORD', 'HILLTOP_PASSWORD', 'AUDIT_TOKEN'],
] as const;
const env = {
  ...Object.fromEntries(secrets.map((name) => [name, `first-${name.toLowerCase()}`])),
  BRIEFING_PIN: '471100',
};

const examples = [
  { name: 'the small office', manifest: '-f examples/small-office.yaml', accounts: ['acme'] },
  { name: 'the opening hours', manifest: '-f examples/opening-hours.yaml', accounts: ['acme'] },
  {
    name: 'the call centre on a test account',
    manifest: '-f examples/call-centre/base --var domain=test.example',
    accounts: ['acme'],
  },
  {
    name: 'the call centre in production',
    manifest: '-f examples/call-centre/base -f examples/call-centre/production --var domain=calls.example',
    accounts: ['acme'],
  },
  {
    name: 'the reseller with two customers',
    manifest: '-f examples/reseller.yaml',
    accounts: ['acme', 'Riverside Dental', 'Hilltop Garage'],
  },
] as const;

const isWrite = ({ method }: { readonly method: string }): boolean => method !== 'GET';
const writes = ({ requests }: Run): readonly string[] =>
  requests.filter(isWrite).map(({ method, path }) => `${method} ${path}`);
const apply = (manifest: string): string => `apply ${manifest} --yes --accept-charges-up-to 500`;

for (const { name, manifest, accounts } of examples) {
  test(`${name} is valid, plans without writes, applies, and applies again without writes`, async () => {
    const world = await openWorld();
    cpSync('examples', join(world.folders.cwd, 'examples'), { recursive: true });

    const valid = await world.telctl(`validate ${manifest}`, { env });
    expect([valid.code, valid.requests]).toEqual([0, []]);
    const plan = await world.telctl(`plan ${manifest} --exit-code`, { env });
    expect([plan.code, writes(plan)]).toEqual([3, []]);
    for (const account of accounts) expect(plan.stdout).toContain(`${account} at `);

    const first = await world.telctl(apply(manifest), { env });
    expect(first.stderr).toContain('failed 0, skipped 0');
    expect(first.code).toBe(0);
    const again = await world.telctl(apply(manifest), { env });
    expect([again.code, writes(again)]).toEqual([0, []]);
    const diff = await world.telctl(`diff ${manifest} --exit-code`, { env });
    expect(diff.code).toBe(0);
  });

  test(`the export of ${name} plans and applies without changes`, async () => {
    const world = await openWorld();
    cpSync('examples', join(world.folders.cwd, 'examples'), { recursive: true });
    expect((await world.telctl(apply(manifest), { env })).code).toBe(0);

    for (const account of accounts) {
      const of = account === 'acme' ? [] : ['--account', account];
      const exported = await world.telctl(['export', ...of]);
      expect(exported.code).toBe(0);
      for (const secret of Object.values(env)) expect(exported.stdout).not.toContain(secret);
      const files = { 'exported.yaml': exported.stdout };
      const plan = await world.telctl(['plan', '-f', 'exported.yaml', '--exit-code', ...of], { files });
      expect(plan.stdout).toContain('0 to create, 0 to update');
      expect(plan.code).toBe(0);
      const applied = await world.telctl(['apply', '-f', 'exported.yaml', '--yes', ...of]);
      expect([applied.code, writes(applied)]).toEqual([0, []]);
    }
    const still = await world.telctl(apply(manifest), { env });
    expect([still.code, writes(still)]).toEqual([0, []]);
  });
}
