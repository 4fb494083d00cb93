/**
 * Bundles `src/main.ts` into `dist/`, split so that a command loads only what it needs, and lists the licences of
 * what went in; writes the manual pages and the types of the library beside it. `npm install` runs it, so it needs nothing but the packages of the checkout.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { mergeChunks } from './build/merge.mts';
import { notices } from './build/notices.mts';
import { libraryTypes } from './build/types.mts';
import { manPages } from './man/pages.mts';

const root = join(import.meta.dirname, '..');
const out = join(root, 'dist');
/** What `import 'telctl'` and its like give. */
const library = ['client', 'manifest', 'sandbox'].map((name) => `src/library/${name}.ts`);
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** What a bundled CommonJS package needs to load Node's own modules. */
const requireBanner =
  "import { createRequire as __createRequire } from 'node:module';\nconst require = __createRequire(import.meta.url);\n";

/** Commander can start other programs as subcommands; telctl has none, and loading what starts them takes time. */
const withoutSubprograms: Plugin = {
  name: 'commander-without-subprograms',
  setup(builder) {
    builder.onResolve({ filter: /^node:child_process$/ }, ({ importer }) =>
      /node_modules[/\\]commander[/\\]/.test(importer) ? { path: 'none', namespace: 'none' } : undefined,
    );
    builder.onLoad({ filter: /.*/, namespace: 'none' }, () => ({ contents: 'export default {};' }));
  },
};

/**
 * The package of file locks would listen to signals and take over the exit of whatever process loads it, a program with
 * telctl as its library among them. Its locks are removed at the end of the process; a killed one leaves them stale.
 */
const locksWithoutSignals: Plugin = {
  name: 'locks-without-signals',
  setup(builder) {
    builder.onResolve({ filter: /^signal-exit$/ }, ({ importer }) =>
      /[/\\]proper-lockfile[/\\]/.test(importer) ? { path: 'exit', namespace: 'exit' } : undefined,
    );
    builder.onLoad({ filter: /.*/, namespace: 'exit' }, () => ({
      contents: "module.exports = (end) => process.on('exit', end);",
    }));
  },
};

const result = await build({
  absWorkingDir: root,
  entryPoints: ['src/main.ts', ...library],
  outdir: out,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node22',
  chunkNames: 'chunks/[name]-[hash]',
  // Names stay: errors are told apart by them, and a stack trace of --verbose is to be read.
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  plugins: [withoutSubprograms, locksWithoutSignals],
  external: ['@napi-rs/keyring'],
  define: { TELCTL_VERSION: JSON.stringify(version) },
  metafile: true,
  write: false,
  logLevel: 'warning',
});

/** What most runs load: first the words of the line, then what a request to the service needs. */
const groups = [
  {
    name: 'words.js',
    sources: [
      'src/cli/parse-line.ts',
      'src/cli/help/help-page.ts',
      'src/cli/completion/candidates.ts',
      'src/commands/users/commands.ts',
    ],
  },
  {
    name: 'request.js',
    sources: [
      'src/cli/run-command.ts',
      'src/session/open-session.ts',
      'src/api/create-api.ts',
      'src/api/undici-transport.ts',
      'node_modules/undici/lib/api/api-request.js',
      'node_modules/undici/lib/dispatcher/pool.js',
      'src/terminal/view.ts',
      'src/commands/generic/list.ts',
    ],
  },
];
const files = await mergeChunks(root, result, groups, ['src/main.ts', 'src/cli/help/help-page.ts']);

// What is new is written first and what is old removed last, so that a telctl that runs meanwhile finds its parts.
const written = new Set<string>();
for (const [path, text] of files) {
  const needsRequire = /typeof require\b/.test(text);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, needsRequire ? requireBanner + text : text);
  written.add(path);
}
const pages = [...(await manPages(version))].map(([name, text]) => [join('man', name), text] as const);
for (const [name, text] of [...pages, ...(await libraryTypes(root, library))]) {
  const path = join(out, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  written.add(path);
}
for (const name of readdirSync(out, { recursive: true, encoding: 'utf8' })) {
  const path = join(out, name);
  if (/\.(?:js|ts|\d)$/.test(name) && existsSync(path) && !written.has(path)) rmSync(path);
}
const inputs = Object.values(result.metafile.outputs).flatMap((output) =>
  Object.entries(output.inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : [])),
);
writeFileSync(join(root, 'THIRD-PARTY-NOTICES.md'), notices(root, inputs));
const bytes = [...files.values()].reduce((sum, { length }) => sum + length, 0);
console.log(`${relative(process.cwd(), out) || '.'}: ${files.size} files, ${Math.round(bytes / 1024)} kB`);
