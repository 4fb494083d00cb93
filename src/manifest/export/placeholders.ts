import { referenceTo } from '../desired/references.ts';
import type { ExportedObject } from './exported.ts';

const between = '\0';
const first = 'env/';

/** Marked text for a secret of an object at a path. What variable it becomes is decided when all are known. */
export const placeholderAt = (key: string, path: readonly string[]): string =>
  referenceTo(`${first}${[key, ...path].join(between)}`);

/** Tells whether a mark, or marked text, stands for a secret. */
export const isPlaceholder = (text: string): boolean => /^\uE000?env\//.test(text);

/**
 * The expressions that stand for secrets, by their marks: `env.USERS_ALICE_PASSWORD?`, each name once. They are
 * optional: where the variable is not set, the field is left alone.
 */
export function placeholderNames(objects: readonly ExportedObject[]): ReadonlyMap<string, string> {
  const used = new Set<string>();
  const next = new Map<string, number>();
  const names = new Map<string, string>();
  for (const { kind, name, variables } of objects)
    for (const mark of variables) {
      const [, ...path] = mark.split(between);
      // The steps of a flow are told by the keys that lead to them.
      const keys = path[0] === 'flow' ? path.filter((key) => key !== 'children' && key !== 'data') : path;
      const base = [kind.name, ...(kind.name === name ? [] : [name]), ...keys]
        .join('_')
        .toUpperCase()
        .replaceAll(/[^A-Z0-9]+/g, '_')
        .slice(0, 120)
        .replaceAll(/^_+|_+$/g, '');
      let variable = base;
      for (let number = next.get(base) ?? 2; used.has(variable); number += 1) {
        variable = `${base}_${number}`;
        next.set(base, number + 1);
      }
      used.add(variable);
      names.set(mark, `env.${variable}?`);
    }
  return names;
}
