import { hash } from 'node:crypto';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { Host } from '../../../base/host/host.ts';
import { findNearest } from '../../../base/nearest.ts';
import { addOutsideValue } from '../../../base/outside-values.ts';
import { systemCode, systemReason } from '../../../base/read-errors.ts';
import { isPublicWord } from '../../../contract/public-words.ts';
import { largestMedia, typeOfContent } from '../../../contract/resources/media.ts';
import { holdsMarks, type WantedFile } from '../desired.ts';

/** Largest file that can be filled in, in bytes. */
const largest = 1_000_000;

/** The text of the file that a manifest names, without one line break at its end. The manifest's folder is the first. */
function readOutside(host: Host, path: string, folders: readonly [string, ...string[]]): OutsideValue {
  const full = resolve(folders[0], path);
  const problem = (message: string): OutsideValue => ({ problem: `\${file.${path}}: ${message}` });
  try {
    const found = reached(host, full, folders);
    if ('problem' in found) return problem(found.problem);
    const bytes = host.files.within(found.folder).readBytes(found.target, largest);
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes).replace(/\r?\n$/, '') };
  } catch (error) {
    if (systemCode(error) === 'EFBIG') return problem(`${full} is larger than 1 MB`);
    const reason = systemReason(error);
    return problem(`${full} ${reason === undefined ? 'is not UTF-8 text' : `cannot be read (${reason})`}`);
  }
}

/**
 * The file that is meant, or why no manifest may read it. One may come from somebody else, so a file must lie, all
 * links followed, below one of the folders, and never be telctl's own. Throws what the system says of it.
 */
function reached(
  host: Host,
  full: string,
  folders: readonly string[],
): { readonly target: string; readonly folder: string } | { readonly problem: string } {
  const target = realPath(host, full);
  if (isOwn(host, target)) return { problem: `${full} belongs to telctl, and no manifest may read it` };
  const folder = folders.map((each) => realPath(host, each)).find((each) => isBelow(each, target));
  if (folder === undefined) return { problem: outOfReach(full, target, folders[0]) };
  const kind = host.files.kindOf(target);
  if (kind === undefined) return { problem: `there is no file ${full}` };
  if (kind !== 'file') return { problem: `${full} is ${kind === 'folder' ? 'a folder' : 'no file'}` };
  return { target, folder };
}

/** A file that belongs to an object, or why it cannot be sent. The same files may be read as by `${file.PATH}`. */
function readWhole(host: Host, name: string, folders: readonly [string, ...string[]]): WholeFile {
  const full = resolve(folders[0], name);
  try {
    const found = reached(host, full, folders);
    if ('problem' in found) return found;
    const content = host.files.within(found.folder).readBytes(found.target, largestMedia);
    if (content.length === 0) return { problem: `${full} is empty` };
    const type = typeOfContent(content, full);
    if (type === undefined) return { problem: `${full} is no medium that services take` };
    const sha256 = hash('sha256', content, 'hex');
    return { file: { name, path: found.target, sha256, bytes: content.length, type } };
  } catch (error) {
    if (systemCode(error) === 'EFBIG')
      return { problem: `${full} is larger than the ${largestMedia} bytes that services take` };
    return { problem: `${full} cannot be read (${systemReason(error) ?? 'the system says no more'})` };
  }
}

type WholeFile = { readonly file: WantedFile } | { readonly problem: string };

const outOfReach = (full: string, target: string, folder: string | undefined): string =>
  `${full === target ? full : `${full} leads to ${target}, which`} is not below ${folder ?? 'its folder'}, where the manifest is; --allow-files ${dirname(target)} allows it`;

/** A path with its links followed, as far as it exists. */
function realPath(host: Host, path: string): string {
  const full = resolve(host.cwd, path);
  if (host.files.kindOf(full) !== undefined) return host.files.realPath(full);
  return dirname(full) === full ? full : join(realPath(host, dirname(full)), basename(full));
}

function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** Tells whether a file is one that telctl keeps: settings, keys, tokens, its state, the records of a sandbox. */
function isOwn(host: Host, path: string): boolean {
  const { config, cache, state } = host.folders;
  if ([config, cache, state].some((folder) => isBelow(realPath(host, folder), path))) return true;
  // Records lie where `sandbox start --data` put them, the passwords of their users beside them.
  const name = basename(path);
  return (
    name.startsWith('sandbox.db') ||
    (name === 'seed.json' && host.files.kindOf(join(dirname(path), 'sandbox.db')) !== undefined)
  );
}

/** The words of expressions whose value comes from outside the manifest. */
export const outsideNames: ReadonlySet<string> = new Set(['env', 'file', 'var', 'secret']);

/** A value from outside; or that it is not set and need not be; or the reason why there is none. */
export type OutsideValue =
  | { readonly text: string }
  | { readonly absent: true }
  | { readonly problem: string };

/** Variables, environment and files that a manifest fills in. */
export type Outside = ReturnType<typeof createOutside>;

