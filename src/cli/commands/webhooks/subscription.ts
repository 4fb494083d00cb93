import { isObject, type JsonObject, textOrEmpty } from '../../../base/json.ts';
import { type HookTarget, isSameSecret } from '../../../contract/hook-request.ts';
import { masked, maskedUrl, secretSegments } from '../../../contract/secrets.ts';
import type { Context } from '../../command/context.ts';

/** Key of a shared secret in `custom_data`, and so in every payload (Events, delivery rule 6). */
export const secretKey = 'secret';

/** A long secret that nobody can guess: 256 bits, fit for addresses. */
export const newSecret = ({ host }: Pick<Context, 'host'>): string =>
  Buffer.from(host.random.bytes(32)).toString('base64url');

export const carriesSecret = (payload: JsonObject, secret: string): boolean =>
  isSameSecret(Object.hasOwn(payload, secretKey) ? payload[secretKey] : undefined, secret);

export function withoutSecret(payload: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(payload).filter(([key]) => key !== secretKey));
}

/** A subscription as deliveries take it; what it does not say is the default (Webhook subscription). */
export function targetOf(webhook: JsonObject, accountId: string): HookTarget {
  const { http_verb: verb, format, custom_data: customData } = webhook;
  return {
    uri: textOrEmpty(webhook.uri),
    verb: verb === 'get' || verb === 'put' ? verb : 'post',
    format: format === 'json' ? 'json' : 'form-data',
    customData: isObject(customData) ? customData : undefined,
    hookId: textOrEmpty(webhook.id),
    accountId,
  };
}

/** Shortest value that counts as a secret; shorter ones are everyday words. */
const shortest = 6;

/** Returns what may be secret in a subscription: the values of its `custom_data`, and those of its address' query. */
export function secretsOf({
  uri,
  customData = {},
}: Pick<HookTarget, 'uri' | 'customData'>): readonly string[] {
  const modifiers = new Set(['type', 'action']);
  const texts = Object.entries(customData).flatMap(([key, value]) =>
    typeof value === 'string' && !modifiers.has(key) ? [value] : [],
  );
  const url = URL.parse(uri);
  const own = url ? [...url.searchParams.values(), url.password, ...secretSegments(url.pathname)] : [];
  return [...texts, ...own].filter((text) => text.length >= shortest);
}

/** Text from elsewhere without these secrets, should it repeat them: as they are, and as addresses write them. */
export const withoutSecrets = (text: string, secrets: readonly string[]): string =>
  secrets
    .flatMap((secret) => [secret, encodeURIComponent(secret)])
    .reduce((rest, secret) => rest.replaceAll(secret, masked), text);

/** Returns where something was sent, without what may be secret in it. */
export const shownTarget = (uri: string): string => maskedUrl(uri);
