import { createHash } from 'node:crypto';
import { namedRecord } from '../collections/collection.ts';
import { writeHidden } from '../collections/records.ts';
import type { SigningKey } from '../identity/authority.ts';
import { newSecret } from '../made-values.ts';
import { unknownId } from '../refusal.ts';
import {
  type Answer,
  accountOf,
  type Call,
  type Handler,
  type Handlers,
  parameter,
} from '../requests/call.ts';

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
export const resetHandlers: Handlers = {
  'tokens.reset-system-secret': resetSystemSecret,
  'tokens.reset-account-secret': resetAccountSecret,
  'tokens.reset-user-secret': resetUserSecret,
};

const pemType = 'application/x-pem-file';

async function namedKey(call: Call): Promise<SigningKey> {
  const id = parameter(call, 'key_id');
  const key = await call.services.authority.key();
  if (key.id !== id) throw unknownId(id);
  return key;
}

/** Signing keys: their ids, the public one as JSON or PEM, and a new pair under the old id. */
export const keyHandlers: Handlers = {
  'keys.list': async ({ services }) => ({ data: [(await services.authority.key()).id] }),
  'keys.get': async (call) => {
    const { id, publicPem } = await namedKey(call);
    const isNamed = call.services.behaviour.identity.signingKeys === 'with-id';
    const data = { ...(isNamed ? { id } : {}), public_key_pem: publicPem };
    const revision = `1-${createHash('md5').update(publicPem).digest('hex')}`;
    return call.accept.includes(pemType)
      ? { data, revision, text: { type: pemType, body: publicPem, fileName: 'public_key.pem' } }
      : { data, revision };
  },
  'keys.reset': async (call) => {
    await namedKey(call);
    call.changes.push(await call.services.authority.newKey());
    return { data: {} };
  },
};
