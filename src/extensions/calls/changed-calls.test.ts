// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are references of manifests
import { expect, it } from 'vitest';
import { openWorld } from '../../../test/support/world.ts';

const office = (who: string): string => `account: acme
users:
  zoe: { username: zoe, password: "\${env.NEW_PASSWORD}", first_name: Zoe, last_name: Zimmer }
  yan: { username: yan, password: "\${env.NEW_PASSWORD}", first_name: Yan, last_name: Young }
devices:
  zoe: { name: Zoe desk, owner_id: "\${users.zoe}" }
  yan: { name: Yan desk, owner_id: "\${users.yan}" }
callflows:
  line: { name: New line, numbers: ["7701"], flow: { module: user, data: { id: "\${users.${who}}" }, children: {} } }
`;
const cases = `at: 2026-11-23 10:00 UTC
cases:
  - name: Zoe takes it
    call: { from: +13125550100, to: "7701" }
    expect: { answered_by: zoe }
`;

it('plan lists calls with a different end, and apply refuses to lose one without --allow-call-changes', async () => {
  const world = await openWorld();
  const telctl: typeof world.telctl = (line, options = {}) =>
    world.telctl(line, { ...options, env: { NEW_PASSWORD: 'Long-enough-1' } });
  const files = { 'zoe.yaml': office('zoe'), 'yan.yaml': office('yan'), 'calls/new.yaml': cases };
  const first = await telctl('plan -f zoe.yaml --calls calls/new.yaml', { files });
  expect(first.stdout).toContain('The plan changes the end of 1 of 1 call:');
  expect(first.stdout).toMatch(/Zoe takes it +nobody → zoe/);
  const made = await telctl('apply -f zoe.yaml --yes --calls calls');
  expect(made.code).toBe(0);
  const json = await telctl('plan -f yan.yaml --calls calls --set-name zoe.yaml -o json');
  expect(JSON.parse(json.stdout).accounts[0].calls).toEqual({
    tried: 1,
    changed: [{ name: 'Zoe takes it', before: 'zoe', after: 'yan' }],
  });
  const refused = await telctl('apply -f yan.yaml --yes --set-name zoe.yaml --calls calls');
  expect(refused.code).toBe(9);
  expect(refused.stderr).toContain('--allow-call-changes');
  expect(refused.requests.every(({ method }) => method === 'GET')).toBe(true);
  const allowed = await telctl(
    'apply -f yan.yaml --yes --set-name zoe.yaml --calls calls --allow-call-changes',
  );
  expect(allowed.code).toBe(0);
});
