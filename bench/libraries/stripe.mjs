import Stripe from 'stripe';

const { KEY = '', HOOK_SECRET = '' } = process.env;
// 1 open a client
const client = new Stripe(KEY);
// 2 create a record
const customer = await client.customers.create({ name: 'Alice Archer' });
// 3 change a field
await client.customers.update(customer.id, { email: 'alice@acme.example' });
// 4 list records, page by page
for await (const { id } of client.customers.list()) console.log(id);
// 5 set the timeout, retries and cancellation of one call
await client.customers.retrieve(customer.id, {}, { timeout: 5_000, maxNetworkRetries: 1 });
// 6 read the complete response
const { lastResponse } = await client.customers.retrieve(customer.id);
console.log(lastResponse.statusCode, lastResponse.requestId);
// 7 distinguish missing records from temporary errors
const passing = [
  Stripe.errors.StripeConnectionError,
  Stripe.errors.StripeRateLimitError,
  Stripe.errors.StripeAPIError,
];
try {
  await client.customers.retrieve('gone');
} catch (error) {
  if (!(error instanceof Stripe.errors.StripeError)) throw error;
  console.log(
    error.statusCode === 404,
    passing.some((each) => error instanceof each),
  );
}
// 8 verify a webhook event and read it with its type
export const eventOf = (request, body) =>
  client.webhooks.constructEvent(body, request.headers['stripe-signature'], HOOK_SECRET).data.object;
