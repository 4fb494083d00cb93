// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of manifests
import { expect, test } from 'vitest';
import { openWorld } from '../../support/world.ts';

test.each(['312555*', 'anonymous', 'spam', '*67'])(
  'a blacklist entry %j is reported everywhere',
  async (entry) => {
    const world = await openWorld();
    const numbers = JSON.stringify({ [entry]: {}, '+13125550100': {} });
    const created = await world.telctl(`blacklists create --name Spam --set-json numbers=${numbers}`);
    expect(created.code, created.stderr).toBe(0);
    expect(created.stderr).toContain(`the entry ${JSON.stringify(entry)} matches no caller`);
    const files = {
      'm.json': JSON.stringify({ blacklists: { spam: { name: 'Spam', numbers: JSON.parse(numbers) } } }),
    };
    expect((await world.telctl('validate -f m.json', { files })).stderr).toContain('matches no caller');
    const audit = (await world.telctl('audit -o json')).stdout;
    expect([audit.includes('dead-entry'), audit.includes('unused-list')]).toEqual([true, true]);
  },
);

test('a blacklist of the account counts as used', async () => {
  const world = await openWorld();
  const manifest = (blacklists: string): string =>
    `blacklists: { a: { name: A, numbers: { "+13125550100": {} } }, b: { name: B } }\naccount_settings: { blacklists: [${blacklists}] }\n`;
  const files = { 'm.yaml': manifest('"${blacklists.a}"') };
  const { stderr } = await world.telctl('validate -f m.yaml', { files });
  expect(stderr.match(/unused-list/g)).toHaveLength(1);
});

test('an operator extension is equal as number and as text, and a second apply sends nothing', async () => {
  const world = await openWorld();
  for (const operator of ['"0"', '0', '"(312) 555-0177"']) {
    const files = {
      'm.yaml': `vmboxes: { a: { name: A, mailbox: "1001", operator_number: ${operator} } }\n`,
    };
    const applied = await world.telctl('apply -f m.yaml --yes', { files });
    expect(applied.code, applied.stderr).toBe(0);
    const plan = await world.telctl('plan -f m.yaml --exit-code', { files });
    expect([operator, plan.code], plan.stdout).toEqual([operator, 0]);
  }
});

test('numbers in callflow steps are parsed like those in fields', async () => {
  const world = await openWorld();
  const flow = (number: string) => ({
    module: 'set_cid',
    data: { caller_id_number: number, caller_id_name: '12345678' },
  });
  const createCallflow = (number: string, more = '') =>
    world.telctl(`callflows create -f - --dry-run ${more}`, {
      stdin: JSON.stringify([{ name: 'X', numbers: ['7000'], flow: flow(number) }]),
    });
  expect((await createCallflow('+44 (0) 20 7946 0018')).stdout).toContain('+442079460018');
  const national = await createCallflow('0491570006', '--country AU');
  expect(national.stdout).toContain('+61491570006');
  expect(national.stdout).toContain('caller_id_name: 12345678');
  const damaged = await createCallflow('3.12556E+11');
  expect([damaged.code, damaged.stderr]).toEqual([
    10,
    expect.stringMatching(/standard input:1:\d+: "3.12556E\+11" cannot be dialed/),
  ]);
});

test('simulated calls and case files refuse undialable numbers', async () => {
  const world = await openWorld();
  for (const line of [
    '--from 1.55512E+10 --to 2001',
    '--from +13125550100 --to 3.12556E+11',
    '--from +13125550100 --to １２３',
  ]) {
    const run = await world.telctl(`sandbox call ${line}`);
    expect([line, run.code, run.stderr]).toEqual([line, 10, expect.stringContaining('cannot be dialed')]);
  }
  const files = {
    'm.yaml':
      'country: AU\ncallflows: { x: { name: X, numbers: ["0291234567"], flow: { module: hangup, data: {} } } }\n',
    'c.yaml':
      'at: 2026-11-30 10:00 Australia/Sydney\ncases:\n  - { name: a, call: { from: "0491570006", to: "02 9123 4567" }, expect: { ends_in: hangup } }\n',
    'bad.yaml':
      'at: 2026-11-30 10:00 Australia/Sydney\ncases:\n  - { name: a, call: { from: "+13125550100", to: "1.2E+3" }, expect: { ends_in: hangup } }\n',
  };
  const passed = await world.telctl('test c.yaml -f m.yaml', { files });
  expect(passed.code, passed.stdout + passed.stderr).toBe(0);
  const refused = await world.telctl('test bad.yaml -f m.yaml', { files });
  expect([refused.code, refused.stderr]).toEqual([10, expect.stringContaining('bad.yaml:3')]);
});

