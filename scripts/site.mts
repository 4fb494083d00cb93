/**
 * Writes the documentation as a website: `npm run site [-- FOLDER]` (default: `site/`). It has a page for each file of
 * `docs`, each noun and each resource. Search works without a network. Exits with code 1 if a link is broken.
 */
import '../src/extensions.ts';
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix, relative, resolve } from 'node:path';
import { allNouns } from '../src/cli/shell/registry.ts';
import { resources } from '../src/contract/catalogue.ts';
import { referencePath } from './reference/operations-page.mts';
import { document, type Part, search, style } from './site/layout.mts';
import { anchorOf, convert } from './site/markdown.mts';
import { nounPage, resourcePage } from './site/reference-pages.mts';

const root = join(import.meta.dirname, '..');
const target = resolve(process.argv[2] ?? join(root, 'site'));

interface Source {
  /** Path relative to the folder of the site. */
  readonly path: string;
  /** File of the repository that relative links start from. */
  readonly file: string;
  readonly markdown: string;
  readonly part: string;
}

/** Pages of `docs` in the order of the sidebar. Unlisted pages are for contributors. */
const sections: Readonly<Record<string, string>> = {
  'Start here': 'index tutorial installing sign-in from-curl',
  Guides:
    'add-people opening-hours emergency-calls move-a-number who-called git ci many-accounts rollouts teams test-calls webhooks sandbox sandbox-server library assistants console troubleshooting',
  Reference:
    'manifests plan apply bulk callflows case-files log sandbox-behavior terminal reference/environment reference/output reference/files exit-codes conformance reference/README reference/simulated-modules reference/kazoo-differences glossary upgrading',
  Explanation: 'why security',
};
const development = 'Work on telctl';
const order = Object.entries(sections).flatMap(([part, names]) =>
  names.split(' ').map((name) => ({ part, path: `${name}.html` })),
);
const headings = [...Object.keys(sections), 'Commands', 'Resources', development, 'Decisions'];

function partOf(path: string): string {
  if (path.startsWith('decisions/')) return 'Decisions';
  return order.find((each) => each.path === path)?.part ?? development;
}
const rankOf = (path: string): number => {
  const rank = order.findIndex((each) => each.path === path);
  return rank === -1 ? order.length : rank;
};

const resourcePages = new Set(resources.map(referencePath));
const written: readonly Source[] = ['README.md', ...globSync('docs/**/*.md', { cwd: root })]
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => !resourcePages.has(file))
  .sort()
  .map((file) => {
    const path = file === 'README.md' ? 'index.html' : file.replace(/^docs\/(.+)\.md$/, '$1.html');
    return { path, file, markdown: readFileSync(join(root, file), 'utf8'), part: partOf(path) };
  })
  .sort((one, other) => rankOf(one.path) - rankOf(other.path));

const ofNouns: readonly Source[] = await Promise.all(
  allNouns().map(async (noun) => ({
    path: `commands/${noun.name}.html`,
    file: 'docs/commands/page.md',
    markdown: await nounPage(
      noun,
      (await noun.commands()).filter(({ hidden }) => !hidden),
    ),
    part: 'Commands',
  })),
);

const ofResources: readonly Source[] = resources.map((resource) => ({
  path: `resources/${resource.name}.html`,
  file: referencePath(resource),
  markdown: resourcePage(resource, join(root, referencePath(resource))),
  part: 'Resources',
}));

const sources = [...written, ...ofNouns, ...ofResources];
const pathsByFile = new Map(sources.map(({ file, path }) => [file, path]));
const troubles = order
  .filter(({ path }) => !written.some((source) => source.path === path))
  .map(({ path }) => `The sidebar names ${path}, which does not exist`);

/** Returns the address of a link: a page of the site, or a copied file of the repository. */
const copied = new Map<string, string>();
const linkFrom =
  ({ path, file }: Source) =>
  (to: string): string => {
    if (/^[a-z]+:|^#/.test(to)) return to;
    const [name = '', anchor] = to.split('#');
    const meant = posix.join(posix.dirname(file), name);
    const page = pathsByFile.get(meant);
    const address = page ?? `files/${meant}${/\.svg$/.test(meant) ? '' : '.txt'}`;
    if (page === undefined) {
      if (!existsSync(join(root, meant))) troubles.push(`${file}: ${to} does not exist`);
      copied.set(address, meant);
    }
    return (
      posix.relative(posix.dirname(path), address) +
      (anchor === undefined || page === undefined ? '' : `#${anchor}`)
    );
  };

const pages = sources.map((source) => ({ ...source, ...convert(source.markdown, linkFrom(source)) }));
const parts: readonly Part[] = headings.map((heading) => ({
  heading,
  entries: pages.flatMap(({ part, path, title }) => (part === heading ? [{ path, title }] : [])),
}));

function write(path: string, text: string): void {
  const full = join(target, path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, text);
}

const anchors = new Map(
  pages.map(({ path, html }) => [
    path,
    new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id)),
  ]),
);
for (const { path, html } of pages)
  for (const [, to = ''] of html.matchAll(/<a href="([^":]*#[^"]+)"/g)) {
    const [name = '', anchor = ''] = to.split('#');
    const meant = name === '' ? path : posix.join(posix.dirname(path), name);
    if (anchors.get(meant)?.has(anchor) !== true) troubles.push(`${path}: ${to} does not exist`);
  }

rmSync(target, { recursive: true, force: true });
for (const { path, title, html } of pages) write(path, document(path, title, html, parts));
for (const [address, file] of copied) {
  const full = join(root, file);
  if (existsSync(full)) write(address, /\.[a-z0-9]+$/i.test(file) ? readFileSync(full, 'utf8') : `${file}\n`);
}
write('style.css', style);
write('search.js', search);
/** Number of indexed characters per page. */
const searched = 6000;
const words = (html: string): string =>
  html
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .slice(0, searched);
const index = pages.flatMap(({ path, title, html, headings }) => [
  [path, title, `${title} ${words(html)}`],
  ...headings.map((heading) => [
    `${path}#${anchorOf(heading)}`,
    `${heading} – ${title}`,
    `${heading} ${title}`,
  ]),
]);
write('pages.js', `window.pages=${JSON.stringify(index)}`);
for (const trouble of troubles) console.error(trouble);
if (troubles.length > 0) process.exitCode = 1;
console.log(`${pages.length} pages in ${relative(process.cwd(), target) || '.'}`);
