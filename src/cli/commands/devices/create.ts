import { isObject, type Json, textOrUndefined, valueAt } from '../../../base/json.ts';
import { devices } from '../../../contract/resources/devices.ts';
import { redact } from '../../../contract/secrets.ts';
import type { ParsedInput } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { dryRunResult } from '../change.ts';
import { createHandler } from '../generic/create.ts';
import { createMany, listExisting } from '../generic/create-many.ts';
import { readInputRecord, readInputRecords } from '../generic/input.ts';
import { labelOf } from '../labels.ts';
import { passwordKey, readPasswords, rewritePasswords, writePasswords } from '../passwords/passwords-file.ts';
import { withSipCredentials } from '../passwords/secrets.ts';
import { changedRecord, operationFor } from '../records/find-named.ts';
import { readRealm } from '../users/onboard.ts';

const createPlainly = createHandler(devices);

/** Creates devices. With `--generate`, creates one device and shows its new SIP credentials once. */
export async function createDevice(input: ParsedInput, context: Context): Promise<Result> {
  if (typeof input.credentials === 'string') return createWithCredentials(input, input.credentials, context);
  if (input.generate !== true) return createPlainly(input, context);
  const { value } = await readInputRecord(context, devices, 'create', input);
  const { record, username, password } = withSipCredentials(context.host.random, value);
  context.hide([password]);
  const call = { operation: operationFor(devices, 'create'), data: record };
  const api = await context.api();
  if (context.options.dryRun) return dryRunResult(context, [{ call }]);
  context.notices.disclose([password]);
  const created = changedRecord(devices, (await api.call(call)).data);
  const id = typeof created.id === 'string' ? `  ${created.id}` : '';
  context.notices.say([
    `Created ${labelOf(devices, { ...value, ...created })}${id}`,
    'SIP user name and password of the device, which are shown only now:',
  ]);
  const safe = redact(devices.schema, created);
  return {
    kind: 'text',
    text: [username, password],
    value: { ...(isObject(safe) ? safe : {}), generated_username: username, generated_password: password },
  };
}

/** Creates the devices of files. Generated SIP credentials are written to a new file before the first request. */
async function createWithCredentials(input: ParsedInput, file: string, context: Context): Promise<Result> {
  const to = { file, option: '--credentials', head: ['name', 'username', 'password', 'realm'] };
  const records = await readInputRecords(context, devices, 'create', input);
  const made = records.map((record) => {
    const { record: value, username, password } = withSipCredentials(context.host.random, record.value);
    return { record: { ...record, value }, username, password };
  });
  context.hide(made.map(({ password }) => password));
  if (context.options.dryRun)
    return dryRunResult(
      context,
      made.map(({ record: { value } }) => ({
        call: { operation: operationFor(devices, 'create'), data: value },
      })),
    );
  readPasswords(context, to, false);
  const realm = (await readRealm(context)) ?? '';
  const rows = new Map(
    made.map(({ record: { value }, username, password }) => [
      passwordKey([username]),
      [String(value.name ?? ''), username, password, textOrUndefined(valueAt(value, 'sip.realm')) ?? realm],
    ]),
  );
  writePasswords(context, to, rows);
  const result = await createMany(
    context,
    devices,
    made.map(({ record }) => record),
    { existing: 'fail', list: () => listExisting(context, devices, 'fail') },
  );
  const created = result.kind === 'done' && Array.isArray(result.value) ? result.value : [];
  const names = new Set(created.map((each: Json) => textOrUndefined(valueAt(each, 'sip.username'))));
  const kept = new Map(
    made.flatMap(({ username }) => {
      const row = rows.get(passwordKey([username]));
      return row && (names.size === 0 || names.has(username))
        ? [[passwordKey([username]), row] as const]
        : [];
    }),
  );
  if (kept.size < rows.size) rewritePasswords(context, to, kept);
  context.notices.say(`SIP user names and passwords: ${file} (0600)`);
  return result;
}
