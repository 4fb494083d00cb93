import type { Call } from '../api/api.ts';
import type { Context } from '../cli/context.ts';
import { freeObject } from '../contract/fields.ts';
import type { Json } from '../contract/json.ts';
import type { ResourceName } from '../contract/types.ts';
import type { Result } from '../terminal/result.ts';
import { wouldSend } from './change.ts';

const nothing = freeObject('Nothing');

/** What is said of a call once it was made. */
export interface Deed {
  readonly call: Call;
  /** Said to people, with what the service answered. */
  readonly message: (data: Json) => string;
  /** Decides which fields of the answer are secret. */
  readonly resource?: ResourceName;
}

/** Makes one call that changes something and no generic verb makes, or shows what it would send. */
export async function act(context: Context, { call, message, resource }: Deed): Promise<Result> {
  const api = await context.api();
  if (context.options.dryRun) {
    const { body } = call.operation;
    const schema = body?.kind === 'value' ? body.schema : nothing;
    return wouldSend(context, [{ request: api.plan(call), schema }]);
  }
  const { data } = await api.call(call);
  return { kind: 'done', message: message(data), value: data, ...(resource ? { resource } : {}) };
}
