/** A function that works on its first call only; every call gets what that one gave. */
export function once<T>(work: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= work();
    return made;
  };
}
