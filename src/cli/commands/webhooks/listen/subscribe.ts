import { join } from 'node:path';
import { createHint, Failure, type NextStep, nextStep, withHint } from '../../../../base/failure.ts';
import type { Host } from '../../../../base/host/host.ts';
import { isObject, type JsonObject } from '../../../../base/json.ts';
import { findNearest } from '../../../../base/nearest.ts';
import { didYouMean } from '../../../../base/wording.ts';
import type { Api, ApiRequest } from '../../../../client/api/api.ts';
import { isLoopback } from '../../../../client/api/transport.ts';
import { webhooks } from '../../../../contract/resources/webhooks.ts';
import type { Context } from '../../../command/context.ts';
import { asRecord, operationFor, pathTo } from '../../records/find-named.ts';
import { listWebhooks } from '../findings.ts';
import {
  acceptsModifiers,
  type ChosenModifiers,
  noMatchingHook,
  type OfferedHook,
  offeredHooks,
  requireAcceptedModifiers,
} from '../hooks.ts';
import { secretKey } from '../target-client.ts';

export interface ListenRequest {
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

/** Returns the hooks to listen for: the wanted, or all that accept the modifiers. Throws `usage`. */
export async function chosenHooks(
  api: Api,
  wanted: readonly string[],
  chosen: ChosenModifiers,
): Promise<readonly OfferedHook[]> {
  const offered = await offeredHooks(api);
  if (wanted.length === 0) {
    const taking = offered.filter((hook) => acceptsModifiers(hook, chosen));
    return taking.length === 0 ? noMatchingHook(chosen, offered) : taking;
  }
  const known: readonly OfferedHook[] = [...offered, { id: 'all', choices: new Map() }];
  const hooks = [...new Set(wanted)].map(
    (id) => known.find((each) => each.id === id) ?? unknownHook(id, known),
  );
  for (const name of ['type', 'action'] as const) {
    const only = { [name]: chosen[name] };
    const meant = hooks.filter(({ choices }) => choices.has(name));
    for (const hook of meant.length === 0 ? hooks : meant) requireAcceptedModifiers(hook, only, known);
  }
  return hooks;
}

function unknownHook(id: string, known: readonly OfferedHook[]): never {
  const near = findNearest(
    id,
    known.map((each) => each.id),
  );
  throw new Failure('usage', `The service has no hook ${JSON.stringify(id)}.${didYouMean(near)}`, {
    hint: createHint`To list them: ${nextStep`webhooks hooks`}`,
  });
}

/** Returns the modifiers that a subscription must name (Conventions, subscription rules). */
const modifiersFor = ({ choices }: OfferedHook, wish: ListenRequest): JsonObject =>
  Object.fromEntries([...choices.keys()].map((name) => [name, wish[name] ?? 'all']));

export const subscriptionCalls = (wish: ListenRequest): readonly (ApiRequest & { readonly hook: string })[] =>
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

/** Hint if the service does not deliver to private addresses. */
const publicAddress = createHint`The service delivers only to public addresses. Open a tunnel to a port of this machine, then: ${nextStep`webhooks listen --port PORT --public-url URL`}`;

const isAddressRefusal = (error: unknown): error is Failure =>
  error instanceof Failure &&
  error.status === 400 &&
  isObject(error.details) &&
  Array.isArray(error.details.fields) &&
  error.details.fields.some((each: unknown) => isObject(each) && each.field === 'uri');

/** Throws `usage` if a remote service cannot reach this machine. `retry` is the command with an address of a tunnel. */
export async function requireReachable(
  { session }: Pick<Context, 'session'>,
  publicUrl: URL | undefined,
  retry: NextStep,
): Promise<void> {
  const { origin, hostname } = new URL((await session()).profile.baseUrl);
  if (publicUrl !== undefined || isLoopback(hostname)) return;
  throw new Failure('usage', `${origin} cannot reach 127.0.0.1 of this machine.`, {
    hint: createHint`Open a tunnel to a port of this machine, then: ${retry}`,
  });
}

/** Reports each subscription immediately, so that all can be removed. */
export async function subscribe(
  api: Api,
  wish: ListenRequest,
  made: (one: ListenSubscription) => void,
): Promise<void> {
  for (const { hook, ...call } of subscriptionCalls(wish)) {
    const { data } = await api.call(call).catch((error: unknown) => {
      throw isAddressRefusal(error) ? withHint(error, publicAddress) : error;
    });
    const { id } = asRecord(webhooks, data);
    if (typeof id !== 'string')
      throw new Failure('failed', 'The service returned no id for the subscription.');
    made({ id, name: `${wish.namePrefix}${hook}`, hook });
  }
}

/** Names of a listener's webhooks contain its machine and process. */
const namePattern = /^telctl-listen-([0-9a-f]{8})-(\d+)-/;

const machinePath = ({ folders }: Host): string => join(folders.state, 'machine');

/** Identifies this machine and user, so that webhooks of other machines are ignored. */
function storedMachineName(host: Host): string | undefined {
  const known = host.files.readText(machinePath(host))?.text.trim();
  return known !== undefined && /^[0-9a-f]{8}$/.test(known) ? known : undefined;
}

function machineName(host: Host): string {
  const known = storedMachineName(host);
  if (known !== undefined) return known;
  const made = Buffer.from(host.random.bytes(4)).toString('hex');
  host.files.writePrivate(machinePath(host), made);
  return made;
}

/** Prefix of the names of this process's webhooks. */
export const listenerPrefix = (host: Host): string =>
  `telctl-listen-${machineName(host)}-${host.processes.pid}-`;

export interface Listening {
  readonly id: string;
  readonly name: string;
}

/** A webhook of this process, and its hook. */
export interface ListenSubscription extends Listening {
  readonly hook: string;
}

async function listListeners(api: Api, isMeant: (name: string) => boolean): Promise<readonly Listening[]> {
  return (await listWebhooks(api)).flatMap(({ id, name }) =>
    typeof id === 'string' && typeof name === 'string' && isMeant(name) ? [{ id, name }] : [],
  );
}

/** Returns true if a webhook's name belongs to a listener of this machine that has ended. */
export function isLeftover(host: Host): (name: string) => boolean {
  const machine = storedMachineName(host);
  return (name) => {
    const [, where, pid] = namePattern.exec(name) ?? [];
    return where !== undefined && where === machine && !host.processes.isAlive(Number(pid));
  };
}

/** Returns webhooks of ended listeners of this machine, and those whose names start with `own`. */
export async function findLeftovers(api: Api, host: Host, own?: string): Promise<readonly Listening[]> {
  if (storedMachineName(host) === undefined) return [];
  const isLeft = isLeftover(host);
  return listListeners(api, (name) => isLeft(name) || (own !== undefined && name.startsWith(own)));
}

/** Lists this process's webhooks at the service. */
export const ownSubscriptions = (api: Api, host: Host): Promise<readonly Listening[]> => {
  const prefix = listenerPrefix(host);
  return listListeners(api, (name) => name.startsWith(prefix));
};

/** A webhook that was not removed, or may not have been. */
export interface RemainingWebhook {
  readonly name: string;
  readonly why: string;
  readonly inDoubt: boolean;
}

/** Removes webhooks concurrently. Returns those that may remain. */
export async function unsubscribe(api: Api, all: readonly Listening[]): Promise<readonly RemainingWebhook[]> {
  const ends = await Promise.all(all.map((one) => remove(api, one)));
  return ends.flatMap((end) => end ?? []);
}

async function remove(api: Api, { id, name }: Listening): Promise<RemainingWebhook | undefined> {
  const path = pathTo(webhooks, id);
  try {
    await api.call({ operation: operationFor(webhooks, 'delete'), path });
    return undefined;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.kind === 'not_found' && (await isGone(api, id))) return undefined;
    // The specification does not document DELETE. A service without it can at least disable the webhook.
    return api.call({ operation: operationFor(webhooks, 'patch'), path, data: { enabled: false } }).then(
      () => ({ name, why: 'it is turned off, but cannot be deleted', inDoubt: false }),
      () => ({ name, why: error.message, inDoubt: error.inDoubt }),
    );
  }
}

async function isGone(api: Api, id: string): Promise<boolean> {
  return listListeners(api, () => true).then(
    (all) => all.every((each) => each.id !== id),
    () => false,
  );
}
