import { expect, test } from 'vitest';
import { openWorld } from '../../../../test/support/world.ts';

test('lists comments on users and devices by time, and identifies them by position', async () => {
  const { telctl, service, addUser, clock } = await openWorld();
  await addUser({ username: 'alice', first_name: 'A', last_name: 'B' });
  await service('PUT', 'devices', { name: 'Desk' });
  const add = (text: string) => telctl(['comments', 'add', '--user', 'alice', '--content', text]);
  expect((await add('On leave')).stderr).toContain('Added a comment to user alice.');
  clock.turn(1000);
  expect(await add('Is back')).toMatchObject({ code: 0 });
  const all = async () => JSON.parse((await telctl('comments list --user alice -o json')).stdout);
  expect(await all()).toMatchObject([
    { id: '0', author: 'acme', content: 'On leave' },
    { id: '1', content: 'Is back' },
  ]);
  expect(await telctl('comments update 1 --user alice --private')).toMatchObject({ code: 0 });
  expect((await telctl('comments get 1 --user alice -o yaml')).stdout).toContain('is_private: true');
  expect(await telctl('comments get 9 --user alice')).toMatchObject({ code: 5 });
  expect(await telctl('comments get first --user alice')).toMatchObject({ code: 2, requests: [] });
  expect(await telctl('comments list')).toMatchObject({ code: 2 });
  expect(await telctl('comments remove 0 --user alice --yes')).toMatchObject({ code: 0 });
  expect(await all()).toMatchObject([{ content: 'Is back' }]);
  expect(await telctl('comments clear --user alice --yes')).toMatchObject({ code: 0 });
  expect(await all()).toEqual([]);
  expect((await telctl('comments add --device Desk --content Loud')).stderr).toContain('device Desk');
});

test('searches records by prefix in one or several fields', async () => {
  const { telctl, service, addUser } = await openWorld();
  await addUser({ username: 'anna', first_name: 'Anna', last_name: 'Smith' });
  const flow = { module: 'hangup', data: {}, children: {} };
  await service('PUT', 'callflows', { name: 'Sales', numbers: ['+14155550177'], flow });
  const names = async (line: string[]) =>
    JSON.parse((await telctl(['search', ...line, '-o', 'json'])).stdout).map(
      ({ name }: { readonly name: string }) => name,
    );
  expect(await names(['user', 'anna s'])).toEqual(['anna']);
  expect(await names(['callflow', '+1415', '--by', 'number', '--by', 'name'])).toEqual(['Sales']);
  expect(await names(['callflow', 'nobody'])).toEqual([]);
  expect(await names(['account', 'acme', '--everywhere'])).toEqual([]);
  expect(await telctl('search user x --by realm')).toMatchObject({ code: 10 });
  expect(await telctl('search user x --everywhere')).toMatchObject({ code: 2, requests: [] });
});

test('manages a brand with files, a unique domain and DNS entries', async () => {
  const { telctl } = await openWorld();
  expect(await telctl('whitelabel get')).toMatchObject({ code: 5 });
  const made = ['whitelabel', 'create', '--company-name', 'Acme', '--domain', 'portal.acme.example'];
  const { code, stderr } = await telctl(made);
  expect(code, stderr).toBe(0);
  expect(await telctl(made)).toMatchObject({ code: 6 });
  const files = { 'logo.png': 'a picture', 'page.txt': 'text' };
  expect(await telctl('whitelabel upload logo logo.png', { files })).toMatchObject({ code: 0 });
  expect(await telctl('whitelabel upload welcome page.txt', { files })).toMatchObject({ code: 10 });
  const picture = 'whitelabel download logo - --domain portal.acme.example';
  expect((await telctl(picture)).stdout).toBe('a picture');
  expect(await telctl('whitelabel download icon icon.png')).toMatchObject({ code: 5 });
  expect((await telctl('whitelabel find portal.acme.example')).stdout).toContain('Acme');
  expect((await telctl('whitelabel domains')).stdout).toContain('_sip._udp.portal.acme.example');
  const checked = JSON.parse((await telctl('whitelabel check-domains --domain a.test -o json')).stdout);
  expect(checked[0]).toMatchObject({ type: 'CNAME', actual: [] });
  expect(await telctl('whitelabel update --company-name Other --yes')).toMatchObject({ code: 0 });
  expect(await telctl('whitelabel delete --yes')).toMatchObject({ code: 0 });
});
