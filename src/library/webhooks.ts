import { BlockList, isIPv6 } from 'node:net';
import { Failure } from '../base/failure.ts';
import type { Json, JsonObject } from '../base/json.ts';
import { findNearest } from '../base/nearest.ts';
import { didYouMean } from '../base/wording.ts';
import { deliveredPayload, isSameSecret } from '../contract/hook-request.ts';
import { hooks, payloadType } from '../contract/hooks.ts';
import type { WebhookPayloads } from './generated/operations.ts';

/** A request to the address of a webhook. Fits an `IncomingMessage` of Node.js with the body added. */
export interface HookCall {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  /** Names are in lower case in a plain object. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>> | Headers;
}

/**
 * Expected values of an event. An omitted key is not checked, and is listed in `unchecked`. A key with the value
 * `undefined` is an error, because an unset variable must not accept every event.
 */
export interface HookOrigin {
  /** Secret of the subscription: `secret` in its `custom_data`, or a part of its address. */
  readonly secret?: string;
  /** Other keys of its `custom_data`, which every payload contains. */
  readonly customData?: Readonly<Record<string, string>>;
  /**
   * Address that the request came from, and the addresses and networks (`192.0.2.0/24`) that the service sends from.
   */
  readonly address?: { readonly from: string | undefined; readonly networks: readonly string[] };
  /** Expected account of the event. */
  readonly accountId?: string;
}

export interface HookEvent<H extends keyof WebhookPayloads> {
  readonly hook: H;
  /** Without the secret. Numbers and booleans of a form or query are converted. */
  readonly payload: WebhookPayloads[H];
  /** From the request. Not authenticated. */
  readonly webhookId: string | undefined;
  readonly accountId: string | undefined;
  /** Checks that passed: `secret`, `custom_data`, `address`. */
  readonly checked: readonly string[];
  /** Explanations of what was not or cannot be checked. */
  readonly unchecked: readonly string[];
}

const never = [
  'The service does not sign events. Anyone who knows the secret can send one.',
  'A copy of an earlier event cannot be distinguished from a new one.',
];

/**
 * Parses an event of a subscription to `hook` (JSON, form or query) and checks its origin. Throws `Failure`: `refused`
 * (respond with 403) for an unexpected secret, custom data, account or address; `invalid` (respond with 400) for a body
 * that is not an event of `hook`; `usage` for an unknown hook, or an expected value that is `undefined` or empty.
 */
export function readWebhook<H extends keyof WebhookPayloads>(
  hook: H,
  call: HookCall,
  body: string | Uint8Array,
  origin: HookOrigin,
): HookEvent<H> {
  refuseUnset(hook, origin);
  const readHeaderText = (name: string): string | undefined => {
    const value = call.headers instanceof Headers ? call.headers.get(name) : call.headers[name];
    return typeof value === 'string' ? value : undefined;
  };
  // Requests on a server only contain the path.
  const url = URL.parse(call.url ?? '', 'http://receiver.invalid');
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const payload =
    url && deliveredPayload(call.method ?? 'POST', url, readHeaderText('content-type'), text)?.payload;
  if (!payload)
    throw new Failure('invalid', 'The request is not a webhook event: its body is neither JSON nor a form.');
  const sender = readHeaderText('x-account-id') ?? payload.account_id;
  const { checked, unchecked } = checkOrigin(url, payload, sender, origin);
  const { secret: _, ...told } = payload;
  const said = told.hook_event;
  // Call events name their hook. Other events may omit it.
  const isOther = hook.startsWith('channel_') ? said !== hook : isHookName(said) && said !== hook;
  if (hook !== 'all' && isOther)
    throw new Failure('invalid', `This is an event of ${JSON.stringify(said ?? null)}, not of "${hook}".`);
  if (typeof sender !== 'string')
    throw new Failure('invalid', 'The event has no account. Every webhook event has one.');
  const entries = Object.entries(told).map(([key, value]) => [
    key,
    convertFormValue(value, payloadType(hook, key)),
  ]);
  return {
    hook,
    // The payload type follows the contract. Only this cast is unchecked.
    payload: Object.fromEntries(entries) as WebhookPayloads[H],
    webhookId: readHeaderText('x-hook-id'),
    accountId: sender,
    checked,
    unchecked: [...never, ...unchecked],
  };
}

/** Converts a form value to the type that the key has in JSON. */
function convertFormValue(value: Json | undefined, type: string): Json | undefined {
  if (typeof value !== 'string') return value;
  if (type === 'boolean') return value === 'true' || (value === 'false' ? false : value);
  const number = (type === 'integer' || type === 'number') && value !== '' ? Number(value) : Number.NaN;
  return Number.isNaN(number) ? value : number;
}

/** Services advertise `hooks`. Compatible services have two more. */
const hookNames: readonly string[] = [...hooks.map(({ id }) => id), 'parking', 'all'];
const isHookName = (word: Json | undefined): boolean => typeof word === 'string' && hookNames.includes(word);

/** Throws `usage` for an unknown hook, and for expected values that are `undefined` or empty. */
function refuseUnset(hook: string, origin: HookOrigin): void {
  if (!isHookName(hook))
    throw new Failure(
      'usage',
      `There is no hook ${JSON.stringify(hook)}.${didYouMean(findNearest(hook, hookNames))}`,
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
      without: 'No secret is set. Anyone who knows the address can send an event.',
    },
    {
      name: 'custom_data',
      isGiven: customData !== undefined,
      isRight: () =>
        Object.entries(customData ?? {}).every(([key, value]) => isSameSecret(payload[key], value)),
      without: 'No expected custom data is set.',
    },
    {
      name: 'address',
      isGiven: address !== undefined,
      isRight: () => isInNetworks(address?.from, address?.networks ?? []),
      without: 'No expected address is set. The service does not publish its addresses.',
    },
    {
      name: 'account',
      isGiven: accountId !== undefined,
      isRight: () => typeof sender === 'string' && sender === accountId,
      without: 'No expected account is set.',
    },
  ];
  const wrong = ways.find(({ isGiven, isRight }) => isGiven && !isRight());
  if (wrong) throw new Failure('refused', `The ${wrong.name} of the event is not the expected one.`);
  return {
    checked: ways.filter(({ isGiven }) => isGiven).map(({ name }) => name),
    unchecked: ways.filter(({ isGiven }) => !isGiven).map(({ without }) => without),
  };
}

function isInNetworks(address: string | undefined, networks: readonly string[]): boolean {
  const list = new BlockList();
  for (const network of networks) {
    const [name = '', prefix] = network.split('/');
    const kind = isIPv6(name) ? 'ipv6' : 'ipv4';
    list.addSubnet(name, Number(prefix ?? (kind === 'ipv6' ? 128 : 32)), kind);
  }
  return address !== undefined && list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}
