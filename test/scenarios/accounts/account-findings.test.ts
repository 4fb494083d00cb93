// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of manifests
import { expect, test } from 'vitest';
import { callsIn } from '../../support/calls-in.ts';
import { openWorld } from '../../support/world.ts';

const person = (name: string, more = '') =>
  `${name}: { username: ${name}, first_name: A, last_name: A${more} }`;
const forward = (number: string) => `, call_forward: { enabled: true, number: "${number}" }`;
const flow = (name: string, number: string, data: string) =>
  `${name}: { name: ${name}, numbers: ["${number}"], flow: ${data} }`;
const ringStep = (user: string) => `{ module: user, data: { id: "\${users.${user}}" } }`;
const manifest = (sections: Readonly<Record<string, readonly string[]>>) =>
  Object.entries(sections)
    .map(([name, objects]) => `${name}: { ${objects.join(', ')} }`)
    .join('\n');

const cases: readonly (readonly [title: string, rule: string, text: string])[] = [
  [
    'own extension',
    'forward-ring',
    manifest({ users: [person('ann', forward('1001'))], callflows: [flow('f', '1001', ringStep('ann'))] }),
  ],
  [
    'two users through a group and a callflow',
    'forward-ring',
    manifest({
      users: [person('ann', forward('1002')), person('ben', forward('1001'))],
      groups: ['g: { name: G, endpoints: { "${users.ben}": { type: user } } }'],
      callflows: [
        flow('f', '1001', ringStep('ann')),
        flow('h', '1002', '{ module: callflow, data: { id: "${callflows.i}" } }'),
        flow(
          'i',
          '1003',
          '{ module: ring_group, data: { endpoints: [{ endpoint_type: group, id: "${groups.g}" }] } }',
        ),
      ],
    }),
  ],
  ...(
    [
      ['no recording', ', email: a@acme.example', 'include_message_on_notify: false'],
      ['no address', '', 'name: V'],
      ['no mail to its owner', ', email: a@acme.example, vm_to_email_enabled: false', 'name: V'],
    ] as const
  ).map(
    ([title, user, box]) =>
      [
        `mailbox with ${title}`,
        'message-lost',
        manifest({
          users: [person('ann', user)],
          vmboxes: [
            `v: { mailbox: "602", owner_id: "\${users.ann}", delete_after_notify: true, ${box.startsWith('name') ? box : `name: V, ${box}`} }`,
          ],
        }),
      ] as const,
  ),
  [
    'code *800 that loses to *8',
    'lost-code',
    "callflows:\n  page: { name: Page, patterns: ['^\\*8(\\d{2,7})$'], flow: { module: intercom, data: {} } }\n  queue: { name: Queue, patterns: ['^\\*800(.*)$'], flow: { module: hangup, data: {} } }",
  ],
  ...(
    [
      ['extension *31 in the slots of *3', '^\\*3([0-9]*)$', 'numbers: ["*31"]'],
      ['extension 705 in a range of slots', '^(70[1-9])$', 'numbers: ["705"]'],
      ['extensions that take a range of slots', '^(70[1-9])$', "patterns: ['^(70\\d+)$']"],
      ['extensions in the slots of 2', '^(2[0-9]*)$', "patterns: ['^2(\\d\\d)$']"],
    ] as const
  ).map(
    ([title, slots, numbers]) =>
      [
        title,
        'lost-code',
        `callflows:\n  park: { name: Park, patterns: ['${slots}'], flow: { module: park, data: { action: auto } } }\n  x: { name: X, ${numbers}, flow: { module: hangup, data: {} } }`,
      ] as const,
  ),
  [
    'one PIN',
    'same-pin',
    'conferences: { c: { name: C, member: { pins: ["4711"] }, moderator: { pins: ["4711"] } } }',
  ],
  ['no calls', 'no-calls', 'limits: { calls: 0 }'],
];

test.each(cases)('reports %s as %s', async (_, rule, text) => {
  const { telctl } = await openWorld({ signIn: 'none' });
  const run = await telctl('validate -f a.yaml -o json', { files: { 'a.yaml': text } });
  expect(run.stdout + run.stderr).toContain(`(${rule})`);
});

