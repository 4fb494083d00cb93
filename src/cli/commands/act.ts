import { Failure, foundUndone } from '../../base/failure.ts';
import type { Json } from '../../base/json.ts';
import type { Api, Call } from '../../client/api/api.ts';
import type { ResourceName } from '../../contract/types.ts';
import type { Context } from '../command/context.ts';
import type { Result } from '../command/result.ts';
import { lookupApi } from './bulk.ts';
import { wouldSend } from './change.ts';

export interface Deed {
  readonly call: Call;
  /** Said to people, with what the service answered. */
  readonly message: (data: Json) => string;
  /** Decides which fields of the answer are secret. */
  readonly resource?: ResourceName;
  /**
   * Looks after a lost reply: gives what the service has now where the call was carried out, `undefined` where it was
   * not. Left out where the service shows nothing of it.
   */
  readonly lookUp?: (api: Api) => Promise<Json | undefined>;
}

/** Makes one call that changes something and no generic verb makes, or shows what it would send. */
export async function act(context: Context, deed: Deed): Promise<Result> {
  const { call, message, resource } = deed;
  const api = await context.api();
  if (context.options.dryRun) return wouldSend(context, [{ call }]);
  const done = (data: Json, how: string): Result => ({
    kind: 'done',
    message: `${how}${message(data)}`,
    value: data,
    ...(resource ? { resource } : {}),
  });
  try {
    return done((await api.call(call)).data, '');
  } catch (error) {
    if (!(error instanceof Failure) || !error.inDoubt) throw error;
    return done(await lookedUp(context, deed, error), 'No proper reply came, so telctl checked: ');
  }
}

/** Looks up what the service has after a call that got no proper reply. Throws `lost`, with what was found out. */
async function lookedUp(context: Context, { lookUp }: Deed, lost: Failure): Promise<Json> {
  if (lookUp === undefined) throw lost;
  const found = await lookupApi(context)
    .then(lookUp)
    .catch((error: unknown) => {
      throw error instanceof Failure ? lost : error;
    });
  if (found === undefined) throw foundUndone(lost);
  return found;
}
