import { memoize } from '../../base/concurrency.ts';
import { Failure } from '../../base/failure.ts';
import type { Host } from '../../base/host/host.ts';
import { quoteName } from '../../base/wording.ts';
import type { Payer } from '../../client/api/accept-charges.ts';
import type { ApiParts } from '../../client/api/api.ts';
import { rateLimiters } from '../../client/api/rate-limiter.ts';
import type { Recorder } from '../../client/api/recorder.ts';
import type { Transport } from '../../client/api/transport.ts';
import type { ClientCertificate } from '../../client/api/undici-transport.ts';
import { openFileWarning } from '../../client/session/secret-sources.ts';
import type { Session, SessionParts } from '../../client/session/session.ts';
import { isSameOrigin, type Settings } from '../../client/session/settings.ts';
import type { Consent, Context, RunLine, RunOptions } from '../command/context.ts';
import { quotedAccount } from '../commands/labels.ts';
import type { CommandOfRun as LoggedLine } from '../commands/manifest/apply/record-writes.ts';
import type { stateOf } from '../commands/state/open-state.ts';
import { type HoldingNotices, noticesOn } from '../terminal/notices.ts';
import { gatedNotices, gatedPrompter } from '../terminal/outside-gate.ts';
import { prompterOn } from '../terminal/prompts.ts';
import { isAccessible, isColoured, type Style } from '../terminal/style.ts';
import {
  type AccountClients,
  chosenAccount,
  clientsFor,
  ownClient,
  type SharedClientParts,
} from './account-clients.ts';
import { version } from './run-cli.ts';

/** The context of one run, and functions that close its resources. */
export interface RunServices extends Context {
  /** Returns the members that call the service, bound to another account. */
  inAccount(chosen: OneOfMany): AccountClients;
  readonly notices: HoldingNotices;
  endRecord(): Promise<void>;
  readonly troubles: Parameters<typeof stateOf>[1] & { isSent: boolean };
  close(): Promise<void>;
}

/** One account of many that a command runs in, without questions. */
export interface OneOfMany {
  readonly id: string;
  readonly word: string;
}

export interface ServiceFacts {
  readonly host: Host;
  readonly settings: Settings;
  readonly options: RunOptions;
  readonly style: Style;
  readonly errorsStandAlone: boolean;
  /** The operation that the command is named after. It is sent even if the service is known not to offer it. */
  readonly operation?: string | undefined;
  readonly parts: Parts;
  /** Facts about the command line for the log. */
  readonly line: LoggedLine;
}

