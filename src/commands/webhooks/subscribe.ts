import type { Api, Call } from '../../api/api.ts';
import { Failure } from '../../contract/failure.ts';
import type { JsonObject } from '../../contract/json.ts';
import { nearest } from '../../contract/nearest.ts';
import { webhooks } from '../../contract/resources/webhooks.ts';
import { asRecord, operationFor } from '../generic/find-record.ts';
import { secretKey } from './shared-secret.ts';

/** What a listener subscribes to, and where its events are to go. */
export interface Wish {
  readonly hooks: readonly string[];
  readonly type: string | undefined;
  readonly action: string | undefined;
  readonly uri: string;
  readonly secret: string;
  readonly verb: string;
  readonly format: string;
  readonly includeSubaccounts: boolean;
  readonly namePrefix: string;
}

/** The hooks to listen for, checked against those of the service. Throws `Failure` of kind `usage`. */
export async function chosenHooks(api: Api, wanted: readonly string[]): Promise<readonly string[]> {
  const offered: string[] = [];
  for await (const page of api.pages({ operation: operationFor(webhooks, 'hooks') }))
    for (const { id } of page) if (typeof id === 'string') offered.push(id);
  if (wanted.length === 0) return offered;
  const known = [...offered, 'all'];
  for (const hook of wanted) {
    if (known.includes(hook)) continue;
    const near = nearest(hook, known);
    throw new Failure(
      'usage',
      `The service has no hook ${JSON.stringify(hook)}.${near === undefined ? '' : ` Did you mean ${JSON.stringify(near)}?`}`,
      { hint: 'All of them: telctl webhooks hooks' },
    );
  }
  return [...new Set(wanted)];
}

/** Modifiers that a subscription must name (Conventions, subscription rules). */
function modifiersFor(hook: string, { type = 'all', action = 'all' }: Wish): JsonObject {
  if (hook === 'object') return { type, action };
  return hook === 'notifications' ? { type } : {};
}

/** The calls that subscribe, one to a hook. */
export const subscriptionCalls = (wish: Wish): readonly (Call & { readonly hook: string })[] =>
  wish.hooks.map((hook) => ({
    hook,
    operation: operationFor(webhooks, 'create'),
    data: {
      name: `${wish.namePrefix}${hook}`,
      uri: wish.uri,
      hook,
      http_verb: wish.verb,
      format: wish.format,
      ...(wish.includeSubaccounts ? { include_subaccounts: true } : {}),
      custom_data: { ...modifiersFor(hook, wish), [secretKey]: wish.secret },
    },
  }));

/** Subscribes; tells of each subscription as soon as it is made, so that none is forgotten. */
export async function subscribe(
  api: Api,
  wish: Wish,
  made: (one: { readonly id: string; readonly name: string; readonly hook: string }) => void,
): Promise<void> {
  for (const { hook, ...call } of subscriptionCalls(wish)) {
    const { id } = asRecord(webhooks, (await api.call(call)).data);
    if (typeof id !== 'string') throw new Failure('failed', 'The service gave no id for the subscription.');
    made({ id, name: `${wish.namePrefix}${hook}`, hook });
  }
}
