import { textAt } from '../../../../base/json.ts';
import { gregorianOffset } from '../../../../base/moment.ts';
import { type WebhookState, webhookState } from '../../../../contract/webhook-findings.ts';
import {
  type AccountReach,
  clipText,
  commandLine,
  formatGregorianMoment,
  html,
  isolateText,
  type Markup,
  scrollingTable,
} from '../../../../engine/html/markup.ts';
import type { Reader, ReadRecord, ShownAttempt } from '../../reader.ts';

const attemptsAtMost = 25;

/** The state of a webhook as in `telctl webhooks health`, and its last delivery. */
export interface Health {
  readonly state: WebhookState;
  readonly why?: string;
  /** True if it has no known problem, or a user turned it off. */
  readonly isFine: boolean;
  readonly last: ShownAttempt | undefined;
}

const hasFailed = ({ body: { result } }: ShownAttempt): boolean => result !== 'success';

/** Returns why a delivery failed, or the status of the response. */
export const attemptOutcome = ({
  body: { reason, resp_status_code: code, client_error: error },
}: ShownAttempt): string =>
  [code, error, reason].filter((each) => typeof each === 'string' || typeof each === 'number').join(' · ');

function webhookHealth({ body }: ReadRecord, last: ShownAttempt | undefined, nowMs: number): Health {
  const state = webhookState(
    body,
    last && { hasFailed: hasFailed(last), atMs: (last.timestamp - gregorianOffset) * 1000 },
    nowMs,
  );
  if (state !== 'disabled') return { state, isFine: state === 'enabled', last };
  const reason = textAt(body, 'disable_reason');
  return { state, why: reason ?? 'turned off by hand', isFine: reason === undefined, last };
}

export type HealthById = ReadonlyMap<string, Health>;

export async function readHealth(
  reader: Reader,
  webhooks: readonly ReadRecord[],
  accountId: string,
): Promise<HealthById> {
  const nowMs = reader.now();
  const known = webhooks.map(async (webhook) => {
    const [last] = await reader.attempts(accountId, webhook.id, 1);
    return [webhook.id, webhookHealth(webhook, last, nowMs)] as const;
  });
  return new Map(await Promise.all(known));
}

/** Shows the state of a webhook as a label. It is green if the last delivery succeeded. */
export const healthMark = ({ state, isFine, last }: Health): Markup =>
  html`<span class="status ${isFine ? (state === 'enabled' && last && !hasFailed(last) ? 'good' : 'other') : 'bad'}">${state}</span>`;

function describeHealth({ state, why, last }: Health): string {
  if (why !== undefined) return why;
  if (last && hasFailed(last))
    return `The last delivery failed${state === 'failing' ? '' : ', but some time ago'}.`;
  return last ? 'The last delivery succeeded.' : 'No deliveries yet.';
}

function attemptRow(attempt: ShownAttempt): Markup {
  const {
    timestamp,
    body: { result, hook_event: hook, try: nth },
  } = attempt;
  return html`<tr><td>${formatGregorianMoment(timestamp)}</td><td><span class="status ${result === 'success' ? 'good' : 'bad'}">${isolateText(String(result ?? ''))}</span></td><td>${isolateText(String(hook ?? ''))}</td><td>${typeof nth === 'number' && nth}</td><td class="wide">${clipText(attemptOutcome(attempt))}</td></tr>`;
}

/** Shows the state of a webhook and its latest delivery attempts, newest first. */
export async function webhookView(
  reader: Reader,
  webhook: ReadRecord,
  accountId: string,
  reach: AccountReach | undefined,
): Promise<Markup> {
  const attempts = await reader.attempts(accountId, webhook.id, attemptsAtMost);
  const health = webhookHealth(webhook, attempts[0], reader.now());
  return html`<p class="fine">${healthMark(health)} ${clipText(describeHealth(health))}</p>${health.state === 'disabled' && commandLine(reach, ['webhooks', 'enable', webhook.id])}${
    attempts.length > 0 &&
    html`<section><h2>Last deliveries</h2>${scrollingTable('Last deliveries', ['When', 'Result', 'Event', 'Try', 'Answer'], attempts.map(attemptRow))}</section>`
  }`;
}
