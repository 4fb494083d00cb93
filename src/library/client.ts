import { Readable } from 'node:stream';
import { Failure } from '../base/failure.ts';
import { runtimeClock as clock, createTimeoutSignal, runtimeRandom as random } from '../base/host/host.ts';
import type { Consent, Prompter } from '../cli/command/context.ts';
import { findAccount } from '../cli/commands/bulk/choose-accounts.ts';
import { RunAgreement } from '../cli/commands/charges/charge-consent.ts';
import { type GuardMemory, guardRequest } from '../cli/commands/guards/guard-request.ts';
import { warnUnread } from '../cli/commands/records/national-numbers.ts';
import type { HoldingNotices } from '../cli/terminal/notices.ts';
import type { Agreement } from '../client/api/accept-charges.ts';
import type { Api, ApiParts, GuardedRequest } from '../client/api/api.ts';
import { createApi } from '../client/api/create-api.ts';
import { rateLimiters } from '../client/api/rate-limiter.ts';
import { connectionFailure, refusePlainHttp, type Transport } from '../client/api/transport.ts';
import { checkCountry } from '../client/session/country-setting.ts';
import {
  type EnvironmentIdentity,
  type IdentitySession,
  identitySession,
} from '../client/session/environment-session.ts';
import { keepFacts } from '../client/session/learned-facts.ts';
import { apiPartsFor, type RequestParts } from '../client/session/session.ts';
import { normaliseBaseUrl } from '../client/session/settings.ts';
import { memoryTokenCache } from '../client/session/token-cache.ts';
import { isGuarded } from '../contract/guards.ts';
import type { AcceptCharges, Client, ClientOptions } from './client-types.ts';
import { createNotices, createRequestFilter, toIdentity } from './for-programs.ts';
import { type ClientSender, createClient, refuseInvalidNumbers, toConsent } from './methods.ts';
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
  return createClient(new LibrarySender(options), options);
}

const rejectQuestion = (): Promise<never> =>
  Promise.reject(new Failure('usage', 'Cannot ask questions in a program.'));
const ignore = (): void => undefined;

/** Asks no questions. Without the name in the call, a dangerous call is refused. */
const ask: Prompter = {
  available: false,
  confirm: rejectQuestion,
  confirmExplicitly: rejectQuestion,
  secret: rejectQuestion,
  text: rejectQuestion,
  typed: (question, word) =>
    Promise.reject(
      new Failure('usage', `Cannot ask: ${String(question)}`, {
        open: { question: String(question), flags: [`--confirm ${word}`] },
      }),
    ),
};

/** Milliseconds and number of retries. */
const defaults = { timeoutMs: 30_000, retries: 3 };

const optionSetting = <T>(value: T) => ({ value, source: 'option', from: 'the options of connect' }) as const;

/** Signs in on the first call. */
class LibrarySender implements ClientSender {
  readonly #options: ClientOptions;
  readonly #identity: EnvironmentIdentity;
  readonly #baseUrl: string;
  readonly #transport: Transport;
  readonly #settings;
  readonly #requestParts: RequestParts;
  readonly #notices: HoldingNotices;
  readonly #agreement: Agreement;
  readonly #memory = { cache: memoryTokenCache(), facts: keepFacts() };
  readonly #guardMemory: GuardMemory = { passed: new Set(), gone: new Set(), accepted: new Set() };
  readonly #revisions: ApiParts['revisions'] = new Map();
  readonly #accountIds = new Map<string, Promise<string>>();
  #session: Promise<IdentitySession> | undefined;

