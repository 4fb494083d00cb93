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
