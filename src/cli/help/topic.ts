import { type Columns, paragraph, section, twoColumns } from './layout.ts';

/** A piece of a topic: a paragraph, rows of a word and what it means, or lines that are typed as they stand. */
export type Part =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'rows';
      readonly heading?: string;
      readonly rows: readonly (readonly [string, string])[];
    }
  | { readonly kind: 'lines'; readonly heading?: string; readonly lines: readonly string[] };

/** A page of `telctl help` that is about no command, as data: help shows it, and the manual pages have it too. */
export interface Topic {
  readonly name: string;
  /** Another word for it. */
  readonly alias?: string;
  readonly summary: string;
  readonly parts: readonly Part[];
}

const bodyOf = (part: Part, columns: Columns): string => {
  if (part.kind === 'text') return `${paragraph(part.text, columns)}\n`;
  const body =
    part.kind === 'rows'
      ? twoColumns(part.rows, columns)
      : part.lines.map((line) => `  ${line}`.trimEnd()).join('\n');
  return part.heading === undefined ? `${body}\n` : section(part.heading, body);
};

/** A topic as `telctl help` shows it. */
export const topicPage = ({ parts }: Topic, columns: Columns): string =>
  parts.map((part) => bodyOf(part, columns)).join('\n');
