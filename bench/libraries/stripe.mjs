import Stripe from 'stripe';

const { KEY = '', HOOK_SECRET = '' } = process.env;
// 1 open a client
const client = new Stripe(KEY);
// 2 create a record
const customer = await client.customers.create({ name: 'Alice Archer' });
// 3 change a field
await client.customers.update(customer.id, { email: 'alice@acme.example' });
// 4 read a list, page by page
for await (const { id } of client.customers.list()) console.log(id);
// 5 one call with a longest wait, a number of retries and an end
await client.customers.retrieve(customer.id, {}, { timeout: 5_000, maxNetworkRetries: 1 });
// 6 the whole reply
const { lastResponse } = await client.customers.retrieve(customer.id);
console.log(lastResponse.statusCode, lastResponse.requestId);
// 7 tell what is missing from what passes
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
// 8 an event of a webhook, typed and checked
export const eventOf = (request, body) =>
  client.webhooks.constructEvent(body, request.headers['stripe-signature'], HOOK_SECRET).data.object;
