import { namedRecord } from '../collections/collection.ts';
import { writeHidden } from '../collections/records.ts';
import { newSecret } from '../identifiers.ts';
import type { Handler } from '../requests/call.ts';
import { accountOf } from '../requests/call.ts';

const nothing = { data: {} };

const resetSystemSecret: Handler = async ({ changes, services }) => {
  changes.push(services.authority.newSystemSecret());
  return nothing;
};

const resetAccountSecret: Handler = async (call) => {
  writeHidden(call, accountOf(call), 'accounts', { secret: newSecret(call.services.random) });
  return nothing;
};

const resetUserSecret: Handler = async (call) => {
  const user = await namedRecord(call, 'users');
  writeHidden(call, user, 'users', { secret: newSecret(call.services.random) });
  return nothing;
};

/** Resets of signature secrets: each ends the tokens bound to it (States and transitions). */
export const resetHandlers = new Map<string, Handler>([
  ['tokens.reset-system-secret', resetSystemSecret],
  ['tokens.reset-account-secret', resetAccountSecret],
  ['tokens.reset-user-secret', resetUserSecret],
]);
