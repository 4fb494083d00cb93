import type { Fault, FaultRule } from '../support/faults.ts';

const json = { 'content-type': 'application/json' };
const html = { 'content-type': 'text/html' };
const page = '<!doctype html><html><body><h1>Welcome to the hotel</h1></body></html>';

const refusal = (status: number, code: string): string =>
  JSON.stringify({ data: { message: code }, error: String(status), message: code, status: 'error' });

/** The faults for every request position, by their names in the table of a drill. */
export const injectableFaults = {
  'cut before': { kind: 'cut', by: 'close' },
  'cut after': { kind: 'lose-reply' },
  reset: { kind: 'cut', by: 'reset' },
  'half a reply': { kind: 'truncate', afterBytes: 40 },
  garbled: { kind: 'rewrite', change: (body) => body.replaceAll(/["{]/g, '\u0007') },
  late: { kind: 'late' },
  duplicated: { kind: 'duplicate' },
  redirect: { kind: 'answer', status: 302, headers: { location: 'https://elsewhere.example/' }, body: '' },
  'HTML 200': { kind: 'answer', status: 200, headers: html, body: page },
  'HTML 502': { kind: 'answer', status: 502, headers: html, body: page },
  '401': { kind: 'answer', status: 401, headers: json, body: refusal(401, 'invalid_credentials') },
  '429': { kind: 'answer', status: 429, headers: json, body: refusal(429, 'too_many_requests') },
} as const satisfies Readonly<Record<string, Fault>>;

export type FaultName = keyof typeof injectableFaults;

export const faultNames = Object.keys(injectableFaults).filter(
  (name): name is FaultName => name in injectableFaults,
);

/** `once`: the fault affects one request. `for good`: it also affects all later requests. */
export const faultDurations = ['once', 'for good'] as const;

type FaultDuration = (typeof faultDurations)[number];

/** A fault at one request of a command. */
export interface InjectedFault {
  readonly name: FaultName;
  /** Position of the affected request, from 0. */
  readonly at: number;
  readonly duration: FaultDuration;
}

/** Returns the fault rule of an injected fault. It counts requests, so it serves only one run. */
export function faultRule({ name, at, duration }: InjectedFault): FaultRule {
  let position = -1;
  return {
    fault: injectableFaults[name],
    when: () => {
      position += 1;
      return duration === 'once' ? position === at : position >= at;
    },
  };
}
