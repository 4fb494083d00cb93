import { Failure } from '../base/failure.ts';
import { findAccount } from '../cli/commands/bulk/choose-accounts.ts';
import { RunAgreement } from '../cli/commands/charges/charge-consent.ts';
import type { Api } from '../client/api/api.ts';
import type { Client, ProfileOptions } from './client-types.ts';
import { clientOf, decidedBy } from './methods.ts';
import { opens, servicesFor } from './services.ts';

export type { Client, ProfileOptions } from './client-types.ts';
export { Failure };

/**
 * A client that speaks as the command line does: also by its profiles, with its keyring, certificates, proxies, log and
 * the objects that manifests protect. Nothing is sent before the first call, which signs in. Throws `Failure` of kind
 * `usage` for options that contradict each other.
 */
export function connect(options: ProfileOptions): Client {
  const services = servicesFor(options);
  const apis = new Map<string, Promise<Api>>();
  const apiIn = async (word: string): Promise<Api> => {
    const id = await findAccount(services, word);
    return services.inAccount({ id, word }).api();
  };
  const client = clientOf(
    {
      apiFor(account) {
        if (account === undefined) return services.api();
        const api = apis.get(account) ?? apiIn(account);
        apis.set(account, api);
        return api;
      },
      agreementBy: (accept) => new RunAgreement(services, decidedBy(accept)),
      accountId: () => services.accountId(),
      close: () => services.close(),
    },
    options,
  );
  return opens(client, services);
}
