import { answerList } from '../collections/lists.ts';
import { shown } from '../collections/records.ts';
import { textAt, without } from '../fields.ts';
import { putOf } from '../placement.ts';
import { forbidden, unknownId } from '../refusal.ts';
import { type Call, type Handler, parameter, principalOf } from '../requests/call.ts';
import type { StoredRecord } from '../store/store.ts';
import { actingUser } from './information.ts';

async function caller(call: Call): Promise<StoredRecord> {
  const user = await actingUser(principalOf(call), call.services);
  if (!user) throw forbidden('Only users have links.');
  return user;
}

async function knownLink(call: Call): Promise<StoredRecord> {
  const id = parameter(call, 'link_id');
  const link = await call.services.store.get({ kind: 'links', scope: '', id });
  if (!link) throw unknownId(id);
  return link;
}

async function ownLink(call: Call): Promise<StoredRecord> {
  const [user, link] = await Promise.all([caller(call), knownLink(call)]);
  if (link.hidden.owner !== user.id) throw unknownId(link.id);
  return link;
}

/** Writes whose link it is; the rest of it is the provider's word. */
function owned(call: Call, link: StoredRecord, user: StoredRecord | undefined): void {
  const others = without(link.hidden, (key) => key === 'owner' || key === 'account');
  const hidden = user ? { ...others, owner: user.id, account: user.scope } : others;
  call.changes.push(putOf({ ...link, hidden }, 'links'));
}

const link: Handler = async (call) => {
  const [user, record] = await Promise.all([caller(call), knownLink(call)]);
  const owner = textAt(record.hidden, 'owner');
  if (owner !== undefined && owner !== user.id) throw forbidden('The link belongs to another user.');
  owned(call, record, user);
  return { data: await shown(call, 'links', record) };
};

const unlink: Handler = async (call) => {
  const record = await ownLink(call);
  owned(call, record, undefined);
  return { data: await shown(call, 'links', record) };
};

/** Links between the calling user and SSO identities (States and transitions, SSO user). */
export const linkHandlers = new Map<string, Handler>([
  [
    'links.list',
    async (call) =>
      answerList(call, {
        resource: 'links',
        scope: '',
        key: { field: 'owner', value: (await caller(call)).id },
      }),
  ],
  ['links.get', async (call) => ({ data: await shown(call, 'links', await ownLink(call)) })],
  ['links.link', link],
  ['links.delete', unlink],
]);