test('reports no findings for working forwards, mailboxes and conferences', async () => {
  const { telctl } = await openWorld({ signIn: 'none' });
  const text = manifest({
    users: [person('ann', `${forward('1002')}, email: a@acme.example`), person('ben')],
    vmboxes: ['v: { mailbox: "602", name: V, owner_id: "${users.ann}", delete_after_notify: true }'],
    conferences: ['c: { name: C, member: { pins: ["4711"] }, moderator: { pins: ["4712"] } }'],
    callflows: [flow('f', '1001', ringStep('ann')), flow('h', '1002', ringStep('ben'))],
  });
  const run = await telctl('validate -f a.yaml -o json', { files: { 'a.yaml': text } });
  expect(run.code).toBe(0);
  expect(run.stdout).not.toMatch(/forward-ring|message-lost|same-pin|lost-code|no-calls/);
});

test('audit and lint report the same findings for an account, and limits of 0 calls need confirmation', async () => {
  const world = await openWorld();
  await world.service('PUT', 'conferences', {
    name: 'C',
    member: { pins: ['4711'] },
    moderator: { pins: ['4711'] },
  });
  expect((await world.telctl('callflows lint -o json')).stdout).toContain('"same-pin"');
  expect((await world.telctl('audit -o json')).stdout).toContain('"same-pin"');
  const refused = await world.telctl('limits set --calls 0');
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain('except emergency calls');
  expect(await world.telctl('limits set --calls 0 --yes')).toMatchObject({ code: 0 });
  expect((await world.telctl('audit -o json')).stdout).toContain('"no-calls"');
  expect((await world.telctl('callflows lint -o json')).stdout).toContain('"no-calls"');
});

test('apply asks before it sets limits of 0 calls, and runs over many accounts need --yes', async () => {
  const world = await openWorld();
  const files = { 'a.yaml': 'limits: { calls: 0 }', 'list.txt': 'acme\n' };
  const readCallLimit = async () => (await world.service('GET', 'limits')).calls;
  const apply = (name: string) =>
    world.telctl('apply -f a.yaml', {
      files,
      tty: true,
      answers: [
        { to: /Apply these changes to acme\?/, type: 'y' },
        { to: /Type acme to continue/, type: name },
      ],
    });
  expect((await apply('other')).code).toBe(9);
  const many = await world.telctl('limits set --calls 0 --accounts list.txt', {
    files,
    tty: true,
    answers: [{ to: /Run telctl limits set in 1 account/, type: 'y' }],
  });
  expect([many.code, many.stderr]).toEqual([9, expect.stringContaining('needs --yes')]);
  expect(await readCallLimit()).not.toBe(0);
  expect((await apply('acme')).code).toBe(0);
  expect(await readCallLimit()).toBe(0);
  await world.telctl('limits set --calls 5');
  expect((await world.telctl('limits set --calls 0 --accounts list.txt --yes', { files })).code).toBe(0);
  expect(await readCallLimit()).toBe(0);
});

test('a user as recipient of missed-call e-mail receives it at the address of the user', async () => {
  const world = await openWorld();
  const { id: ann = '' } = await world.addUser({
    ...{ username: 'ann', email: 'ann@acme.example', first_name: 'A', last_name: 'A' },
  });
  await world.service('PUT', 'callflows', {
    name: 'Main',
    numbers: ['+15551230000'],
    flow: {
      module: 'missed_call_alert',
      data: { recipients: [{ type: 'user', id: [ann] }] },
      children: { _: { module: 'user', data: { id: ann } } },
    },
  });
  await callsIn(world)('+14155550101', '+15551230000', {
    ...{ others: { does: 'does not answer' }, realTime: false, isOver: true },
  });
  const mails = await world.telctl('notifications mails list -o json');
  const missed = JSON.parse(mails.stdout).filter(
    ({ template_id: id }: { template_id: string }) => id === 'missed_call',
  );
  expect(missed, mails.stdout).toMatchObject([{ to: 'ann@acme.example' }]);
});

test.each([undefined, 'kazoo'] as const)('users can be recipients of alerts (like %s)', async (like) => {
  const world = await openWorld({ like });
  const step = (module: string, id: string) =>
    `{ module: ${module}, data: { template_id: missed_call, recipients: [{ type: user, id: ${id} }] }, children: { _: ${ringStep('ann')} } }`;
  const files = {
    'a.yaml': manifest({
      users: [person('ann', ', email: ann@acme.example, password: "${env.PW}"')],
      callflows: [
        flow(
          'm',
          '7100',
          step('missed_call_alert', '"${users.ann}"').replace('template_id: missed_call, ', ''),
        ),
        flow('n', '7101', step('notification', '["${users.ann}"]')),
      ],
    }),
  };
  const env = { PW: 'Quay-Heron-4171' };
  const checked = await world.telctl('validate -f a.yaml --strict-input', { files, env });
  expect(checked, checked.stderr).toMatchObject({ code: 0 });
  const applied = await world.telctl('apply -f a.yaml --yes', { files, env });
  expect(applied, applied.stderr).toMatchObject({ code: 0 });
  const user = (await world.telctl('users get ann -o json')).stdout;
  const used = await world.telctl(`find ${JSON.parse(user).id} -o json`);
  expect(used.stdout).toContain('recipients.0.id');
  const bad = files['a.yaml'].replaceAll('type: user, id: "${users.ann}"', 'type: email, id: nobody');
  expect(
    (await world.telctl('validate -f b.yaml --strict-input', { files: { 'b.yaml': bad }, env })).code,
  ).toBe(10);
});

