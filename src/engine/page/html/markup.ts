import { gregorianOffset } from '../../../base/moment.ts';

/** HTML that is ready to be sent: everything in it that came as text is escaped. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A value of a template: text, which is escaped, markup, lists of both, or nothing. */
export type Content = Markup | string | number | undefined | false | readonly Content[];

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Control characters and marks of direction: they cannot be seen, and change how the rest is read. */
const unseen =
  /[^\P{Cc}\t\n\r]|[\u061C\u180E\u200B\u200E\u200F\u202A-\u202E\u2060-\u2069\uFEFF\uFFF9-\uFFFB\uFFFE\uFFFF]|[\u{E0000}-\u{E007F}]/gu;

/**
 * Text as it may stand in HTML, between tags and in quoted attributes. Invisible characters that would make a name
 * look like another are shown as U+FFFD.
 */
export const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(unseen, '\uFFFD')
    .replaceAll(/[&<>"']/g, (letter) => entities[letter] ?? letter);

function written(content: Content): string {
  if (content === undefined || content === false) return '';
  if (content instanceof Markup) return content.text;
  if (typeof content === 'number') return String(content);
  return typeof content === 'string' ? escaped(content) : content.map(written).join('');
}

/** A template of HTML; its values are escaped unless they are markup themselves. */
export const html = (pieces: TemplateStringsArray, ...contents: readonly Content[]): Markup =>
  new Markup(String.raw({ raw: pieces }, ...contents.map(written)));

/** Text on one line: line breaks and control characters become blanks. */
export const oneLine = (text: string): string => text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();

const cutText = 160;
/** Longer text may be cut by the edge of what it stands in. */
const seenWhole = 24;

/** Text of a record, which keeps its isolated direction and does not turn that of its surroundings. */
export const isolated = (text: string): Markup => html`<bdi>${text}</bdi>`;

/** Text of a record where there is room for some of it; the whole, as far as it is readable, at the pointer. */
export function clipped(text: string): Markup {
  if (text.length <= seenWhole) return isolated(text);
  if (text.length <= cutText) return html`<bdi title="${text}">${text}</bdi>`;
  const whole = [...text.slice(0, 4 * cutText)];
  return html`<bdi title="${whole.join('')}">${whole.slice(0, cutText).join('')}…</bdi>`;
}

/** Yes or no, as a mark. */
export const flag = (value: boolean): Markup =>
  value ? html`<span class="chip yes">yes</span>` : html`<span class="chip no">no</span>`;

/** A moment in Unix milliseconds, to the second. */
export const moment = (ms: number): string =>
  Number.isFinite(ms) && Math.abs(ms) < 8.64e15
    ? new Date(ms).toISOString().slice(0, 19).replace('T', ' ')
    : String(ms);

/** A moment in Gregorian seconds, to the second. */
export const gregorianMoment = (seconds: number): string => moment((seconds - gregorianOffset) * 1000);
