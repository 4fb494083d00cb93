import type { ExportedObject, MarkReader } from './exported.ts';
import { idTokens } from './known-ids.ts';

/** What is known of ids when an export is written. */
export interface MarkFacts {
  /** Ids of exported objects by key. */
  readonly idOf: ReadonlyMap<string, string>;
  /** Keys that an object may not refer to, since that would close a circle. */
  readonly cut: ReadonlyMap<string, ReadonlySet<string>>;
  /** `user alice` for ids of objects that are not part of the export. */
  readonly others: ReadonlyMap<string, string>;
  /** Labels of exported objects by key. */
  readonly labels: ReadonlyMap<string, string>;
}

const mark = /\uE000([^\uE001]*)\uE001/g;

/** Makes what turns marked text into the text of a manifest: references in `${…}`, where they may stand. */
export function markReader({ idOf, cut, others, labels }: MarkFacts): MarkReader {
  const isCut = (object: ExportedObject, key: string): boolean => cut.get(object.key)?.has(key) === true;
  return {
    text(object, marked) {
      const escaped = marked.includes('${') ? marked.replaceAll('${', '$$${') : marked;
      if (!escaped.includes('\uE000')) return escaped;
      return escaped.replaceAll(mark, (_, key: string) =>
        isCut(object, key) ? (idOf.get(key) ?? key) : `\${${key}}`,
      );
    },
    note(object, marked) {
      if (marked.length < 32 && !marked.includes('\uE000')) return undefined;
      const circles = [...marked.matchAll(mark)].flatMap(([, key = '']) =>
        isCut(object, key) ? [`${labels.get(key) ?? key}; a reference would lead in a circle`] : [],
      );
      const unknown = idTokens(marked.replaceAll(mark, '')).map(
        (id) => others.get(id) ?? 'the id of something that is not in this manifest',
      );
      const notes = [...new Set([...circles, ...unknown])];
      return notes.length === 0 ? undefined : notes.join('; ');
    },
  };
}
