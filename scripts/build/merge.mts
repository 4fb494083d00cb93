import { basename, dirname, join } from 'node:path';
import { build, type Metafile, type OutputFile, type Plugin } from 'esbuild';

/** Output of a pass of the bundler. */
export interface Bundle {
  readonly metafile: Metafile;
  readonly outputFiles: readonly OutputFile[];
}

type Outputs = Metafile['outputs'];

/** An output with everything that it imports at once, and that those import. */
function closure(outputs: Outputs, start: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (path: string): void => {
    const output = outputs[path];
    if (found.has(path) || !output) return;
    found.add(path);
    for (const { path: next, kind } of output.imports) if (kind === 'import-statement') visit(next);
  };
  for (const path of start) visit(path);
  return found;
}

const entryOf = (outputs: Outputs, source: string): string => {
  const found = Object.keys(outputs).find((path) => outputs[path]?.entryPoint === source);
  if (!found) throw new Error(`${source} is no entry of the bundle; is it still imported on demand?`);
  return found;
};

/** Resolves imports between chunks: those that are merged from memory, all others stay as they are. */
function chunksInMemory(texts: ReadonlyMap<string, string>): Plugin {
  return {
    name: 'chunks-in-memory',
    setup(builder) {
      builder.onResolve({ filter: /.*/ }, ({ path, kind, resolveDir }) => {
        if (kind === 'entry-point') return undefined;
        const file = path.startsWith('.') ? join(resolveDir, path) : path;
        return texts.has(file) ? { path: file, namespace: 'chunk' } : { path, external: true };
      });
      builder.onLoad({ filter: /.*/, namespace: 'chunk' }, ({ path }) => ({
        contents: texts.get(path) ?? '',
        resolveDir: dirname(path),
        loader: 'js',
      }));
    },
  };
}

/** Chunks to be merged into one file. */
export interface Group {
  /** Name of the file. */
  readonly name: string;
  /** Sources that are imported on demand; what they import belongs to them. */
  readonly sources: readonly string[];
}

/**
 * Merges chunks that are needed together into one file for each group, since loading fifty files takes longer than
 * running them. In the place of each merged chunk stays a file that hands on its exports, for the chunks that are
 * not merged. Earlier groups keep what later ones need too; what `alone` needs stays out of all.
 */
export async function mergeChunks(
  root: string,
  { metafile: { outputs }, outputFiles }: Bundle,
  groups: readonly Group[],
  alone: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const closureOf = (sources: readonly string[]): ReadonlySet<string> =>
    closure(
      outputs,
      sources.map((source) => entryOf(outputs, source)),
    );
  const files = new Map(outputFiles.map(({ path, text }) => [path, text]));
  const taken = new Set(closureOf(alone));
  const handedOn = new Map<string, string>();
  for (const group of groups) {
    const paths = [...closureOf(group.sources)].filter((path) => !taken.has(path));
    for (const path of paths) taken.add(path);
    const own = paths.map((path) => [join(root, path), files.get(join(root, path)) ?? ''] as const);
    const merged = await mergedFile(root, outputs, group.name, paths, new Map([...handedOn, ...own]));
    files.set(merged.path, merged.text);
    for (const [index, path] of paths.entries()) {
      const names = (outputs[path]?.exports ?? []).map((each) => `${alias(index, each)} as ${each}`);
      const text = `export{${names.join(',')}}from"./${group.name}";\n`;
      files.set(join(root, path), text);
      handedOn.set(join(root, path), text);
    }
  }
  return files;
}

const alias = (index: number, exported: string): string => `m${index}$${exported}`;

async function mergedFile(
  root: string,
  outputs: Outputs,
  name: string,
  paths: readonly string[],
  texts: ReadonlyMap<string, string>,
): Promise<{ readonly path: string; readonly text: string }> {
  const folder = join(root, dirname(paths[0] ?? ''));
  const lines = paths.map((path, index) => {
    const names = (outputs[path]?.exports ?? []).map((each) => `${each} as ${alias(index, each)}`);
    const from = `'./${basename(path)}';`;
    return names.length === 0 ? `import ${from}` : `export { ${names.join(', ')} } from ${from}`;
  });
  const { outputFiles } = await build({
    stdin: { contents: lines.join('\n'), resolveDir: folder, sourcefile: name, loader: 'js' },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    minifyWhitespace: true,
    legalComments: 'none',
    outfile: join(folder, name),
    plugins: [chunksInMemory(texts)],
    logLevel: 'warning',
  });
  const [file] = outputFiles;
  if (!file) throw new Error(`${name} came to nothing`);
  return file;
}
