import type { InputOf } from '../../cli/command.ts';
import type { Context } from '../../cli/context.ts';
import { Failure } from '../../contract/failure.ts';
import { isObject } from '../../contract/json.ts';
import { keys } from '../../contract/resources/keys.ts';
import type { Result } from '../../terminal/result.ts';
import { asRecord, findRecord, operationFor, pathTo } from '../generic/find-record.ts';
import type { keyArguments, keyOptions } from './commands.ts';

const pemType = 'application/x-pem-file';

/** Shows a public key: as a record, or as the PEM file that the service gives. */
export async function getKey(
  input: InputOf<typeof keyOptions, typeof keyArguments>,
  context: Context,
): Promise<Result> {
  const { id } = await findRecord(context, keys, input.id);
  const call = { operation: operationFor(keys, 'get'), path: pathTo(keys, id) };
  const api = await context.api();
  if (!input.pem)
    return { kind: 'item', value: { id, ...asRecord(keys, (await api.call(call)).data) }, resource: 'keys' };
  const { text, data } = await api.call({ ...call, accept: pemType });
  // A service may answer with the record whatever was asked for.
  const pem =
    text ?? (isObject(data) && typeof data.public_key_pem === 'string' ? data.public_key_pem : undefined);
  if (pem === undefined) throw new Failure('failed', 'The service answered without a PEM text.');
  return {
    kind: 'text',
    text: pem,
    value: { id, public_key_pem: pem },
    verbatim: /^[\x20-\x7e\r\n]*$/.test(pem),
  };
}
