import { Failure, leadsOn, nextStep } from '../../../base/failure.ts';
import type { Host } from '../../../base/host/host.ts';
import { isObject, type JsonObject } from '../../../base/json.ts';
import { programEnvironment } from '../../../base/program-environment.ts';
import { createApi } from '../../../client/api/create-api.ts';
import type { Profile } from '../../../client/session/profile-store.ts';
import { apiPartsFor } from '../../../client/session/session.ts';
import { operationById } from '../../../contract/catalogue.ts';
import type { Context } from '../../command/context.ts';

/** As which application of which provider people sign in. */
export interface SsoClient {
  readonly provider: string;
  readonly clientId: string;
  readonly discovery: string;
}

export interface ClientSearch {
  readonly provider: string;
  readonly clientId: string | undefined;
  readonly discovery: string | undefined;
  readonly baseUrl: string;
  readonly again: Profile | undefined;
  /** A token to ask the service with; `undefined` where there is none. */
  token(): Promise<string | undefined>;
}

/**
 * The application to sign in as: from the options, else as the profile did before, else from the service, which
 * tells it to nobody without a token. Throws `Failure` of kind `usage` where it is not known, or not just one.
 */
export async function findClient(context: Context, search: ClientSearch): Promise<SsoClient> {
  const { provider, again, baseUrl } = search;
  const before = again?.ssoProvider === provider ? again : undefined;
  const clientId = search.clientId ?? before?.ssoClientId;
  const discovery = search.discovery ?? before?.ssoDiscovery;
  if (clientId !== undefined && discovery !== undefined) return { provider, clientId, discovery };
  const token = await search.token();
  if (token === undefined) {
    throw new Failure('usage', `${baseUrl} tells only signed-in users how to sign in at ${provider}.`, {
      hint: 'Give --client-id ID and --discovery URL, or your own --username and account.',
    });
  }
  const headers = { 'x-auth-token': token };
  const parts = await apiPartsFor(context.sessionParts(), {
    baseUrl,
    prefix: '',
    accountId: undefined,
    headers,
  });
  const api = createApi(parts);
  const ask = async (id: string, path: Readonly<Record<string, string>>): Promise<JsonObject> => {
    const { data } = await api.call({ operation: operationById(id), path });
    return isObject(data) ? data : {};
  };
  const applications = async (): Promise<readonly string[]> => {
    const found: string[] = [];
    for await (const page of api.pages({ operation: operationById('apps.list') })) {
      for (const app of page) {
        if (app.provider === provider && typeof app.id === 'string') found.push(app.id);
      }
    }
    return found;
  };
  return {
    provider,
    clientId: clientId ?? onlyOne(await applications(), provider),
    discovery: discovery ?? addressIn(await ask('providers.get', { provider_id: provider }), provider),
  };
}

function onlyOne([first, ...others]: readonly string[], provider: string): string {
  if (first === undefined) {
    throw new Failure('usage', `No SSO application of your account uses ${provider}.`, {
      hint: leadsOn`See: ${nextStep`sso apps list`}`,
    });
  }
  if (others.length === 0) return first;
  throw new Failure('usage', `Several SSO applications use ${provider}: ${[first, ...others].join(', ')}.`, {
    hint: 'Choose one with --client-id ID.',
  });
}

function addressIn({ discovery }: JsonObject, provider: string): string {
  if (typeof discovery === 'string' && discovery !== '') return discovery;
  throw new Failure('usage', `The service does not say where ${provider} can be found.`, {
    hint: 'Give --discovery URL.',
  });
}

/** The program that opens an address, and its arguments before the address. */
function openerOf({ env, platform }: Host): readonly [string, ...string[]] {
  if (env.TELCTL_BROWSER) return [env.TELCTL_BROWSER];
  if (platform === 'darwin') return ['open'];
  // `start` is a word of a shell there, which would read the address; this is what it calls.
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  return ['xdg-open'];
}

/** Opens an address in the browser, or in the program of `TELCTL_BROWSER`. False where that cannot be started. */
export function openBrowser(host: Host, address: string): Promise<boolean> {
  const [program, ...args] = openerOf(host);
  return host.processes.startDetached(program, [...args, address], programEnvironment(host));
}
