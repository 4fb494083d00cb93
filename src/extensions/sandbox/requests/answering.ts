import { isLoopbackAddress } from '../../../base/host/loopback-server.ts';
import { replySchema } from '../../../contract/catalogue.ts';
import { withoutSecrets } from '../../../contract/secrets.ts';
import type { Operation } from '../../../contract/types.ts';
import { traitsOf } from '../behaviour.ts';
import type { Event } from '../events/event.ts';
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
  chooseOperation,
  envelopeOf,
  hasFileBody,
  type IncomingRequest,
  sentData,
  strictEnvelope,
  validateData,
} from '../request.ts';
import type { Services } from '../services.ts';
import { type StoreChange, StoreConflict } from '../store/store.ts';
import { assertReply, listRevision, refuseStale, revisionOf } from './envelope.ts';
import type { Answer, ServiceRequest } from './service-request.ts';

let loaded: Promise<typeof import('../handlers.ts')> | undefined;

/** Module that answers operations, loaded by the first request that was let in: a sandbox answers sooner without it. */
function loadHandlers(): Promise<typeof import('../handlers.ts')> {
  loaded ??= import('../handlers.ts');
  return loaded;
}

/** Number of times a request is answered anew when the data changed under it. */
const maxAttempts = 3;

/** An answer with what is known of its request. */
export interface Answered {
  readonly operation: Operation;
  readonly answer: Answer;
  /** Revision of the record that the answer is about. */
  readonly revision: string | undefined;
}

/** Tells who called, before an error can happen that should echo the token. */
export interface Progress {
  operation: Operation | undefined;
  principal: Principal | undefined;
  /** The token that the request carries, where that is echoed. */
  echoed: string | undefined;
  /** The request was understood and let in, and its resource asked. */
  isReached: boolean;
}

/** Refuses (429) a request without a good token when there were too many of them; a sign-in takes two. */
function limitUnauthenticated(
  { address }: IncomingRequest,
  candidates: readonly Operation[],
  { behaviour, unauthenticatedBuckets }: Services,
): void {
  const cost = candidates.some(({ authenticated }) => authenticated) ? 1 : 2;
  if (behaviour.identity.limitsStrangers && !unauthenticatedBuckets.take(address, cost)) {
    throw new Refusal(429, 'too_many_requests', 'Too many requests without a good token.');
  }
}

/** The revision that an answer tells: of its record, or of what its list shows. */
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

/** An answer without the secrets that are not for its caller (Authentication, 7). */
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

async function admit(
  incoming: IncomingRequest,
  candidates: readonly Operation[],
  services: Services,
  progress: Progress,
) {
  const { bodyFirst } = services.behaviour.requests;
  const early = bodyFirst ? strictEnvelope(incoming.body) : undefined;
  const presented = presentedCredentials(incoming, services, early);
  const names = presented.token || presented.authorization;
  if (services.behaviour.replies.echoesAnyToken) progress.echoed = presented.token ?? presented.authorization;
  const { identity, replies } = services.behaviour;
  const isPublic = ({ tokenOptional, id }: Operation) =>
    tokenOptional || identity.publicOperations.includes(id);
  const isAnonymous = candidates.every(isPublic) && !names;
  const principal =
    candidates.some(({ authenticated }) => authenticated) && !isAnonymous
      ? await identifyCaller(presented, incoming, services).catch((error: unknown) => {
          limitUnauthenticated(incoming, candidates, services);
          throw error;
        })
      : undefined;
  if (!principal) limitUnauthenticated(incoming, candidates, services);
  progress.principal = principal;
  const { account_id: accountId } = incoming.params;
  if (principal && accountId !== undefined && replies.unknownNames === 'names' && accountId.length !== 32) {
    const message = 'There is no such account.';
    throw new Refusal(404, 'bad identifier', message);
  }
  const isUnlooked =
    services.behaviour.requests.holes === 'followed' &&
    isLoopbackAddress(incoming.address) &&
    candidates.every(({ id }) => id === 'carriers.get');
  const account =
    principal && accountId !== undefined
      ? await reachableAccount(accountId, principal, services.store, isUnlooked)
      : undefined;
  const envelope = early ?? envelopeOf(incoming.body);
  const fitting = candidates.filter((each) => hasFileBody(each) === (incoming.file !== undefined));
  const operation = chooseOperation(
    fitting.length > 0 ? fitting : candidates,
    envelope,
    identity.unknownActions,
  );
  progress.operation = operation;
  const isOpen = identity.openTo.includes(operation.id);
  // Services in the field refuse a change where it is made, and a read before that.
  progress.isReached = account !== undefined && operation.role === 'super' && operation.effect !== 'read';
  if (principal && !isOpen) refuseOtherRoles(operation.role, principal, incoming.params);
  if (principal) await refuseRestricted(incoming, operation, principal, account, services.store);
  return { principal, account, envelope, operation };
}

/**
 * Answers a request: who calls, may they, what do they send, what is done. Everything that is to be written,
 * and what webhooks are to be told of it, is committed as one before the answer is given. Throws `Refusal` for the errors of the service.
 */
export async function answerRequest(
  incoming: IncomingRequest,
  candidates: readonly Operation[],
  services: Services,
  options: {
    readonly checkReplies: boolean;
    readonly progress: Progress;
    /** Refuses to write over what was written since the request came. */
    readonly refuseOverlap: (changes: readonly StoreChange[]) => void;
  },
): Promise<Answered> {
  for (let attempt = 1; ; attempt += 1) {
    const { principal, account, envelope, operation } = await admit(
      incoming,
      candidates,
      services,
      options.progress,
    );
    const changes: StoreChange[] = [];
    const events: Event[] = [];
    options.progress.isReached = true;
    const { handlerOf } = await loadHandlers();
    const sent = sentData(operation, envelope, services.behaviour);
    const call: ServiceRequest = {
      operation,
      params: incoming.params,
      query: incoming.query,
      data: validateData(operation, sent, services.behaviour),
      envelope,
      file: incoming.file,
      hasFile: incoming.header('content-type')?.startsWith('multipart/') ?? false,
      host: incoming.header('host') ?? 'localhost',
      accept: incoming.query.get('accept') ?? incoming.header('accept') ?? '',
      services,
      principal,
      account,
      changes,
      events,
    };
    try {
      const answer = await handlerOf(operation)(call);
      if (options.checkReplies && answer.data !== undefined)
        assertReply(operation, answer.data, services.behaviour);
      const isChanged = answer.record !== undefined && changes.length > 0;
      if (isChanged) refuseStale(answer.record, operation, incoming, services);
      if (services.behaviour.writes.stale === 'refused') options.refuseOverlap(changes);
      await services.store.commit(await withDeliveries(changes, events, services));
      const revision = answerRevision(operation, answer, isChanged, services);
      return { operation, answer: hideSecrets(call, answer), revision };
    } catch (error) {
      if (error instanceof Refusal && error.facts.isStored) {
        await services.store.commit(await withDeliveries(changes, events, services));
      }
      if (!(error instanceof StoreConflict)) throw error;
      const isRefused = services.behaviour.writes.stale === 'refused' && error.over === 'revision';
      if (isRefused || attempt === maxAttempts) {
        throw new Refusal(409, 'datastore_conflict', 'Another request changed the record at the same time.');
      }
    }
  }
}
