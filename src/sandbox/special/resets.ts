import { namedRecord } from '../collections/collection.ts';
import { writeHidden } from '../collections/records.ts';
import { newSecret } from '../identifiers.ts';
import type { Answer, Call, Handler } from '../requests/call.ts';
import { accountOf } from '../requests/call.ts';

const nothing = ({ services }: Call): Answer => ({
  data: services.behaviour.replies.resetsWithoutData ? undefined : {},
});

const resetSystemSecret: Handler = async (call) => {
  call.changes.push(call.services.authority.newSystemSecret());
  return nothing(call);
};

const resetAccountSecret: Handler = async (call) => {
  writeHidden(call, accountOf(call), 'accounts', { secret: newSecret(call.services.random) });
  return nothing(call);
};

const resetUserSecret: Handler = async (call) => {
  const user = await namedRecord(call, 'users');
  writeHidden(call, user, 'users', { secret: newSecret(call.services.random) });
  return nothing(call);
};

/** Resets of signature secrets: each ends the tokens bound to it (States and transitions). */
export const resetHandlers = new Map<string, Handler>([
  ['tokens.reset-system-secret', resetSystemSecret],
  ['tokens.reset-account-secret', resetAccountSecret],
  ['tokens.reset-user-secret', resetUserSecret],
]);
