/** A reference that a manifest cannot hold, since it would close a circle. */
export interface Cut {
  readonly from: string;
  readonly to: string;
}

/**
 * The references to leave out so that none leads back to where it came from, found by one walk. `keys` says where the
 * walk begins, and so what is cut: an object that comes early keeps its references to the later ones.
 */
export function cutsOf(
  keys: readonly string[],
  refersTo: (key: string) => readonly string[],
): readonly Cut[] {
  const cuts: Cut[] = [];
  const state = new Map<string, 'open' | 'done'>();
  for (const root of keys) {
    if (state.has(root)) continue;
    // A stack of its own: flows can lead through more flows than calls may be nested.
    const stack = [{ key: root, rest: [...refersTo(root)] }];
    state.set(root, 'open');
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const next = top.rest.shift();
      if (next === undefined) {
        state.set(top.key, 'done');
        stack.pop();
        continue;
      }
      const known = state.get(next);
      if (known === 'open') cuts.push({ from: top.key, to: next });
      if (known !== undefined) continue;
      state.set(next, 'open');
      stack.push({ key: next, rest: [...refersTo(next)] });
    }
  }
  return cuts;
}
