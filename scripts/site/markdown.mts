const marks: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Text as HTML shows it. */
export const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (sign) => marks[sign] ?? sign);

/** The anchor of a heading, as code hosts make it. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .trim()
    .replaceAll(' ', '-');

/** Markdown as the pages of this repository use it, turned into HTML, and what a search finds in it. */
export interface Converted {
  readonly html: string;
  readonly title: string;
  readonly headings: readonly string[];
}

/** Code, bold and italic text, and links, which U+E000 marks until all else is done; `link` gives the address of a link's target. */
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

/** Converts a page. What it does not know stays a paragraph, so that nothing is lost. */
export function convert(markdown: string, link: (target: string) => string): Converted {
  const lines = markdown.replaceAll(/<!--[\s\S]*?-->/g, '').split('\n');
  const headings: string[] = [];
  const html: string[] = [];
  const inner = (text: string): string => inline(text, link);
  let title = '';
  let at = 0;
  const take = (belongs: (line: string) => boolean): readonly string[] => {
    const from = at;
    while (at < lines.length && belongs(lines[at] ?? '')) at += 1;
    return lines.slice(from, at);
  };

  /** A list with the lists in it: items that are moved in further belong to the item above them. */
  function list(own: readonly string[]): string {
    const [first = ''] = own;
    const [, blanks = '', sign = ''] = /^(\s*)([-*]|\d+\.)\s/.exec(first) ?? [];
    const items: string[][] = [];
    for (const line of own)
      if (
        line.startsWith(`${blanks}${/\d/.test(sign) ? '' : sign}`) &&
        /^(?:[-*]|\d+\.)\s/.test(line.slice(blanks.length))
      )
        items.push([line.slice(blanks.length).replace(/^(?:[-*]|\d+\.)\s+/, '')]);
      else items.at(-1)?.push(line);
    const tag = /\d/.test(sign) ? 'ol' : 'ul';
    const shown = items.map(([text = '', ...more]) => {
      const below = more.findIndex((line) => /^\s*(?:[-*]|\d+\.)\s/.test(line));
      const words = below === -1 ? more : more.slice(0, below);
      const inside = below === -1 ? '' : list(more.slice(below));
      return `<li>${inner([text, ...words.map((line) => line.trim())].join(' '))}${inside}</li>`;
    });
    return `<${tag}>${shown.join('')}</${tag}>`;
  }

  while (at < lines.length) {
    const line = lines[at] ?? '';
    const fence = /^\s*```(\S*)/.exec(line);
    const heading = /^(#{1,6}) (.+)$/.exec(line);
    if (line.trim() === '') at += 1;
    else if (fence) {
      at += 1;
      const code = take((each) => !/^\s*```\s*$/.test(each));
      at += 1;
      html.push(`<pre><code>${escaped(code.join('\n'))}</code></pre>`);
    } else if (heading) {
      const [, signs = '', text = ''] = heading;
      at += 1;
      if (signs.length === 1 && title === '') title = text.replaceAll('`', '');
      else headings.push(text.replaceAll('`', ''));
      html.push(`<h${signs.length} id="${escaped(anchorOf(text))}">${inner(text)}</h${signs.length}>`);
    } else if (line.startsWith('|') && /^\|[\s:|-]+\|$/.test((lines[at + 1] ?? '').trim())) {
      const [head = '', , ...rows] = take((each) => each.startsWith('|'));
      const row = (cells: readonly string[], tag: string): string =>
        `<tr>${cells.map((cell) => `<${tag}>${inner(cell)}</${tag}>`).join('')}</tr>`;
      html.push(
        `<div class="table"><table><thead>${row(cellsOf(head), 'th')}</thead><tbody>${rows.map((each) => row(cellsOf(each), 'td')).join('')}</tbody></table></div>`,
      );
    } else if (/^(?:[-*]|\d+\.)\s/.test(line))
      html.push(
        list(
          take(
            (each) =>
              /^(?:[-*]|\d+\.)\s/.test(each) || (/^\s+\S/.test(each) && !each.trim().startsWith('```')),
          ),
        ),
      );
    else if (line.startsWith('>'))
      html.push(
        `<blockquote><p>${inner(
          take((each) => each.startsWith('>'))
            .map((each) => each.replace(/^> ?/, ''))
            .join(' '),
        )}</p></blockquote>`,
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
      html.push(`<p>${inner([line, ...more].join(' '))}</p>`);
    }
  }
  return { html: html.join('\n'), title, headings };
}
