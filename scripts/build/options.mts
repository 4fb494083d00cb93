import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import type { BuildOptions, Plugin } from 'esbuild';

export const root = join(import.meta.dirname, '../..');
export const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/**
 * Lines that a bundled CommonJS package needs to load Node.js modules. `import.meta.url` is missing if a program
 * bundles telctl as CommonJS.
 */
export const requireBanner =
  "import { createRequire as __createRequire } from 'node:module';\nconst require = __createRequire(import.meta.url ?? process.execPath);\n";

/** Removes the support for external subcommands from Commander, which takes time to load. */
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
 * The lock package listens to signals and exits the process, also in programs that use telctl as a library. telctl
 * removes its locks at exit, and locks of killed processes become stale.
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

/** Returns a module with only the used exports of a Node.js module. */
function reexportUsed(path: string): string {
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
 * Keeps Node.js modules as plain objects. An import statement would read all exports, and those of `node:fs` and
 * `node:events` load half of Node.js: a fifth of the time of an empty program.
 */
const builtinsAsTheyAre: Plugin = {
  name: 'builtins-as-they-are',
  setup(builder) {
    builder.onResolve({ filter: /^(?:node:)?[a-z_/]+$/ }, ({ path, kind }) => {
      const isTaken = kind === 'import-statement' && isBuiltin(path);
      const module = path.replace(/^(?!node:)/, 'node:');
      return isTaken ? { path: module, namespace: 'builtin', sideEffects: false } : undefined;
    });
    builder.onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => ({ contents: reexportUsed(path) }));
  },
};

const hashing = ['createHash', 'createHmac', 'hash', 'timingSafeEqual'];

/** Returns true if a source file imports only hash functions of `node:crypto`. */
function importsOnlyHashes(file: string): boolean {
  if (!file.startsWith(join(root, 'src'))) return false;
  const [, names = ''] = /import \{([^}]*)\} from 'node:crypto'/.exec(readFileSync(file, 'utf8')) ?? [];
  const values = names.split(',').map((name) => name.trim());
  return values.every((name) => name.startsWith('type ') || hashing.includes(name));
}

/**
 * Loads `node:crypto` at the first call. It takes a fifth of the time of an empty program, and help pages and most
 * reads do not hash.
 */
const hashesWhenCalled: Plugin = {
  name: 'hashes-when-called',
  setup(builder) {
    builder.onResolve({ filter: /^node:crypto$/ }, ({ path, importer }) =>
      importsOnlyHashes(importer) ? { path, namespace: 'hashing', sideEffects: false } : undefined,
    );
    builder.onLoad({ filter: /.*/, namespace: 'hashing' }, ({ path }) => ({
      contents: [
        `let crypto; const loaded = () => (crypto ??= process.getBuiltinModule(${JSON.stringify(path)}));`,
        ...hashing.map((name) => `export const ${name} = (...given) => loaded().${name}(...given);`),
      ].join('\n'),
    }));
  },
};

/** Replaces text in one file. The build fails if the text is missing, for example in a new version of a package. */
const replaceInFile = (
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
 * Builds the name of the optional keyring package at run time. Bundlers would follow a literal name to its native
 * file, which they cannot include.
 */
const keyringHidden = replaceInFile('keyring-hidden', /[/\\]client[/\\]session[/\\]secret-sources\.ts$/, [
  "import('@napi-rs/keyring')",
  "import(['@napi-rs', 'keyring'].join('/'))",
]);

/**
 * Loads the HTTP/2 client when a service uses HTTP/2. It loads `node:http2`, TLS and cryptography, which is a quarter
 * of the time of a read over plain HTTP.
 */
const http2WhenSpoken = replaceInFile(
  'http2-when-spoken',
  /[/\\]undici[/\\]lib[/\\]dispatcher[/\\]client\.js$/,
  [
    "const connectH2 = require('./client-h2.js')",
    "const connectH2 = (...given) => require('./client-h2.js')(...given)",
  ],
);

/** The default budget of V8 in Node.js 22.19 and 24. */
const parserBudget = 13_000_000;

/**
 * Delays the optimization of the WebAssembly parser from the second response to the hundredth. It takes 60 ms and 10
 * MB in another thread, and the process waits for it at exit. V8 reads the budget when the module is created.
 * Changing the flag permanently would invalidate all compile caches, including that of Node.js.
 */
const parserOptimizedLate = replaceInFile(
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
 * Parts of packages that telctl never runs: schema compilers and injected requests of Fastify, traces next to process
 * metrics, and calendars of pg-boss.
 */
const neverRun = [
  /[/\\]node_modules[/\\]fast-json-stringify[/\\]index\.js$/,
  /[/\\]node_modules[/\\](?:light-my-request|cron-parser)[/\\]/,
  /[/\\]node_modules[/\\](?:@fastify[/\\](?:ajv|fast-json-stringify)-compiler|@opentelemetry)[/\\]/,
];

/**
 * Replaces the validator of the MCP server, a second Ajv, with the Ajv of telctl. It compiles a schema at its first
 * use: compiling all would take a third of the time until a client has the list.
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
    // The parser without SIMD runs on every processor, and one parser halves the file.
    builder.onLoad({ filter: /[/\\]undici[/\\]lib[/\\]llhttp[/\\]llhttp_simd-wasm\.js$/ }, () => ({
      contents: "module.exports = require('./llhttp-wasm.js');",
    }));
    builder.onLoad({ filter: /[/\\]server[/\\]dist[/\\]ajvProvider[^/\\]*$/ }, () => ({
      contents: mcpValidator,
    }));
  },
};

/** Node.js modules that the server of Fastify imports at start. */
const otherServers = ['https', 'http2'];

/** Loads HTTPS and HTTP/2, and with them TLS, only for a sandbox that uses them. */
const serversWhenMade: Plugin = {
  name: 'servers-when-made',
  setup(builder) {
    builder.onLoad({ filter: /[/\\]fastify[/\\]lib[/\\]server\.js$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      const contents = otherServers.reduce((before, name) => {
        const taken = `const ${name} = require('node:${name}')\n`;
        if (!before.includes(taken)) throw new Error(`${path} imports node:${name} in an unknown form`);
        return before.replace(taken, '').replaceAll(`${name}.create`, `require('node:${name}').create`);
      }, text);
      return { contents };
    });
  },
};

/** Options for every form in which telctl is shipped. */
export const buildOptions = {
  absWorkingDir: root,
  bundle: true,
  format: 'esm',
  platform: 'node',
  // Error classes are distinguished by name, and stack traces of --verbose need names.
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
    // The build flag of undici that removes its experimental parser (UNDICI_USE_MILO).
    esbuildDetection: 'true',
  },
  logLevel: 'warning',
} as const satisfies BuildOptions;
