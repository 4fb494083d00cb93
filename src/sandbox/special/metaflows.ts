import { isObject, type JsonObject } from '../../base/json.ts';
import { acceptable, checked, write } from '../collections/records.ts';
import { without } from '../fields.ts';
import { accountOf, type Call, type Handler } from '../requests/call.ts';
import type { StoredRecord } from '../store/store.ts';

/** The settings lie inside the account's record. */
const settingsOf = (call: Call): JsonObject => {
  const { metaflows } = accountOf(call).body;
  return isObject(metaflows) ? metaflows : {};
};

/**
 * Returns the sent data with its defaults. Refuses (400) errors by the field's own name, not by its place in the
 * account.
 */
const checkedSettings = (call: Call): JsonObject => checked(call, 'metaflows', acceptable(call, 'metaflows'));

async function replace(call: Call, settings: JsonObject | undefined): Promise<StoredRecord> {
  const account = accountOf(call);
  const others = without(account.body, (key) => key === 'metaflows');
  return write(call, {
    name: account,
    resource: 'accounts',
    body: settings ? { ...others, metaflows: settings } : others,
    before: account,
  });
}

/** Metaflow settings of an account (Conventions, Metaflows). */
export const metaflowHandlers = new Map<string, Handler>([
  ['metaflows.get', async (call) => ({ data: settingsOf(call) })],
  [
    'metaflows.update',
    async (call) => {
      const settings = checkedSettings(call);
      return { data: settings, record: await replace(call, settings) };
    },
  ],
  ['metaflows.delete', async (call) => ({ data: {}, record: await replace(call, undefined) })],
]);
