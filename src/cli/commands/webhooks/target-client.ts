import type { Readable } from 'node:stream';
import { Failure } from '../../../base/failure.ts';
import { isObject, type JsonObject, textOrEmpty, textOrUndefined } from '../../../base/json.ts';
import { gregorianOffset } from '../../../base/moment.ts';
import { connectionFailure, isLoopback } from '../../../client/api/transport.ts';
import { type HookRequest, type HookTarget, isSameSecret } from '../../../contract/hook-request.ts';
import { samplePayload } from '../../../contract/hook-samples.ts';
import { masked, secretSegments } from '../../../contract/secrets.ts';
import type { Context } from '../../command/context.ts';
import { readSecret } from '../passwords/secrets.ts';

/** Key of a shared secret in `custom_data`, and so in every payload (Events, delivery rule 6). */
export const secretKey = 'secret';

/** Generates a secret of 256 bits that is safe in addresses. */
export const newAddressSecret = ({ host }: Pick<Context, 'host'>): string =>
  Buffer.from(host.random.bytes(32)).toString('base64url');

export const carriesSecret = (payload: JsonObject, secret: string): boolean =>
  isSameSecret(Object.hasOwn(payload, secretKey) ? payload[secretKey] : undefined, secret);

export function withoutSecret({ [secretKey]: _, ...payload }: JsonObject): JsonObject {
  return payload;
}

/** Fills in the defaults of missing fields (Webhook subscription). */
export function hookTarget(webhook: JsonObject, accountId: string): HookTarget {
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

const minSecretLength = 6;

/** Returns values of a subscription that may be secret: those of `custom_data` and of the query of its address. */
export function hookSecrets({
  uri,
  customData = {},
}: Pick<HookTarget, 'uri' | 'customData'>): readonly string[] {
  const { type: _, action: __, ...others } = customData;
  const texts = Object.values(others).filter((value) => typeof value === 'string');
  const url = URL.parse(uri);
  const own = url ? [...url.searchParams.values(), url.password, ...secretSegments(url.pathname)] : [];
  return [...texts, ...own].filter((text) => text.length >= minSecretLength);
}

/** Masks these secrets in text, both plain and URL-encoded. */
export const maskSecretTexts = (text: string, secrets: readonly string[]): string =>
  secrets
    .flatMap((secret) => [secret, encodeURIComponent(secret)])
    .reduce((rest, secret) => rest.replaceAll(secret, masked), text);

export type TargetAnswer =
  | {
      readonly kind: 'reply';
      readonly status: number;
      readonly ms: number;
      readonly text: string;
      readonly isCut: boolean;
      /** Redirects are not followed. */
      readonly isRedirect: boolean;
    }
  | { readonly kind: 'none'; readonly why: string; readonly ms: number };

/** Timeout of compatible services for a receiver (Conventions, success, failure, retry). */
const deliveryTimeoutMs = 10_000;
/** In bytes. The rest of a response is not read. */
const maxResponseSize = 16_384;

/** Returns true if a response counts as delivered: any 2xx (Events, delivery rule 4). */
export const isDelivered = (answer: TargetAnswer): boolean =>
  answer.kind === 'reply' && answer.status >= 200 && answer.status < 300;

/** Describes the response of a target: `204 in 12 ms`, `no answer: connection refused`. */
export const describeAnswer = (answer: TargetAnswer): string =>
  answer.kind === 'reply'
    ? `${answer.status}${answer.isRedirect ? ' (a redirect, which is not followed)' : ''} in ${answer.ms} ms`
    : answer.why;

/** Checks an address before a request. Throws `usage` if it is not an http address. */
export function targetUrl(text: string, option: string): URL {
  const url = URL.parse(text);
  if (url && (url.protocol === 'http:' || url.protocol === 'https:')) return url;
  throw new Failure('usage', `${option} must be an http or https address, not ${JSON.stringify(text)}.`, {
    hint: `For example: ${option} http://127.0.0.1:3000/hook`,
  });
}

/** Sends a request without redirects. Returns errors as an answer. Throws `interrupted` after Ctrl-C. */
export async function sendToTarget(
  { host, settings }: Pick<Context, 'host' | 'settings'>,
  request: HookRequest,
): Promise<TargetAnswer> {
  const { timeoutMs, caFile, insecure } = settings;
  const url = new URL(request.url);
  const waitMs = timeoutMs.source === 'default' ? deliveryTimeoutMs : timeoutMs.value;
  const late = host.after(waitMs);
  const { clock, interrupted } = host;
  const startedMs = clock.now();
  const { openTransport } = await import('../../../client/api/undici-transport.ts');
  // Receivers are called directly, like the service does, without a proxy.
  const transport = await openTransport({
    baseUrl: url.origin,
    env: {},
    clock,
    files: host.files,
    caFile: caFile.value,
    insecure: insecure.value,
    allowHttp: true,
    connections: 1,
  });
  const signIn = Buffer.from(`${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`);
  const headers = {
    ...(url.username === '' ? {} : { authorization: `Basic ${signIn.toString('base64')}` }),
    ...request.headers,
    'user-agent': 'telctl',
  };
  try {
    const signal = AbortSignal.any([late, interrupted]);
    const { method, body } = request;
    const reply = await transport.send({ method, url, headers, body, timeoutMs: waitMs, signal });
    const { text, isCut } = await bodyStart(reply.body);
    const { status } = reply;
    const isRedirect = status >= 300 && status < 400 && reply.headers.location !== undefined;
    return { kind: 'reply', status, ms: clock.now() - startedMs, text, isCut, isRedirect };
  } catch (error) {
    if (interrupted.aborted) throw new Failure('interrupted', 'Interrupted.', { cause: error });
    const ms = clock.now() - startedMs;
    if (late.aborted) return { kind: 'none', why: `no answer within ${waitMs / 1000} s`, ms };
    const failure = error instanceof Failure ? error : connectionFailure(url, error);
    return { kind: 'none', why: failure.message.replace(/\.$/, ''), ms };
  } finally {
    await transport.close();
  }
}

async function bodyStart(reply: Readable) {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of reply) {
    const bytes = Buffer.from(chunk);
    chunks.push(bytes);
    size += bytes.length;
    if (size > maxResponseSize) break;
  }
  const text = Buffer.concat(chunks).subarray(0, maxResponseSize).toString('utf8');
  return { text, isCut: size > maxResponseSize };
}

