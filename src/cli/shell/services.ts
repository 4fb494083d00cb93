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
import type { openConfiguredState } from '../commands/state/open-state.ts';
import { type HoldingNotices, openNotices } from '../terminal/notices.ts';
import { gatedNotices, gatedPrompter } from '../terminal/outside-gate.ts';
import { openPrompter } from '../terminal/prompts.ts';
import { isAccessible, isColored, type Style } from '../terminal/style.ts';
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
  inAccount(chosen: OneOfMany): AccountClients;
  readonly notices: HoldingNotices;
  endRecord(): Promise<void>;
  readonly troubles: Parameters<typeof openConfiguredState>[1] & { isSent: boolean };
  close(): Promise<void>;
}

/** An account of many that a command runs in, without questions. */
export interface OneOfMany {
  readonly id: string;
  readonly label: string;
}

export interface ServiceFacts {
  readonly host: Host;
  readonly settings: Settings;
  readonly options: RunOptions;
  readonly style: Style;
  readonly errorsStandAlone: boolean;
  /** The operation in the name of the command. It is sent even if the service is known not to offer it. */
  readonly operation?: string | undefined;
  readonly parts: Parts;
  readonly line: LoggedLine;
}

/** Creates the context for handlers. Each member is created once, on first use. */
export function createServices(facts: ServiceFacts): RunServices {
  const { host, settings, options, parts } = facts;
  const { notices, ask } = runTerminal(facts);
  const connections = lazyConnections(host, settings, notices.warn, parts.transport);
  const sessionParts = sessionPartsOf(facts, { notices, ask, connect: connections.connect });
  const troubles: RunServices['troubles'] = { kinds: new Set(), untold: undefined, isSent: false };
  const context = (): RunServices => services;
  const log = lazyRunLog(context, troubles);
  const shared = sharedParts(facts, { parts: sessionParts, recorder: log.recorder, troubles, context });
  const accountId = memoize(() => chosenAccount(shared));
  const payer: Payer = { account: () => quotedAccount(services), mayAsk: true };
  let closeState = async (): Promise<void> => undefined;
  const services: RunServices = {
    host,
    settings,
    options,
    ask,
    notices,
    state: memoize(async () => {
      const { openConfiguredState } = await import('../commands/state/open-state.ts');
      const state = await openConfiguredState({ host, settings, ask }, troubles);
      closeState = state.close;
      return state;
    }),
    facts: memoize(async () => {
      const { runFacts } = await import('../commands/manifest/apply/record-writes.ts');
      return runFacts(host, facts.line);
    }),
    hide: log.hide,
    sessionParts: () => sessionParts,
    session: shared.session,
    runLine: parts.runLine,
    ownApi: ownClient(shared),
    ...clientsFor(shared, accountId, payer),
    separateClients() {
      const { api, bulkApi } = clientsFor(shared, accountId, payer, new Map());
      return { api, bulkApi };
    },
    inAccount({ id, label }) {
      log.accountNames.set(id, label);
      return clientsFor(shared, async () => id, { account: async () => quoteName(label), mayAsk: false });
    },
    troubles,
    endRecord: log.close,
    async close() {
      notices.clear();
      await log.close();
      await connections.close();
      await closeState();
    },
  };
  return services;
}

function runTerminal({ host, settings, options, style, errorsStandAlone, parts }: ServiceFacts) {
  const rules = { quiet: options.verbosity === 'quiet', style, held: errorsStandAlone };
  const notices = gatedNotices(parts.notices ?? openNotices(host, rules), host.outside);
  const ask = openPrompter(host, {
    available: !settings.noInput.value,
    yes: options.yes,
    colored: isColored(settings.color.value, host.env, host.stderr.isTTY === true),
    plain: isAccessible(host.env),
    before: () => notices.printFieldWarnings(),
  });
  return { notices, ask: gatedPrompter(ask, host.outside) };
}

function sessionPartsOf(
  { host, settings, options }: ServiceFacts,
  {
    notices,
    ask,
    connect,
  }: Pick<RunServices, 'notices' | 'ask'> & { readonly connect: SessionParts['connect'] },
): SessionParts {
  return {
    host,
    settings,
    connect,
    limiters: rateLimiters(host.clock, host.random, notices.waiting),
    askSecret: ask.available ? (question) => ask.secret(question, { option: 'TELCTL_PASSWORD' }) : undefined,
    warn: notices.warn,
    isQuiet: options.verbosity === 'quiet',
    userAgent: `telctl/${version}`,
    trace: options.verbosity === 'verbose' ? notices.say : undefined,
  };
}

