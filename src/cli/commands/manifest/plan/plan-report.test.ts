// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are references of manifests
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { unfolded } from '../../../../../test/support/unfolded.ts';
import { openWorld, type Run, type World } from '../../../../../test/support/world.ts';
import { planSchema } from '../../../../engine/manifest/plan-schema.ts';

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, strictTypes: false });
const fits = ajv.compile(planSchema());
const policy = ajv.compile(JSON.parse(readFileSync('examples/plan-policy.schema.json', 'utf8')));

const users = (names: readonly string[]): string =>
  `users:\n${names.map((name) => `  ${name}: { username: ${name}, first_name: F, last_name: L, password: "\${env.P}" }\n`).join('')}`;
const callflow = (first: string, second: string, menu = 'main'): string => `
menus: { main: { name: Main menu }, night: { name: Night } }
callflows:
  a: { name: A, numbers: ["${first}"], flow: { module: menu, data: { id: "\${menus.${menu}}" }, children: {} } }
  b: { name: B, numbers: ["${second}"], flow: { module: menu, data: { id: "\${menus.${menu}}" }, children: {} } }
`;
const office = `${users(['alice', 'bob'])}${callflow('2000', '2001')}`;
const env = { P: 'canary-77' };

async function applied(): Promise<World> {
  const world = await openWorld();
  const run = await world.telctl('apply -f office.yaml --yes', { files: { 'office.yaml': office }, env });
  if (run.code !== 0) throw new Error(run.stderr);
  return world;
}

const patch = async (world: World, noun: string, name: string, fields: Record<string, string>) => {
  const { id } = JSON.parse((await world.telctl([noun, 'get', name, '-o', 'json'])).stdout);
  await world.service('PATCH', `${noun}/${id}`, fields);
};

const plan = (world: World, line: string, text = office): Promise<Run> =>
  world.telctl(`plan -f office.yaml ${line}`, {
    files: { 'office.yaml': text, 'hello.mp3': 'ID3 music' },
    env,
  });

const keysOf = (run: Run): readonly string[] => run.stdout.trimEnd().split('\n').filter(Boolean);

test('--only plans a part together with the objects it depends on', async () => {
  const world = await openWorld();
  const part = await plan(world, '--only callflows/a -o name');
  expect([part.code, keysOf(part)]).toEqual([0, ['menus.main', 'callflows.a']]);
  const wrong = await plan(world, '--only users/alise');
  expect([wrong.code, wrong.stderr.includes('Did you mean "users/alice"?')]).toEqual([2, true]);
  const run = await world.telctl('apply -f office.yaml --only users --yes', { env });
  expect(run.code, run.stderr).toBe(0);
  expect(keysOf(await plan(world, '-o name'))).toEqual([
    ...['menus.main', 'menus.night', 'callflows.a', 'callflows.b'],
  ]);
});

test('shows a saved plan unchanged, with its --only and --prune', async () => {
  const world = await applied();
  const next = `${users(['alice', 'carol'])}${callflow('2001', '2000')}`;
  const made = await plan(world, '--prune --only users --out office.plan', next);
  expect(made.code, made.stderr).toBe(0);
  const shown = await world.telctl('show office.plan');
  expect(shown.stdout).toBe(`A plan made from office.yaml, with --prune --only users\n\n${made.stdout}`);
  expect(shown.requests).toEqual([]);
  const [before, after] = [
    await plan(world, '--prune --only users -o json', next),
    await world.telctl('show office.plan -o json'),
  ];
  expect(JSON.parse(after.stdout)).toEqual(JSON.parse(before.stdout));
  expect((await world.telctl('show office.plan -o markdown')).stdout).toContain('\n- user bob\n');
  const path = join(world.folders.cwd, 'office.plan');
  writeFileSync(path, readFileSync(path, 'utf8').replace('carol', 'karol'));
  expect((await world.telctl('show office.plan')).code).toBe(10);
  expect((await world.telctl('show none.plan')).code).toBe(2);
});

