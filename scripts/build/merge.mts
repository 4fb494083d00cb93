import { basename, dirname, join, relative } from 'node:path';
import { build, type Metafile, type OutputFile, type Plugin } from 'esbuild';

export interface Bundle {
  readonly metafile: Metafile;
  readonly outputFiles: readonly OutputFile[];
}

type Outputs = Metafile['outputs'];

/** Returns an output with its static imports, recursively. */
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
  if (!found) throw new Error(`${source} is not an entry of the bundle. Is it still imported dynamically?`);
  return found;
};

/** Resolves imports of merged chunks from memory. The bundler writes chunk names relative to `root` into its output. */
function resolveFromMemory(root: string, texts: ReadonlyMap<string, string>): Plugin {
  return {
    name: 'chunks-in-memory',
    setup(builder) {
      builder.onResolve({ filter: /.*/ }, ({ path, kind, resolveDir }) => {
        if (kind === 'entry-point') return undefined;
        const file = path.startsWith('.') ? join(resolveDir, path) : path;
        const name = relative(root, file).replaceAll('\\', '/');
        return texts.has(file)
          ? { path: name, namespace: 'chunk', pluginData: file }
          : { path, external: true };
      });
      builder.onLoad({ filter: /.*/, namespace: 'chunk' }, ({ pluginData: file }) => ({
        contents: texts.get(file) ?? '',
        resolveDir: dirname(file),
        loader: 'js',
      }));
    },
  };
}

export interface Group {
  readonly name: string;
  /** Sources that are imported dynamically. Their imports belong to the group. */
  readonly sources: readonly string[];
  /** Other sources. Only imports that they share with `sources` belong to the group. */
  readonly sharedWith?: readonly string[];
}

/** The new location of a chunk: the file of its group, and its number there. */
interface Place {
  readonly file: string;
  readonly index: number;
}

/** Returns the text of a file with imports of merged chunks replaced by their new location. */
function redirectImports(text: string, folder: string, places: ReadonlyMap<string, Place>): string {
  return text.replaceAll(
    /\b(?:(import|export)\{([^{}]*)\}from|import)"(\.[^"]+)"/g,
    (whole, word, names, address) => {
      const place = places.get(join(folder, address));
      if (!place) return whole;
      const path = relative(folder, place.file).replaceAll('\\', '/');
      const from = JSON.stringify(path.startsWith('.') ? path : `./${path}`);
      if (word === undefined) return `import${from}`;
      const aliased = names.split(',').map((each: string) => {
        const [name = '', as = name] = each.split(' as ');
        return `${alias(place.index, name)} as ${as}`;
      });
      return `${word}{${aliased.join(',')}}from${from}`;
    },
  );
}

/**
 * Merges chunks that are needed together into one file per group, because loading fifty files takes longer than
 * running them. Chunks needed by several groups go into the first. Each merged chunk leaves a file that re-exports it
 * for dynamic imports. The entries `alone` are not merged, so that files that they wait for do not wait for them.
 */
export async function mergeChunks(
  root: string,
  { metafile: { outputs }, outputFiles }: Bundle,
  groups: readonly Group[],
  alone: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const files = new Map(outputFiles.map(({ path, text }) => [path, text]));
  const chunksOf = (sources: readonly string[]) =>
    closure(
      outputs,
      sources.map((source) => entryOf(outputs, source)),
    );
  const taken = new Set(alone.map((source) => entryOf(outputs, source)));
  const handedOn = new Map<string, string>();
  const places = new Map<string, Place>();
  for (const group of groups) {
    const shared = group.sharedWith && chunksOf(group.sharedWith);
    const paths = [...chunksOf(group.sources)].filter(
      (path) => !taken.has(path) && shared?.has(path) !== false,
    );
    for (const path of paths) taken.add(path);
    const own = paths.map((path) => [join(root, path), files.get(join(root, path)) ?? ''] as const);
    const merged = await mergedFile(root, outputs, group.name, paths, new Map([...handedOn, ...own]));
    files.set(merged.path, merged.text);
    for (const [index, path] of paths.entries()) {
      const names = (outputs[path]?.exports ?? []).map((each) => `${alias(index, each)} as ${each}`);
      const text = `export{${names.join(',')}}from"./${group.name}";\n`;
      files.set(join(root, path), text);
      handedOn.set(join(root, path), text);
      places.set(join(root, path), { file: merged.path, index });
    }
  }
  for (const [path, text] of files)
    if (!handedOn.has(path)) files.set(path, redirectImports(text, dirname(path), places));
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
    plugins: [resolveFromMemory(root, texts)],
    logLevel: 'warning',
  });
  const [file] = outputFiles;
  if (!file) throw new Error(`${name} has no output`);
  return file;
}
