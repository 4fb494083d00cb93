import type { JsonObject } from '../base/json.ts';
import { type ModuleKind, moduleData, moduleNames } from './module-data.ts';

/** The schema word of a step's node, and whose modules the step is made of. */
export const stepWord = 'x-modules';

/** The schema word of a step that may lack its module. */
export const partialStepWord = 'x-modules-partial';

/** Words that are telctl's own business and say nothing to other programs. */
export const innerWords: ReadonlySet<string> = new Set([
  'x-option',
  'x-secret-bearing',
  'x-names',
  'x-worked-out',
  'x-dialled',
  'x-kept-as',
]);

const isKind = (value: unknown): value is ModuleKind => value === 'callflow' || value === 'metaflow';

/**
 * The node of a flow's step for editors and validators: `module` is one of the known names, and `data` is what that
 * module takes. Other nodes come back as they are. `written` turns the schema of a module's data into the form that
 * the document needs.
 */
export function stepConditions(
  node: JsonObject,
  written: (schema: JsonObject) => JsonObject = (schema) => schema,
): JsonObject {
  const { [stepWord]: kind, [partialStepWord]: _, ...rest } = node;
  if (!isKind(kind)) return node;
  const names = moduleNames(kind);
  return {
    ...rest,
    allOf: [
      { properties: { module: written({ type: 'string', enum: [...names] }) } },
      ...names.flatMap((name) => {
        const data = moduleData(kind, name);
        if (data === undefined) return [];
        const plain: JsonObject = JSON.parse(
          JSON.stringify({ ...data, additionalProperties: true }, (word, value) =>
            innerWords.has(word) || word === stepWord ? undefined : value,
          ),
        );
        return [
          Object.fromEntries([
            ['if', { properties: { module: { const: name } }, required: ['module'] }],
            ['then', { properties: { data: written(plain) } }],
          ]),
        ];
      }),
    ],
  };
}
