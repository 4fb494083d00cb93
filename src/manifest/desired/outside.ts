import { dirname, resolve } from 'node:path';
import { nearest } from '../../contract/nearest.ts';
import type { Host } from '../../host/host.ts';
import { holdsMarks } from './references.ts';

/** The words of expressions whose value comes from outside the manifest. */
export const outsideNames: ReadonlySet<string> = new Set(['env', 'file', 'var']);

/** A value from outside, that it is not set and need not be, or why there is none. */
export type OutsideValue =
  | { readonly text: string }
  | { readonly absent: true }
  | { readonly problem: string };

/** Variables, environment and files that a manifest fills in. */
export interface Outside {
  lookUp(word: string, name: string, folder: string): OutsideValue;
  /** What was filled in, by expression: `env.NAME`, `file.PATH`, `var.name`. */
  readonly used: ReadonlyMap<string, string>;
  /** Variables of the environment that are not set and were asked for. */
  readonly unset: ReadonlySet<string>;
  /** Those of them that are a problem. */
  readonly missing: ReadonlySet<string>;
}

/** Largest file that can be filled in, in bytes. */
const largest = 1_000_000;
const variableName = /^[A-Za-z_][A-Za-z0-9_]*$/;

/**
 * Makes what fills in `${env.NAME}`, `${file.PATH}` and `${var.name}`. A variable of the environment that is empty
 * counts as not set, as CI services give secrets that they do not have. Of a file, one line break at the end is left
 * out. With `allowUnset` no variable of the environment need be set.
 */
export function createOutside(
  host: Host,
  vars: ReadonlyMap<string, string>,
  { allowUnset = false }: { readonly allowUnset?: boolean | undefined } = {},
): Outside {
  const used = new Map<string, string>();
  const unset = new Set<string>();
  const missing = new Set<string>();
  const files = new Map<string, OutsideValue>();
  const variables = new Map<string, OutsideValue>();

  function fromEnvironment(asked: string): OutsideValue {
    const optional = asked.endsWith('?');
    const name = optional ? asked.slice(0, -1) : asked;
    const shown = `\${env.${asked}}`;
    if (!variableName.test(name))
      return { problem: `${shown} does not name a variable: letters, digits and underscores` };
    const text = Object.hasOwn(host.env, name) ? host.env[name] : undefined;
    if (text !== undefined && text !== '') {
      used.set(`env.${name}`, text);
      return { text };
    }
    unset.add(name);
    if (optional || allowUnset) return { absent: true };
    missing.add(name);
    if (text === '') return { problem: `the variable ${name} is empty, which counts as not set` };
    const near = nearest(name, Object.keys(host.env));
    return {
      problem: `the variable ${name} is not set${near === undefined ? '' : `; did you mean ${near}?`}`,
    };
  }

  /** Kept: one variable stands in many objects, and to ask the system for it takes long. */
  function fromEnvironmentOnce(asked: string): OutsideValue {
    const known = variables.get(asked) ?? fromEnvironment(asked);
    variables.set(asked, known);
    return known;
  }

  function fromVariables(name: string): OutsideValue {
    const text = vars.get(name);
    if (text !== undefined) {
      used.set(`var.${name}`, text);
      return { text };
    }
    const near = nearest(name, vars.keys());
    return {
      problem: `there is no variable ${JSON.stringify(name)}; ${near === undefined ? '' : `did you mean "${near}"? Or `}give --var ${name}=…`,
    };
  }

  function fromFile(path: string, folder: string): OutsideValue {
    const full = resolve(folder, path);
    const known = files.get(full) ?? readFile(host, path, full);
    files.set(full, known);
    if ('text' in known) used.set(`file.${path}`, known.text);
    return known;
  }

  function lookUp(word: string, name: string, folder: string): OutsideValue {
    const found =
      word === 'env'
        ? fromEnvironmentOnce(name)
        : word === 'var'
          ? fromVariables(name)
          : fromFile(name, folder);
    if ('text' in found && holdsMarks(found.text))
      return {
        problem: `\${${word}.${name}} holds a character that cannot stand in a manifest (U+E000 or U+E001)`,
      };
    return found;
  }

  return { lookUp, used, unset, missing };
}

/** The folder that paths in a manifest start from: its own; for standard input the working folder. */
export const folderOf = (host: Host, manifest: string): string => resolve(host.cwd, dirname(manifest));

function readFile(host: Host, path: string, full: string): OutsideValue {
  const shown = `\${file.${path}}`;
  try {
    const kind = host.files.kindOf(full);
    if (kind === undefined) return { problem: `${shown}: there is no file ${full}` };
    if (kind !== 'file')
      return { problem: `${shown}: ${full} is ${kind === 'folder' ? 'a folder' : 'no file'}` };
    if ((host.files.sizeOf(full) ?? 0) > largest) return { problem: `${shown}: ${full} is larger than 1 MB` };
    const text = new TextDecoder('utf-8', { fatal: true }).decode(host.files.readBytes(full));
    return { text: text.replace(/\r?\n$/, '') };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    return {
      problem: `${shown}: ${full} ${code.startsWith('E') && !code.startsWith('ERR') ? `cannot be read (${code})` : 'is not UTF-8 text'}`,
    };
  }
}