test('shows the same plan at 80 columns and in Markdown, which also lists fields of new objects', async () => {
  const world = await applied();
  const greeting =
    'Thank you for calling Acme. Please hold the line, the next free colleague takes your call.';
  const next = `${users(['alice', 'carol'])}${callflow('2000', '2002', 'night')}media: { hello: { name: "${greeting}" } }\n`;
  const files = { 'office.yaml': next };
  const terminal = await world.telctl('plan -f office.yaml --prune', { files, env, tty: true, width: 80 });
  expect(terminal.stdout.split('\n').every((row) => row.length <= 80)).toBe(true);
  expect(terminal.stdout).toMatchInlineSnapshot(`
    "acme at http://127.0.0.1:8000

    + medium "Thank you for calling Acme. Please hold the line, the next free
    │ colleague takes your call."
    + user carol
    - user bob
    ~ callflow A
        flow id  \${menus.main} → \${menus.night}
    ~ callflow B
        numbers  ["2001"] → ["2002"]
        flow id  \${menus.main} → \${menus.night}

    2 to create, 2 to update, 3 unchanged, 1 to delete
    "
  `);
  expect((await plan(world, '--prune -o markdown', next)).stdout).toMatchInlineSnapshot(`
    "\`\`\`diff
    acme at http://127.0.0.1:8000

    + medium "Thank you for calling Acme. Please hold the line, the next free colleague takes your
    │ call."
        name        set to Thank you for calling Acme. Please hold the line, the next free colleague
                  │ takes your call.
    + user carol
        username    set to carol
        first_name  set to F
        last_name   set to L
        password    set from \${env.P}
    - user bob
    ~ callflow A
        flow id     \${menus.main} → \${menus.night}
    ~ callflow B
        numbers     ["2001"] → ["2002"]
        flow id     \${menus.main} → \${menus.night}

    2 to create, 2 to update, 3 unchanged, 1 to delete
    \`\`\`
    "
  `);
});

test('--drift shows only changes by others', async () => {
  const world = await applied();
  const wanted = office.replaceAll('first_name: F', 'first_name: G');
  const none = await plan(world, '--drift --exit-code', wanted);
  expect([none.code, none.stdout]).toEqual([0, expect.stringContaining('No changes by others')]);
  await patch(world, 'menus', 'Night', { name: 'Nights' });
  const { id } = JSON.parse((await world.telctl('users get bob -o json')).stdout);
  await world.service('DELETE', `users/${id}`);
  const some = await plan(world, '--drift --exit-code', wanted);
  expect(some.code).toBe(3);
  expect(some.stdout.split('\n').slice(2, 7)).toEqual([
    '+ user bob  was deleted by others since the last apply',
    expect.stringMatching(/^~ menu /),
    '    name    Nights → Night (changed by others)',
    '',
    expect.stringContaining('1 object was changed by others since the last apply'),
  ]);
  expect(some.stdout).not.toContain('first_name');
  expect((await plan(world, '--drift --out x.plan')).code).toBe(2);
});

test('--unmanaged lists objects outside manifests', async () => {
  const world = await applied();
  await world.addUser({ username: 'erin', first_name: 'Erin', last_name: 'E' });
  const run = await plan(world, '--unmanaged -o json');
  const [account] = JSON.parse(run.stdout).accounts;
  expect(fits(JSON.parse(run.stdout)), JSON.stringify(fits.errors)).toBe(true);
  const labels = account.unmanaged.map(({ label }: { label: string }) => label);
  expect(labels).toContain('user erin');
  expect(labels.join()).not.toMatch(/alice|bob|Main menu/);
  const text = (await plan(world, '--unmanaged')).stdout;
  expect(text).toMatch(/are not in a manifest\. To manage such objects, use telctl adopt/);
  expect(text).toMatch(/· .*user.*erin/);
});

