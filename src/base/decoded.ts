/** Decodes a part of an address; returns it unchanged if an escape in it is malformed. */
export function decoded(part: string): string {
  if (!part.includes('%')) return part;
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
