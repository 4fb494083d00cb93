import { Failure } from '../base/failure.ts';
import type { Host } from '../base/host/host.ts';
import { quietHost } from '../base/host/quiet-host.ts';
import { linesOf } from '../base/lines.ts';
import type { Consent } from '../cli/command/context.ts';
import { runOptionsOf } from '../cli/shell/run-options.ts';
import { createServices, type Parts, type Services } from '../cli/shell/services.ts';
import type { HoldingNotices } from '../cli/terminal/notices.ts';
import { plainStyle } from '../cli/terminal/style.ts';
import type { EnvironmentIdentity } from '../client/session/environment-session.ts';
import { environmentSession } from '../client/session/environment-session.ts';
import { keepFacts } from '../client/session/learned-facts.ts';
import { openSession } from '../client/session/open-session.ts';
import { resolveSettings } from '../client/session/resolve-settings.ts';
import type { Session, SessionParts } from '../client/session/session.ts';
import { memoryTokenCache } from '../client/session/token-cache.ts';
import { type Does, doesOf, doesWords } from '../contract/does.ts';
import type { Client, ClientOptions, ClientSettings, SignIn } from './client-types.ts';

/** Events that a program is told of on the way. */
export interface Listener {
  /** Told of what somebody should look at. */
  onWarning?(text: string): void;
  /** Told how far the work is. */
  onProgress?(progress: { readonly done: number; readonly total: number; readonly what: string }): void;
}

/** Notices that nobody sees but the functions of the program. */
export function noticesTo({ onWarning, onProgress }: Listener): HoldingNotices {
  const nothing = (): void => undefined;
  return {
    say: nothing,
    warn: (said) => onWarning?.(linesOf(said).join(' ')),
    doubt: (_, said) => onWarning?.(linesOf(said).join(' ')),
    settle: nothing,
    report: async () => undefined,
    table: () => undefined,
    disclose: nothing,
    writeAnnotation: nothing,
    progress: (done, total, what) => onProgress?.({ done, total, what }),
    release: nothing,
    clear: nothing,
    hold: nothing,
    waiting: nothing,
    drop: () => ({ said: [], warnings: [] }),
  };
}

const opened = new WeakMap<Client, Services>();

/** Notes what a client's calls go through, for the other entries of the library. */
export function opens(client: Client, services: Services): Client {
  opened.set(client, services);
  return client;
}

/** Returns the services that a client's calls go through. Throws `Failure` of kind `usage` for what is no client. */
export function servicesOf(client: Client): Services {
  const services = opened.get(client);
  if (services === undefined) throw new Failure('usage', 'This is not a client that connect returned.');
  return services;
}

/** The machine as a client may use it. */
export const hostOf = (
  { env, cwd, configFolder, stateFolder, signal }: ClientSettings,
  input?: string,
): Host => quietHost({ env, cwd, configFolder, stateFolder, signal, input });

/** Makes what the client's calls go through. Nothing is opened before it is needed. */
export function servicesFor(options: ClientOptions): Services {
  const host = hostOf(options);
  const identity = identityOf(options);
  const settings = resolveSettings({
    options: {
      profile: 'profile' in options ? options.profile : undefined,
      baseUrl: 'baseUrl' in options ? options.baseUrl : undefined,
      account: options.account,
      timeout: options.timeoutMs === undefined ? undefined : options.timeoutMs / 1000,
      retries: options.retries,
      concurrency: options.concurrency,
      caFile: options.caFile,
      clientCert: options.clientCert,
      clientKey: options.clientKey,
      allowHttp: options.allowHttp,
      noInput: true,
    },
    host: settingsHost(host, identity === undefined),
  });
  const kept = { cache: memoryTokenCache(), facts: keepFacts() };
  const { value: baseUrl = '' } = settings.baseUrl;
  return createServices({
    host,
    settings,
    options: runOptionsOf({}, consentOf(options)),
    style: plainStyle,
    errorsStandAlone: false,
    line: { command: 'a program that uses the library', note: undefined },
    parts: {
      notices: noticesTo(options),
      forbids: forbiddenBy(options),
      async openSession(parts) {
        const session = await (identity === undefined
          ? profileSession(parts, options)
          : environmentSession(parts, baseUrl, identity, kept));
        return options.readOnly ? reading(session) : session;
      },
    },
  });
}

