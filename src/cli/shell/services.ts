import { Failure } from '../../base/failure.ts';
import type { Host } from '../../base/host/host.ts';
import { quoted } from '../../base/wording.ts';
import type { Payer } from '../../client/api/accept-charges.ts';
import type { Api, ApiParts, GuardedRequest } from '../../client/api/api.ts';
import type { ClientCertificate } from '../../client/api/client-certificate.ts';
import { rateLimiters } from '../../client/api/rate-limiter.ts';
import type { Recorder } from '../../client/api/recorder.ts';
import type { KnownRevisions } from '../../client/api/revisions.ts';
import type { Transport } from '../../client/api/transport.ts';
import { openFile } from '../../client/session/secret-sources.ts';
import { apiPartsFor, type Session, type SessionParts } from '../../client/session/session.ts';
import type { Settings } from '../../client/session/settings.ts';
import { isSameOrigin } from '../../client/session/settings.ts';
import { isGuarded } from '../../contract/guards.ts';
import type { Consent, Context, RunLine, RunOptions } from '../command/context.ts';
import type { GuardMemory } from '../commands/guard-request.ts';
import { accountName } from '../commands/labels.ts';
import type { stateOf } from '../commands/open-state.ts';
import type { RunLine as LoggedLine } from '../commands/record-writes.ts';
import { type HoldingNotices, noticesOn } from '../terminal/notices.ts';
import { prompterOn } from '../terminal/prompts.ts';
import { isAccessible, isColoured, type Style } from '../terminal/style.ts';
import { version } from './version.ts';

/** The context of one run, and the end of what it opened. */
export interface Services extends Context {
  /** Returns the members that speak to the service, bound to an account, for a context of that account. */
  inAccount(chosen: OneOfMany): Pick<Context, 'accountId' | 'api' | 'bulkApi' | 'cleanupApi' | 'guard'>;
  readonly notices: HoldingNotices;
  endRecord(): Promise<void>;
  /** Failures of the state, and whether a change was sent to the service. */
  readonly troubles: Parameters<typeof stateOf>[1] & { isSent: boolean };
  close(): Promise<void>;
}

/** One account of many that a command runs in. Nothing is asked in it. */
export interface OneOfMany {
  readonly id: string;
  readonly word: string;
}

/** The parts of the services of one run. */
export interface ServiceFacts {
  readonly host: Host;
  readonly settings: Settings;
  readonly options: RunOptions;
  readonly style: Style;
  readonly errorsStandAlone: boolean;
  /** The operation that the command stands for: it is asked for, whatever is known of the service. */
  readonly operation?: string | undefined;
  readonly parts: Parts;
  /** Facts about the run from the command line. */
  readonly line: LoggedLine;
}

/** Nobody chose an account. */
const unnamed: Settings['account'] = { value: undefined, source: 'default', from: '' };

/** Longest wait for a request that puts something away. */
const cleanupMs = 5000;

