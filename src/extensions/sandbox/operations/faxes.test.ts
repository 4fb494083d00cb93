import { beforeEach, describe, expect, test } from 'vitest';
import { type CalledSandbox, calledSandbox } from '../../../../test/support/called-sandbox.ts';
import { gregorianSeconds } from '../ids-and-secrets.ts';
import { buildPut } from '../placement.ts';
import { newRecord } from '../store/store.ts';

let sandbox: CalledSandbox;
let token: string;
let path: string;

const document = { url: 'https://acme.example/order.pdf' };
const job = (toNumber: string, more = {}) => ({
  from_number: '+15555550199',
  to_number: toNumber,
  document,
  ...more,
});

beforeEach(async () => {
  sandbox = await calledSandbox();
  token = await sandbox.adminToken();
  path = `/v2/accounts/${sandbox.seed.accountId}/faxes`;
});

async function send(toNumber: string, more = {}) {
  const made = await sandbox.call('PUT', path, { token, data: job(toNumber, more) });
  expect(made.status, made.text).toBe(201);
  expect(made.data).toMatchObject({ status: 'attaching files', attempts: 0, to: toNumber });
  return made.at('data.id');
}

const read = (folder: string, id: string) => sandbox.call('GET', `${path}/${folder}/${id}`, { token });
const list = async (folder: string) => (await sandbox.call('GET', `${path}/${folder}`, { token })).data;

/** Lets time pass; the token that may have ended with it is renewed. */
async function pass(seconds: number) {
  sandbox.clock.turn(seconds * 1000);
  token = await sandbox.adminToken();
}

describe('the states of a job', () => {
  test('a job goes through all states until it is completed', async () => {
    const id = await send('+12125550123');
    for (const [seconds, status] of [
      [5, 'pending'],
      [10, 'locked'],
      [2, 'processing'],
    ] as const) {
      await pass(seconds);
      expect((await read('outgoing', id)).data).toMatchObject({ status, attempts: 0 });
    }
    expect(await list('outgoing')).toMatchObject([{ id, status: 'processing' }]);
    expect(await list('outbox')).toEqual([]);
    await pass(30);
    expect(await list('outgoing')).toEqual([]);
    expect((await read('outgoing', id)).status).toBe(404);
    expect((await read('outbox', id)).data).toMatchObject({
      status: 'completed',
      attempts: 1,
      folder: 'outbox',
      tx_result: { success: true, pages_sent: 1 },
    });
    expect(await list('outbox?filter_status=completed')).toMatchObject([{ id, status: 'completed' }]);
    expect(await list('outbox?filter_status=failed')).toEqual([]);
  });

  test('a job fails if the receiver is busy at the last attempt', async () => {
    const id = await send('+12125550000');
    await pass(47);
    expect((await read('outbox', id)).data).toMatchObject({
      status: 'failed',
      attempts: 1,
      tx_result: { success: false, error_message: 'The receiver was busy.' },
    });
  });

  test('a job with attempts left is retried after five minutes', async () => {
    const id = await send('+12125550001', { retries: 2 });
    await pass(47);
    expect((await read('outgoing', id)).data).toMatchObject({
      status: 'pending',
      attempts: 1,
      tx_result: { success: false },
    });
    await pass(299);
    expect((await read('outgoing', id)).data).toMatchObject({ status: 'pending' });
    await pass(1);
    expect((await read('outgoing', id)).data).toMatchObject({ status: 'locked' });
    await pass(32);
    expect((await read('outbox', id)).data).toMatchObject({ status: 'completed', attempts: 2 });
  });

  test.each([
    [0, 1],
    [1, 1],
    [3, 3],
  ])('%i retries are %i attempts in total', async (retries, attempts) => {
    const id = await send('+12125550000', { retries });
    await pass(3600);
    expect((await read('outbox', id)).data).toMatchObject({ status: 'failed', attempts });
  });

  test('a finished job is resubmitted as a new one', async () => {
    const id = await send('+12125550000');
    await pass(60);
    const again = await sandbox.call('PUT', `${path}/outbox/${id}`, {
      token,
      body: { action: 'resubmit', data: {} },
    });
    expect(again.data, again.text).toMatchObject({ status: 'resubmitting', attempts: 0 });
    expect(again.at('data.id')).not.toBe(id);
    await pass(5);
    expect((await read('outgoing', again.at('data.id'))).data).toMatchObject({ status: 'pending' });
    expect((await read('outbox', id)).data).toMatchObject({ status: 'failed' });
  });

  test('a job without a document waits for one', async () => {
    const data = { from_number: '+15555550199', to_number: '2125550123' };
    const made = await sandbox.call('PUT', path, { token, data });
    expect(made.data, made.text).toMatchObject({ to: '+12125550123', status: 'attaching files' });
    await pass(86_400);
    expect((await read('outgoing', made.at('data.id'))).data).toMatchObject({ status: 'attaching files' });
  });
});

test('a fax to a number in service arrives in its inbox when the job is completed', async () => {
  await send(sandbox.seed.phoneNumber);
  expect(await list('inbox')).toEqual([]);
  await pass(47);
  const [fax] = Object(await list('inbox'));
  expect(fax).toMatchObject({ status: 'received', folder: 'inbox', rx_result: { success: true } });
  expect((await read('inbox', fax.id)).data).toMatchObject({ to: sandbox.seed.phoneNumber });
  expect((await read('outbox', fax.id)).status).toBe(404);
  expect((await sandbox.call('DELETE', `${path}/inbox/${fax.id}`, { token })).status).toBe(200);
  expect(await list('inbox')).toEqual([]);
});

test('the inbox and outbox refuse ranges over 31 days and an hour', async () => {
  const id = await send('+12125550123');
  await pass(100);
  const now = Math.floor(sandbox.clock.now() / 1000) + 62_167_219_200;
  const outbox = (from: number, to: number) =>
    sandbox.call('GET', `${path}/outbox?created_from=${from}&created_to=${to}`, { token });
  expect((await outbox(now - 2_682_000, now)).data).toMatchObject([{ id }]);
  expect((await outbox(now - 1000, now - 200)).data).toEqual([]);
  for (const [from, to] of [
    [now - 2_682_001, now],
    [now, now - 1],
  ] as const) {
    const reply = await outbox(from, to);
    expect(reply.status).toBe(400);
    expect(reply.data).toHaveProperty('created_from.date_range');
  }
  await pass(40 * 86_400);
  expect(await list('outbox')).toEqual([]);
});

test('a fax requires a sender and a routable receiver', async () => {
  const none = await sandbox.call('PUT', path, { token, data: {} });
  expect(Object.keys(Object(none.data)).toSorted()).toEqual(['from_number', 'to_number']);
  const short = await sandbox.call('PUT', path, { token, data: job('100') });
  expect(short.data).toHaveProperty('to_number.pattern');
});

test('the log of emails to fax boxes lists the first error, and shows all errors by id', async () => {
  const now = gregorianSeconds(sandbox.clock);
  const name = { kind: 'fax_mails', scope: sandbox.seed.accountId, id: 'f'.repeat(32) };
  const body = { from: 'ann@acme.example', to: 'x@fax.acme.example', errors: ['no number', 'no document'] };
  const record = newRecord(name, { ...body, created: now }, now);
  await sandbox.store.commit([buildPut(record, 'fax_mails')]);
  expect(await list('smtplog')).toEqual([
    { id: name.id, from: body.from, to: body.to, error: 'no number', created: now },
  ]);
  expect((await read('smtplog', name.id)).data).toMatchObject(body);
  expect((await read('smtplog', 'a'.repeat(32))).status).toBe(404);
});
