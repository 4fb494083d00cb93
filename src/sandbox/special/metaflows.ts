import type { JsonObject } from '../../contract/json.ts';
import { isObject } from '../../contract/json.ts';
import { accountOf, type Call, type Handler } from '../call.ts';
import { without } from '../fields.ts';
import { acceptable, write } from '../records.ts';

/** The settings lie inside the account's record. */
const settingsOf = (call: Call): JsonObject => {
  const { metaflows } = accountOf(call).body;
  return isObject(metaflows) ? metaflows : {};
};

async function replace(call: Call, settings: JsonObject | undefined): Promise<void> {
  const account = accountOf(call);
  const others = without(account.body, (key) => key === 'metaflows');
  await write(call, {
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
      const settings = acceptable('metaflows', call.data);
      await replace(call, settings);
      return { data: settings };
    },
  ],
  [
    'metaflows.delete',
    async (call) => {
      await replace(call, undefined);
      return { data: {} };
    },
  ],
]);
