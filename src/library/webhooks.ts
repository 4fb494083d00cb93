import { BlockList, isIPv6 } from 'node:net';
import { Failure } from '../base/failure.ts';
import type { Json, JsonObject } from '../base/json.ts';
import { nearest } from '../base/nearest.ts';
import { didYouMean } from '../base/wording.ts';
import { deliveredPayload, isSameSecret } from '../contract/hook-request.ts';
import { hooks, payloadType } from '../contract/hooks.ts';
import type { WebhookPayloads } from './generated/operations.ts';

/** A request that came to the address of a webhook. `IncomingMessage` of Node.js fits, with the body beside it. */
export interface HookCall {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  /** Names in lower case, or `Headers`. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>> | Headers;
}

/**
 * Expected values of an event. A key that is left out is not checked, and is named in `unchecked`; a key whose value is
 * `undefined` is an error, so that a variable that is not set never lets an event through.
 */
export interface HookOrigin {
  /** Secret of the subscription: `secret` of its `custom_data`, or a part of its address. */
  readonly secret?: string;
  /** Other keys of its `custom_data`, which stand in every payload. */
  readonly customData?: Readonly<Record<string, string>>;
  /** Address that the request came from, and the addresses and networks (`192.0.2.0/24`) that the service sends from. */
  readonly address?: { readonly from: string | undefined; readonly networks: readonly string[] };
  /** Account that the event must be of. */
  readonly accountId?: string;
}

/** An event whose origin was checked as far as it can be. */
export interface HookEvent<H extends keyof WebhookPayloads> {
  readonly hook: H;
  /** The payload, without the secret. Of a form or a query, numbers and truth values are read as such. */
  readonly payload: WebhookPayloads[H];
  /** Subscription and account as the request names them: its sender could write anything there. */
  readonly webhookId: string | undefined;
  readonly accountId: string | undefined;
  /** What was right: `secret`, `custom_data`, `address`. */
  readonly checked: readonly string[];
  /** What nobody checked, or can check, in sentences. */
  readonly unchecked: readonly string[];
}

const never = [
  'The service signs nothing: whoever knows the secret can send such an event.',
  'Nothing tells a copy of an earlier event from a new one.',
];

/**
 * Reads an event of a subscription to `hook`, by JSON, form or query, and checks its origin. Throws `Failure`: `refused`
 * (respond with 403) for a secret, custom data, an account or an address other than the expected one, `invalid` (respond
 * with 400) for a body that is not an event of `hook`, `usage` for an expected value that is `undefined` or empty, and for
 * a hook that does not exist.
 */
export function readWebhook<H extends keyof WebhookPayloads>(
  hook: H,
  call: HookCall,
  body: string | Uint8Array,
  origin: HookOrigin,
): HookEvent<H> {
  refuseUnset(hook, origin);
  const header = (name: string): string | undefined => {
    const value = call.headers instanceof Headers ? call.headers.get(name) : call.headers[name];
    return typeof value === 'string' ? value : undefined;
  };
  // Requests of a server name the path alone.
  const url = URL.parse(call.url ?? '', 'http://receiver.invalid');
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const payload = url && deliveredPayload(call.method ?? 'POST', url, header('content-type'), text)?.payload;
  if (!payload) throw new Failure('invalid', 'This is no event of a webhook: neither JSON nor a form.');
  const sender = header('x-account-id') ?? payload.account_id;
  const { checked, unchecked } = checkOrigin(url, payload, sender, origin);
  const { secret: _, ...told } = payload;
  const said = told.hook_event;
  // Call events name their hook; those of other hooks may leave it out.
  const isOther = hook.startsWith('channel_') ? said !== hook : isHookName(said) && said !== hook;
  if (hook !== 'all' && isOther)
    throw new Failure('invalid', `This is an event of ${JSON.stringify(said ?? null)}, not of "${hook}".`);
  if (typeof sender !== 'string')
    throw new Failure('invalid', 'This event names no account, and every event of a webhook does.');
  const entries = Object.entries(told).map(([key, value]) => [key, asType(value, payloadType(hook, key))]);
  return {
    hook,
    // What the service sends is what the contract says of it: this is where that is said and not checked.
    payload: Object.fromEntries(entries) as WebhookPayloads[H],
    webhookId: header('x-hook-id'),
    accountId: sender,
    checked,
    unchecked: [...never, ...unchecked],
  };
}

/** A text of a form as the type that the same key has in JSON. */
function asType(value: Json | undefined, type: string): Json | undefined {
  if (typeof value !== 'string') return value;
  if (type === 'boolean') return value === 'true' || (value === 'false' ? false : value);
  const number = (type === 'integer' || type === 'number') && value !== '' ? Number(value) : Number.NaN;
  return Number.isNaN(number) ? value : number;
}

/** Hooks that services advertise, and two that compatible services have besides. */
const hookNames: readonly string[] = [...hooks.map(({ id }) => id), 'parking', 'all'];
const isHookName = (word: Json | undefined): boolean => typeof word === 'string' && hookNames.includes(word);

/** Throws `Failure` of kind `usage` for a hook that does not exist, and for expected values that are `undefined` or empty. */
function refuseUnset(hook: string, origin: HookOrigin): void {
  if (!isHookName(hook))
    throw new Failure(
      'usage',
      `There is no hook ${JSON.stringify(hook)}.${didYouMean(nearest(hook, hookNames))}`,
    );
  for (const [key, value] of Object.entries(origin))
    if (value === undefined || value === '')
      throw new Failure(
        'usage',
        `The expected ${key} of the webhook is ${value === '' ? 'empty' : 'undefined'}.`,
        {
          hint: `Leave ${key} out to accept events without checking it.`,
        },
      );
  for (const [key, value] of Object.entries(origin.customData ?? {}))
    if (typeof value !== 'string')
      throw new Failure('usage', `The expected customData.${key} of the webhook is ${String(value)}.`);
}

function checkOrigin(
  url: URL,
  payload: JsonObject,
  sender: Json | undefined,
  { secret, customData, address, accountId }: HookOrigin,
) {
  const ways = [
    {
      name: 'secret',
      isGiven: secret !== undefined,
      isRight: () =>
        [payload.secret, ...url.searchParams.values(), ...url.pathname.split('/')].some(
          (text) => isSameSecret(text, secret ?? '') || isSameSecret(text, encodeURIComponent(secret ?? '')),
        ),
      without: 'No secret was given: whoever knows the address can send such an event.',
    },
    {
      name: 'custom_data',
      isGiven: customData !== undefined,
      isRight: () =>
        Object.entries(customData ?? {}).every(([key, value]) => isSameSecret(payload[key], value)),
      without: 'No custom data was given to be compared.',
    },
    {
      name: 'address',
      isGiven: address !== undefined,
      isRight: () => isWithin(address?.from, address?.networks ?? []),
      without: 'No address was given; the service publishes none that it sends from.',
    },
    {
      name: 'account',
      isGiven: accountId !== undefined,
      isRight: () => typeof sender === 'string' && sender === accountId,
      without: 'No account was given to be compared.',
    },
  ];
  const wrong = ways.find(({ isGiven, isRight }) => isGiven && !isRight());
  if (wrong) throw new Failure('refused', `The ${wrong.name} of this event is not the one that is expected.`);
  return {
    checked: ways.filter(({ isGiven }) => isGiven).map(({ name }) => name),
    unchecked: ways.filter(({ isGiven }) => !isGiven).map(({ without }) => without),
  };
}

/** Tells whether an address is one of these, or in one of these networks. */
function isWithin(address: string | undefined, networks: readonly string[]): boolean {
  const list = new BlockList();
  for (const network of networks) {
    const [name = '', prefix] = network.split('/');
    const kind = isIPv6(name) ? 'ipv6' : 'ipv4';
    list.addSubnet(name, Number(prefix ?? (kind === 'ipv6' ? 128 : 32)), kind);
  }
  return address !== undefined && list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}
