import { connect, Failure, readWebhook } from 'telctl';

const { SERVICE_URL = '', KEY = '', HOOK_SECRET = '' } = process.env;
// 1 open a client
const client = connect({ baseUrl: SERVICE_URL, apiKey: KEY });
// 2 create a record
const user = await client.users.create({ username: 'alice', first_name: 'Alice', last_name: 'Archer' });
// 3 change a field
await client.users.patch(user.id, { email: 'alice@acme.example' });
// 4 list records, page by page
for await (const { id } of client.users.list()) console.log(id);
// 5 set the timeout, retries and cancellation of one call
await client.users.get(user.id, { timeout: 5_000, retries: 1, signal: AbortSignal.timeout(9_000) });
// 6 read the complete response
const { status, requestId } = await client.users.get(user.id).reply();
console.log(status, requestId);
// 7 distinguish missing records from temporary errors
try {
  await client.users.get('gone');
} catch (error) {
  if (!(error instanceof Failure)) throw error;
  console.log(error.kind === 'not_found', error.retryable);
}
// 8 verify a webhook event and read it with its type
export const eventOf = (request, body) =>
  readWebhook('object', request, body, { secret: HOOK_SECRET }).payload;
