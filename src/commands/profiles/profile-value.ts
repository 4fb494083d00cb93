import type { JsonObject } from '../../base/json.ts';
import type { Context } from '../../command/context.ts';
import type { Profile } from '../../session/profile.ts';
import { openTokenCache, profileTokenPath } from '../../session/token-cache.ts';

/**
 * True where a profile can speak to its service without being signed in anew: it keeps an API key, a command that prints
 * its secret, or a token that still lives.
 */
export function isSignedIn({ host, notices }: Pick<Context, 'host' | 'notices'>, profile: Profile): boolean {
  const { name, keyStore = 'none', secretCommand } = profile;
  if (keyStore !== 'none' || secretCommand !== undefined) return true;
  const token = openTokenCache(host, profileTokenPath(host, name), notices.warn).read();
  return token !== undefined && host.clock.now() < token.expiresAtMs;
}

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
    learned: learnedValue(profile),
  };
}

/** Says when and by what the service was last asked for what it offers; `conformance` shows the result. */
function learnedValue({ learned }: Profile): JsonObject | null {
  if (learned?.conformance === undefined) return null;
  const { at, by } = learned.conformance;
  return { checked_at: at, checked_by: by };
}
