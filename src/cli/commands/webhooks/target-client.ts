import type { Readable } from 'node:stream';
import { Failure } from '../../../base/failure.ts';
import { isObject, type JsonObject, textOf, textOrEmpty } from '../../../base/json.ts';
import { gregorianOffset } from '../../../base/moment.ts';
import { connectionFailure, isLoopback } from '../../../client/api/transport.ts';
import { type HookRequest, type HookTarget, isSameSecret } from '../../../contract/hook-request.ts';
import { sampleOf } from '../../../contract/hook-samples.ts';
import { masked, maskedUrl, secretSegments } from '../../../contract/secrets.ts';
import type { Context } from '../../command/context.ts';
import { readSecret } from '../passwords/secrets.ts';

/** Key of a shared secret in `custom_data`, and so in every payload (Events, delivery rule 6). */
export const secretKey = 'secret';

/** A long secret that nobody can guess: 256 bits, fit for addresses. */
export const newAddressSecret = ({ host }: Pick<Context, 'host'>): string =>
  Buffer.from(host.random.bytes(32)).toString('base64url');

export const carriesSecret = (payload: JsonObject, secret: string): boolean =>
  isSameSecret(Object.hasOwn(payload, secretKey) ? payload[secretKey] : undefined, secret);

export function withoutSecret({ [secretKey]: _, ...payload }: JsonObject): JsonObject {
  return payload;
}

/** A subscription as deliveries take it; what it does not say is the default (Webhook subscription). */
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

/** Shortest value that counts as a secret; shorter ones are everyday words. */
const shortest = 6;

/** Returns what may be secret in a subscription: the values of its `custom_data`, and those of its address' query. */
export function hookSecrets({
  uri,
  customData = {},
}: Pick<HookTarget, 'uri' | 'customData'>): readonly string[] {
  const { type: _, action: __, ...others } = customData;
  const texts = Object.values(others).filter((value) => typeof value === 'string');
  const url = URL.parse(uri);
  const own = url ? [...url.searchParams.values(), url.password, ...secretSegments(url.pathname)] : [];
  return [...texts, ...own].filter((text) => text.length >= shortest);
}

/** Text from elsewhere without these secrets, should it repeat them: as they are, and as addresses write them. */
export const withSecretsMasked = (text: string, secrets: readonly string[]): string =>
  secrets
    .flatMap((secret) => [secret, encodeURIComponent(secret)])
    .reduce((rest, secret) => rest.replaceAll(secret, masked), text);

/** Returns where something was sent, without what may be secret in it. */
export const shownTarget = (uri: string): string => maskedUrl(uri);

export type TargetAnswer =
  | {
      readonly kind: 'reply';
      readonly status: number;
      readonly ms: number;
      /** The beginning of its body. */
      readonly text: string;
      readonly isCut: boolean;
      /** No redirect is followed. */
      readonly isRedirect: boolean;
    }
  | { readonly kind: 'none'; readonly why: string; readonly ms: number };

/** Time that compatible services wait for a receiver (Conventions, success, failure, retry). */
const patienceMs = 10_000;
/** Most bytes of an answer that are read. */
const readAtMost = 16_384;

/** True when an answer counts as delivered: any 2xx (Events, delivery rule 4). */
export const isDelivered = (answer: TargetAnswer): boolean =>
  answer.kind === 'reply' && answer.status >= 200 && answer.status < 300;

/** Says what a target answered, in words: `204 in 12 ms`, `no answer: connection refused`. */
export const answerInWords = (answer: TargetAnswer): string =>
  answer.kind === 'reply'
    ? `${answer.status}${answer.isRedirect ? ' (a redirect, which is not followed)' : ''} in ${answer.ms} ms`
    : answer.why;

/** Checks an address before anything is sent there. Throws `Failure` of kind `usage` for one that is no http address. */
export function targetUrl(text: string, option: string): URL {
  const url = URL.parse(text);
  if (url && (url.protocol === 'http:' || url.protocol === 'https:')) return url;
  throw new Failure('usage', `${option} takes an http or https address, not ${JSON.stringify(text)}.`, {
    hint: `For example: ${option} http://127.0.0.1:3000/hook`,
  });
}

/**
 * Sends a request to a receiver of events, as a service does: no redirect is followed, and its answer is read to a
 * limit. Trouble is an answer, too. Throws `Failure` of kind `interrupted` after Ctrl-C.
 */
export async function sendToTarget(
  { host, settings }: Pick<Context, 'host' | 'settings'>,
  request: HookRequest,
): Promise<TargetAnswer> {
  const { timeoutMs, caFile, insecure } = settings;
  const url = new URL(request.url);
  const waitMs = timeoutMs.source === 'default' ? patienceMs : timeoutMs.value;
  const late = host.after(waitMs);
  const { clock, interrupted } = host;
  const startedMs = clock.now();
  const { openTransport } = await import('../../../client/api/undici-transport.ts');
  // Receivers are called directly, as a service calls them: without a proxy of this machine.
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
    if (size > readAtMost) break;
  }
  const text = Buffer.concat(chunks).subarray(0, readAtMost).toString('utf8');
  return { text, isCut: size > readAtMost };
}

/** Tells an address of the user's what happened. Where that fails, it is a warning. */
export type Notify = (news: {
  readonly event: 'rollout.stopped' | 'reconcile.drift';
  /** A sentence for people, as chats show it. */
  readonly text: string;
  readonly facts: JsonObject;
}) => Promise<void>;

/**
 * The address that is told, from a file or TELCTL_NOTIFY_URL; `undefined` where none is named. News hold counts and
 * names, no values. Throws `Failure` of kind `usage` for an address that is neither https nor of this machine.
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
  // The address is not said: it may hold a secret.
  if (!url || !(url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))))
    throw new Failure('usage', `${source} takes an https address, or an http one of this machine.`);
  return async ({ event, text: said, facts }) => {
    const answer = await sendToTarget(context, {
      method: 'POST',
      url: url.href,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ version: 1, event, text: said, ...facts }),
    });
    if (!isDelivered(answer)) notices.warn(`${source} was not told: ${answerInWords(answer)}.`);
  };
}

/** A sample of an event for a receiver, as the service would send it now; what was not chosen is as its webhook says. */
export const sampleFor = (
  { host }: Pick<Context, 'host'>,
  { accountId, customData = {} }: HookTarget,
  hook: string,
  chosen: { readonly type?: string | undefined; readonly action?: string | undefined },
): JsonObject =>
  sampleOf(hook, {
    accountId,
    timestamp: Math.floor(host.clock.now() / 1000) + gregorianOffset,
    newId: () => Buffer.from(host.random.bytes(16)).toString('hex'),
    type: chosen.type ?? textOf(customData.type),
    action: chosen.action ?? textOf(customData.action),
  });
