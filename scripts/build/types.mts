import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from '@typescript/typescript6';
import { type Plugin, rollup } from 'rollup';
import { dts } from 'rollup-plugin-dts';

const ending = '.d.ts';
const compilerOptions = { target: ts.ScriptTarget.ES2024, module: ts.ModuleKind.NodeNext, strict: true };

/** Declares a source file by itself, without looking at what it imports. */
function declarationOf(path: string): string {
  const text = readFileSync(path, 'utf8');
  return ts.transpileDeclaration(text, { fileName: path, compilerOptions }).outputText;
}

/** The types of a client, which the entry `telctl` declares for the others. */
const ofClient = { source: './client-types.ts', declared: 'client types' };

/** Gives the declarations of source files in their place. */
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
  load: (id) => (id.endsWith(ending) ? declarationOf(`${id.slice(0, -ending.length)}.ts`) : null),
});

/**
 * The types of the library's entries (source files by name), by file below `dist/library`: what they show of the rest of the source is bundled with
 * them, but for those of a client, which the entry `telctl` has (`ownClient`). Throws where a type was not written out, or would need another package.
 */
export async function libraryTypes(
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
      if (open) throw new Error(`${fileName}: ${open[0]}: write the type out, with types of telctl alone`);
      return [[fileName, code] as const];
    }),
  );
}
