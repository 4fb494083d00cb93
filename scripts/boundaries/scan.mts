import { parseSync } from 'oxc-parser';

export interface ImportUse {
  readonly specifier: string;
  readonly kind: 'value' | 'type' | 'dynamic';
  readonly line: number;
}

/** A use of something that only `base/host` may access, such as the clock. */
export interface EdgeUse {
  readonly what: string;
  readonly line: number;
}

export interface Scan {
  readonly imports: readonly ImportUse[];
  readonly edgeUses: readonly EdgeUse[];
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly [key: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

const nameOf = (value: unknown): string | undefined =>
  isNode(value) && value.type === 'Identifier' && typeof value.name === 'string' ? value.name : undefined;

/** Returns `object.property` for a plain member access, such as `Date.now`. */
function memberName(node: Node): string | undefined {
  if (node.type !== 'MemberExpression' || node.computed === true) return undefined;
  const object = nameOf(node.object);
  const property = nameOf(node.property);
  return object && property ? `${object}.${property}` : undefined;
}

const edgeMembers = new Set([
  'Date.now',
  'Math.random',
  'performance.now',
  'AbortSignal.timeout',
  'globalThis.process',
  'globalThis.console',
]);
const edgeObjects = new Set(['process', 'console']);
const edgeCalls = new Set(['setTimeout', 'setInterval', 'setImmediate']);

/** Returns the use by a node, without its children. */
function edgeUse(node: Node): string | undefined {
  const member = memberName(node);
  if (member !== undefined && edgeMembers.has(member)) return member;
  if (node.type === 'MemberExpression') {
    const object = nameOf(node.object);
    if (object !== undefined && edgeObjects.has(object)) return member ?? object;
  }
  const called = node.type === 'CallExpression' ? nameOf(node.callee) : undefined;
  if (called !== undefined && edgeCalls.has(called)) return called;
  const made = node.type === 'NewExpression' ? nameOf(node.callee) : undefined;
  const given = node.arguments;
  return made === 'Date' && Array.isArray(given) && given.length === 0 ? 'new Date()' : undefined;
}

function* edgeUsesBelow(node: Node): Iterable<{ readonly what: string; readonly start: number }> {
  const what = edgeUse(node);
  if (what !== undefined) yield { what, start: node.start };
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value])
      if (isNode(child)) yield* edgeUsesBelow(child);
  }
}

/** A quick test, because most files have no such use. */
const written =
  /\b(?:Date\s*\.\s*now|Math\s*\.\s*random|performance\s*\.|AbortSignal\s*\.|globalThis|new\s+Date|(?:process|console)\s*\??\.?\s*[.[]|set(?:Timeout|Interval|Immediate)\s*\()/;

/** Finds the imports (static, type-only, re-exported and dynamic) and the edge uses of a source file. */
export function scanSource(path: string, source: string): Scan {
  const parsed = parseSync(path, source);
  const [trouble] = parsed.errors;
  if (trouble) throw new Error(`${path}: ${trouble.message}`);
  const lineAt = (offset: number): number => source.slice(0, offset).split('\n').length;
  const typeOnly = (entries: readonly { readonly isType: boolean }[]): boolean =>
    entries.length > 0 && entries.every(({ isType }) => isType);
  const statics = parsed.module.staticImports.map(({ moduleRequest, entries, start }) => ({
    specifier: moduleRequest.value,
    kind: typeOnly(entries) ? ('type' as const) : ('value' as const),
    line: lineAt(start),
  }));
  const reexports = parsed.module.staticExports.flatMap(({ entries, start }) =>
    entries.flatMap(({ moduleRequest, isType }) =>
      moduleRequest
        ? [
            {
              specifier: moduleRequest.value,
              kind: isType ? ('type' as const) : ('value' as const),
              line: lineAt(start),
            },
          ]
        : [],
    ),
  );
  const dynamics = parsed.module.dynamicImports.map(({ moduleRequest, start }) => ({
    specifier: source.slice(moduleRequest.start, moduleRequest.end).replace(/^['"`]|['"`]$/g, ''),
    kind: 'dynamic' as const,
    line: lineAt(start),
  }));
  const program: unknown = written.test(source) ? parsed.program : undefined;
  const edgeUses = isNode(program)
    ? [...edgeUsesBelow(program)].map(({ what, start }) => ({ what, line: lineAt(start) }))
    : [];
  return { imports: [...statics, ...reexports, ...dynamics], edgeUses };
}
