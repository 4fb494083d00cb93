import { html, type Markup } from '../../page/html/markup.ts';
import type { Place } from './place.ts';

/** A field to look for words in a list; it works without the script. */
export const searchForm = ({ accountId, kind, log, find }: Place, label: string): Markup =>
  html`<form role="search" method="get" action="/">${accountId !== undefined && html`<input type="hidden" name="account" value="${accountId}">`}${
    kind !== undefined && html`<input type="hidden" name="kind" value="${kind}">`
  }${log !== undefined && html`<input type="hidden" name="log" value="${log}">`}<input type="search" id="find" name="find" value="${find ?? ''}" maxlength="200" placeholder="${label}" aria-label="${label}" autocomplete="off"><button type="submit">Search</button></form>`;
