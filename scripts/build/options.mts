import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import type { BuildOptions, Plugin } from 'esbuild';

/** Root of the checkout. */
export const root = join(import.meta.dirname, '../..');
export const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/**
 * Lines that a bundled CommonJS package needs to load Node's own modules. A program that bundles telctl as CommonJS has
 * no `import.meta.url`.
 */
export const requireBanner =
  "import { createRequire as __createRequire } from 'node:module';\nconst require = __createRequire(import.meta.url ?? process.execPath);\n";

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

/** A module that reads what is used of a module of Node.js, each once. */
function partsOf(path: string): string {
  const names = Object.keys(process.getBuiltinModule(path) ?? {}).filter((name) =>
    /^[A-Za-z_]\w*$/.test(name),
  );
  return [
    `const whole = /* @__PURE__ */ process.getBuiltinModule(${JSON.stringify(path)});`,
    'const part = (name) => whole[name];',
    'export default whole;',
    ...names.map((name) => `const _${name} = /* @__PURE__ */ part(${JSON.stringify(name)});`),
    `export { ${names.map((name) => `_${name} as ${name}`).join(', ')} };`,
  ].join('\n');
}

/**
 * Modules of Node.js are taken as they are. An import statement would make a module with all that they export, and reading
 * the exports of `node:fs` and `node:events` loads half of Node.js: a fifth of the time of an empty program.
 */
const builtinsAsTheyAre: Plugin = {
  name: 'builtins-as-they-are',
  setup(builder) {
    builder.onResolve({ filter: /^(?:node:)?[a-z_/]+$/ }, ({ path, kind }) => {
      const isTaken = kind === 'import-statement' && isBuiltin(path);
      const module = path.replace(/^(?!node:)/, 'node:');
      return isTaken ? { path: module, namespace: 'builtin', sideEffects: false } : undefined;
    });
    builder.onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => ({ contents: partsOf(path) }));
  },
};

/** Plain functions of `node:crypto` that the source imports. */
const hashing = ['createHash', 'createHmac', 'hash', 'timingSafeEqual'];

/** Tells whether a file of the source imports nothing of `node:crypto` but those. */
function onlyHashes(file: string): boolean {
  if (!file.startsWith(join(root, 'src'))) return false;
  const [, names = ''] = /import \{([^}]*)\} from 'node:crypto'/.exec(readFileSync(file, 'utf8')) ?? [];
  const values = names.split(',').map((name) => name.trim());
  return values.every((name) => name.startsWith('type ') || hashing.includes(name));
}

/**
 * What hashes is looked up when it is called: loading `node:crypto` takes a fifth of the time of an empty program, and
 * pages of help and most reads hash nothing.
 */
const hashesWhenCalled: Plugin = {
  name: 'hashes-when-called',
  setup(builder) {
    builder.onResolve({ filter: /^node:crypto$/ }, ({ path, importer }) =>
      onlyHashes(importer) ? { path, namespace: 'hashing', sideEffects: false } : undefined,
    );
    builder.onLoad({ filter: /.*/, namespace: 'hashing' }, ({ path }) => ({
      contents: [
        `let crypto; const loaded = () => (crypto ??= process.getBuiltinModule(${JSON.stringify(path)}));`,
        ...hashing.map((name) => `export const ${name} = (...given) => loaded().${name}(...given);`),
      ].join('\n'),
    }));
  },
};

/** Replaces a text of one file. The build fails if the file does not contain it: its next version may do it otherwise. */
const replacing = (
  name: string,
  filter: RegExp,
  [text, other]: readonly [text: string, other: string],
  end = '',
): Plugin => ({
  name,
  setup(builder) {
    builder.onLoad({ filter }, ({ path }) => {
      const before = readFileSync(path, 'utf8');
      if (!before.includes(text)) throw new Error(`${path} does not contain what ${name} replaces: ${text}`);
      return { contents: before.replace(text, () => other) + end, loader: 'default' };
    });
  },
});

/**
 * The name of the optional package for keyrings is put together at run time. Bundlers of programs that use telctl would
 * follow a literal name to the package's native file, which they cannot include.
 */
const keyringHidden = replacing('keyring-hidden', /[/\\]client[/\\]session[/\\]secret-sources\.ts$/, [
  "import('@napi-rs/keyring')",
  "import(['@napi-rs', 'keyring'].join('/'))",
]);

/**
 * The client of HTTP/2 is loaded when a service speaks that: it loads `node:http2`, and with it TLS and cryptography,
 * which is a quarter of the time of a single read over plain HTTP.
 */
const http2WhenSpoken = replacing('http2-when-spoken', /[/\\]undici[/\\]lib[/\\]dispatcher[/\\]client\.js$/, [
  "const connectH2 = require('./client-h2.js')",
  "const connectH2 = (...given) => require('./client-h2.js')(...given)",
]);

