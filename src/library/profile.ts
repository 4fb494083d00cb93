import { Failure } from '../base/failure.ts';
import { findAccount } from '../cli/commands/bulk/choose-accounts.ts';
import { RunAgreement } from '../cli/commands/charges/charge-consent.ts';
import type { Api } from '../client/api/api.ts';
import type { Client, ProfileOptions } from './client-types.ts';
import { createClient, toConsent } from './methods.ts';
import { rememberServices, servicesFor } from './services.ts';

export type { Client, ProfileOptions } from './client-types.ts';
export { Failure };

/**
 * Creates a client that works like the command line, with its profiles, keyring, certificates, proxies, log and
 * protected manifest objects. The first call signs in. No request is sent before. Throws a `Failure` of kind `usage`
 * for contradictory options.
 */
export function connect(options: ProfileOptions): Client {
  const services = servicesFor(options);
  const apis = new Map<string, Promise<Api>>();
  const apiOfAccount = async (word: string): Promise<Api> => {
    const id = await findAccount(services, word);
    return services.inAccount({ id, label: word }).api();
  };
  const client = createClient(
    {
      apiFor(account) {
        if (account === undefined) return services.api();
        const api = apis.get(account) ?? apiOfAccount(account);
        apis.set(account, api);
        return api;
      },
      createAgreement: (accept) => new RunAgreement(services, toConsent(accept)),
      accountId: () => services.accountId(),
      close: () => services.close(),
    },
    options,
  );
  return rememberServices(client, services);
}
