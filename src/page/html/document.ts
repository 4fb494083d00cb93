import { createHash } from 'node:crypto';
import { type Content, html, Markup, moment } from './markup.ts';
import { script } from './script.ts';
import { styles } from './styles.ts';

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Nothing runs, loads or is sent but what the page itself brought, and no other page may frame it. */
const contentSecurityPolicy = [
  "default-src 'none'",
  `script-src ${hashOf(script)}`,
  `style-src ${hashOf(styles)}`,
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** The headers of every page. */
export const pageHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': contentSecurityPolicy,
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
};

const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 22 22'%3E%3Crect width='22' height='22' rx='7' fill='%230b6e6e'/%3E%3Ccircle cx='11' cy='11' r='4' fill='none' stroke='%23fff' stroke-width='2'/%3E%3C/svg%3E";

/** A short fact in the head of the page, and more of it at the pointer. */
export interface Badge {
  readonly text: string;
  readonly title?: string;
}

/** The facts that the program around the page says of itself. */
export interface PageFrame {
  /** The name beside that of telctl: `sandbox`. */
  readonly name: string;
  /** Facts of the service. */
  readonly facts: readonly Badge[];
  /** Facts beside the clock that stand out: what is not as usual. */
  readonly warnings: readonly Badge[];
  /** Id of the account that is shown first, on which the profile acts; left out: the first one below the topmost. */
  readonly home?: string;
}

/** The parts of one page. The script exchanges each by its id. */
export interface DocumentParts {
  readonly title: string;
  /** The service's clock, in Unix milliseconds. */
  readonly nowMs: number;
  readonly accounts: Content;
  readonly content: Content;
  /** The last requests and deliveries; left out where nobody knows them: such a page has no script either. */
  readonly feed: Content;
  /** True when the content is the log itself, beside which the feed is left out. */
  readonly isLog: boolean;
}

const badge = ({ text, title }: Badge, className: string): Markup =>
  html`<span class="${className}"${title !== undefined && html` title="${title}"`}>${text}</span>`;

const liveFeed = (feed: Content): Markup =>
  html`<aside id="live" aria-label="Requests and deliveries"><div><h2>Live</h2><span id="state" role="status">as it was</span><button id="pause" type="button" aria-pressed="false" hidden>Pause</button></div><div id="feed" tabindex="0" role="group" aria-label="Last requests and deliveries">${feed}</div><p class="more"><a href="/?log=all">All of them</a></p></aside>`;

/** The whole page. */
export const document = (
  { name, facts, warnings }: PageFrame,
  { title, nowMs, accounts, content, feed, isLog }: DocumentParts,
): Markup =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${title} · telctl ${name}</title>
<link rel="icon" href="${icon}">
<style>${new Markup(styles)}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header><a class="brand" href="/"><i></i>telctl <small>${name}</small></a>${facts.map((each) =>
    badge(each, 'badge plain'),
  )}<div id="clock" data-now="${nowMs}"><span id="now">${moment(nowMs)}</span> UTC${warnings.map((each) =>
    badge(each, 'badge'),
  )}</div></header>
<div id="room"${isLog && html` class="wide"`}>
<nav id="side" aria-label="Accounts and log"><p class="head">Accounts</p><div id="accounts">${accounts}</div>${
    feed && html`<p class="also"><a href="/?log=all">Requests and deliveries</a></p>`
  }</nav>
<main id="content" tabindex="-1">${content}</main>
${feed && liveFeed(feed)}
</div>
<footer>For looking only; secrets are not shown. Change things with <code>telctl</code>.</footer>
${feed && html`<script>${new Markup(script)}</script>`}
</body>
</html>
`;
