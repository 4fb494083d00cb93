import { connect, Failure, readWebhook } from '../../dist/library/client.js';

const { SERVICE_URL, SERVICE_KEY } = process.env;
const client = connect({ baseUrl: SERVICE_URL, apiKey: SERVICE_KEY });
const box = await client.vmboxes.create({ mailbox: '2001', name: 'Runtime' }, { timeout: 9_000, retries: 1 });
const { status, requestId } = await client.vmboxes.get(box.id).reply();
const names = (await client.vmboxes.list().all()).map(({ name }) => name);
await client.vmboxes.delete(box.id);
const gone = await client.vmboxes.get(box.id).catch((error) => error);
const ended = await client.users
  .list({ signal: AbortSignal.abort() })
  .all()
  .catch((error) => error);
const charges = await client.limits.set({ inbound_trunks: 4 }).catch((error) => error);
const call = { method: 'POST', url: '/', headers: { 'content-type': 'application/json' } };
const origin = { secret: 'a-secret', address: { from: '::ffff:192.0.2.7', networks: ['192.0.2.0/24'] } };
const event = '{"action":"doc_edited","account_id":"an-account","secret":"a-secret"}';
const { checked } = readWebhook('object', call, event, origin);
await client.close();
process.stdout.write(
  JSON.stringify({
    names,
    status,
    hasRequestId: requestId !== undefined,
    failures: [gone, ended, charges].map((error) => error instanceof Failure && error.kind),
    checked,
  }),
);
