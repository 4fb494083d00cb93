import { BlockList, isIPv6 } from 'node:net';
import { Failure } from '../base/failure.ts';
import type { Json, JsonObject } from '../base/json.ts';
import { deliveredPayload, isSameSecret } from '../contract/hook-request.ts';
import { payloadType } from '../contract/hooks.ts';
import type { WebhookPayloads } from './generated/operations.ts';

/** A request that came to the address of a webhook. `IncomingMessage` of Node.js fits, with the body beside it. */
export interface HookCall {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  /** Names in lower case, or `Headers`. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>> | Headers;
}

/** What an event is held against: what is left out is not checked, and is named in `unchecked`. */
export interface HookOrigin {
  /** Secret of the subscription: `secret` of its `custom_data`, or a part of its address. */
  readonly secret?: string | undefined;
  /** Other keys of its `custom_data`, which stand in every payload. */
  readonly customData?: Readonly<Record<string, string>> | undefined;
  /** Address that the request came from, and the addresses and networks (`192.0.2.0/24`) that the service sends from. */
  readonly address?: { readonly from: string | undefined; readonly networks: readonly string[] } | undefined;
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
 * Reads an event of a subscription to `hook`, by JSON, form or query, and checks where it comes from. Throws `Failure`:
 * `refused` (answer 403) for a secret, custom data or an address that is not the one given here, `invalid` (answer 400) for
 * what is no event.
 */
export function readWebhook<H extends keyof WebhookPayloads>(
  hook: H,
  call: HookCall,
  body: string | Uint8Array,
  origin: HookOrigin,
): HookEvent<H> {
  const header = (name: string): string | undefined => {
    const value = call.headers instanceof Headers ? call.headers.get(name) : call.headers[name];
    return typeof value === 'string' ? value : undefined;
  };
  // Requests of a server name the path alone.
  const url = URL.parse(call.url ?? '', 'http://receiver.invalid');
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const payload = url && deliveredPayload(call.method ?? 'POST', url, header('content-type'), text)?.payload;
  if (!payload) throw new Failure('invalid', 'This is no event of a webhook: neither JSON nor a form.');
  const { checked, unchecked } = checkOrigin(url, payload, origin);
  const { secret: _, ...told } = payload;
  const said = told.hook_event;
  if (hook.startsWith('channel_') && said !== undefined && said !== hook)
    throw new Failure('invalid', `This is an event of ${JSON.stringify(said)}, not of "${hook}".`);
  const entries = Object.entries(told).map(([key, value]) => [key, asType(value, payloadType(hook, key))]);
  return {
    hook,
    // What the service sends is what the contract says of it: this is where that is said and not checked.
    payload: Object.fromEntries(entries) as WebhookPayloads[H],
    webhookId: header('x-hook-id'),
    accountId: header('x-account-id'),
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

function checkOrigin(url: URL, payload: JsonObject, { secret, customData, address }: HookOrigin) {
  // A variable that is not set is no secret.
  if (secret === '') throw new Failure('usage', 'The secret of the webhook is empty.');
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
