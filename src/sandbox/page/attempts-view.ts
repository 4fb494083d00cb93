import type { Store } from '../store.ts';
import { type Content, html } from './markup.ts';
import { gregorianMoment, own } from './values.ts';

const attemptsAtMost = 25;

/** The last attempts to deliver events to a webhook, newest first. */
export async function attemptsView(accountId: string, webhookId: string, store: Store): Promise<Content> {
  const between = { from: 0, to: Number.MAX_SAFE_INTEGER };
  const found = await store.attempts({ accountId, webhookId, between, limit: attemptsAtMost });
  if (found.length === 0) return html`<p class="nothing">No delivery was tried yet.</p>`;
  return html`<section><h2>Last deliveries</h2><div class="scroll" tabindex="0" role="group" aria-label="Last deliveries"><table><thead><tr><th scope="col">When</th><th scope="col">Event</th><th scope="col">Try</th><th scope="col">Result</th><th scope="col">Reason</th></tr></thead><tbody>${found.map(
    ({
      timestamp,
      body: { result, reason, resp_status_code: code, client_error: error, hook_event: hook, try: nth },
    }) =>
      html`<tr><td>${gregorianMoment(timestamp)}</td><td>${own(String(hook ?? ''))}</td><td>${typeof nth === 'number' && nth}</td><td><span class="status ${result === 'success' ? 'good' : 'bad'}">${own(String(result ?? ''))}</span></td><td>${own(
        [code, error, reason]
          .filter((each) => typeof each === 'string' || typeof each === 'number')
          .join(' · '),
      )}</td></tr>`,
  )}</tbody></table></div></section>`;
}
