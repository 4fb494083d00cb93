import { isLoopbackAddress } from '../../../base/host/loopback-server.ts';
import type { JsonObject } from '../../../base/json.ts';
import { replySchema } from '../../../contract/catalogue.ts';
import { withoutSecrets } from '../../../contract/secrets.ts';
import type { Operation } from '../../../contract/types.ts';
import { traitsOf } from '../behaviour.ts';
import { withDeliveries } from '../events/queue-events.ts';
import {
  identifyCaller,
  isAdministrator,
  type Principal,
  presentedCredentials,
  reachableAccount,
  refuseOtherRoles,
} from '../identity/principal.ts';
import { refuseRestricted } from '../identity/token-rules.ts';
import { Refusal } from '../refusal.ts';
import {
  acceptedTypes,
  chooseOperation,
  hasFileBody,
  type IncomingRequest,
  parseEnvelope,
  sentData,
  strictEnvelope,
  validateData,
} from '../request.ts';
import type { Services } from '../services.ts';
import { type StoreChange, StoreConflict, type StoredRecord } from '../store/store.ts';
import { assertReply, listRevision, refuseStale, revisionOf } from './envelope.ts';
import type { Answer, ServiceRequest } from './service-request.ts';

let loaded: Promise<typeof import('../handlers.ts')> | undefined;

/** Loads the handlers at the first admitted request, so that the sandbox starts faster. */
function loadHandlers(): Promise<typeof import('../handlers.ts')> {
  loaded ??= import('../handlers.ts');
  return loaded;
}

/** Maximum number of attempts if other requests change the same records. */
const maxAttempts = 3;

export interface Answered {
  readonly operation: Operation;
  readonly answer: Answer;
  readonly revision: string | undefined;
}

/** Known facts about a request, for its error response. */
export interface Progress {
  operation: Operation | undefined;
  principal: Principal | undefined;
  /** The sent token, if responses echo invalid tokens. */
  echoed: string | undefined;
  /** True if the resource was reached. Errors then have its format. */
  isReached: boolean;
}

interface AnswerOptions {
  readonly checkReplies: boolean;
  readonly progress: Progress;
  /** Refuses to overwrite records that were written since the request arrived. */
  readonly refuseOverlap: (changes: readonly StoreChange[]) => void;
}

/**
 * Executes a request. All its changes and their webhook deliveries are committed in one transaction before it
 * returns. Throws `Refusal` for errors of the service.
 */
export async function answerRequest(
  incoming: IncomingRequest,
  candidates: readonly Operation[],
  services: Services,
  options: AnswerOptions,
): Promise<Answered> {
  for (let attempt = 1; ; attempt += 1) {
    const call = await admit(incoming, candidates, services, options.progress);
    try {
      return await perform(call, incoming, options);
    } catch (error) {
      if (!(error instanceof StoreConflict)) throw error;
      const isFinal = services.behaviour.writes.simultaneous === 'refused' && error.over === 'revision';
      if (isFinal || attempt === maxAttempts) {
        throw new Refusal(409, 'datastore_conflict', 'Another request changed the record at the same time.');
      }
    }
  }
}

/** Identifies the caller, checks its permissions, and reads the request. */
async function admit(
  incoming: IncomingRequest,
  candidates: readonly Operation[],
  services: Services,
  progress: Progress,
): Promise<ServiceRequest> {
  const { behaviour } = services;
  const early = behaviour.requests.bodyFirst ? strictEnvelope(incoming.body) : undefined;
  const principal = await authenticate(incoming, candidates, services, early, progress);
  progress.principal = principal;
  const account = principal && (await accountInPath(incoming, candidates, principal, services));
  const envelope = early ?? parseEnvelope(incoming.body);
  const fitting = candidates.filter((each) => hasFileBody(each) === (incoming.file !== undefined));
  const operation = chooseOperation(
    fitting.length > 0 ? fitting : candidates,
    envelope,
    behaviour.identity.unknownActions,
  );
  progress.operation = operation;
  // Services in the field refuse a change at the resource, and a read before it.
  progress.isReached = account !== undefined && operation.role === 'super' && operation.effect !== 'read';
  if (principal) {
    const isOpen = behaviour.identity.openToTree.includes(operation.id);
    if (!isOpen) refuseOtherRoles(operation.role, principal, incoming.params);
    await refuseRestricted(incoming, operation, principal, account, services.store);
  }
  progress.isReached = true;
  return {
    operation,
    params: incoming.params,
    query: incoming.query,
    data: validateData(operation, sentData(operation, envelope, behaviour), behaviour),
    envelope,
    file: incoming.file,
    hasFile: incoming.header('content-type')?.startsWith('multipart/') ?? false,
    host: incoming.header('host') ?? 'localhost',
    accept: acceptedTypes(incoming),
    services,
    principal,
    account,
    changes: [],
    events: [],
  };
}

