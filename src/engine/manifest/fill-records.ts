import type { Host } from '../../base/host/host.ts';
import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { masked } from '../../contract/secrets.ts';
import type { Source } from '../input/document.ts';
import type { Report } from '../input/read-fields.ts';
import type { RecordFilling } from '../input/read-records.ts';
import { isTemplate, type Refer } from './desired/expand.ts';
import { type Notes, newNotes, textFiller } from './desired/fill.ts';
import { createOutside, type Outside } from './desired/outside.ts';

/** Records stand alone: there is no manifest around them that names other objects or variables. */
const refuseObjects: Refer = (kind, name) => ({
  problem: `\${${kind}.${name}} names an object of a manifest, and there is none here; give its id`,
});

/** Fills in `${env.NAME}` and `${file.PATH}` in records of files. What options gave (`literal`) stays. */
export function recordFilling(
  host: Host,
  report: Report,
  { allowFiles, literal }: { readonly allowFiles: readonly string[]; readonly literal: ReadonlySet<Source> },
): RecordFilling {
  const outside = createOutside(host, new Map(), { allowFiles });
  const alone: Outside = {
    ...outside,
    lookUp: (word, name, folder) =>
      word === 'var'
        ? { problem: `\${var.${name}} is known to manifests only; \${env.NAME} reads the environment` }
        : outside.lookUp(word, name, folder),
  };
  let notes: Notes & { readonly confidential: string[] } = newNotes();
  const fill = textFiller(host, alone, report, refuseObjects, () => notes);
  return {
    fill: (node, text, path, shape) =>
      isTemplate(text) && !literal.has(node.source) ? fill(node, text, path, shape) : undefined,
    begin() {
      notes = newNotes();
      return notes.confidential;
    },
  };
}

export function maskedAt(record: JsonObject, paths: readonly string[]): JsonObject {
  const hidden = new Set(paths);
  const visit = (value: JsonObject, above: string): JsonObject =>
    Object.fromEntries(
      Object.entries(value).map(([key, inner]) => {
        const path = `${above}${key.replaceAll('.', '%2E')}`;
        return [key, shownValue(inner, path)];
      }),
    );
  const shownValue = (value: Json | undefined, path: string): Json | undefined => {
    if (hidden.has(path)) return masked;
    if (Array.isArray(value))
      return value.map((item: Json, index) => shownValue(item, `${path}.${index}`) ?? null);
    return isObject(value) ? visit(value, `${path}.`) : value;
  };
  return hidden.size === 0 ? record : visit(record, '');
}