/** Makes what handlers work with; nothing is opened before it is asked for, and nothing twice. */
export function createServices(facts: ServiceFacts): Services {
  const { host, settings, options, style, errorsStandAlone, parts } = facts;
  const notices =
    parts.notices ?? noticesOn(host, { quiet: options.verbosity === 'quiet', style, held: errorsStandAlone });
  const ask = prompterOn(host, {
    available: !settings.noInput.value,
    yes: options.yes,
    coloured: isColoured(settings.color.value, host.env, host.stderr.isTTY === true),
    plain: isAccessible(host.env),
    before: () => notices.settle(),
  });
  const connections = connectionsOf(host, settings, parts, notices.warn);
  const sessionParts: SessionParts = {
    host,
    settings,
    connect: connections.connect,
    limiters: rateLimiters(host.clock, host.random, notices.waiting),
    askSecret: ask.available ? (question) => ask.secret(question, { option: 'TELCTL_PASSWORD' }) : undefined,
    warn: notices.warn,
    isQuiet: options.verbosity === 'quiet',
    userAgent: `telctl/${version}`,
    trace: options.verbosity === 'verbose' ? notices.say : undefined,
  };
  const sessionOf = async (own: SessionParts): Promise<Session> =>
    parts.openSession?.(own) ?? (await import('../../client/session/open-session.ts')).openSession(own);
  const session = once(() => sessionOf(sessionParts));
  const agreementBy = (consent: Consent) =>
    once(async () => new (await import('../commands/agreement.ts')).RunAgreement(services, consent));
  const agreement = agreementBy(options.consent);
  const revisions: KnownRevisions = new Map();
  const confidential = new Set<string>();
  const accountNames = new Map<string, string>();
  let isRecording = false;
  const troubles: Services['troubles'] = { kinds: new Set(), untold: undefined, isSent: false };
  const writes = once(async () => {
    const { writeLogOf } = await import('../commands/record-writes.ts');
    return writeLogOf(services, accountNames, confidential, (error) => {
      if (!(error instanceof Failure)) throw error;
      troubles.untold ??= error;
    });
  });
  const recorder: Recorder = {
    seen: new Map(),
    async begin(write) {
      isRecording = true;
      return (await writes()).begin(write);
    },
  };
  const apiFor = async (
    accountId: string | undefined,
    more: Partial<ApiParts> = {},
    speaker: () => Promise<Session> = session,
  ): Promise<Api> => {
    const [{ createApi }, authorizer] = await Promise.all([
      import('../../client/api/create-api.ts'),
      speaker(),
    ]);
    const { profile } = authorizer;
    const address = { baseUrl: profile.baseUrl, prefix: settings.prefix.value ?? profile.prefix, accountId };
    const missing = authorizer.learned().conformance?.notOffered ?? [];
    return createApi({
      ...(await apiPartsFor(sessionParts, { ...address, authorizer })),
      revisions,
      recorder,
      readOnly: profile.protect === 'read-only' ? profile.name : undefined,
      notOffered: new Set(missing.filter((id) => id !== facts.operation)),
      sends() {
        troubles.isSent = true;
      },
      learned: authorizer.learned().conformance,
      sawOwnId: async (takesOwnIds) => authorizer.learn({ takesOwnIds }),
      dryRun: options.dryRun,
      forbids: parts.forbids,
      ...more,
    });
  };
  const memory: GuardMemory = { passed: new Set(), gone: new Set() };
  /** Guards the requests of a context; nothing of it is loaded for requests that no guard looks at. */
  const guardFor =
    (bound: () => Pick<Context, 'accountId' | 'api'>, mayAsk: boolean, protects = true) =>
    async (request: GuardedRequest): Promise<void> => {
      if (!isGuarded(request.operation, request.data)) return;
      const { guardRequest } = await import('../commands/guard-request.ts');
      const guarding = { mayAsk: mayAsk && !parts.forbids, protects, memory };
      await guardRequest({ ...services, ...bound() }, request, guarding);
    };
  const ownName = async () => accountName({ ...services, settings: { ...settings, account: unnamed } });
  const ownApi = once(async () =>
    apiFor((await session()).profile.accountId, {
      charges: { agreement, payer: { account: ownName, mayAsk: true }, facts: await session() },
      guard: guardFor(() => services, true),
    }),
  );
  const accountId = once(async (): Promise<string> => {
    const { profile } = await session();
    const named = settings.account.value;
    if (named === undefined || named === profile.accountName) return profile.accountId;
    if (/^[0-9a-f]{32}$/.test(named)) return named;
    // Looked for as the account signed in to, among those below it.
    const { findAccount } = await import('../commands/find-account.ts');
    const own = {
      settings: { ...settings, account: unnamed },
      accountId: async () => profile.accountId,
      api: ownApi,
    } as const;
    return findAccount({ ...services, ...own }, named).catch((error: unknown) => {
      const { source, from } = settings.account;
      if (!(error instanceof Failure) || error.kind !== 'not_found' || source === 'option') throw error;
      throw new Failure(error.kind, error.lines, {
        hint: `The account was named by ${from}.`,
        cause: error,
      });
    });
  });
  const boundTo = (
    account: () => Promise<string>,
    payer: Payer,
    known = revisions,
  ): ReturnType<Services['inAccount']> => {
    const guard = guardFor(() => bound, payer.mayAsk);
    const api = once(async () =>
      apiFor(await account(), {
        charges: { agreement, payer, facts: await session() },
        revisions: known,
        guard,
      }),
    );
    const bound = { accountId: account, api };
    return {
      ...bound,
      guard,
      cleanupApi: once(async () => {
        host.finishes();
        const undisturbed = { ...host, interrupted: new AbortController().signal };
        const limited = { ...settings, timeoutMs: { ...settings.timeoutMs, value: cleanupMs } };
        const own = { ...sessionParts, host: undisturbed, settings: limited, askSecret: undefined };
        const more = { signal: undefined, timeoutMs: cleanupMs, retries: 1 };
        return apiFor(await account(), more, () => sessionOf(own));
      }),
      bulkApi: async (name, options) => {
        host.finishes();
        const named = name === undefined ? payer : { ...payer, account: async () => name };
        return apiFor(await account(), {
          finishes: true,
          charges: {
            agreement: options?.consent ? agreementBy(options.consent) : agreement,
            payer: named,
            facts: await session(),
          },
          revisions: known,
          guard: guardFor(() => bound, false, options === undefined),
          ...(options ? { recorder: undefined } : {}),
        });
      },
    };
  };
  const payer: Payer = { account: () => accountName(services), mayAsk: true };
  let endState = async (): Promise<void> => undefined;
  const services: Services = {
    host,
    settings,
    options,
    ask,
    notices,
    state: once(async () => {
      const opening = { host, settings, ask };
      const state = await (await import('../commands/open-state.ts')).stateOf(opening, troubles);
      endState = state.close;
      return state;
    }),
    facts: once(async () => (await import('../commands/record-writes.ts')).runFacts(host, facts.line)),
    hide(texts) {
      for (const text of texts) if (text !== '') confidential.add(text);
    },
    sessionParts: () => sessionParts,
    session,
    runLine: parts.runLine,
    ownApi,
    ...boundTo(accountId, payer),
    apart() {
      const { api, bulkApi } = boundTo(accountId, payer, new Map());
      return { api, bulkApi };
    },
    inAccount: ({ id, word }) => {
      accountNames.set(id, word);
      return boundTo(async () => id, { account: async () => quoted(word), mayAsk: false });
    },
    troubles,
    endRecord: once(async () => {
      if (isRecording) await (await writes()).close();
    }),
    async close() {
      notices.clear();
      await services.endRecord();
      await connections.close();
      await endState();
    },
  };
  return services;
}