test('every kind of plan matches the schema, so that a policy can check it', async () => {
  const world = await applied();
  await patch(world, 'menus', 'Night', { name: 'Nights' });
  await world.telctl(['menus', 'create', '--name', 'Old']);
  const texts: Readonly<Record<string, string>> = {
    swap: `${users(['alice', 'bob'])}${callflow('2001', '2000', 'night')}`,
    prune: `${users(['alice', 'carol'])}${callflow('2000', '2001')}`,
    charges: `limits: { twoway_trunks: 4 }\n${office}`,
    circle: `${office}  c: { name: C, flow: { module: callflow, data: { id: "\${callflows.d}" } } }\n  d: { name: D, flow: { module: callflow, data: { id: "\${callflows.c}" } } }\n`,
    media: `${office}media:\n  hello: { name: Hello, file: hello.mp3 }\n`,
    left: `${users(['alice'])}${callflow('2000', '2001')}`,
    other: `set: other\n${office}`,
  };
  const seen = new Set<string>();
  for (const [name, text] of Object.entries(texts)) {
    const run = await plan(world, `-o json ${name === 'prune' ? '--prune --max-deletes 0' : ''}`, text);
    const document = JSON.parse(run.stdout);
    expect(fits(document), `${name}: ${JSON.stringify(fits.errors)}`).toBe(true);
    for (const account of document.accounts) {
      for (const key of Object.keys(account)) seen.add(key);
      for (const step of account.steps)
        for (const key of [...Object.keys(step), step.action, step.by]) seen.add(key);
    }
    expect(policy(document), name).toBe(!['prune', 'charges'].includes(name));
  }
  expect([...seen].toSorted()).toEqual(
    expect.arrayContaining([
      ...['completes', 'create', 'delete', 'drifted', 'kept', 'may_cost', 'refused', 'refused_unasked'],
      ...['releases', 'takes_from', 'unchanged', 'update', 'upload'],
    ]),
  );
  expect(fits({ version: 1, accounts: [{}] })).toBe(false);
  const printed = await world.telctl('schema plan');
  expect(printed.stdout).toBe(readFileSync('schemas/plan.json', 'utf8'));
});

test('shows service prices next to additions', async () => {
  const world = await openWorld();
  const asReseller = {
    ...{ TELCTL_BASE_URL: world.url, TELCTL_USERNAME: 'super', TELCTL_PASSWORD: world.seed.superPassword },
    ...{ TELCTL_ACCOUNT_NAME: 'platform', TELCTL_ACCOUNT: world.seed.accountId },
  };
  const priced = async (item: object): Promise<void> => {
    const stdin = JSON.stringify({ limits: { twoway_trunks: item } });
    const set = await world.telctl('services override -f -', { env: asReseller, stdin });
    expect(set.code, set.stderr).toBe(0);
  };
  const discounts = { single: { rate: 2 }, cumulative: { maximum: 3, rate: 0.5 } };
  await priced({ rate: 5, activation_charge: 1.5, minimum: 2, discounts });
  const trunks = 'limits: { twoway_trunks: 4, burst_trunks: 3 }\n';
  // 4 × 5 − 2 − 3 × 0.5, less the two that are billed anyhow: 2 × 5 − 2 − 2 × 0.5.
  const said = 'twoway_trunks: 4 more at 5.00 each, 9.50 with each bill and 6.00 once';
  for (const format of ['table', 'markdown']) {
    const stdout = unfolded((await plan(world, `-o ${format}`, trunks)).stdout);
    expect(stdout).toContain(said);
    expect(stdout).not.toContain('burst_trunks: 3 more');
  }
  const document = JSON.parse((await plan(world, '-o json', trunks)).stdout);
  expect(fits(document), JSON.stringify(fits.errors)).toBe(true);
  expect(document.accounts[0].prices).toEqual([
    {
      key: 'limits',
      path: 'twoway_trunks',
      added: 4,
      in_all: 4,
      rate: '5.00',
      recurring: '9.50',
      once: '6.00',
    },
  ]);
  expect(document.accounts[0].charges).toEqual({ recurring: '9.50', once: '6.00' });
  const kept = await plan(world, '--out trunks.plan', trunks);
  expect(kept.code, kept.stderr).toBe(0);
  expect((await world.telctl('show trunks.plan')).stdout).toContain(said);
  const isSilent = async (options: Parameters<World['telctl']>[1] = {}): Promise<void> => {
    const { code, stdout } = await world.telctl('plan -f office.yaml', options);
    expect([code, stdout.includes('more at')]).toEqual([0, false]);
  };
  await isSilent({ faults: [{ fault: { kind: 'answer', status: 403 }, path: /\/services\/summary$/ }] });
  await priced({ rate: 5, rates: { 10: 4 } });
  await isSilent();
});

