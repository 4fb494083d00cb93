import { Failure } from '../../base/failure.ts';
import type { JsonObject } from '../../base/json.ts';
import { isLoopback } from '../../client/api/transport.ts';
import type { Context } from '../command/context.ts';
import { readSecret } from './secrets.ts';
import { answerInWords, isDelivered, sendToTarget } from './webhooks/target-client.ts';

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
