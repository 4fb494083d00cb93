const marks: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (sign) => marks[sign] ?? sign);

/** Returns the anchor of a heading in the format of code hosts. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .trim()
    .replaceAll(' ', '-');

/** HTML of a page, and its text for the search. */
export interface Converted {
  readonly html: string;
  readonly title: string;
  readonly headings: readonly string[];
}

/** Converts code, bold, italic and links. U+E000 marks finished parts. `link` returns the address of a target. */
function inline(text: string, link: (target: string) => string): string {
  const kept: string[] = [];
  const keep = (html: string): string => {
    kept.push(html);
    return `\ue000${kept.length - 1}\ue000`;
  };
  const plain = text.replaceAll(/(`+)(.+?)\1/g, (_, _ticks, code: string) =>
    keep(`<code>${escaped(code.replace(/^ (.*) $/, '$1'))}</code>`),
  );
  const linked = plain.replaceAll(
    /(!?)\[([^\]]*)\]\(([^)\s]+)\)/g,
    (_, picture: string, words: string, target: string) =>
      picture === ''
        ? `${keep(`<a href="${escaped(link(target))}">`)}${words}${keep('</a>')}`
        : keep(`<img src="${escaped(link(target))}" alt="${escaped(words)}">`),
  );
  const html = escaped(linked)
    .replaceAll(/\*\*(.+?)\*\*/g, '<strong>$1</strong>')
    .replaceAll(/(?<![\w*])\*([^*\s][^*]*)\*(?![\w*])/g, '<em>$1</em>')
    .replaceAll(/\\([|*_`[\]<>#])/g, '$1');
  const restored = (part: string): string =>
    part.replaceAll(/\ue000(\d+)\ue000/g, (_, index: string) => restored(kept[Number(index)] ?? ''));
  return restored(html);
}

const cellsOf = (row: string): readonly string[] =>
  row
    .trim()
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());

/** Splits a list into items without markers and indentation. */
function itemsOf(lines: readonly string[]): readonly (readonly string[])[] {
  const items: string[][] = [];
  let width = 0;
  for (const line of lines) {
    const [sign] = /^(?:[-*]|\d+\.)\s+/.exec(line) ?? [];
    if (sign !== undefined) {
      width = sign.length;
      items.push([line.slice(width)]);
    } else
      items
        .at(-1)
        ?.push(
          /^\s*/.exec(line.slice(0, width))?.[0] === line.slice(0, width) ? line.slice(width) : line.trim(),
        );
  }
  return items;
}

/** Converts a page. Unknown syntax becomes a paragraph, so no text is lost. */
export function convert(markdown: string, link: (target: string) => string): Converted {
  const headings: string[] = [];
  const inner = (text: string): string => inline(text, link);
  let title = '';

  function blocks(lines: readonly string[]): string {
    const html: string[] = [];
    let at = 0;
    const take = (belongs: (line: string) => boolean): readonly string[] => {
      const from = at;
      while (at < lines.length && belongs(lines[at] ?? '')) at += 1;
      return lines.slice(from, at);
    };

    while (at < lines.length) {
      const line = lines[at] ?? '';
      const heading = /^(#{1,6}) (.+)$/.exec(line);
      if (line.trim() === '') at += 1;
      else if (line.startsWith('```')) {
        at += 1;
        const code = take((each) => !/^```\s*$/.test(each));
        at += 1;
        html.push(`<pre><code>${escaped(code.join('\n'))}</code></pre>`);
      } else if (heading) {
        const [, signs = '', text = ''] = heading;
        at += 1;
        if (signs.length === 1 && title === '') title = text.replaceAll('`', '');
        else headings.push(text.replaceAll('`', ''));
        html.push(`<h${signs.length} id="${escaped(anchorOf(text))}">${inner(text)}</h${signs.length}>`);
      } else if (line.startsWith('|') && /^\|[\s:|-]+\|$/.test((lines[at + 1] ?? '').trim()))
        html.push(table(take((each) => each.startsWith('|'))));
      else if (/^(?:[-*]|\d+\.)\s/.test(line)) {
        const belongs = /^\d/.test(line) ? /^(?:\d+\.\s|\s+\S)/ : /^(?:[-*]\s|\s+\S)/;
        const continues = (): boolean => belongs.test(lines[at + 1] ?? '');
        html.push(list(take((each) => belongs.test(each) || (each.trim() === '' && continues()))));
      } else if (line.startsWith('>'))
        html.push(
          `<blockquote>${blocks(
            take((each) => each.startsWith('>')).map((each) => each.replace(/^> ?/, '')),
          )}</blockquote>`,
        );
      else if (/^ {4}\S/.test(line))
        html.push(
          `<pre><code>${escaped(
            take((each) => /^ {4}/.test(each))
              .map((each) => each.slice(4))
              .join('\n'),
          )}</code></pre>`,
        );
      else {
        at += 1;
        const more = take((each) => each.trim() !== '' && !/^(?:#{1,6} |```|\||[-*] |\d+\. |>)/.test(each));
        html.push(`<p>${inner([line, ...more.map((each) => each.trim())].join(' '))}</p>`);
      }
    }
    return html.join('\n');
  }

  function table([head = '', , ...rows]: readonly string[]): string {
    const row = (cells: readonly string[], tag: string): string =>
      `<tr>${cells.map((cell) => `<${tag}>${inner(cell)}</${tag}>`).join('')}</tr>`;
    return `<div class="table"><table><thead>${row(cellsOf(head), 'th')}</thead><tbody>${rows.map((each) => row(cellsOf(each), 'td')).join('')}</tbody></table></div>`;
  }

  function list(lines: readonly string[]): string {
    const tag = /^\d/.test(lines[0] ?? '') ? 'ol' : 'ul';
    const items = itemsOf(lines).map((item) => {
      const html = blocks(item);
      return item.join('\n').trim().includes('\n\n') ? html : html.replace(/^<p>(.*?)<\/p>\n?/, '$1');
    });
    return `<${tag}>${items.map((item) => `<li>${item}</li>`).join('')}</${tag}>`;
  }

  const html = blocks(markdown.replaceAll(/^ *<!--[\s\S]*?-->\n?/gm, '').split('\n'));
  return { html, title, headings };
}
