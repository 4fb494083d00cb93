/** A part of an address as it was meant; as it stands where it has no proper escape. */
export function decoded(part: string): string {
  if (!part.includes('%')) return part;
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