/** Sends a notification to the user's address. Warns if that fails. */
export type Notify = (news: {
  readonly event: 'rollout.stopped' | 'reconcile.drift';
  /** A sentence for chat programs. */
  readonly text: string;
  readonly facts: JsonObject;
}) => Promise<void>;

/**
 * Returns the address for notifications, from a file or TELCTL_NOTIFY_URL. Notifications contain counts and names,
 * but no values. Throws `usage` if the address is neither https nor of this machine.
 */
export async function notifierOf(context: Context, file: string | undefined): Promise<Notify | undefined> {
  const { host, notices } = context;
  const source = file === undefined ? 'TELCTL_NOTIFY_URL' : `--notify-file ${file}`;
  const text =
    file === undefined
      ? host.env.TELCTL_NOTIFY_URL
      : await readSecret(context, 'address', { stdin: false, file });
  if (text === undefined || text === '') return undefined;
  const url = URL.parse(text.trim());
  // The message omits the address, which may contain a secret.
  if (!url || !(url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))))
    throw new Failure('usage', `${source} must be an https address, or an http address of this machine.`);
  return async ({ event, text: said, facts }) => {
    const answer = await sendToTarget(context, {
      method: 'POST',
      url: url.href,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ version: 1, event, text: said, ...facts }),
    });
    if (!isDelivered(answer))
      notices.warn(`The notification to ${source} failed: ${describeAnswer(answer)}.`);
  };
}

/** Builds a sample event in the service's format. Properties that were not chosen come from the webhook. */
export const sampleFor = (
  { host }: Pick<Context, 'host'>,
  { accountId, customData = {} }: HookTarget,
  hook: string,
  chosen: { readonly type?: string | undefined; readonly action?: string | undefined },
): JsonObject =>
  samplePayload(hook, {
    accountId,
    timestamp: Math.floor(host.clock.now() / 1000) + gregorianOffset,
    newId: () => Buffer.from(host.random.bytes(16)).toString('hex'),
    type: chosen.type ?? textOrUndefined(customData.type),
    action: chosen.action ?? textOrUndefined(customData.action),
  });
