import { isObject } from '../../../base/json.ts';
import { devices } from '../../../contract/resources/devices.ts';
import { redact } from '../../../contract/secrets.ts';
import type { ParsedInput } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { wouldSend } from '../change.ts';
import { createHandler } from '../generic/create.ts';
import { changedRecord, operationFor } from '../generic/find-named.ts';
import { readInputRecord } from '../generic/input.ts';
import { labelOf } from '../labels.ts';
import { withSipCredentials } from '../secrets.ts';

const createPlainly = createHandler(devices);

/** Creates devices; with `--generate` one, whose SIP credentials are made and shown this once. */
export async function createDevice(input: ParsedInput, context: Context): Promise<Result> {
  if (input.generate !== true) return createPlainly(input, context);
  const { value } = await readInputRecord(context, devices, 'create', input);
  const { record, username, password } = withSipCredentials(context.host.random, value);
  context.hide([password]);
  const call = { operation: operationFor(devices, 'create'), data: record };
  const api = await context.api();
  if (context.options.dryRun)
    return wouldSend(context, [{ request: api.plan(call), schema: devices.schema }]);
  const created = changedRecord(devices, (await api.call(call)).data);
  const id = typeof created.id === 'string' ? `  ${created.id}` : '';
  context.notices.say([
    `Created ${labelOf(devices, { ...value, ...created })}${id}`,
    'Its SIP user name and password, which is shown this once:',
  ]);
  const safe = redact(devices.schema, created);
  return {
    kind: 'text',
    text: [username, password],
    value: { ...(isObject(safe) ? safe : {}), generated_username: username, generated_password: password },
  };
}