  constructor(options: ClientOptions) {
    const { timeoutMs, retries, concurrency = 8, onCharges, signal } = options;
    this.#options = options;
    this.#identity = toIdentity(options);
    this.#baseUrl = normaliseBaseUrl(options.baseUrl, 'baseUrl');
    refuseInvalidNumbers({ timeoutMs, retries, concurrency });
    this.#settings = {
      prefix: optionSetting(undefined),
      timeoutMs: optionSetting(timeoutMs ?? defaults.timeoutMs),
      retries: optionSetting(retries ?? defaults.retries),
      account: optionSetting(options.account),
      output: optionSetting('json' as const),
      country: optionSetting(checkCountry(optionSetting(options.country)).value),
    };
    const transport = openFetchTransport({
      baseUrl: this.#baseUrl,
      allowHttp: options.allowHttp === true,
      fetch: options.fetch ?? globalThis.fetch,
      abortedAfter: createTimeoutSignal,
      concurrency,
    });
    this.#transport = transport;
    this.#requestParts = {
      host: { clock, random, interrupted: signal ?? new AbortController().signal },
      settings: this.#settings,
      connect: async () => transport,
      limiters: rateLimiters(clock, random, ignore),
      userAgent: 'telctl-library',
    };
    this.#notices = createNotices(options);
    this.#agreement = this.#createAgreement(onCharges ? toConsent(onCharges) : { kind: 'ask' });
  }

  async apiFor(account = this.#options.account): Promise<Api> {
    const { profile } = await this.#signIn();
    const id = account === undefined ? profile.accountId : await this.#findAccountId(account);
    return this.#createApi(id, account ?? profile.accountName ?? id);
  }

  createAgreement(accept: AcceptCharges): Agreement {
    return this.#createAgreement(toConsent(accept));
  }

  async accountId(): Promise<string> {
    const { account } = this.#options;
    return account === undefined ? (await this.#signIn()).profile.accountId : this.#findAccountId(account);
  }

  close(): Promise<void> {
    return this.#transport.close();
  }

  #createAgreement(consent: Consent): Agreement {
    return new RunAgreement({ ask, notices: this.#notices, settings: this.#settings }, consent);
  }

  #signIn(): Promise<IdentitySession> {
    this.#session ??= identitySession(this.#requestParts, this.#baseUrl, this.#identity, this.#memory).catch(
      (error: unknown) => {
        // The next call signs in again.
        this.#session = undefined;
        throw error;
      },
    );
    return this.#session;
  }

  /** Resolves an account id, name or realm once per account. */
  #findAccountId(word: string): Promise<string> {
    const known = this.#accountIds.get(word);
    if (known) return known;
    const found = this.#signIn().then(({ profile: { accountId, accountName } }) =>
      word === accountName
        ? accountId
        : findAccount(
            {
              session: () => this.#signIn(),
              accountId: async () => accountId,
              api: () => this.#createApi(accountId, accountName ?? accountId),
              settings: { account: optionSetting(undefined) },
            },
            word,
          ),
    );
    this.#accountIds.set(word, found);
    found.catch(() => this.#accountIds.delete(word));
    return found;
  }

  /** `name` is the account's name in questions about charges. */
  async #createApi(accountId: string, name: string): Promise<Api> {
    const session = await this.#signIn();
    const address = {
      baseUrl: this.#baseUrl,
      prefix: session.profile.prefix,
      accountId,
      authorizer: session,
    };
    const api = createApi({
      ...(await apiPartsFor(this.#requestParts, address)),
      revisions: this.#revisions,
      forbids: createRequestFilter(this.#options),
      readOnly: this.#options.readOnly ? session.profile.name : undefined,
      onUnreadNumber: (text, country) => warnUnread(this.#notices, text, country),
      charges: {
        agreement: async () => this.#agreement,
        payer: { account: async () => name, mayAsk: false },
        facts: session,
      },
      guard: (request) => this.#guard(request, { accountId: async () => accountId, api: async () => api }),
    });
    return api;
  }

  async #guard(
    request: GuardedRequest,
    account: { accountId(): Promise<string>; api(): Promise<Api> },
  ): Promise<void> {
    if (!isGuarded(request.operation, request.data)) return;
    const allowEmergencyShadow = this.#options.allowEmergencyShadow === true;
    await guardRequest(
      {
        ask,
        notices: this.#notices,
        options: { dryRun: false, yes: false, confirm: undefined, allowEmergencyShadow },
        session: () => this.#signIn(),
        ...account,
        state: rejectQuestion,
      },
      request,
      { mayAsk: true, protects: false, checksEmergency: true, memory: this.#guardMemory },
    );
  }
}

interface FetchOptions {
  readonly baseUrl: string;
  readonly allowHttp: boolean;
  readonly fetch: typeof fetch;
  readonly abortedAfter: (ms: number) => AbortSignal;
  readonly concurrency: number;
}

/** Uses the certificates and proxies of the runtime's `fetch`. Refuses plain http to other machines. */
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
      const startNextRequest = (): void => {
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
        throw connectionFailure(url, late.aborted ? timeoutError() : error);
      } finally {
        startNextRequest();
      }
    },
    async close() {
      ended.abort();
    },
  };
}

const timeoutError = (): Error =>
  Object.assign(new Error('no reply in time'), { code: 'UND_ERR_HEADERS_TIMEOUT' });
