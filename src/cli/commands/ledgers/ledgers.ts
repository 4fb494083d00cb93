import { Failure } from '../../../base/failure.ts';
import { isObject, type Json, type JsonObject } from '../../../base/json.ts';
import type { Api } from '../../../client/api/api.ts';
import type { Resource } from '../../../contract/types.ts';
import type { Handler, ParsedInput } from '../../command/command.ts';
import { act } from '../act.ts';
import { operationFor } from '../generic/find-named.ts';
import { readBody } from '../generic/input.ts';
import { accountName } from '../labels.ts';

const words = {
  credit: ['Credit', 'Credited', 'to'],
  debit: ['Debit', 'Debited', 'from'],
  sale: ['Take a payment of', 'Took', 'from'],
  refund: ['Give back', 'Gave back', 'to'],
} as const;

/** The entries or payments among which a new one would stand; none where the service has none of their source. */
async function bookedBeside(
  api: Api,
  resource: Resource,
  { source }: JsonObject,
): Promise<readonly JsonObject[]> {
  const operation = operationFor(resource, 'list');
  const path = isObject(source) ? { source_service: String(source.service) } : {};
  const found: JsonObject[] = [];
  try {
    for await (const page of api.pages({ operation, path })) found.push(...page);
  } catch (error) {
    if (!(error instanceof Failure) || error.kind !== 'not_found') throw error;
  }
  return found;
}

/** Makes the handler that moves money of an account, once it was asked about. */
export const book =
  (resource: Resource, verb: keyof typeof words): Handler<ParsedInput> =>
  async (input, context) => {
    const operation = operationFor(resource, verb);
    const data = await readBody(context, resource, operation, input);
    const { amount } = data;
    if (typeof amount !== 'number')
      throw new Failure('usage', 'Say the amount: --amount 25, or amount in the file.');
    const [ask, done, way] = words[verb];
    const name = await accountName(context);
    if (!context.options.dryRun) {
      const yes = await context.ask.confirm(`${ask} ${amount} ${way} ${name}?`, { option: '--yes' });
      if (!yes) throw new Failure('interrupted', 'Nothing was booked.');
    }
    // Two bookings may be alike: only one that was not there before is this one.
    const before = context.options.dryRun ? [] : await bookedBeside(await context.api(), resource, data);
    const known = new Set(before.map(({ id }) => id));
    const lookUp = async (api: Api): Promise<Json | undefined> =>
      (await bookedBeside(api, resource, data)).find(
        (each) => !known.has(each.id) && Math.abs(Number(each.amount)) === amount,
      );
    return act(context, {
      call: { operation, data },
      lookUp,
      message: () => `${done} ${amount} ${way} ${name}.`,
      resource: resource.name,
    });
  };
