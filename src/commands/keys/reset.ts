import type { InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { freeObject } from '../../contract/fields.ts';
import { keys } from '../../contract/resources/keys.ts';
import { afterwards, signedInAfter } from '../afterwards.ts';
import { wouldSend } from '../change.ts';
import { confirmByName } from '../confirm-by-name.ts';
import { findRecord, getRecord, operationFor, pathTo } from '../generic/find-record.ts';
import type { keyArguments, resetOptions } from './commands.ts';
import { readPublicKey } from './read.ts';

/**
 * Replaces the private key that signs tokens, which ends all of them (States and transitions). The host's name must be
 * typed or given; `--yes` never answers. A key that is not there is found out before anybody is asked.
 */
export async function resetKey(
  { id: word, confirm }: InputOf<typeof resetOptions, typeof keyArguments>,
  context: Context,
): Promise<Result> {
  const { id } = await findRecord(context, keys, word);
  const session = await context.session();
  const { hostname } = new URL(session.profile.baseUrl);
  const api = await context.api();
  const call = { operation: operationFor(keys, 'reset'), path: pathTo(keys, id) };
  const effect = `This signs out every user of every account at ${hostname} (system private key).`;
  if (context.options.dryRun)
    return wouldSend(context, [{ request: api.plan(call), schema: freeObject('Nothing'), notes: [effect] }]);
  await getRecord(context, keys, id);
  context.notices.warn(effect);
  await confirmByName(context, { name: hostname, given: confirm, yesAnswers: false });
  const before = await session.token();
  await api.call(call);
  const done = `Replaced the private key ${id} of ${hostname}.`;
  const signedIn = await signedInAfter(context, done, before);
  const fingerprint = signedIn
    ? await afterwards(context, done, () => fingerprintOf(context, id))
    : undefined;
  return {
    kind: 'done',
    message: fingerprint === undefined ? done : `${done} The public one is now ${fingerprint}.`,
    value: {
      id,
      host: hostname,
      signed_in: signedIn ?? null,
      ...(fingerprint === undefined ? {} : { fingerprint }),
    },
  };
}

async function fingerprintOf(context: Context, id: string): Promise<string | undefined> {
  const { public_key_pem: pem } = await getRecord(context, keys, id);
  return typeof pem === 'string' ? readPublicKey(pem)?.fingerprint : undefined;
}
