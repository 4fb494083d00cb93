import { createHash, timingSafeEqual } from 'node:crypto';
import { ManagementClient, ManagementError } from 'auth0';

const { DOMAIN = '', KEY = '', HOOK_SECRET = '' } = process.env;
// 1 open a client
const client = new ManagementClient({ domain: DOMAIN, token: KEY });
// 2 create a record
const user = await client.users.create({ connection: 'people', email: 'alice@acme.example' });
const id = user.user_id ?? '';
// 3 change a field
await client.users.update(id, { name: 'Alice Archer' });
// 4 list records, page by page
for await (const { user_id } of await client.users.list()) console.log(user_id);
// 5 set the timeout, retries and cancellation of one call
const each = { timeoutInSeconds: 5, maxRetries: 1, abortSignal: AbortSignal.timeout(9_000) };
await client.users.get(id, {}, each);
// 6 read the complete response
const { rawResponse } = await client.users.get(id).withRawResponse();
console.log(rawResponse.status, rawResponse.headers.get('x-request-id'));
// 7 distinguish missing records from temporary errors
try {
  await client.users.get('gone');
} catch (error) {
  if (!(error instanceof ManagementError)) throw error;
  const { statusCode = 0 } = error;
  console.log(statusCode === 404, statusCode === 0 || statusCode === 429 || statusCode >= 500);
}
// 8 verify a webhook event and read it with its type
const digest = (text) => createHash('sha256').update(text).digest();
export const eventOf = (request, body) => {
  const isOurs = timingSafeEqual(digest(request.headers.authorization ?? ''), digest(HOOK_SECRET));
  if (!isOurs) throw new Error('The secret is invalid.');
  return JSON.parse(body);
};