/** Creates the context for handlers. Each member is created once, on first use. */
export function createServices(facts: ServiceFacts): RunServices {
  const { host, settings, options, style, errorsStandAlone, parts } = facts;
  const isQuiet = options.verbosity === 'quiet';
  const notices = gatedNotices(
    parts.notices ?? noticesOn(host, { quiet: isQuiet, style, held: errorsStandAlone }),
    host.outside,
  );
  const ask = gatedPrompter(
    prompterOn(host, {
      available: !settings.noInput.value,
      yes: options.yes,
      coloured: isColoured(settings.color.value, host.env, host.stderr.isTTY === true),
      plain: isAccessible(host.env),
      before: () => notices.settle(),
    }),
    host.outside,
  );
  const connections = connectionsOf(host, settings, notices.warn, parts.transport);
  const sessionParts: SessionParts = {
    host,
    settings,
    connect: connections.connect,
    limiters: rateLimiters(host.clock, host.random, notices.waiting),
    askSecret: ask.available ? (question) => ask.secret(question, { option: 'TELCTL_PASSWORD' }) : undefined,
    warn: notices.warn,
    isQuiet,
    userAgent: `telctl/${version}`,
    trace: options.verbosity === 'verbose' ? notices.say : undefined,
  };
  const openSession = async (own: SessionParts): Promise<Session> =>
    parts.openSession?.(own) ?? (await import('../../client/session/open-session.ts')).openSession(own);
  const agreementBy = (consent: Consent) =>
    memoize(
      async () => new (await import('../commands/charges/charge-consent.ts')).RunAgreement(services, consent),
    );
  const agreement = agreementBy(options.consent);
  const confidential = new Set<string>();
  const accountNames = new Map<string, string>();
  const troubles: RunServices['troubles'] = { kinds: new Set(), untold: undefined, isSent: false };
  const writes = memoize(async () => {
    const { createWriteLog } = await import('../commands/manifest/apply/record-writes.ts');
    return createWriteLog(services, accountNames, confidential, (error) => {
      if (!(error instanceof Failure)) throw error;
      troubles.untold ??= error;
    });
  });
  let isRecording = false;
  const recorder: Recorder = {
    seen: new Map(),
    async begin(write) {
      isRecording = true;
      return (await writes()).begin(write);
    },
  };
  const speaker: SharedClientParts = {
    parts: sessionParts,
    openSession,
    session: memoize(() => openSession(sessionParts)),
    agreement: (consent) => (consent ? agreementBy(consent) : agreement),
    recorder,
    revisions: new Map(),
    memory: { passed: new Set(), gone: new Set(), accepted: new Set() },
    operation: facts.operation,
    dryRun: options.dryRun,
    forbids: parts.forbids,
    approve: parts.approve,
    sends() {
      troubles.isSent = true;
    },
    context: () => services,
  };
  const accountId = memoize(() => chosenAccount(speaker));
  const payer: Payer = { account: () => quotedAccount(services), mayAsk: true };
  let endState = async (): Promise<void> => undefined;
  const services: RunServices = {
    host,
    settings,
    options,
    ask,
    notices,
    state: memoize(async () => {
      const opening = { host, settings, ask };
      const state = await (await import('../commands/state/open-state.ts')).stateOf(opening, troubles);
      endState = state.close;
      return state;
    }),
    facts: memoize(async () =>
      (await import('../commands/manifest/apply/record-writes.ts')).runFacts(host, facts.line),
    ),
    hide(texts) {
      for (const text of texts) if (text !== '') confidential.add(text);
    },
    sessionParts: () => sessionParts,
    session: speaker.session,
    runLine: parts.runLine,
    ownApi: ownClient(speaker),
    ...clientsFor(speaker, accountId, payer),
    apart() {
      const { api, bulkApi } = clientsFor(speaker, accountId, payer, new Map());
      return { api, bulkApi };
    },
    inAccount: ({ id, word }) => {
      accountNames.set(id, word);
      return clientsFor(speaker, async () => id, { account: async () => quoteName(word), mayAsk: false });
    },
    troubles,
    endRecord: memoize(async () => {
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

/** Replacements for parts of a run: the network in tests, the terminal in the library. */
export interface Parts {
  /** The connection to all services (default: the network). */
  readonly transport?: Transport;
  /** Receiver of notices (default: stderr). */
  readonly notices?: HoldingNotices;
  /** Returns the failure of a forbidden request. The profile may forbid more. */
  readonly forbids?: ApiParts['forbids'];
  /** Asks a person to approve a request that an assistant sends. */
  readonly approve?: ApiParts['approve'];
  /** Includes notices in the JSON error, because the error must be the only output on stderr. */
  readonly keepsNotices?: boolean;
  readonly consent?: Consent | undefined;
  /** Runs another command line with these parts. */
  readonly runLine?: RunLine;
  /** Determines who is signed in (default: from environment and profile). */
  readonly openSession?: (parts: SessionParts) => Promise<Session>;
}

/** Opens connections on first use. `only` replaces all of them. */
function connectionsOf(
  host: Host,
  settings: Settings,
  warn: (line: string) => void,
  only: Transport | undefined,
) {
  const open = new Map<string, Promise<Transport>>();
  return {
    connect(baseUrl: string, caFile = settings.caFile.value): Promise<Transport> {
      const key = `${baseUrl} ${caFile ?? ''}`;
      const transport = open.get(key) ?? openTo(baseUrl, caFile);
      open.set(key, transport);
      return transport;
    },
    async close(): Promise<void> {
      const ends = [...open.values()].map(async (transport) => (await transport).close());
      // A connection that failed to open has already reported its error.
      await Promise.allSettled(ends);
    },
  };

  async function openTo(baseUrl: string, caFile: string | undefined): Promise<Transport> {
    const insecure = settings.insecure.value;
    refuseUnchecked(host, baseUrl, insecure);
    if (insecure) warn(`The certificate of ${baseUrl} is not verified (--insecure).`);
    const client = clientFor(settings, baseUrl);
    for (const line of client.keyFile ? openFileWarning(host, client.keyFile) : []) warn(line);
    if (only) return only;
    const { openTransport } = await import('../../client/api/undici-transport.ts');
    const { env, clock, files } = host;
    const allowHttp = settings.allowHttp.value;
    const connections = settings.concurrency.value;
    return openTransport({ baseUrl, env, clock, files, caFile, client, insecure, allowHttp, connections });
  }
}

/** The client certificate, sent only to the service that it is configured for and never to a sign-in provider. */
export function clientFor(
  { baseUrl, clientCert, clientKey }: Pick<Settings, 'baseUrl' | 'clientCert' | 'clientKey'>,
  address: string,
): ClientCertificate {
  const isOther = baseUrl.value !== undefined && !isSameOrigin(baseUrl.value, address);
  return isOther ? {} : { certFile: clientCert.value, keyFile: clientKey.value };
}

/** Throws `refused` if an environment variable makes Node.js accept any certificate. */
function refuseUnchecked({ env }: Host, baseUrl: string, isInsecure: boolean): void {
  if (env.NODE_TLS_REJECT_UNAUTHORIZED !== '0' || isInsecure || !baseUrl.startsWith('https:')) return;
  throw new Failure('refused', 'NODE_TLS_REJECT_UNAUTHORIZED=0 turns the checks of certificates off.', {
    hint: 'Unset it, and trust the certificate with --ca-file FILE. To test without checks, use --insecure.',
  });
}