test('reports no feature code for a number in a pattern for outgoing calls', async () => {
  const { telctl } = await openWorld({ signIn: 'none' });
  const text =
    "callflows:\n  out: { name: Out, patterns: ['^([0-9]{2,})$'], flow: { module: resources, data: {} } }\n" +
    "  park: { name: Park, patterns: ['^\\*3([0-9]*)$'], flow: { module: park, data: { action: auto } } }\n" +
    '  x: { name: X, numbers: ["31", "*4"], flow: { module: hangup, data: {} } }';
  const run = await telctl('validate -f a.yaml', { files: { 'a.yaml': text } });
  expect([run.code, run.stderr.includes('lost-code')], run.stderr).toEqual([0, false]);
});

const numbered = (kind: string, number: string): string => `
account_settings: { caller_id: { external: { number: "+15551230000" } } }
users: { ann: { username: ann, first_name: A, last_name: A, caller_id: { ${kind}: { number: "${number}" } } } }
devices: { desk: { name: Desk, caller_id: { ${kind}: { number: "${number}" } } } }
numbers: { "+15551230000": {} }
ports: { port: { name: Port, numbers: { "+15551230007": {} } } }
`;

test.each([
  ['external', 'so carriers can reject or replace it'],
  ['emergency', 'so emergency centers call back somebody else'],
])('warns about the %s caller id of another account', async (kind, effect) => {
  const { telctl } = await openWorld({ signIn: 'none' });
  const files = {
    'a.yaml': numbered(kind, '+15551239999'),
    'own.yaml': numbered(kind, '+1 555 123-0000'),
    'ported.yaml': numbered(kind, '+15551230007'),
    'extension.yaml': numbered('internal', '1001'),
  };
  const wrong = await telctl('validate -f a.yaml', { files });
  expect(wrong.code).toBe(0);
  const message = `"+15551239999" is not in the numbers of the manifest, ${effect} (foreign-caller-id)`;
  expect(wrong.stderr.split(message)).toHaveLength(3);
  for (const name of ['own', 'ported', 'extension']) {
    const { stderr } = await telctl(`validate -f ${name}.yaml`);
    expect([name, stderr.includes('foreign-caller-id')], stderr).toEqual([name, false]);
  }
});

test('lint and audit of an account report the caller id of another account, and lint expands sets', async () => {
  const { telctl, service, addUser } = await openWorld();
  await service('PUT', 'phone_numbers/+15551230000', {});
  await addUser({
    username: 'ann',
    first_name: 'A',
    last_name: 'B',
    caller_id: { emergency: { number: '+15551239999' } },
  });
  const hours = { cycle: 'weekly', wdays: ['monday'], time_window_start: 32400, time_window_stop: 61200 };
  const { id: office } = await service('PUT', 'temporal_rules', { name: 'Office', ...hours });
  const { id: lunch } = await service('PUT', 'temporal_rules', { name: 'Lunch', ...hours });
  const { id: set } = await service('PUT', 'temporal_rules_sets', {
    name: 'Breaks',
    temporal_rules: [String(lunch)],
  });
  const hangup = { module: 'hangup', data: {} };
  const children = { [String(office)]: { ...hangup, data: { code: 1 } }, [String(set)]: hangup, _: hangup };
  const flow = { module: 'temporal_route', data: { rules: [String(office), String(set)] }, children };
  await service('PUT', 'callflows', { name: 'Main', numbers: ['1000'], flow });
  const lint = await telctl('callflows lint');
  expect(lint.stdout).toContain('"+15551239999" is not a number of the account');
  expect(lint.stdout).toContain('rule "Lunch" of set "Breaks" is never reached: "Office" is tested first');
  const audit = await telctl('audit --code foreign-caller-id -o json');
  expect(JSON.parse(audit.stdout)).toMatchObject([{ severity: 'warning', kind: 'user' }]);
});
