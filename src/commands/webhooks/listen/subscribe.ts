import type { Api, Call } from '../../../api/api.ts';
import { Failure, withHint } from '../../../base/failure.ts';
import { isObject, type JsonObject } from '../../../base/json.ts';
import { nearest } from '../../../base/nearest.ts';
import { didYouMean } from '../../../base/wording.ts';
import { webhooks } from '../../../contract/resources/webhooks.ts';
import { asRecord, operationFor } from '../../generic/find-record.ts';
import {
  type Chosen,
  type OfferedHook,
  offeredHooks,
  refuseTakenByNone,
  refuseUntaken,
  takes,
} from '../modifiers.ts';
import { secretKey } from '../subscription.ts';

/** The hooks that a listener subscribes to, and where its events are to go. */
export interface Wish {
  readonly hooks: readonly OfferedHook[];
  readonly type: string | undefined;
  readonly action: string | undefined;
  readonly uri: string;
  readonly secret: string;
  readonly verb: string;
  readonly format: string;
  readonly includeSubaccounts: boolean;
  readonly namePrefix: string;
}

/**
 * The hooks to listen for, checked against those of the service. Where none is named, all of them; those that take it,
 * where something is chosen. Throws `Failure` of kind `usage`.
 */
export async function chosenHooks(
  api: Api,
  wanted: readonly string[],
  chosen: Chosen,
): Promise<readonly OfferedHook[]> {
  const offered = await offeredHooks(api);
  if (wanted.length === 0) {
    const taking = offered.filter((hook) => takes(hook, chosen));
    return taking.length === 0 ? refuseTakenByNone(chosen, offered) : taking;
  }
  const known: readonly OfferedHook[] = [...offered, { id: 'all', choices: new Map() }];
  const hooks = [...new Set(wanted)].map((id) => known.find((each) => each.id === id) ?? noHook(id, known));
  for (const name of ['type', 'action'] as const) {
    const only = { [name]: chosen[name] };
    const meant = hooks.filter(({ choices }) => choices.has(name));
    for (const hook of meant.length === 0 ? hooks : meant) refuseUntaken(hook, only, known);
  }
  return hooks;
}

function noHook(id: string, known: readonly OfferedHook[]): never {
  const near = nearest(
    id,
    known.map((each) => each.id),
  );
  throw new Failure('usage', `The service has no hook ${JSON.stringify(id)}.${didYouMean(near)}`, {
    hint: 'To list them: telctl webhooks hooks',
  });
}

/** Modifiers that a subscription must name (Conventions, subscription rules). */
const modifiersFor = ({ choices }: OfferedHook, wish: Wish): JsonObject =>
  Object.fromEntries([...choices.keys()].map((name) => [name, wish[name] ?? 'all']));

/** The calls that subscribe, one to a hook. */
export const subscriptionCalls = (wish: Wish): readonly (Call & { readonly hook: string })[] =>
  wish.hooks.map((offered) => ({
    hook: offered.id,
    operation: operationFor(webhooks, 'create'),
    data: {
      name: `${wish.namePrefix}${offered.id}`,
      uri: wish.uri,
      hook: offered.id,
      http_verb: wish.verb,
      format: wish.format,
      ...(wish.includeSubaccounts ? { include_subaccounts: true } : {}),
      custom_data: { ...modifiersFor(offered, wish), [secretKey]: wish.secret },
    },
  }));

/** Advice if the service delivers to no address of this machine alone. */
const publicAddress =
  'The service delivers to public addresses alone. Open a tunnel to a port of this machine, then: telctl webhooks listen --port PORT --public-url https://…';

/** True where the service refused the address that events are to go to. */
const refusesAddress = (error: unknown): error is Failure =>
  error instanceof Failure &&
  error.status === 400 &&
  isObject(error.details) &&
  Array.isArray(error.details.fields) &&
  error.details.fields.some((each: unknown) => isObject(each) && each.field === 'uri');

/** Subscribes; tells of each subscription as soon as it is made, so that none is forgotten. */
export async function subscribe(
  api: Api,
  wish: Wish,
  made: (one: { readonly id: string; readonly name: string; readonly hook: string }) => void,
): Promise<void> {
  for (const { hook, ...call } of subscriptionCalls(wish)) {
    const { data } = await api.call(call).catch((error: unknown) => {
      throw refusesAddress(error) ? withHint(error, publicAddress) : error;
    });
    const { id } = asRecord(webhooks, data);
    if (typeof id !== 'string') throw new Failure('failed', 'The service gave no id for the subscription.');
    made({ id, name: `${wish.namePrefix}${hook}`, hook });
  }
}
