interface Builtins {
  readonly 'node:crypto': typeof import('node:crypto');
  readonly 'node:child_process': typeof import('node:child_process');
  readonly 'node:module': typeof import('node:module');
  readonly 'node:net': typeof import('node:net');
  readonly 'node:sea': typeof import('node:sea');
  readonly 'node:os': typeof import('node:os');
  readonly 'node:timers/promises': typeof import('node:timers/promises');
  readonly 'node:vm': typeof import('node:vm');
  readonly 'node:v8': typeof import('node:v8');
}

/** A module of Node.js, loaded on first use: together they cost as much as the rest of a start. */
export function builtin<Name extends keyof Builtins>(name: Name): Builtins[Name] {
  return process.getBuiltinModule(name) as Builtins[Name];
}
