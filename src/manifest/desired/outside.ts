import { dirname, resolve } from 'node:path';
import { nearest } from '../../base/nearest.ts';
import type { Host } from '../../host/host.ts';
import { outsideFiles } from './outside-files.ts';
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
  /** Values filled in, by expression: `env.NAME`, `file.PATH`, `var.name`. */
  readonly used: ReadonlyMap<string, string>;
  /** Variables of the environment that are not set and were asked for. */
  readonly unset: ReadonlySet<string>;
  /** Those of them that are a problem. */
  readonly missing: ReadonlySet<string>;
}

/** Rules for what may be filled in. */
export interface OutsideRules {
  /** No variable of the environment need be set. */
  readonly allowUnset?: boolean | undefined;
  /** Folders that files may be read from, besides the manifest's own. */
  readonly allowFiles?: readonly string[] | undefined;
}

const variableName = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** Variables that hold keys and settings of the caller's. Names of Windows have no case. */
const ownVariable = /^TELCTL_/i;

/**
 * Makes what fills in `${env.NAME}`, `${file.PATH}` and `${var.name}`. A variable of the environment that is empty
 * counts as not set, as CI services give secrets that they do not have. telctl's own variables and files are never
 * filled in.
 */
export function createOutside(
  host: Host,
  vars: ReadonlyMap<string, string>,
  { allowUnset = false, allowFiles = [] }: OutsideRules = {},
): Outside {
  const used = new Map<string, string>();
  const unset = new Set<string>();
  const missing = new Set<string>();
  const readFile = outsideFiles(host, allowFiles);
  const variables = new Map<string, OutsideValue>();

  function fromEnvironment(asked: string): OutsideValue {
    const optional = asked.endsWith('?');
    const name = optional ? asked.slice(0, -1) : asked;
    const shown = `\${env.${asked}}`;
    if (!variableName.test(name))
      return { problem: `${shown} does not name a variable: letters, digits and underscores` };
    if (ownVariable.test(name))
      return { problem: `${shown}: variables of telctl itself go into no manifest; use another name` };
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
    const found = readFile(path, folder);
    if ('text' in found) used.set(`file.${path}`, found.text);
    return found;
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
