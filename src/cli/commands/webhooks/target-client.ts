import type { ClientRequest, IncomingMessage } from 'node:http';
import { Failure } from '../../../base/failure.ts';
import { connectionFailure } from '../../../client/api/transport.ts';
import type { HookRequest } from '../../../contract/hook-request.ts';
import type { Context } from '../../command/context.ts';

export type TargetAnswer =
  | {
      readonly kind: 'reply';
      readonly status: number;
      readonly ms: number;
      /** The beginning of its body. */
      readonly text: string;
      readonly isCut: boolean;
      /** Target of a redirect, which is not followed. */
      readonly location: string | undefined;
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
    ? `${answer.status}${answer.location === undefined ? '' : ` (a redirect, which is not followed)`} in ${answer.ms} ms`
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
  const { request: open } =
    url.protocol === 'https:' ? await import('node:https') : await import('node:http');
  const options = {
    method: request.method,
    agent: false,
    signal: AbortSignal.any([late, interrupted]),
    headers: {
      ...request.headers,
      'user-agent': 'telctl',
      ...(request.body === undefined ? {} : { 'content-length': Buffer.byteLength(request.body) }),
    },
    // Said in any case: a variable of Node.js would turn it off otherwise.
    rejectUnauthorized: !insecure.value,
    ...(caFile.value === undefined ? {} : { ca: await authorities(host, caFile.value) }),
  };
  try {
    const reply = await answered(open(url, options), request.body);
    const { text, isCut } = await bodyStart(reply);
    const { statusCode: status = 0, headers } = reply;
    const location = status >= 300 && status < 400 ? headers.location : undefined;
    return { kind: 'reply', status, ms: clock.now() - startedMs, text, isCut, location };
  } catch (error) {
    if (interrupted.aborted) throw new Failure('interrupted', 'Interrupted.', { cause: error });
    const ms = clock.now() - startedMs;
    if (late.aborted) return { kind: 'none', why: `no answer within ${waitMs / 1000} s`, ms };
    return { kind: 'none', why: connectionFailure(url, error).message.replace(/\.$/, ''), ms };
  }
}

function answered(request: ClientRequest, body: string | undefined): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once('response', resolve);
    request.once('error', reject);
    request.end(body);
  });
}

async function bodyStart(
  reply: IncomingMessage,
): Promise<{ readonly text: string; readonly isCut: boolean }> {
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

async function authorities({ files }: Context['host'], path: string): Promise<string[]> {
  const file = files.readText(path);
  if (file === undefined) throw new Failure('usage', `The certificate file ${path} does not exist.`);
  const { getCACertificates } = await import('node:tls');
  return [...getCACertificates('default'), file.text];
}
