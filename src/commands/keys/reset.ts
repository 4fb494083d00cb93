import type { InputOf } from '../../cli/command.ts';
import type { Context } from '../../cli/context.ts';
import { freeObject } from '../../contract/fields.ts';
import { keys } from '../../contract/resources/keys.ts';
import type { Result } from '../../terminal/result.ts';
import { wouldSend } from '../change.ts';
import { findRecord, getRecord, operationFor, pathTo } from '../generic/find-record.ts';
import { confirmByName } from '../tokens/confirm-by-name.ts';
import { stillSignedIn } from '../tokens/still-signed-in.ts';
import type { keyArguments, resetOptions } from './commands.ts';
import { readPublicKey } from './public-key.ts';

/**
 * Replaces the private key that signs tokens, which ends all of them (States and transitions). The host's name must be
 * typed or given; `--yes` never answers. A key that is not there is found out before anybody is asked.
 */
export async function resetKey(
  { id: word, confirm }: InputOf<typeof resetOptions, typeof keyArguments>,
  context: Context,
): Promise<Result> {
  const { id } = await findRecord(context, keys, word);
  const { profile } = await context.session();
  const { hostname } = new URL(profile.baseUrl);
  const api = await context.api();
  const call = { operation: operationFor(keys, 'reset'), path: pathTo(keys, id) };
  const effect = `This signs out every user of every account at ${hostname} (system private key).`;
  if (context.options.dryRun)
    return wouldSend(context, [{ request: api.plan(call), schema: freeObject('Nothing'), notes: [effect] }]);
  await getRecord(context, keys, id);
  context.notices.warn(effect);
  await confirmByName(context, { name: hostname, given: confirm, yesAnswers: false });
  await api.call(call);
  const signedIn = await stillSignedIn(context);
  if (!signedIn) context.notices.warn('You are signed out as well. Sign in again: telctl login');
  const fingerprint = signedIn ? await fingerprintOf(context, id) : undefined;
  return {
    kind: 'done',
    message: `Replaced the private key ${id} of ${hostname}.${fingerprint === undefined ? '' : ` The public one is now ${fingerprint}.`}`,
    value: { id, host: hostname, signed_in: signedIn, ...(fingerprint === undefined ? {} : { fingerprint }) },
  };
}

async function fingerprintOf(context: Context, id: string): Promise<string | undefined> {
  const { public_key_pem: pem } = await getRecord(context, keys, id);
  return typeof pem === 'string' ? readPublicKey(pem)?.fingerprint : undefined;
}