test('shows and saves the prices of several accounts, by account and in total', async () => {
  const world = await openWorld();
  const asReseller = {
    ...{ TELCTL_BASE_URL: world.url, TELCTL_USERNAME: 'super', TELCTL_PASSWORD: world.seed.superPassword },
    ...{ TELCTL_ACCOUNT_NAME: 'platform' },
  };
  const stdin = JSON.stringify({ limits: { twoway_trunks: { rate: 5, activation_charge: 1.5 } } });
  const ids: string[] = [];
  for (const name of ['north', 'south']) {
    const made = await world.telctl(`accounts create --name ${name} --realm ${name}.example -o json`);
    const { id } = JSON.parse(made.stdout);
    ids.push(id);
    const env = { ...asReseller, TELCTL_ACCOUNT: id };
    expect((await world.telctl('services override -f -', { env, stdin })).code).toBe(0);
  }
  const files = { 'trunks.yaml': 'limits: { twoway_trunks: 4 }\n', 'list.csv': 'account\nnorth\nsouth\n' };
  const line = '-f trunks.yaml --accounts list.csv';
  const sum = 'In 2 accounts together: 40.00 with each bill and 12.00 once (an estimate';
  const planned = await world.telctl(`plan ${line} --out fleet.plan`, { files });
  for (const { stdout } of [
    planned,
    await world.telctl(`plan ${line} -o markdown`),
    await world.telctl('show fleet.plan'),
    await world.telctl('show fleet.plan -o markdown'),
  ]) {
    expect(unfolded(stdout)).toContain(sum);
    expect(unfolded(stdout)).toContain(
      'twoway_trunks: 4 more at 5.00 each, 20.00 with each bill and 6.00 once',
    );
  }
  const charges = { accounts: 2, recurring: '40.00', once: '12.00' };
  expect(JSON.parse((await world.telctl('show fleet.plan -o json')).stdout).charges).toEqual(charges);
  const document = JSON.parse((await world.telctl(`plan ${line} -o json`)).stdout);
  expect([document.charges, document.accounts[1].charges]).toEqual([
    charges,
    { recurring: '20.00', once: '6.00' },
  ]);
  expect((await world.telctl(`plan ${line} -o csv`)).stdout).toContain('south,price,limits');
  const no = { tty: true, answers: [{ to: /(?:Apply these changes|Roll this out) to/, type: 'n' }] };
  for (const each of [`apply ${line}`, `rollout start ${line}`, 'rollout start fleet.plan']) {
    const asked = await world.telctl(each, no);
    expect([asked.code, asked.stderr.includes(sum)], each).toEqual([130, true]);
  }
  // The budget is for both together.
  const over = await world.telctl('apply -f trunks.yaml --accounts ids --yes --accept-charges-up-to 30', {
    files: { ids: ids.join('\n') },
    env: asReseller,
  });
  expect([over.code, over.stdout], over.stderr).toEqual([8, expect.stringContaining('1 done, 1 failed')]);
});
