import { referenceTo } from '../desired/references.ts';

/** Makes names of environment variables for what an export leaves out, each once. */
export function placeholders(): (section: string, name: string, path: readonly string[]) => string {
  const used = new Set<string>();
  const nextFor = new Map<string, number>();
  return (section, name, path) => {
    // The steps of a flow are told by the keys that lead to them.
    const keys = path[0] === 'flow' ? path.filter((key) => key !== 'children' && key !== 'data') : path;
    const base = [section, ...(section === name ? [] : [name]), ...keys]
      .join('_')
      .toUpperCase()
      .replaceAll(/[^A-Z0-9]+/g, '_')
      .replaceAll(/^_+|_+$/g, '')
      .slice(0, 120);
    let variable = base;
    for (let number = nextFor.get(base) ?? 2; used.has(variable); number += 1) {
      variable = `${base}_${number}`;
      nextFor.set(base, number + 1);
    }
    used.add(variable);
    // Optional: where the variable is not set, the field is left alone.
    return referenceTo(`env.${variable}?`);
  };
}
