import { type JsonObject, valueAt } from './json.ts';

/** A pattern of the service as an expression; `undefined` where it is none. */
export function compiled(pattern: string): RegExp | undefined {
  // Options at the beginning belong to the service's own notation.
  const [whole = '', options = ''] = /^\(\?([imsx]+)\)/.exec(pattern) ?? [];
  try {
    return new RegExp(pattern.slice(whole.length), options.includes('i') ? 'i' : '');
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The number of the callflow that takes what no other callflow takes (Conventions, Callflows). */
export const noMatch = 'no_match';

/** Whether callers may dial an extension at a menu rather than one of its choices (Conventions, Menus). */
export function mayHunt(menu: JsonObject | undefined, dialled: string): boolean {
  const fits = (field: string, otherwise: boolean): boolean => {
    const pattern = valueAt(menu, field);
    if (typeof pattern !== 'string' || pattern === '') return otherwise;
    return compiled(pattern)?.test(dialled) ?? otherwise;
  };
  if (menu?.hunt === false || !/^[0-9*#+]+$/.test(dialled)) return false;
  return fits('hunt_allow', true) && !fits('hunt_deny', false);
}
