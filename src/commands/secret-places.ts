const words = new Map([
  ['api_key', 'API key'],
  ['token', 'token'],
  ['password', 'password'],
]);

/** Says where each secret lies, in words: `API key and token in ~/.config/telctl (0600)`. */
export function placesInWords(places: Readonly<Record<string, string>>): string {
  const byPlace = new Map<string, string[]>();
  for (const [secret, place] of Object.entries(places)) {
    byPlace.set(place, [...(byPlace.get(place) ?? []), words.get(secret) ?? secret]);
  }
  const parts = [...byPlace].map(([place, secrets]) => `${secrets.join(' and ')} in ${place}`);
  return parts.length === 0 ? 'none stored' : parts.join('; ');
}
