import type { Host } from '../base/host/host.ts';
import { quietHost } from '../base/host/real-host.ts';
import { readRunOptions } from '../cli/shell/run-options.ts';
import { createServices, type RunServices } from '../cli/shell/services.ts';
import { plainStyle } from '../cli/terminal/style.ts';
import { environmentSession } from '../client/session/environment-session.ts';
import { keepFacts } from '../client/session/learned-facts.ts';
import { openSession } from '../client/session/open-session.ts';
import { resolveSettings } from '../client/session/resolve-settings.ts';
import type { Session, SessionParts } from '../client/session/session.ts';
import { memoryTokenCache } from '../client/session/token-cache.ts';
import type { Client, ClientSettings, ProfileOptions } from './client-types.ts';
import { createNotices, createRequestFilter, toIdentity } from './for-programs.ts';
import { clientOptions, toConsent } from './methods.ts';

const opened = new WeakMap<Client, RunServices>();

export function rememberServices(client: Client, services: RunServices): Client {
  opened.set(client, services);
  return client;
}

/** Throws `usage` if the value is not a client. */
export function clientServices(client: Client): RunServices {
  const services = opened.get(client) ?? servicesFor(clientOptions(client));
  opened.set(client, services);
  return services;
}

export const clientHost = ({ env, cwd, configFolder, stateFolder, signal }: ClientSettings): Host =>
  quietHost({ env, cwd, configFolder, stateFolder, signal });

/** Opens each service on first use. */
export function servicesFor(options: ProfileOptions): RunServices {
  const host = clientHost(options);
  const identity = 'profile' in options ? undefined : toIdentity(options);
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
      country: options.country,
      noInput: true,
    },
    host: settingsHost(host, identity === undefined),
  });
  const kept = { cache: memoryTokenCache(), facts: keepFacts() };
  const { value: baseUrl = '' } = settings.baseUrl;
  return createServices({
    host,
    settings,
    options: readRunOptions({}, options.onCharges ? toConsent(options.onCharges) : { kind: 'ask' }),
    style: plainStyle,
    errorsStandAlone: false,
    line: { command: 'a program that uses the library', note: undefined },
    parts: {
      notices: createNotices(options),
      forbids: createRequestFilter(options),
      async openSession(parts) {
        const session = await (identity === undefined
          ? profileSession(parts, options)
          : environmentSession(parts, baseUrl, identity, kept));
        return options.readOnly ? toReadOnly(session) : session;
      },
    },
  });
}

/** A profile that asks before changes allows none, because a program cannot ask. */
async function profileSession(
  parts: SessionParts,
  { allowProtected }: { readonly allowProtected?: boolean },
): Promise<Session> {
  const session = await openSession({ ...parts, host: withoutVariables(parts.host) });
  const { profile } = session;
  if (profile.protect !== 'confirm' || allowProtected) return session;
  return toReadOnly(session);
}

const toReadOnly = (session: Session): Session => ({
  ...session,
  profile: { ...session.profile, protect: 'read-only' },
});

/** Removes telctl's variables, because a program selects its credentials with options. */
const withoutVariables = (host: Host): Host => ({
  ...host,
  env: Object.fromEntries(Object.entries(host.env).filter(([name]) => !name.startsWith('TELCTL_'))),
});

/** Hides the profiles unless one is given. */
function settingsHost(host: Host, hasProfile: boolean): Host {
  const readText: Host['files']['readText'] = (path) =>
    hasProfile && path.startsWith(host.folders.config) ? host.files.readText(path) : undefined;
  return { ...host, env: {}, files: { ...host.files, readText } };
}
