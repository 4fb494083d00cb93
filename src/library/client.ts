import { Readable } from 'node:stream';
import { Failure } from '../base/failure.ts';
import { abortedAfter, runtimeClock as clock, runtimeRandom as random } from '../base/host/host.ts';
import type { Consent, Prompter } from '../cli/command/context.ts';
import { findAccount } from '../cli/commands/bulk/choose-accounts.ts';
import { RunAgreement } from '../cli/commands/charges/charge-consent.ts';
import { type GuardMemory, guardRequest } from '../cli/commands/guards/guard-request.ts';
import { warnUnread } from '../cli/commands/records/national-numbers.ts';
import type { Api, ApiParts } from '../client/api/api.ts';
import { createApi } from '../client/api/create-api.ts';
import { rateLimiters } from '../client/api/rate-limiter.ts';
import { connectionFailure, refusePlainHttp, type Transport } from '../client/api/transport.ts';
import { checkCountry } from '../client/session/country-setting.ts';
import { type IdentitySession, identitySession } from '../client/session/environment-session.ts';
import { keepFacts } from '../client/session/learned-facts.ts';
import { apiPartsFor, type RequestParts } from '../client/session/session.ts';
import { normaliseBaseUrl } from '../client/session/settings.ts';
import { memoryTokenCache } from '../client/session/token-cache.ts';
import { isGuarded } from '../contract/guards.ts';
import type { Client, ClientOptions } from './client-types.ts';
import { forbiddenBy, identityOf, noticesTo } from './for-programs.ts';
import { type ClientSender, clientOf, decidedBy, refuseOddNumbers } from './methods.ts';
import { readWebhook } from './webhooks.ts';

export type { FailureKind } from '../base/failure.ts';
export type { AskedCharges, ChargedItem } from '../cli/command/context.ts';
export type {
  AcceptCharges,
  AccountName,
  Allowed,
  CallOptions,
  Client,
  ClientOptions,
  ClientSettings,
  ProfileOptions,
  Records,
  Replied,
  Sent,
  SentFile,
  SignIn,
} from './client-types.ts';
export type * from './generated/operations.ts';
export type { HookCall, HookEvent, HookOrigin } from './webhooks.ts';
export { Failure, readWebhook };

/**
 * Creates a client of a service that uses the runtime's `fetch`, without prompts, profiles, files or log. The first
 * call signs in. No request is sent before. Throws a `Failure` of kind `usage` for contradictory options.
 */
export function connect(options: ClientOptions): Client {
  return clientOf(speakerFor(options), options);
}

const nobody = (): Promise<never> => Promise.reject(new Failure('usage', 'Nobody can be asked here.'));
const nothing = (): void => undefined;

/** Asks no questions. A call includes the name to confirm, or is refused. */
const ask: Prompter = {
  available: false,
  confirm: nobody,
  confirmExplicitly: nobody,
  secret: nobody,
  text: nobody,
  typed: (question, word) =>
    Promise.reject(
      new Failure(
        'usage',
        `Nobody can be asked here: ${String(question).replace(/:$/, '.')} Answer it with --confirm ${word}.`,
        { open: { question: String(question), flags: [`--confirm ${word}`] } },
      ),
    ),
};

/** Default timeout in milliseconds and default retries. */
const usual = { timeoutMs: 30_000, retries: 3 };

