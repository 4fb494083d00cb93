import { type Content, html } from '../../page/html/markup.ts';
import type { StoredRecord } from '../store/store.ts';
import { commandLine } from './command-line.ts';
import type { Viewing } from './look.ts';
import { clipped, gregorianMoment, own } from './values.ts';
import { type Health, hasFailed, healthMark, healthOf, outcomeOf } from './webhook-health.ts';

const attemptsAtMost = 25;

/** What there is to say of a webhook's state. */
function wordsOf({ state, why, last }: Health): string {
  if (why !== undefined) return why;
  if (last && hasFailed(last))
    return `The last delivery was not taken${state === 'failing' ? '' : ', but that was a while ago'}.`;
  return last ? 'The last delivery was taken.' : 'No delivery was tried yet.';
}

/** How a webhook fares, and the last attempts to deliver events to it, newest first. */
export async function attemptsView(webhook: StoredRecord, viewing: Viewing): Promise<Content> {
  const { account, store, reach } = viewing;
  const between = { from: 0, to: Number.MAX_SAFE_INTEGER };
  const [health, found] = await Promise.all([
    healthOf(webhook, viewing),
    store.attempts({ accountId: account.id, webhookId: webhook.id, between, limit: attemptsAtMost }),
  ]);
  return html`<p class="fine">${healthMark(health)} ${clipped(wordsOf(health))}</p>${health.state === 'disabled' && commandLine(reach, ['webhooks', 'enable', webhook.id])}${
    found.length > 0 &&
    html`<section><h2>Last deliveries</h2><div class="scroll" tabindex="0" role="group" aria-label="Last deliveries"><table><thead><tr><th scope="col">When</th><th scope="col">Result</th><th scope="col">Event</th><th scope="col">Try</th><th scope="col">Answer</th></tr></thead><tbody>${found.map(
      (attempt) => {
        const {
          timestamp,
          body: { result, hook_event: hook, try: nth },
        } = attempt;
        return html`<tr><td>${gregorianMoment(timestamp)}</td><td><span class="status ${result === 'success' ? 'good' : 'bad'}">${own(String(result ?? ''))}</span></td><td>${own(String(hook ?? ''))}</td><td>${typeof nth === 'number' && nth}</td><td class="wide">${clipped(outcomeOf(attempt))}</td></tr>`;
      },
    )}</tbody></table></div></section>`
  }`;
}
