import type { Fault, FaultRule } from '../support/faults.ts';

const json = { 'content-type': 'application/json' };
const html = { 'content-type': 'text/html' };
const page = '<!doctype html><html><body><h1>Welcome to the hotel</h1></body></html>';

const refusal = (status: number, code: string): string =>
  JSON.stringify({ data: { message: code }, error: String(status), message: code, status: 'error' });

/** The faults that every request position is struck with, by the words of the table that a drill prints. */
export const strikes = {
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

export type StrikeName = keyof typeof strikes;

export const strikeNames = Object.keys(strikes).filter((name): name is StrikeName => name in strikes);

/** Duration of a fault: it meets one request, or each one from there on. */
export const lastings = ['once', 'for good'] as const;

type Lasting = (typeof lastings)[number];

/** A fault at one request of a command. */
export interface Strike {
  readonly name: StrikeName;
  /** Position of the request that meets it, from 0. */
  readonly at: number;
  readonly lasting: Lasting;
}

/** The rule by which a strike meets its requests. It counts, so it serves one run. */
export function ruleOf({ name, at, lasting }: Strike): FaultRule {
  let position = -1;
  return {
    fault: strikes[name],
    when: () => {
      position += 1;
      return lasting === 'once' ? position === at : position >= at;
    },
  };
}
