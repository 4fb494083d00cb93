import type { Resource } from '../../contract/types.ts';
import { html, type Markup } from '../../page/html/markup.ts';
import type { StoredRecord } from '../store/store.ts';
import { nameOf } from './look.ts';
import { linkTo } from './place.ts';
import { clipped } from './values.ts';

/** The way back: to the account, and to the list that a record is in. */
export const crumbs = (account: StoredRecord, resource?: Resource): Markup =>
  html`<nav class="crumbs" aria-label="Where this is"><a href="${linkTo({ accountId: account.id })}">${clipped(nameOf(account))}</a>${
    resource &&
    html` <span aria-hidden="true">/</span> <a href="${linkTo({ accountId: account.id, kind: resource.name })}">${resource.name}</a>`
  }</nav>`;
