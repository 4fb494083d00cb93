import { expect, test } from 'vitest';
import { openWorld } from '../../../../test/support/world.ts';
import { resourceByWord } from '../../../contract/catalogue.ts';

const led = [
  ['hours', 'telctl temporal-rules '],
  ['opening hours', 'telctl temporal-rules '],
  ['holidays', 'telctl temporal-rule-sets '],
  ['ring group', 'telctl groups '],
  ['ring-group', 'telctl groups '],
  ['trunk', 'telctl limits '],
  ['billing', 'telctl ledgers '],
  ['moh', 'telctl media '],
  ['mfa', 'telctl multi-factor '],
  ['backup', 'telctl export '],
  ['rollback', 'telctl undo '],
  ['copy', 'telctl callflows copy '],
  ['import', 'telctl users import '],
  ['status', 'telctl whoami '],
  ['caller id', 'users.caller_id '],
  ['onboard', 'telctl users onboard '],
] as const;

test.each(led)('telctl help %s suggests %s', async (words, line) => {
  const world = await openWorld();
  const { code, stdout, requests } = await world.telctl(`help ${words}`);
  expect([code, requests]).toEqual([0, []]);
  expect(`${stdout.replaceAll(/ +/g, ' ')}`).toContain(line);
});

/** What an administrator types, and the noun or the command that is meant. */
const typed: Readonly<Record<string, string>> = {
  'status-page': 'doctor',
  minutes: 'cdrs report',
  tree: 'accounts tree',
  snapshot: 'export',
  payload: 'webhooks samples',
  lint: 'callflows lint',
  pull: 'export',
  push: 'apply',
  deploy: 'apply',
  invite: 'users onboard',
  hours: 'temporal-rules',
  holidays: 'temporal-rules',
  night: 'temporal-rules',
  'night-mode': 'temporal-rules',
  closed: 'temporal-rules',
  lunch: 'temporal-rules',
  'time-of-day': 'temporal-rules',
  'opening-hours': 'temporal-rules',
  'ring-group': 'groups',
  'page-group': 'groups',
  trunk: 'limits',
  quota: 'limits',
  'concurrent-calls': 'limits',
  billing: 'ledgers',
  invoice: 'ledgers',
  balance: 'ledgers',
  cost: 'rates',
  tariffs: 'rates',
  payment: 'transactions',
  'top-up': 'transactions',
  'credit-card': 'services',
  moh: 'media',
  announcement: 'media',
  tts: 'media',
  prompts: 'media prompts',
  mfa: 'multi-factor',
  backup: 'export',
  migration: 'export',
  rollback: 'undo',
  copy: 'callflows copy',
  import: 'users import',
  status: 'whoami',
  extension: 'callflows',
  intercom: 'callflows',
  paging: 'callflows',
  inbound: 'callflows',
  pickup: 'callflows',
  operator: 'callflows',
  'inbound-route': 'callflows',
  outbound: 'carriers',
  'outbound-routes': 'carriers',
  'voicemail-pin': 'vmboxes',
  pin: 'vmboxes',
  vm: 'vmboxes',
  'voicemail-to-email': 'vmboxes',
  forward: 'users',
  'call-forward': 'users',
  permissions: 'users',
  admin: 'users',
  'caller-id': 'users',
  role: 'users',
  blocklist: 'blacklists',
  'fax-number': 'faxboxes',
  sms: 'sandbox sms',
  mms: 'sandbox sms',
  'call-recording': 'recordings',
  did: 'numbers',
  'phone-number': 'numbers',
  cnam: 'numbers',
  e911: 'numbers',
  address: 'numbers',
  'buy-number': 'numbers buy',
  lnp: 'ports',
  'port-in': 'ports',
  receptionist: 'menus',
  ivr: 'menus',
  'dial-by-name': 'directories',
  'company-directory': 'directories',
  phonebook: 'contacts',
  wallboard: 'watch',
  acd: 'queues',
  'reset-password': 'users password',
  tenant: 'accounts',
  customer: 'accounts',
  logo: 'whitelabel',
  theme: 'whitelabel',
  dns: 'whitelabel domains',
  codecs: 'devices',
  webrtc: 'devices',
  'mac-address': 'devices',
  online: 'registrations',
  registered: 'registrations',
  stats: 'cdrs',
  logs: 'log',
  'audit-log': 'log',
  trace: 'callflows trace',
  provision: 'devices provision',
  reboot: 'devices sync',
  bridge: 'conferences',
  blf: 'presence',
  timezone: 'accounts',
  'call-queue': 'queues',
  block: 'blacklists',
  'audit-trail': 'log',
  ldap: 'sso',
  license: 'services',
  autoprov: 'devices provision',
  restart: 'devices sync',
  register: 'registrations',
  pstn: 'carriers',
  autoattendant: 'menus',
  calendar: 'temporal-rules',
  weekend: 'temporal-rules',
  vacation: 'temporal-rules',
  anonymous: 'blacklists',
  settings: 'config',
  me: 'whoami',
  ping: 'doctor',
  health: 'doctor',
  mailbox: 'vmboxes',
  people: 'users',
  hire: 'users onboard',
  leaver: 'users offboard',
  company: 'accounts',
  music: 'media',
  'feature-code': 'callflows',
  lcr: 'carriers',
  firewall: 'access-lists',
  throttle: 'rate-limits',
  simring: 'groups',
  'follow-me': 'users',
  undelete: 'undo',
  dump: 'export',
  'test-call': 'sandbox call',
  handset: 'devices',
};

