import { beforeEach, expect, test } from 'vitest';
import { type CalledSandbox, calledSandbox } from '../../../../test/support/called-sandbox.ts';

let sandbox: CalledSandbox;
let token: string;
let boxes: string;
let path: string;

beforeEach(async () => {
  sandbox = await calledSandbox();
  token = await sandbox.adminToken();
  boxes = `/v2/accounts/${sandbox.seed.accountId}/vmboxes`;
  const box = await sandbox.call('PUT', boxes, { token, data: { name: 'Front desk', mailbox: '100' } });
  path = `${boxes}/${box.at('data.id')}/messages`;
});

async function leave(data: Record<string, string> = {}) {
  const reply = await sandbox.call('PUT', path, {
    token,
    data: { caller_id_number: '+12125550123', ...data },
  });
  expect(reply.status, reply.text).toBe(201);
  return reply.at('data.id');
}

const folderOf = async (id: string) =>
  (await sandbox.call('GET', `${path}/${id}`, { token })).at('data.folder');

test('a new message is in the folder new, and its id starts with the month', async () => {
  const id = await leave();
  expect(id).toMatch(/^202501-[0-9a-f]{32}$/);
  const read = await sandbox.call('GET', `${path}/${id}`, { token });
  expect(read.data).toMatchObject({ id, media_id: id, folder: 'new', caller_id_number: '+12125550123' });
});

test.each([
  ['new', 'saved'],
  ['new', 'deleted'],
  ['saved', 'new'],
  ['saved', 'deleted'],
  ['deleted', 'new'],
  ['deleted', 'saved'],
])('a message in %s can be moved to %s', async (from, to) => {
  const id = await leave({ folder: from });
  const reply = await sandbox.call('POST', `${path}/${id}`, { token, data: { folder: to } });
  expect(reply.data, reply.text).toMatchObject({ id, folder: to, caller_id_number: '+12125550123' });
  expect(await folderOf(id)).toBe(to);
});

test('an unknown folder is refused', async () => {
  const id = await leave();
  const reply = await sandbox.call('POST', `${path}/${id}`, { token, data: { folder: 'attic' } });
  expect(reply.data).toHaveProperty('folder.enum');
});

test('a deleted message is not listed', async () => {
  const id = await leave();
  const reply = await sandbox.call('DELETE', `${path}/${id}`, { token });
  expect(reply.data).toMatchObject({ id, folder: 'deleted', _read_only: { deleted: true } });
  expect((await sandbox.call('GET', `${path}/${id}`, { token })).status).toBe(404);
});

test('messages are listed by box or folder, and counted in the list of boxes', async () => {
  const [fresh, saved] = [await leave(), await leave({ folder: 'saved' })];
  await leave({ folder: 'deleted' });
  expect((await sandbox.call('GET', path, { token })).data).toHaveLength(3);
  expect((await sandbox.call('GET', `${path}?folder=saved`, { token })).data).toMatchObject([{ id: saved }]);
  expect((await sandbox.call('GET', `${path}?filter_folder=new`, { token })).data).toMatchObject([
    { id: fresh },
  ]);
  expect((await sandbox.call('GET', boxes, { token })).data).toMatchObject([
    { messages: 2, folders: { new: 1, saved: 1 } },
  ]);
});

test('several messages can be moved and deleted in one request', async () => {
  const ids = [await leave(), await leave()];
  const moved = await sandbox.call('POST', path, {
    token,
    data: { messages: [...ids, 'none'], folder: 'saved' },
  });
  expect(moved.data, moved.text).toEqual({ succeeded: ids, failed: [{ none: 'not_found' }] });
  expect(await folderOf(ids[0] ?? '')).toBe('saved');
  const kept = await leave();
  const deleted = await sandbox.call('DELETE', `${path}?folder=saved`, { token });
  expect(Object(deleted.data).succeeded.toSorted()).toEqual(ids.toSorted());
  expect((await sandbox.call('GET', path, { token })).data).toMatchObject([{ id: kept }]);
});

test('the box of another account returns 404', async () => {
  await leave();
  const superior = await sandbox.superToken();
  const theirs = path.replace(sandbox.seed.accountId, sandbox.seed.masterAccountId);
  expect((await sandbox.call('GET', theirs, { token: superior })).status).toBe(404);
});
