import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from '@typescript/typescript6';
import { type Plugin, rollup } from 'rollup';
import { dts } from 'rollup-plugin-dts';

const ending = '.d.ts';
const compilerOptions = { target: ts.ScriptTarget.ES2024, module: ts.ModuleKind.NodeNext, strict: true };

/** Returns the declarations of a source file without reading its imports. */
function emitDeclarations(path: string): string {
  const text = readFileSync(path, 'utf8');
  return ts.transpileDeclaration(text, { fileName: path, compilerOptions }).outputText;
}

/** The types of a client, which the entry `telctl` declares for the other entries. */
const ofClient = { source: './client-types.ts', declared: 'client types' };

const declarations = (ownClient: boolean): Plugin => ({
  name: 'declarations',
  resolveId: (specifier, importer) =>
    importer === undefined
      ? specifier
      : specifier === ofClient.source && !ownClient
        ? { id: ofClient.declared, external: true }
        : specifier.startsWith('.')
          ? join(dirname(importer), specifier.replace(/\.ts$/, ending))
          : { id: specifier, external: true },
  load: (id) => (id.endsWith(ending) ? emitDeclarations(`${id.slice(0, -ending.length)}.ts`) : null),
});

/**
 * Returns the types of the library entries by file below `dist/library`. Types of other source files are bundled,
 * except those of a client, which the entry `telctl` has (`ownClient`). Throws if a type is not written explicitly or
 * needs another package.
 */
export async function bundleLibraryTypes(
  root: string,
  entries: Readonly<Record<string, string>>,
  ownClient = false,
): Promise<ReadonlyMap<string, string>> {
  const bundle = await rollup({
    input: Object.fromEntries(
      Object.entries(entries).map(([name, path]) => [
        `library/${name}`,
        join(root, path.replace(/\.ts$/, ending)),
      ]),
    ),
    plugins: [declarations(ownClient), dts()],
  });
  const { output } = await bundle.generate({
    entryFileNames: `[name]${ending}`,
    chunkFileNames: ({ name }) => `library/${name.replace(/\.d$/, '')}${ending}`,
  });
  await bundle.close();
  return new Map(
    output.flatMap((file) => {
      if (file.type === 'asset') return [];
      const { fileName } = file;
      const code = file.code.replaceAll(`'${ofClient.declared}'`, "'./client.cjs'");
      const open = /(?:: any\b|from '[^.].*')/.exec(code);
      if (open)
        throw new Error(`${fileName}: ${open[0]}: write the type explicitly, using only types of telctl`);
      return [[fileName, code] as const];
    }),
  );
}
