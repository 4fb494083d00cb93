/**
 * Bundles `src/main.ts` into `dist/`, split so that a command loads only what it needs. Also writes the licenses of
 * bundled packages, help pages, manual pages and library types. `npm install` runs this script, so it only uses
 * packages of the checkout.
 */
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { build, transform } from 'esbuild';
import { buildClientFiles } from './build/client.mts';
import { renderHelpPages } from './build/help.mts';
import { mergeChunks } from './build/merge.mts';
import { bundledPackages, inputsOf, notices } from './build/notices.mts';
import { buildOptions, requireBanner, root, version } from './build/options.mts';
import { bundleLibraryTypes } from './build/types.mts';
import { manPages } from './man/pages.mts';

const out = join(root, 'dist');
/** Returns the sources that exist. An extension can be missing (`docs/architecture.md`). */
const existing = (paths: readonly string[]): readonly string[] =>
  paths.filter((path) => existsSync(join(root, path)));

/** Entries of the package that share code with the commands, such as `telctl/manifest`. */
const library: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    profile: 'src/library/profile.ts',
    manifest: 'src/library/manifest.ts',
    sandbox: 'src/extensions/sandbox/library.ts',
    test: 'src/extensions/calls/library.ts',
  }).filter(([, path]) => existing([path]).length > 0),
);
/** The background process of `sandbox start`. */
const backgroundProcess = existing(['src/extensions/sandbox/background-process.ts']);

const result = await build({
  ...buildOptions,
  entryPoints: [
    { in: 'src/main.ts', out: 'main' },
    ...backgroundProcess.map((path) => ({ in: path, out: 'background' })),
    ...Object.entries(library).map(([name, path]) => ({ in: path, out: `library/${name}` })),
  ],
  outdir: out,
  splitting: true,
  target: 'node22',
  chunkNames: 'chunks/[name]-[hash]',
  metafile: true,
  write: false,
});

/** `--help` is one file, because loading a second one would take longer than running it. */
const quick = await build({
  ...buildOptions,
  entryPoints: ['src/quick.ts'],
  outdir: out,
  target: 'node22',
  write: false,
});

/** Code that every run and request needs is one file: loading fifty files took a third of the time of a read. */
const request = [
  'src/cli/shell/parse-line.ts',
  'src/cli/shell/run-command.ts',
  'src/client/session/open-session.ts',
  'src/client/api/create-api.ts',
  'src/cli/commands/generic/list.ts',
];
/** A background sandbox loads no code of commands before its first response. */
const background = existing([
  ...backgroundProcess,
  ...['seed', 'app', 'services', 'handlers', 'events/deliverer', 'identity/signing'].map(
    (name) => `src/extensions/sandbox/${name}.ts`,
  ),
]);
const groups = [
  { name: 'base.js', sources: ['src/main.ts', ...request], sharedWith: background },
  { name: 'start.js', sources: ['src/main.ts'] },
  { name: 'request.js', sources: request },
  {
    name: 'http.js',
    sources: [
      'src/client/api/undici-transport.ts',
      'node_modules/undici/lib/api/api-request.js',
      'node_modules/undici/lib/dispatcher/pool.js',
    ],
  },
];
const files = new Map(await mergeChunks(root, result, groups, ['src/main.ts', ...backgroundProcess]));
for (const { path, text } of quick.outputFiles) files.set(path, text);
// Shortens names in files that contain only packages, whose stack traces are not useful.
for (const [name, { inputs }] of Object.entries(result.metafile.outputs)) {
  const isOfPackages = Object.keys(inputs).every((input) => input.includes('node_modules/'));
  const path = join(root, name);
  const text = isOfPackages && files.get(path);
  if (text) files.set(path, (await transform(text, { format: 'esm', minify: true, target: 'node22' })).code);
}

// Writes new files before it removes old ones, so that a running telctl still finds its files.
const written = new Set<string>();
for (const [path, text] of files) {
  const needsRequire = /typeof require\b/.test(text);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, needsRequire ? requireBanner + text : text);
  written.add(path);
}
const beside = [
  ...[...(await manPages(version))].map(([name, text]) => [join('man', name), text] as const),
  ...[...(await renderHelpPages())].map(([name, text]) => [join('help', name), text] as const),
  ...(await bundleLibraryTypes(root, library)),
  ...[...(await buildClientFiles(root))].map(([name, text]) => [join('library', name), text] as const),
];
for (const [name, text] of beside) {
  const path = join(out, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  written.add(path);
}
for (const name of readdirSync(out, { recursive: true, encoding: 'utf8' })) {
  const path = join(out, name);
  if (/\.(?:c?js|c?ts|json|\d)$/.test(name) && existsSync(path) && !written.has(path)) rmSync(path);
}
writeFileSync(
  join(root, 'THIRD-PARTY-NOTICES.md'),
  notices(bundledPackages(root, inputsOf(result.metafile))),
);
const bytes = [...files.values()].reduce((sum, { length }) => sum + length, 0);
console.log(`${relative(process.cwd(), out) || '.'}: ${files.size} files, ${Math.round(bytes / 1024)} kB`);
