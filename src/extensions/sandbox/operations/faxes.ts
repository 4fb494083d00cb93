import { type JsonObject, textAt } from '../../../base/json.ts';
import { jobEvents, receivedFaxEvents } from '../calls/receive-fax.ts';
import { answerList, createdInRange, namedRecord, removeRecord } from '../collections/collection.ts';
import { shownAnswer, shownRecord, writableFields, write } from '../collections/records.ts';
import { pick, textsAt, withoutKeys } from '../fields.ts';
import { accountRecordName } from '../identity/principal.ts';
import { newId } from '../ids-and-secrets.ts';
import { buildPut } from '../placement.ts';
import { unknownId } from '../refusal.ts';
import {
  accountOf,
  nowOf,
  principalOf,
  type RequestHandler,
  type RequestHandlers,
  type ServiceRequest,
} from '../requests/service-request.ts';
import { faxProgress, isReceived } from '../rules/faxes.ts';
import { newRecord, type StoredRecord } from '../store/store.ts';
import { accountInService } from '../telephony/numbers.ts';

/** Returns when a fax reached its folder, in Gregorian seconds. Returns `undefined` for a running job. */
function arrivalTime(record: StoredRecord, now: number): number | undefined {
  if (!isReceived(record)) return faxProgress(record, now).endedAt;
  return record.createdAt <= now ? record.createdAt : undefined;
}

type Folder = 'outgoing' | 'outbox' | 'inbox';

function isIn(folder: Folder, record: StoredRecord, now: number): boolean {
  if (isReceived(record)) return folder === 'inbox' && arrivalTime(record, now) !== undefined;
  return folder === (arrivalTime(record, now) === undefined ? 'outgoing' : 'outbox');
}

/** Returns the fax in the path. Refuses (404) a fax in another folder. */
async function faxIn(call: ServiceRequest, folder: Folder): Promise<StoredRecord> {
  const record = await namedRecord(call, 'faxes');
  if (!isIn(folder, record, nowOf(call))) throw unknownId(record.id);
  return record;
}

const listIn =
  (folder: Folder): RequestHandler =>
  (call) => {
    const now = nowOf(call);
    const isInRange = folder === 'outgoing' ? () => true : createdInRange(call);
    return answerList(call, 'faxes', {
      has: (record) => isIn(folder, record, now) && isInRange({ createdAt: arrivalTime(record, now) ?? now }),
      derived: (record) => shownRecord(call, 'faxes', record),
      ...(folder === 'outgoing' ? {} : { item: (record) => shownRecord(call, 'faxes', record) }),
    });
  };

const showIn =
  (folder: Folder): RequestHandler =>
  async (call) =>
    shownAnswer(call, 'faxes', await faxIn(call, folder));

const removeFrom =
  (folder: Folder): RequestHandler =>
  async (call) =>
    removeRecord(call, 'faxes', await faxIn(call, folder));

const partyFields = ['from_number', 'from_name', 'to_number', 'to_name'];

/** Delivers a fax to the inbox of the account that owns the number. */
async function deliver(call: ServiceRequest, job: StoredRecord): Promise<void> {
  const scope = await accountInService(call.services.store, textAt(job.body, 'to_number') ?? '');
  // The result of a job only depends on its number and attempts, so it is known in advance.
  const { status, endedAt, result } = faxProgress(job, Number.MAX_SAFE_INTEGER);
  if (scope === undefined || status !== 'completed' || endedAt === undefined) return;
  const body = { ...pick(job.body, partyFields), rx_result: result };
  const name = { kind: 'faxes', scope, id: newId(call.services.random) };
  const received = newRecord(name, body, endedAt, { received: true });
  call.changes.push(buildPut(received, 'faxes'));
  const account = await call.services.store.get(accountRecordName(scope));
  if (account) call.events.push(...receivedFaxEvents(call.services, account, received));
}

/** Returns a new fax like services in the field: the stored document with private fields and without `id`. */
function faxDocument(call: ServiceRequest, { id, body, createdAt }: StoredRecord): JsonObject {
  const { account, user } = principalOf(call);
  const reseller = textAt(accountOf(call).hidden, 'reseller_id');
  return {
    ...body,
    _id: id,
    _rev: `1-${id}`,
    pvt_account_db: 'faxes',
    pvt_account_id: accountOf(call).id,
    pvt_auth_account_id: account.id,
    ...(user ? { pvt_auth_user_id: user.id } : {}),
    pvt_created: createdAt,
    pvt_modified: createdAt,
    pvt_is_authenticated: true,
    pvt_job_status: 'pending',
    pvt_request_id: id,
    ...(reseller === undefined ? {} : { pvt_reseller_id: reseller }),
    pvt_type: 'fax',
    pvt_vsn: '1',
  };
}

async function send(call: ServiceRequest, body: StoredRecord['body'], hidden: StoredRecord['hidden']) {
  const job = await write(
    call,
    'faxes',
    { kind: 'faxes', scope: accountOf(call).id, id: newId(call.services.random) },
    body,
    hidden,
  );
  call.events.push(...jobEvents(call.services, accountOf(call), job));
  await deliver(call, job);
  const isDocument = call.services.behaviour.faxes.created === 'document';
  const data = isDocument ? faxDocument(call, job) : await shownRecord(call, 'faxes', job);
  return { data, record: job, created: job.id };
}

/** Sends a finished job again as a new job. */
const resubmit: RequestHandler = async (call) => {
  const { body } = await faxIn(call, 'outbox');
  return send(
    call,
    withoutKeys(body, (key) => key === 'attempts' || key === 'tx_result'),
    { resubmitted: true },
  );
};

const mailFields = ['from', 'to', 'created'];

const firstError = (mail: JsonObject): JsonObject => {
  const [error] = textsAt(mail, 'errors');
  return error === undefined ? {} : { error };
};

export const faxHandlers: RequestHandlers = {
  'faxes.create': (call) => send(call, writableFields(call, 'faxes'), {}),
  'faxes.list': listIn('outgoing'),
  'faxes.get': showIn('outgoing'),
  'faxes.inbox': listIn('inbox'),
  'faxes.received': showIn('inbox'),
  'faxes.delete-received': removeFrom('inbox'),
  'faxes.outbox': listIn('outbox'),
  'faxes.sent': showIn('outbox'),
  'faxes.delete-sent': removeFrom('outbox'),
  'faxes.resubmit': resubmit,
  'fax_mails.list': (call) =>
    answerList(call, 'fax_mails', {
      has: createdInRange(call),
      item: async ({ id, body }) => ({ id, ...pick(body, mailFields), ...firstError(body) }),
    }),
};
