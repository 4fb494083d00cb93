import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { expect, test } from 'vitest';
import { convert } from '../../scripts/site/markdown.mts';
import { allNouns } from '../../src/cli/shell/registry.ts';
import { resources } from '../../src/contract/catalogue.ts';
import { root } from '../support/process.ts';
import { testFolders } from '../support/world.ts';

test('the site has a page for each guide, noun and resource, and all links are valid', () => {
  const { cwd } = testFolders();
  const folder = join(cwd, 'site');
  execFileSync(process.execPath, [join(root, 'scripts', 'site.mts'), folder], { cwd, stdio: 'pipe' });
  const files = globSync('**/*', { cwd: folder }).map((file) => file.replaceAll('\\', '/'));
  const all = new Set(files);
  for (const { name } of allNouns()) expect(files).toContain(`commands/${name}.html`);
  for (const { name } of resources) expect(files).toContain(`resources/${name}.html`);
  for (const guide of ['index', 'manifests', 'ci', 'decisions/single-sign-on'])
    expect(files).toContain(`${guide}.html`);
  const lost: string[] = [];
  for (const file of files.filter((each) => each.endsWith('.html'))) {
    const html = readFileSync(join(folder, file), 'utf8');
    for (const [, to = ''] of html.matchAll(/ (?:href|src)="([^"#]+)/g))
      if (!/^(?:https?|mailto):/.test(to) && !all.has(posix.join(dirname(file), to)))
        lost.push(`${file}: ${to}`);
    // The page loads nothing from other servers.
    expect(html).not.toMatch(/<(?:script|link|img)[^>]+(?:src|href)="https?:/);
  }
  expect(lost).toEqual([]);
  const index = readFileSync(join(folder, 'pages.js'), 'utf8');
  for (const words of ['telctl users password', 'caller_id', 'GitLab']) expect(index).toContain(words);
});

test('Markdown becomes HTML without accidental markup', () => {
  const { html, title, headings } = convert(
    '# A `b`\n\nOne *two* **three** `<x> & *y*` [l](p.md) <script>\n\n- a\n  - b\n- c\n\n1. d\n\n| H | |\n|---|---|\n| `x\\|y` | z |\n\n## E & f\n\n```\n<g> *h*\n```\n',
    (target) => target.replace('.md', '.html'),
  );
  expect([title, headings]).toEqual(['A b', ['E & f']]);
  expect(html).toContain(
    'One <em>two</em> <strong>three</strong> <code>&lt;x&gt; &amp; *y*</code> <a href="p.html">l</a> &lt;script&gt;',
  );
  expect(html).toContain('<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>');
  expect(html).toContain('<ol><li>d</li></ol>');
  expect(html).toContain('<td>z</td>');
  expect(html).toContain('<pre><code>&lt;g&gt; *h*</code></pre>');
  expect(html).toContain('<h2 id="e--f">E &amp; f</h2>');
});