test.each([0, 1, 2])(
  'suggests commands for industry terms in errors, help, explain and completion (%i)',
  async (third) => {
    const world = await openWorld();
    const wrong: string[] = [];
    for (const [word, meant] of Object.entries(typed).filter((_, index) => index % 3 === third)) {
      const asNoun = await world.telctl(`${word} list`);
      const inHelp = await world.telctl(`help ${word}`);
      const explained = await world.telctl(`explain ${word}`);
      const noun = meant.split(' ')[0] ?? '';
      const [completed, completedHelp] = [
        await world.telctl(['__complete', '--', word]),
        await world.telctl(['__complete', '--', 'help', word]),
      ];
      const isRight = [
        asNoun.code === 2 && asNoun.stderr.includes(`Did you mean "${meant}"?`),
        inHelp.code === 0 && inHelp.stdout.includes(`telctl ${meant} `),
        explained.code === 2 && explained.stderr.includes(`telctl help ${word}`),
        [completed, completedHelp].every(({ stdout }) => stdout.includes(word) && stdout.includes(noun)),
        resourceByWord(noun) === undefined || explained.stderr.includes(`Did you mean "${noun}"?`),
      ];
      if (isRight.includes(false))
        wrong.push(`${word}: ${isRight.join()} ${asNoun.stderr} ${explained.stderr}`);
    }
    expect(wrong).toEqual([]);
  },
);

test.each([
  ['explain sso', 'telctl help sso'],
  ['log 52', 'Did you mean "telctl log show 52"?'],
  ['users list -o jsonl', 'Did you mean "ndjson"?'],
  ['users list -o yml', 'Did you mean "yaml"?'],
  ['users list --no-headers', 'Did you mean "--output name"?'],
])('telctl %s suggests the next step', async (line, next) => {
  const world = await openWorld();
  const { code, stderr } = await world.telctl(line);
  expect(code).toBe(2);
  expect(stderr).toContain(next);
});

test('reports search terms without a match, and lists the topics', async () => {
  const world = await openWorld();
  const { code, stderr } = await world.telctl('help zebra crossing');
  expect(code).toBe(2);
  expect(stderr).toContain('There is no help on "zebra crossing".');
  expect(stderr).toContain('Topics:');
});
