/** HTML that is ready to be sent: everything in it that came as text is escaped. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What may stand in a template: text, which is escaped, markup, lists of both, or nothing. */
export type Content = Markup | string | number | undefined | false | readonly Content[];

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** What cannot be seen and changes how the rest is read: control characters and marks of direction. */
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