/** A function that works on its first call only; every call gets what that one gave. */
function once<T>(work: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= work();
    return made;
  };
}

/** The client certificate, for the service alone that it was set for: a provider of sign-ins gets none. */
export function clientFor(
  { baseUrl, clientCert, clientKey }: Pick<Settings, 'baseUrl' | 'clientCert' | 'clientKey'>,
  address: string,
): ClientCertificate {
  const isOther = baseUrl.value !== undefined && !isSameOrigin(baseUrl.value, address);
  return isOther ? {} : { certFile: clientCert.value, keyFile: clientKey.value };
}

/**
 * Throws `Failure` (`refused`) where Node.js was told by a variable to take any certificate: what a shell or a CI job
 * once set for something else must not give keys to whoever answers.
 */
function refuseUnchecked({ env }: Host, baseUrl: string, isInsecure: boolean): void {
  if (env.NODE_TLS_REJECT_UNAUTHORIZED !== '0' || isInsecure || !baseUrl.startsWith('https:')) return;
  throw new Failure('refused', 'NODE_TLS_REJECT_UNAUTHORIZED=0 turns the checks of certificates off.', {
    hint: 'Unset it, and trust the certificate with --ca-file FILE. For a test without checks: --insecure',
  });
}

/** The ways to services that are open in this run, one to each address and file of authorities. */
function connectionsOf(host: Host, settings: Settings, parts: Parts, warn: (line: string) => void) {
  const open = new Map<string, Promise<Transport>>();
  async function openTo(baseUrl: string, caFile: string | undefined): Promise<Transport> {
    refuseUnchecked(host, baseUrl, settings.insecure.value);
    if (settings.insecure.value) warn(`The certificate of ${baseUrl} is not checked (--insecure).`);
    const client = clientFor(settings, baseUrl);
    for (const line of client.keyFile ? openFile(host, client.keyFile) : []) warn(line);
    if (parts.transport) return parts.transport;
    const { openTransport } = await import('../../client/api/undici-transport.ts');
    const transport = await openTransport({
      baseUrl,
      env: host.env,
      clock: host.clock,
      files: host.files,
      caFile,
      client,
      insecure: settings.insecure.value,
      allowHttp: settings.allowHttp.value,
      connections: settings.concurrency.value,
    });
    return transport;
  }
  return {
    connect(baseUrl: string, caFile = settings.caFile.value): Promise<Transport> {
      const key = `${baseUrl} ${caFile ?? ''}`;
      const transport = open.get(key) ?? openTo(baseUrl, caFile);
      open.set(key, transport);
      return transport;
    },
    async close(): Promise<void> {
      const ends = [...open.values()].map(async (transport) => (await transport).close());
      // One that never opened has told why already.
      await Promise.allSettled(ends);
    },
  };
}

/** Parts that may replace the usual ones in a run: the network in a test, the terminal in the library. */
export interface Parts {
  /** The connection to every service; over the network where left out. */
  readonly transport?: Transport;
  /** Receiver of notices; people at stderr if left out. */
  readonly notices?: HoldingNotices;
  /** Gives the failure of a request that may not be sent; a profile may forbid more. */
  readonly forbids?: ApiParts['forbids'];
  /** The consent to charges, whatever the command line says. */
  readonly consent?: Consent | undefined;
  /** Runs another command line, with these parts. */
  readonly runLine?: RunLine;
  /** Finds out who is speaking; by environment and profile where left out. */
  readonly openSession?: (parts: SessionParts) => Promise<Session>;
}