/** The session of a profile. One that asks before changes allows none: there is nobody to ask. */
async function profileSession(parts: SessionParts, { allowProtected }: ClientSettings): Promise<Session> {
  const session = await openSession({ ...parts, host: withoutVariables(parts.host) });
  const { profile } = session;
  if (profile.protect !== 'confirm' || allowProtected) return session;
  return reading(session);
}

/** A session that allows no changes. */
const reading = (session: Session): Session => ({
  ...session,
  profile: { ...session.profile, protect: 'read-only' },
});

/** Makes what refuses a request that does more than the program allows its client, by what the contract declares. */
function forbiddenBy({ readOnly, allow }: ClientSettings): Parts['forbids'] {
  if (!readOnly && allow === undefined) return undefined;
  const allowed: ReadonlySet<Does> = new Set(allow ?? doesWords);
  return ({ operation, body, effect }) => {
    const name = operation?.id ?? 'a request that the contract does not know';
    if (readOnly && effect !== 'read')
      return new Failure('refused', `This client reads only: ${name} was not sent.`, {
        hint: 'Leave readOnly out to allow changes.',
      });
    const does = new Set(operation && doesOf(operation, body?.envelope.data));
    // What no undo brings back is gone like what was deleted.
    if (effect === 'destructive') does.add('deletes');
    const more = [...does].filter((word) => !allowed.has(word));
    return more.length === 0
      ? undefined
      : new Failure(
          'refused',
          `This client may not do what ${name} does (${more.join(', ')}); nothing was sent.`,
          { hint: `To allow it, name it in allow: ${more.join(', ')}.` },
        );
  };
}

/** The machine without variables of telctl: a program says by its options alone who speaks. */
const withoutVariables = (host: Host): Host => ({
  ...host,
  env: Object.fromEntries(Object.entries(host.env).filter(([name]) => !name.startsWith('TELCTL_'))),
});

/** The machine that settings are read from: the profiles where one is named, and nothing else. */
function settingsHost(host: Host, hasProfile: boolean): Host {
  const readText: Host['files']['readText'] = (path) =>
    hasProfile && path.startsWith(host.folders.config) ? host.files.readText(path) : undefined;
  return { ...host, env: {}, files: { ...host.files, readText } };
}

/**
 * Returns the identity that signs in without a profile. Throws `Failure` of kind `usage` for options that give none
 * or several.
 */
function identityOf(options: SignIn): EnvironmentIdentity | undefined {
  const ways = (['profile', 'apiKey', 'token', 'username'] as const).filter((name) => name in options);
  if (ways.length !== 1)
    throw new Failure('usage', 'Give one of profile, apiKey, token, and username with password.');
  if ('profile' in options) return undefined;
  if ('token' in options) return { kind: 'token', token: options.token, from: 'token' };
  if ('apiKey' in options) {
    const credentials = { kind: 'api-key', apiKey: options.apiKey } as const;
    return { kind: 'credentials', credentials, from: 'apiKey' };
  }
  const { username, password } = options;
  const identifier =
    'accountName' in options
      ? ({ kind: 'account_name', value: options.accountName } as const)
      : 'accountRealm' in options
        ? ({ kind: 'account_realm', value: options.accountRealm } as const)
        : ({ kind: 'phone_number', value: options.phoneNumber } as const);
  const credentials = { kind: 'password', username, password, identifier, hash: 'md5' } as const;
  return { kind: 'credentials', credentials, from: 'password' };
}

/** The program's word about charges: nobody accepts them where it has none. */
function consentOf({ onCharges }: ClientSettings): Consent {
  if (onCharges === undefined) return { kind: 'ask' };
  return {
    kind: 'decide',
    decide: async (charges) => (await onCharges(charges)) === true,
  };
}
