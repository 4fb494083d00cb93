import { type BuildOptions, build } from 'esbuild';
import { buildOptions } from './options.mts';
import { bundleLibraryTypes } from './types.mts';
import { contractWithoutDocs } from './without-docs.mts';

const entry = 'src/library/client.ts';
const sentence =
  'telctl is a library for programs on servers (Node.js, Bun, Deno): in a browser everybody could read the key that it signs in with. Call it on your server.';

/** Replaces the client in bundles for browsers. */
const forBrowsers = [
  `const refuse = () => { throw new Error(${JSON.stringify(sentence)}); };`,
  'export const connect = refuse;',
  'export class Failure extends Error {}',
  '',
].join('\n');

async function bundled(options: BuildOptions): Promise<string> {
  const { plugins: _, external, ...shared } = buildOptions;
  const { outputFiles = [] } = await build({
    ...shared,
    // Keeps imports of Node.js modules visible to the bundler of the program.
    ...{ external: [...external], plugins: [contractWithoutDocs] },
    ...{ entryPoints: [entry], target: 'node22', minify: true, write: false },
    ...options,
  });
  return outputFiles.map(({ text }) => text).join('');
}

/**
 * Builds the client library below `dist/library`: one file for `import`, one for `require`, their types, and the
 * replacement for browsers. Programs that bundle the client get no code of other entries.
 */
export async function buildClientFiles(root: string): Promise<ReadonlyMap<string, string>> {
  const types = [...(await bundleLibraryTypes(root, { client: entry }, true)).values()].join('');
  return new Map([
    ['client.js', await bundled({ format: 'esm' })],
    ['client.cjs', await bundled({ format: 'cjs' })],
    ['client.d.cts', types],
    ['client.d.ts', "export * from './client.cjs';\n"],
    ['browser.js', forBrowsers],
  ]);
}
