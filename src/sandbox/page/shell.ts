import { createHash } from 'node:crypto';
import type { RateLimit } from '../../base/rate-limit.ts';
import { type Content, html, Markup } from '../../page/html/markup.ts';
import type { Likeness } from '../behaviour.ts';
import { script } from './script.ts';
import { styles } from './styles.ts';

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Nothing runs, loads or is sent but what the page itself brought, and no other page may frame it. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  `script-src ${hashOf(script)}`,
  `style-src ${hashOf(styles)}`,
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 22 22'%3E%3Crect width='22' height='22' rx='7' fill='%230b6e6e'/%3E%3Ccircle cx='11' cy='11' r='4' fill='none' stroke='%23fff' stroke-width='2'/%3E%3C/svg%3E";

/** The parts of the page. The script exchanges each by its id. */
export interface Parts {
  readonly title: string;
  readonly clock: Content;
  /** Unix milliseconds of the sandbox's clock. */
  readonly now: number;
  readonly accounts: Content;
  readonly content: Content;
  readonly feed: Content;
  readonly like: Likeness | undefined;
  readonly rateLimit: RateLimit | undefined;
  /** Whether the content is the log itself, beside which the last entries need no place of their own. */
  readonly isLog: boolean;
}

/** The whole page. */
export const shell = ({
  title,
  clock,
  now,
  accounts,
  content,
  feed,
  like,
  rateLimit,
  isLog,
}: Parts): Markup =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${title} · telctl sandbox</title>
<link rel="icon" href="${icon}">
<style>${new Markup(styles)}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header><a class="brand" href="/"><i></i>telctl <small>sandbox</small></a>${
    like && html`<span class="badge plain">like ${like}</span>`
  }${
    rateLimit && html`<span class="badge plain" title="--rate-limit">${rateLimit.text} requests</span>`
  }<div id="clock" data-now="${now}">${clock}</div></header>
<div id="room"${isLog && html` class="wide"`}>
<nav id="side" aria-label="Accounts and log"><p class="head">Accounts</p><div id="accounts">${accounts}</div><p class="also"><a href="/?log=all">Requests and deliveries</a></p></nav>
<main id="content" tabindex="-1">${content}</main>
<aside id="live" aria-label="Requests and deliveries"><div><h2>Live</h2><span id="state" role="status">as it was</span><button id="pause" type="button" aria-pressed="false" hidden>Pause</button></div><div id="feed" tabindex="0" role="group" aria-label="Last requests and deliveries">${feed}</div><p class="more"><a href="/?log=all">All of them</a></p></aside>
</div>
<footer>For looking only; secrets are not shown. Change things with <code>telctl</code>.</footer>
<script>${new Markup(script)}</script>
</body>
</html>
`;
