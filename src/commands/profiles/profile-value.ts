import type { JsonObject } from '../../contract/json.ts';
import type { Profile } from '../../session/profile.ts';

/** A profile as scripts read it. */
export function profileValue(profile: Profile, defaultName: string | undefined): JsonObject {
  return {
    name: profile.name,
    default: profile.name === defaultName,
    base_url: profile.baseUrl,
    prefix: profile.prefix,
    account_id: profile.accountId,
    account_name: profile.accountName ?? null,
    owner_id: profile.ownerId ?? null,
    username: profile.username ?? null,
    method: profile.method,
    secret_command: profile.secretCommand ?? null,
    protect: profile.protect ?? null,
    account: profile.account ?? null,
    output: profile.output ?? null,
    ca_file: profile.caFile ?? null,
    client_cert: profile.clientCert ?? null,
    client_key: profile.clientKey ?? null,
    allow_http: profile.allowHttp ?? false,
  };
}
