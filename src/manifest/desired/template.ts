/** A piece of text as a manifest writes it: literal, or something to be filled in. */
export type Piece = { readonly literal: string } | { readonly expression: string };

/** Tells whether text holds anything that `piecesOf` would not leave as it is. */
export const isTemplate = (text: string): boolean => text.includes('${');

/**
 * The pieces of a text: `${users.alice}` is an expression, `$${` a literal `${`, everything else stands for itself.
 * `undefined` where a `${` is never closed.
 */
export function piecesOf(text: string): readonly Piece[] | undefined {
  const pieces: Piece[] = [];
  let literal = '';
  let at = 0;
  for (;;) {
    const next = text.indexOf('${', at);
    if (next === -1) break;
    if (next > at && text[next - 1] === '$') {
      literal += `${text.slice(at, next - 1)}\${`;
      at = next + 2;
      continue;
    }
    const end = text.indexOf('}', next);
    if (end === -1) return undefined;
    literal += text.slice(at, next);
    if (literal !== '') pieces.push({ literal });
    literal = '';
    pieces.push({ expression: text.slice(next + 2, end).trim() });
    at = end + 1;
  }
  literal += text.slice(at);
  if (literal !== '') pieces.push({ literal });
  return pieces;
}