/** Creates the parts that send the calls of a client. */
function speakerFor(options: ClientOptions): ClientSender {
  const identity = identityOf(options);
  const baseUrl = normaliseBaseUrl(options.baseUrl, 'baseUrl');
  const setting = <T>(value: T) => ({ value, source: 'option', from: 'the options of connect' }) as const;
  const { account, readOnly, onCharges, signal: end, concurrency = 8 } = options;
  refuseOddNumbers({ timeoutMs: options.timeoutMs, retries: options.retries, concurrency });
  const settings = {
    prefix: setting(undefined),
    timeoutMs: setting(options.timeoutMs ?? usual.timeoutMs),
    retries: setting(options.retries ?? usual.retries),
    account: setting(account),
    output: setting('json' as const),
    country: setting(checkCountry(setting(options.country)).value),
  };
  const transport = openFetchTransport({
    baseUrl,
    allowHttp: options.allowHttp === true,
    fetch: options.fetch ?? globalThis.fetch,
    abortedAfter,
    concurrency,
  });
  const speaking: RequestParts = {
    host: { clock, random, interrupted: end ?? new AbortController().signal },
    settings,
    connect: async () => transport,
    limiters: rateLimiters(clock, random, nothing),
    userAgent: 'telctl-library',
  };
  const kept = { cache: memoryTokenCache(), facts: keepFacts() };
  let signingIn: Promise<IdentitySession> | undefined;
  const session = (): Promise<IdentitySession> => {
    signingIn ??= identitySession(speaking, baseUrl, identity, kept).catch((error: unknown) => {
      // The next call repeats a failed sign-in.
      signingIn = undefined;
      throw error;
    });
    return signingIn;
  };
  const revisions: ApiParts['revisions'] = new Map();
  const memory: GuardMemory = { passed: new Set(), gone: new Set(), accepted: new Set() };
  const ids = new Map<string, Promise<string>>();
  const notices = noticesTo(options);
  const agreementOf = (consent: Consent) => new RunAgreement({ ask, notices, settings }, consent);
  const ofClient = agreementOf(onCharges ? decidedBy(onCharges) : { kind: 'ask' });
  const apiIn = async (accountId: string, name: string): Promise<Api> => {
    const authorizer = await session();
    const api = createApi({
      ...(await apiPartsFor(speaking, { baseUrl, prefix: authorizer.profile.prefix, accountId, authorizer })),
      revisions,
      forbids: forbiddenBy(options),
      readOnly: readOnly ? authorizer.profile.name : undefined,
      onUnreadNumber: (text, found) => warnUnread(notices, text, found),
      charges: {
        agreement: async () => ofClient,
        payer: { account: async () => name, mayAsk: false },
        facts: authorizer,
      },
      async guard(request) {
        if (!isGuarded(request.operation, request.data)) return;
        const run = { dryRun: false, yes: false, confirm: undefined };
        const allows = { allowEmergencyShadow: options.allowEmergencyShadow === true };
        const guarded = { ask, notices, options: { ...run, ...allows } };
        const naming = { session, accountId: async () => accountId, api: async () => api };
        const guarding = { mayAsk: true, protects: false, checksEmergency: true, memory };
        await guardRequest({ ...guarded, ...naming, state: nobody }, request, guarding);
      },
    });
    return api;
  };
  /** Resolves an account id, name or realm to an id, once per account. */
  const idOf = (word: string): Promise<string> => {
    const known = ids.get(word);
    if (known) return known;
    const found = session().then(({ profile }) => {
      const own = { session, accountId: async () => profile.accountId };
      const unnamed = { account: setting(undefined) };
      const api = () => apiIn(profile.accountId, profile.accountName ?? profile.accountId);
      return word === profile.accountName
        ? profile.accountId
        : findAccount({ ...own, api, settings: unnamed }, word);
    });
    ids.set(word, found);
    found.catch(() => ids.delete(word));
    return found;
  };
  const accountId = async (): Promise<string> =>
    account === undefined ? (await session()).profile.accountId : idOf(account);
  return {
    async apiFor(word = account) {
      const { profile } = await session();
      const id = word === undefined ? profile.accountId : await idOf(word);
      return apiIn(id, word ?? profile.accountName ?? id);
    },
    agreementBy: (accept) => agreementOf(decidedBy(accept)),
    accountId,
    close: () => transport.close(),
  };
}

interface FetchOptions {
  readonly baseUrl: string;
  readonly allowHttp: boolean;
  readonly fetch: typeof fetch;
  readonly abortedAfter: (ms: number) => AbortSignal;
  /** Maximum number of parallel requests. */
  readonly concurrency: number;
}

/**
 * Creates a transport from the runtime's `fetch`, with its certificates and proxies. Refuses plain http to other
 * machines.
 */
function openFetchTransport(options: FetchOptions): Transport {
  const { baseUrl, allowHttp, fetch, abortedAfter, concurrency } = options;
  refusePlainHttp(new URL(baseUrl), allowHttp);
  const waiting: (() => void)[] = [];
  let underWay = 0;
  const ended = new AbortController();
  return {
    async send({ method, url, headers, body, timeoutMs, signal }) {
      if (underWay >= concurrency) await new Promise<void>((resolve) => waiting.push(resolve));
      underWay += 1;
      const late = abortedAfter(timeoutMs);
      const signals = [late, ended.signal, ...(signal ? [signal] : [])];
      const free = (): void => {
        underWay -= 1;
        waiting.shift()?.();
      };
      try {
        const reply = await fetch(url, {
          method,
          headers,
          redirect: 'manual',
          signal: AbortSignal.any(signals),
          ...(body === undefined ? {} : { body: typeof body === 'string' ? body : Uint8Array.from(body) }),
        });
        const bytes = new Uint8Array(await reply.arrayBuffer());
        // The runtime has already decoded the body.
        const { 'content-encoding': _, ...rest } = Object.fromEntries(reply.headers);
        return {
          status: reply.status,
          headers: rest,
          body: Readable.from(bytes.length === 0 ? [] : [bytes]),
        };
      } catch (error) {
        if (signal?.aborted || ended.signal.aborted)
          throw new Failure('interrupted', 'Interrupted.', { cause: error });
        throw connectionFailure(url, late.aborted ? tooLate() : error);
      } finally {
        free();
      }
    },
    async close() {
      ended.abort();
    },
  };
}

const tooLate = (): Error =>
  Object.assign(new Error('no reply in time'), { code: 'UND_ERR_HEADERS_TIMEOUT' });