test.each([
  ['+10491570006', 'area codes start with 2 to 9'],
  ['+4402079460018', 'Write +442079460018'],
])('the form %s of earlier versions is found in callflows and forwards', async (number, sentence) => {
  const world = await openWorld();
  const flow = { module: 'user', data: {}, children: {} };
  await world.service('PUT', 'callflows', { name: 'Old', numbers: [number], flow });
  await world.telctl(`users patch admin --set call_forward.number=${number}`);
  expect((await world.telctl('callflows lint -o json')).stdout).toContain(sentence);
  const audit: readonly { kind: string; sentence: string }[] = JSON.parse(
    (await world.telctl('audit -o json')).stdout,
  );
  const found = audit.filter(({ sentence: text }) => text.includes(sentence)).map(({ kind }) => kind);
  expect(found.sort()).toEqual(['callflow', 'user']);
});

test('invisible characters around a copied number are not sent, and quotation marks are refused', async () => {
  const world = await openWorld();
  const setEmergencyNumber = (number: string) =>
    world.telctl(['accounts', 'patch', '--set', `caller_id.emergency.number=${number}`]);
  const sent = await setEmergencyNumber('\u202A+1 312-555-0177\u202C');
  expect(sent.code, sent.stderr).toBe(0);
  const account: unknown = JSON.parse((await world.telctl('accounts get -o json')).stdout);
  expect(account).toMatchObject({ caller_id: { emergency: { number: '+13125550177' } } });
  for (const number of ['“+13125550177”', '"Acme" <+13125550177>', 'tel:+13125550177']) {
    const refused = await setEmergencyNumber(number);
    expect([number, refused.code, refused.stderr]).toEqual([
      number,
      10,
      expect.stringContaining('cannot be dialed'),
    ]);
  }
  const files = {
    'm.yaml':
      'vmboxes: { a: { name: A, mailbox: “4001” } }\ncallflows: { p: { name: P, numbers: [_4XXX], flow: { module: hangup, data: {} } } }\n',
  };
  const checked = await world.telctl('validate -f m.yaml', { files });
  expect(checked.code).toBe(10);
  expect(checked.stderr).toContain('it has quotation marks');
  expect(checked.stderr).toContain('it is a dial pattern of Asterisk');
});

test('a number that the account does not have is named as missing', async () => {
  const world = await openWorld();
  const missing = await world.telctl('numbers get +13125550177');
  expect([missing.code, missing.stderr]).toEqual([
    5,
    expect.stringContaining('The account has no number +13125550177'),
  ]);
  expect(missing.stderr).not.toContain('does not offer');
});

test('a number that cannot be ported, and a ZIP code without its zero, draw warnings', async () => {
  const world = await openWorld();
  const numbers = '{"+13125550170":{},"5550100":{},"911":{}}';
  const port = await world.telctl(`ports create --name Move --set-json numbers=${numbers} --dry-run`);
  for (const number of ['5550100', '911'])
    expect(port.stderr).toContain(`"${number}" is not a number of the public network`);
  expect(port.stderr).not.toContain('"+13125550170" is not');
  const files = {
    'n.csv': 'number,e911.postal_code\n+13125550170,2139\n',
    'm.yaml':
      'numbers: { "+13125550170": { e911: { postal_code: 2139 } } }\nports: { p: { name: P, numbers: { "5550100": {} } } }\n',
  };
  const csv = await world.telctl('numbers patch -f n.csv --dry-run', { files });
  expect(csv.stderr).toContain('Write 02139');
  const checked = await world.telctl('validate -f m.yaml', { files });
  expect(checked.stderr).toContain('Write 02139');
  expect(checked.stderr).toContain('"5550100" is not a number of the public network');
});