function lazyRunLog(context: () => RunServices, troubles: RunServices['troubles']) {
  const hidden = new Set<string>();
  const accountNames = new Map<string, string>();
  let isRecording = false;
  const openLog = memoize(async () => {
    const { createWriteLog } = await import('../commands/manifest/apply/record-writes.ts');
    return createWriteLog(context(), accountNames, hidden, (error) => {
      if (!(error instanceof Failure)) throw error;
      troubles.untold ??= error;
    });
  });
  const recorder: Recorder = {
    seen: new Map(),
    async begin(write) {
      isRecording = true;
      return (await openLog()).begin(write);
    },
  };
  return {
    recorder,
    accountNames,
    hide(texts: Iterable<string>): void {
      for (const text of texts) if (text !== '') hidden.add(text);
    },
    close: memoize(async () => {
      if (isRecording) await (await openLog()).close();
    }),
  };
}

function sharedParts(
  { options, operation, parts: replaced }: ServiceFacts,
  own: Pick<SharedClientParts, 'parts' | 'recorder'> & {
    readonly troubles: RunServices['troubles'];
    readonly context: () => RunServices;
  },
): SharedClientParts {
  const { parts, recorder, troubles, context } = own;
  const openSession = async (sessionParts: SessionParts): Promise<Session> =>
    replaced.openSession?.(sessionParts) ??
    (await import('../../client/session/open-session.ts')).openSession(sessionParts);
  const agreementBy = (consent: Consent) =>
    memoize(async () => {
      const { RunAgreement } = await import('../commands/charges/charge-consent.ts');
      return new RunAgreement(context(), consent);
    });
  const agreement = agreementBy(options.consent);
  return {
    parts,
    openSession,
    session: memoize(() => openSession(parts)),
    agreement: (consent) => (consent ? agreementBy(consent) : agreement),
    recorder,
    revisions: new Map(),
    memory: { passed: new Set(), gone: new Set(), accepted: new Set() },
    operation,
    dryRun: options.dryRun,
    forbids: replaced.forbids,
    approve: replaced.approve,
    sends() {
      troubles.isSent = true;
    },
    context,
  };
}

/** Replacements for parts of a run: the network in tests, the terminal in the library. */
export interface Parts {
  /** Connection to all services (default: the network). */
  readonly transport?: Transport;
  /** Default: stderr. */
  readonly notices?: HoldingNotices;
  /** Returns the failure of a forbidden request. The profile may forbid more. */
  readonly forbids?: ApiParts['forbids'];
  /** Asks a person to approve a request that an assistant sends. */
  readonly approve?: ApiParts['approve'];
  /** Includes notices in the JSON error, which must be the only output on stderr. */
  readonly keepsNotices?: boolean;
  readonly consent?: Consent | undefined;
  readonly runLine?: RunLine;
  /** Default: from the environment and the profile. */
  readonly openSession?: (parts: SessionParts) => Promise<Session>;
}

/** Opens connections on first use. `only` replaces all of them. */
function lazyConnections(
  host: Host,
  settings: Settings,
  warn: (line: string) => void,
  only: Transport | undefined,
) {
  const opened = new Map<string, Promise<Transport>>();
  return {
    connect(baseUrl: string, caFile = settings.caFile.value): Promise<Transport> {
      const key = `${baseUrl} ${caFile ?? ''}`;
      const transport = opened.get(key) ?? open(baseUrl, caFile);
      opened.set(key, transport);
      return transport;
    },
    async close(): Promise<void> {
      const closed = [...opened.values()].map(async (transport) => (await transport).close());
      // A connection that failed to open has already reported its error.
      await Promise.allSettled(closed);
    },
  };

  async function open(baseUrl: string, caFile: string | undefined): Promise<Transport> {
    const insecure = settings.insecure.value;
    refuseUnverifiedTls(host, baseUrl, insecure);
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

/** The client certificate is sent only to the service that it is configured for, and never to a sign-in provider. */
export function clientFor(
  { baseUrl, clientCert, clientKey }: Pick<Settings, 'baseUrl' | 'clientCert' | 'clientKey'>,
  address: string,
): ClientCertificate {
  const isOther = baseUrl.value !== undefined && !isSameOrigin(baseUrl.value, address);
  return isOther ? {} : { certFile: clientCert.value, keyFile: clientKey.value };
}

/** Throws `refused` if an environment variable makes Node.js accept any certificate. */
function refuseUnverifiedTls({ env }: Host, baseUrl: string, isInsecure: boolean): void {
  if (env.NODE_TLS_REJECT_UNAUTHORIZED !== '0' || isInsecure || !baseUrl.startsWith('https:')) return;
  throw new Failure('refused', 'NODE_TLS_REJECT_UNAUTHORIZED=0 turns the checks of certificates off.', {
    hint: 'Unset it, and trust the certificate with --ca-file FILE. To test without checks, use --insecure.',
  });
}
