import type { JsonObject } from '../../base/json.ts';
import type { Kind } from '../kinds.ts';
import type { ExportedObject, MarkReader } from './exported.ts';
import { idTokens, isPlaceholder } from './known-ids.ts';
import { labelOf } from './local-names.ts';

/** Facts known of ids when an export is written. */
export interface MarkFacts {
  /** Ids of all objects by key. */
  readonly ids: ReadonlyMap<string, string>;
  /** The objects that a reference can lead to, by key. */
  readonly described: ReadonlyMap<string, { readonly kind: Kind; readonly fields: JsonObject }>;
  /** Keys that an object may not refer to, since that would close a circle that no late field opens. */
  readonly cut: ReadonlyMap<string, ReadonlySet<string>>;
  /** `user alice` for ids of objects that are not part of the export. */
  readonly others: ReadonlyMap<string, string>;
  /** Expressions that stand for secrets, by mark. */
  readonly variables: ReadonlyMap<string, string>;
}

const mark = /\uE000([^\uE001]*)\uE001/g;

/** Makes what turns marked text into the text of a manifest: references in `${…}`, where they may stand. */
export function markReader({ ids, described, cut, others, variables }: MarkFacts): MarkReader {
  const standsAsId = (object: ExportedObject, key: string): boolean =>
    !isPlaceholder(key) && (!described.has(key) || cut.get(object.key)?.has(key) === true);
  const needsNote = (object: ExportedObject): boolean =>
    object.strays || object.refersTo.some((key) => standsAsId(object, key));
  const noted = new WeakMap<ExportedObject, boolean>();
  return {
    text(object, marked) {
      const escaped = marked.includes('${') ? marked.replaceAll('${', '$$${') : marked;
      if (!escaped.includes('\uE000')) return escaped;
      return escaped.replaceAll(mark, (_, key: string) =>
        standsAsId(object, key) ? (ids.get(key) ?? key) : `\${${variables.get(key) ?? key}}`,
      );
    },
    note(object, marked) {
      if (marked.length < 32 && !marked.includes('\uE000')) return undefined;
      const isNoted = noted.get(object) ?? needsNote(object);
      noted.set(object, isNoted);
      if (!isNoted) return undefined;
      const asIds = [...marked.matchAll(mark)].flatMap(([, key = '']) => {
        if (!standsAsId(object, key)) return [];
        const target = described.get(key);
        return [
          target === undefined
            ? 'the id of something that is gone'
            : `${labelOf(target.kind, target.fields)}; a reference would lead in a circle`,
        ];
      });
      const unknown = idTokens(marked.replaceAll(mark, '')).map(
        (id) => others.get(id) ?? 'the id of something that is not in this manifest',
      );
      const notes = [...new Set([...asIds, ...unknown])];
      return notes.length === 0 ? undefined : notes.join('; ');
    },
  };
}
