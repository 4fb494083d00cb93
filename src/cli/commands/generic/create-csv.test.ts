import { expect, test } from 'vitest';
import { openWorld } from '../../../../test/support/world.ts';

const changing = ({ requests }: { readonly requests: readonly { readonly method: string }[] }) =>
  requests.filter(({ method }) => method !== 'GET');

test('create reads one record per CSV row, and reports problems by line and column', async () => {
  const { telctl } = await openWorld();
  const files = {
    'boxes.csv':
      'Mailbox;Name;notify_email_addresses;require_pin\n0300;Desk;"a@b.example,c@d.example";true\n301;Door;;\n',
    'bad.csv': 'mailbox,name,pni\n300,Desk,1\n',
    'wrong.csv': 'name,retries\nMain,many\n',
  };
  const made = await telctl('vmboxes create -f boxes.csv -o json', { files });
  expect(made.code, made.stderr).toBe(0);
  expect(JSON.parse(made.stdout)).toEqual([
    expect.objectContaining({ name: 'Desk', notify_email_addresses: ['a@b.example', 'c@d.example'] }),
    expect.objectContaining({ name: 'Door' }),
  ]);
  const bad = await telctl('vmboxes create -f bad.csv', { files });
  expect(bad).toMatchObject({ code: 10, requests: [] });
  expect(bad.stderr).toContain('bad.csv:1 (pni): no field is called "pni"; did you mean "pin"?');
  const wrong = await telctl('menus create -f wrong.csv', { files });
  expect(wrong).toMatchObject({ code: 10, requests: [] });
  expect(wrong.stderr).toContain('wrong.csv:2 (retries): "retries" must be a whole number');
});

test.each([
  [
    'users.json',
    '{"_id":"0123456789abcdef0123456789abcdef","_rev":"3-ab","pvt_type":"user","username":"zed","first_name":"Zed","last_name":"Z","password":"first-sign-in"}',
  ],
  [
    'users.csv',
    '_id,_rev,pvt_type,username,first_name,last_name,password\n0123456789abcdef0123456789abcdef,3-ab,user,zed,Zed,Z,first-sign-in\n',
  ],
])('drops service-managed fields of stored documents with one notice (%s)', async (file, text) => {
  const { telctl } = await openWorld();
  const made = await telctl(`users create -f ${file} -o json`, { files: { [file]: text } });
  expect(made.code, made.stderr).toBe(0);
  expect(made.stderr).toContain('Not sent, because the service sets them: _rev, pvt_type.\n');
  expect(JSON.parse(made.stdout).id).not.toBe('0123456789abcdef0123456789abcdef');
});

test('reads list and map members in CSV cells in option syntax', async () => {
  const { telctl } = await openWorld();
  const files = {
    'ports.csv': 'name,numbers\nMove,"+15551230000,+15551230001"\n',
    'carriers.csv': 'name,gateways\nMain,"sip1.example,192.0.2.9"\n',
  };
  const sent = async (line: string) => {
    const { stdout } = await telctl(`${line} --dry-run -o json`, { files });
    return JSON.parse(stdout).requests[0].body.data;
  };
  expect((await sent('ports create -f ports.csv')).numbers).toEqual({
    '+15551230000': {},
    '+15551230001': {},
  });
  expect((await sent('carriers create -f carriers.csv')).gateways).toEqual([
    { server: 'sip1.example' },
    { server: '192.0.2.9' },
  ]);
});

test('rejects conflicting records of one file before the first request', async () => {
  const { telctl } = await openWorld();
  const files = {
    'people.csv':
      'username,first_name,last_name,password\nalice,Alice,A,first-sign-in\nbob,Bob,B,first-sign-in\nALICE,Ann,A,first-sign-in\n',
    'open.csv': 'username,first_name,last_name\ndora,Dora,D\nerin,Erin,E\n',
  };
  const clash = await telctl('users create -f people.csv', { files });
  expect(clash.code).toBe(10);
  expect(clash.stderr).toContain('people.csv:4 (username): "ALICE" is already the username at people.csv:2');
  expect(changing(clash)).toEqual([]);
  const strict = await telctl('users create -f open.csv --strict-input', { files });
  expect(strict.code).toBe(10);
  expect(strict.stderr.match(/"password" is missing, but "username" is set/g)).toHaveLength(2);
  expect(changing(strict)).toEqual([]);
});

test('undo groups many deletes of one kind into one line', async () => {
  const { telctl } = await openWorld();
  const rows = Array.from({ length: 30 }, (_, index) => `Menu ${index + 10}`);
  const made = await telctl('menus create -f menus.csv', {
    files: { 'menus.csv': ['name', ...rows].join('\n') },
  });
  expect(made.code, made.stderr).toBe(0);
  const undo = await telctl('undo --dry-run');
  expect(undo.stdout).toMatch(/^- 30 menus: ["\w, ]+, … and 10 more \(-v names them\)$/m);
  expect((await telctl('undo --dry-run -v')).stdout.match(/^- menu "?Menu/gm)).toHaveLength(30);
});

test('groups identical changes of many records, and suggests offboarding a user in use', async () => {
  const { telctl, service, addUser } = await openWorld();
  for (const name of ['a', 'b', 'c', 'd', 'e']) await service('PUT', 'menus', { name, retries: 3 });
  const folded = await telctl('menus patch --all --set-json retries=5 --yes');
  expect(folded.code, folded.stderr).toBe(0);
  expect(folded.stderr).toMatch(/^5 menus \(menu \w, menu \w, menu \w, … 2 more\): retries: 3 → 5$/m);
  const { id = '' } = await addUser({ username: 'dora', first_name: 'Dora', last_name: 'Dean' });
  await service('PUT', 'vmboxes', { name: 'Dora', mailbox: '2001', owner_id: id });
  const used = await telctl('users delete dora --yes');
  expect(used.code).toBe(9);
  expect(used.stderr).toContain('telctl users offboard dora --to NAME');
});