/** V8's own budget, which Node.js 22.19 and 24 share. */
const parserBudget = 13_000_000;

/**
 * The parser, which is WebAssembly, is optimized after a hundred replies instead of the second one: V8 spends 60 ms and
 * 10 MB on that in another thread, and the process waits for it at its end. V8 takes the budget when the module is made;
 * a flag that stayed would make all kept code useless, that of Node.js as well.
 */
const parserOptimizedLate = replacing(
  'parser-optimized-late',
  /[/\\]undici[/\\]lib[/\\]dispatcher[/\\]client-h1\.js$/,
  ['llhttpInstance = lazyllhttp()', 'llhttpInstance = optimizedLate()'],
  `
const withBudget = (budget) => require('node:v8').setFlagsFromString('--wasm-tiering-budget=' + budget);
function optimizedLate() {
  withBudget(${100 * parserBudget});
  try {
    return lazyllhttp();
  } finally {
    withBudget(${parserBudget});
  }
}`,
);

/**
 * Parts of packages that telctl never runs: Fastify's own compilers of schemas and its injected requests; traces beside the metrics of a process; pg-boss' calendars, since it schedules nothing here.
 */
const neverRun = [
  /[/\\]node_modules[/\\]fast-json-stringify[/\\]index\.js$/,
  /[/\\]node_modules[/\\](?:light-my-request|cron-parser)[/\\]/,
  /[/\\]node_modules[/\\](?:@fastify[/\\](?:ajv|fast-json-stringify)-compiler|@opentelemetry)[/\\]/,
];

/**
 * The validator that MCP's server brings along, Ajv again, with the Ajv that is here. It compiles a schema when something
 * is held against it: for all that is listed, that would be a third of the time until a client has the list.
 */
const mcpValidator = `export class n {
  getValidator(schema) {
    let isValid;
    return (input) => {
      const { Ajv } = require('ajv');
      isValid ??= new Ajv({ strict: false, validateSchema: false }).compile(schema);
      return isValid(input)
        ? { valid: true, data: input }
        : { valid: false, errorMessage: new Ajv().errorsText(isValid.errors) };
    };
  }
}
export const r = undefined, t = undefined;`;

const withoutUnused: Plugin = {
  name: 'without-unused',
  setup(builder) {
    for (const filter of neverRun) builder.onLoad({ filter }, () => ({ contents: 'module.exports = {};' }));
    builder.onLoad({ filter: /[/\\]node_modules[/\\]rrule-temporal[/\\]/ }, () => ({
      contents: 'export const RRuleTemporal = undefined;',
    }));
    // The parser without SIMD runs on every processor, and a file with one of both is half as long.
    builder.onLoad({ filter: /[/\\]undici[/\\]lib[/\\]llhttp[/\\]llhttp_simd-wasm\.js$/ }, () => ({
      contents: "module.exports = require('./llhttp-wasm.js');",
    }));
    builder.onLoad({ filter: /[/\\]server[/\\]dist[/\\]ajvProvider[^/\\]*$/ }, () => ({
      contents: mcpValidator,
    }));
  },
};

/** Modules of Node.js that Fastify's server takes at once, and here when it makes such a server. */
const otherServers = ['https', 'http2'];

/** HTTPS and HTTP/2 are loaded by a sandbox that speaks them: with them come TLS and all of its cryptography. */
const serversWhenMade: Plugin = {
  name: 'servers-when-made',
  setup(builder) {
    builder.onLoad({ filter: /[/\\]fastify[/\\]lib[/\\]server\.js$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      const contents = otherServers.reduce((before, name) => {
        const taken = `const ${name} = require('node:${name}')\n`;
        if (!before.includes(taken)) throw new Error(`${path} takes node:${name} in another way`);
        return before.replace(taken, '').replaceAll(`${name}.create`, `require('node:${name}').create`);
      }, text);
      return { contents };
    });
  },
};

/** How telctl's source becomes JavaScript, whatever form it is shipped in. */
export const buildOptions = {
  absWorkingDir: root,
  bundle: true,
  format: 'esm',
  platform: 'node',
  // Names stay: errors are told apart by them, and a stack trace of --verbose is to be read.
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  plugins: [
    withoutSubprograms,
    locksWithoutSignals,
    keyringHidden,
    http2WhenSpoken,
    parserOptimizedLate,
    withoutUnused,
    serversWhenMade,
    hashesWhenCalled,
    builtinsAsTheyAre,
  ],
  external: ['@napi-rs/keyring'],
  define: {
    TELCTL_VERSION: JSON.stringify(version),
    // undici's word for a bundle: without its other parser, an experiment that UNDICI_USE_MILO would turn on.
    esbuildDetection: 'true',
  },
  logLevel: 'warning',
} as const satisfies BuildOptions;
