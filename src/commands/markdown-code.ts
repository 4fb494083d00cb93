/**
 * Text of a file or of the service, shown as it is: no character of it is Markdown or HTML, and as code the hosts of
 * repositories make no mentions and links of it. Most text stands as typed; what could end a code span, or a cell of a
 * table, is written as entities, which only `<code>` takes.
 */
export function markdownCode(text: string): string {
  const line = text.replaceAll(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
  return line === '' || /[`|\\]/.test(line) ? `<code>${inEntities(line)}</code>` : `\`${line}\``;
}

const inEntities = (text: string): string =>
  text.replaceAll(/[^\p{L}\p{N} ,.;=→…"'()+/%?-]/gu, (character) => `&#${character.codePointAt(0)};`);