/** Returns the caller. Returns `undefined` for operations that need no token. Refuses (401) invalid credentials. */
async function authenticate(
  incoming: IncomingRequest,
  candidates: readonly Operation[],
  services: Services,
  envelope: JsonObject | undefined,
  progress: Progress,
): Promise<Principal | undefined> {
  const { identity, replies } = services.behaviour;
  const presented = presentedCredentials(incoming, services, envelope);
  if (replies.echoesAnyToken) progress.echoed = presented.token ?? presented.authorization;
  const isPublic = ({ tokenOptional, id }: Operation) =>
    tokenOptional || identity.publicOperations.includes(id);
  const isAnonymous = candidates.every(isPublic) && !(presented.token || presented.authorization);
  if (isAnonymous || !candidates.some(({ authenticated }) => authenticated)) {
    limitUnauthenticated(incoming, candidates, services);
    return undefined;
  }
  return identifyCaller(presented, incoming, services).catch((error: unknown) => {
    limitUnauthenticated(incoming, candidates, services);
    throw error;
  });
}

/** Refuses (429) too many requests without a valid token. A sign-in counts twice. */
function limitUnauthenticated(
  { address }: IncomingRequest,
  candidates: readonly Operation[],
  { behaviour, unauthenticatedBuckets }: Services,
): void {
  const cost = candidates.some(({ authenticated }) => authenticated) ? 1 : 2;
  if (behaviour.identity.limitsUnauthenticated && !unauthenticatedBuckets.take(address, cost)) {
    throw new Refusal(429, 'too_many_requests', 'Too many requests without a valid token.');
  }
}

/** Returns the account in the path. Refuses unknown accounts (404) and accounts that the caller cannot reach (403). */
async function accountInPath(
  { params: { account_id: id }, address }: IncomingRequest,
  candidates: readonly Operation[],
  principal: Principal,
  { behaviour, store }: Services,
): Promise<StoredRecord | undefined> {
  if (id === undefined) return undefined;
  if (behaviour.replies.unknownNames === 'names' && id.length !== 32)
    throw new Refusal(404, 'bad identifier', 'Account not found.');
  const isUnchecked =
    behaviour.requests.holes === 'followed' &&
    isLoopbackAddress(address) &&
    candidates.every((each) => each.id === 'carriers.get');
  return reachableAccount(id, principal, store, isUnchecked);
}

async function perform(
  call: ServiceRequest,
  incoming: IncomingRequest,
  { checkReplies, refuseOverlap }: AnswerOptions,
): Promise<Answered> {
  const { operation, changes, events, services } = call;
  const { behaviour, store } = services;
  const commit = async () => store.commit(await withDeliveries(changes, events, services));
  try {
    const { handlerOf } = await loadHandlers();
    const answer = await handlerOf(operation)(call);
    if (checkReplies && answer.data !== undefined) assertReply(operation, answer.data, behaviour);
    const isChanged = answer.record !== undefined && changes.length > 0;
    if (isChanged) refuseStale(answer.record, operation, incoming, services);
    if (behaviour.writes.simultaneous === 'refused') refuseOverlap(changes);
    await commit();
    const revision = answerRevision(operation, answer, isChanged, services);
    return { operation, answer: hideSecrets(call, answer), revision };
  } catch (error) {
    if (error instanceof Refusal && error.facts.isStored) await commit();
    throw error;
  }
}

function answerRevision(
  { reply, resource }: Operation,
  { record, revision, data }: Answer,
  isChanged: boolean,
  { behaviour }: Services,
): string | undefined {
  if (revision !== undefined) return revision;
  if (record) return revisionOf(record, isChanged);
  if (traitsOf(behaviour, resource).unrevisedLists) return undefined;
  return reply.kind === 'list' && Array.isArray(data) && data.length > 0 ? listRevision(data) : undefined;
}

/** Removes secrets that the caller cannot see (Authentication, 7). */
function hideSecrets(call: ServiceRequest, answer: Answer): Answer {
  const { principal, operation, services } = call;
  const { data, record } = answer;
  if (!principal || isAdministrator(principal) || services.behaviour.identity.plainUsers === 'trusted')
    return answer;
  const own = principal.user?.id;
  const isOwn = own !== undefined && (record?.id === own || record?.body.owner_id === own);
  return data === undefined || isOwn || operation.resource === 'tokens'
    ? answer
    : { ...answer, data: withoutSecrets(replySchema(operation), data) };
}