export interface OutsideRules {
  /** No variable of the environment need be set. */
  readonly allowUnset?: boolean | undefined;
  /** Folders that files may be read from, besides the manifest's own. */
  readonly allowFiles?: readonly string[] | undefined;
  /** Secrets of the user's configuration by name, or why there is none; left out: they count as not set. */
  readonly secretValues?: ReadonlyMap<string, Exclude<OutsideValue, { absent: true }>> | undefined;
}

const variableName = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** Variables that hold keys and settings of the caller's. Names of Windows have no case. */
const ownVariable = /^TELCTL_/i;

/**
 * Makes what fills in `${env.NAME}`, `${file.PATH}` and `${var.name}`. An empty variable of the environment counts as
 * not set, as CI services give secrets that they lack. telctl's own variables and files are never filled in.
 */
export function createOutside(
  host: Host,
  vars: ReadonlyMap<string, string>,
  { allowUnset = false, allowFiles = [], secretValues }: OutsideRules = {},
) {
  /** Values filled in, by expression: `env.NAME`, `file.PATH`, `var.name`. */
  const used = new Map<string, string>();
  /** Variables of the environment that are not set and were asked for; and those of them that are a problem. */
  const unset = new Set<string>();
  const missing = new Set<string>();
  /** Names of secrets that were asked for. */
  const secrets = new Set<string>();
  const wholeFiles = new Map<string, WantedFile>();
  const known = new Map<string, OutsideValue>();

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
      host.withheld.add(name);
      return { text };
    }
    unset.add(name);
    if (optional || allowUnset) return { absent: true };
    missing.add(name);
    if (text === '') return { problem: `the variable ${name} is empty, which counts as not set` };
    const near = findNearest(name, Object.keys(host.env));
    return {
      problem: `the variable ${name} is not set${near === undefined ? '' : `; did you mean ${near}?`}`,
    };
  }

  /** Kept: one variable stands in many objects, and to ask the system for it takes long. */
  function once(key: string, look: () => OutsideValue): OutsideValue {
    const found = known.get(key) ?? look();
    known.set(key, found);
    return found;
  }

  function fromVariables(name: string): OutsideValue {
    const text = vars.get(name);
    if (text !== undefined) {
      used.set(`var.${name}`, text);
      return { text };
    }
    const near = findNearest(name, vars.keys());
    return {
      problem: `there is no variable ${JSON.stringify(name)}; ${near === undefined ? '' : `did you mean "${near}"? Or `}give --var ${name}=…`,
    };
  }

  function fromFile(path: string, folder: string): OutsideValue {
    // One file may be in reach of one manifest and out of reach of another.
    const key = JSON.stringify([folder, path]);
    const found = once(key, () => readOutside(host, path, [folder, ...allowFiles]));
    if ('text' in found) used.set(`file.${path}`, found.text);
    return found;
  }

  /** From here on the value is shown and recorded as its expression. Words of the service itself reveal nothing. */
  function noted(expression: string, text: string): OutsideValue {
    if (holdsMarks(text)) return unheld(expression);
    if (!isPublicWord(text)) addOutsideValue(host.outside, expression, text);
    return { text };
  }

  /** A secret of the user's configuration, for a secret field; absent where none are looked up. */
  function secret(name: string): OutsideValue {
    const shown = `\${secret.${name}}`;
    if (!variableName.test(name))
      return { problem: `${shown} does not name a secret: letters, digits and underscores` };
    secrets.add(name);
    if (secretValues === undefined) return { absent: true };
    const found = secretValues.get(name) ?? { problem: 'it was not looked up' };
    if ('problem' in found) return { problem: `${shown}: ${found.problem}` };
    used.set(`secret.${name}`, found.text);
    return noted(`secret.${name}`, found.text);
  }

  function lookUp(word: string, name: string, folder: string): OutsideValue {
    if (word === 'secret')
      return { problem: `\${secret.${name}} fills in secret fields of manifests alone, and this is none` };
    const found =
      word === 'env'
        ? once(name, () => fromEnvironment(name))
        : word === 'var'
          ? fromVariables(name)
          : fromFile(name, folder);
    if (!('text' in found)) return found;
    if (word === 'var') return holdsMarks(found.text) ? unheld(`var.${name}`) : found;
    return noted(`${word}.${name.replace(/\?$/, '')}`, found.text);
  }

  /** The rows of a table that a manifest names are part of the manifest. */
  const table = (path: string, folder: string): OutsideValue => fromFile(path, folder);

  function wholeFile(name: string, folder: string): WholeFile {
    const found = readWhole(host, name, [folder, ...allowFiles]);
    if ('file' in found) wholeFiles.set(found.file.path, found.file);
    return found;
  }

  return { lookUp, table, secret, secrets, used, unset, missing, wholeFile, wholeFiles };
}

const unheld = (expression: string): OutsideValue => ({
  problem: `\${${expression}} holds a character that cannot stand in a manifest (U+E000 or U+E001)`,
});

/** The folder that paths in a manifest start from: its own; for standard input the working folder. */
export const manifestFolder = (host: Host, manifest: string): string => resolve(host.cwd, dirname(manifest));
