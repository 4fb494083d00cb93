import { hash } from 'node:crypto';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { Host } from '../../../base/host/host.ts';
import { findNearest } from '../../../base/nearest.ts';
import { addOutsideValue } from '../../../base/outside-values.ts';
import { systemCode, systemReason } from '../../../base/read-errors.ts';
import { isPublicWord } from '../../../contract/public-words.ts';
import { largestMedia, typeOfContent } from '../../../contract/resources/media.ts';
import { holdsMarks, type WantedFile } from '../desired.ts';

/** Size in bytes. */
const largest = 1_000_000;

/** Removes a line break at the end. The first folder is the folder of the manifest. */
function readOutside(host: Host, path: string, folders: readonly [string, ...string[]]): OutsideValue {
  const full = resolve(folders[0], path);
  const problem = (message: string): OutsideValue => ({ problem: `\${file.${path}}: ${message}` });
  try {
    const found = resolveAllowed(host, full, folders);
    if ('problem' in found) return problem(found.problem);
    const bytes = host.files.within(found.folder).readBytes(found.target, largest);
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes).replace(/\r?\n$/, '') };
  } catch (error) {
    if (systemCode(error) === 'EFBIG') return problem(`${full} is larger than 1 MB`);
    const reason = systemReason(error);
    return problem(`${full} ${reason === undefined ? 'is not UTF-8 text' : `cannot be read (${reason})`}`);
  }
}

/** Manifests can come from others, so files must be below an allowed folder and must not be telctl's own. */
function resolveAllowed(
  host: Host,
  full: string,
  folders: readonly string[],
): { readonly target: string; readonly folder: string } | { readonly problem: string } {
  const target = realPath(host, full);
  if (isOwnFile(host, target)) return { problem: `${full} belongs to telctl, so manifests cannot read it` };
  const folder = folders.map((each) => realPath(host, each)).find((each) => isBelow(each, target));
  if (folder === undefined) return { problem: outOfReachProblem(full, target, folders[0]) };
  const kind = host.files.kindOf(target);
  if (kind === undefined) return { problem: `there is no file ${full}` };
  if (kind !== 'file') return { problem: `${full} is ${kind === 'folder' ? 'a folder' : 'no file'}` };
  return { target, folder };
}

/** Applies the same rules as for `${file.PATH}`. */
function readWhole(host: Host, name: string, folders: readonly [string, ...string[]]): WholeFile {
  const full = resolve(folders[0], name);
  try {
    const found = resolveAllowed(host, full, folders);
    if ('problem' in found) return found;
    const content = host.files.within(found.folder).readBytes(found.target, largestMedia);
    if (content.length === 0) return { problem: `${full} is empty` };
    const type = typeOfContent(content, full);
    if (type === undefined) return { problem: `${full} is not a supported media file` };
    const sha256 = hash('sha256', content, 'hex');
    return { file: { name, path: found.target, sha256, bytes: content.length, type } };
  } catch (error) {
    if (systemCode(error) === 'EFBIG')
      return { problem: `${full} is larger than the ${largestMedia} bytes that services take` };
    return { problem: `${full} cannot be read (${systemReason(error) ?? 'the system says no more'})` };
  }
}

type WholeFile = { readonly file: WantedFile } | { readonly problem: string };

const outOfReachProblem = (full: string, target: string, folder: string | undefined): string =>
  `${full === target ? full : `${full} leads to ${target}, which`} is not below ${folder ?? 'its folder'}, where the manifest is; --allow-files ${dirname(target)} allows it`;

function realPath(host: Host, path: string): string {
  const full = resolve(host.cwd, path);
  if (host.files.kindOf(full) !== undefined) return host.files.realPath(full);
  return dirname(full) === full ? full : join(realPath(host, dirname(full)), basename(full));
}

function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** Returns true for telctl's settings, keys, tokens, state, and records of a sandbox. */
function isOwnFile(host: Host, path: string): boolean {
  const { config, cache, state } = host.folders;
  if ([config, cache, state].some((folder) => isBelow(realPath(host, folder), path))) return true;
  // `sandbox start --data` stores records in any folder, and passwords of users next to them.
  const name = basename(path);
  return (
    name.startsWith('sandbox.db') ||
    (name === 'seed.json' && host.files.kindOf(join(dirname(path), 'sandbox.db')) !== undefined)
  );
}

/** First words of expressions for values from outside the manifest. */
export const outsideNames: ReadonlySet<string> = new Set(['env', 'file', 'var', 'secret']);

/** `absent` if an optional value is not set. */
export type OutsideValue =
  | { readonly text: string }
  | { readonly absent: true }
  | { readonly problem: string };

export interface OutsideRules {
  readonly allowUnset?: boolean | undefined;
  /** Folders other than the manifest's own. */
  readonly allowFiles?: readonly string[] | undefined;
  /** Secrets of the user's configuration. By default, all secrets are unset. */
  readonly secretValues?: ReadonlyMap<string, Exclude<OutsideValue, { absent: true }>> | undefined;
}

const variableName = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** Windows ignores the case of names. */
const ownVariable = /^TELCTL_/i;

/** An empty environment variable counts as unset, because CI services set missing secrets to empty text. */
export class Outside {
  /** By expression: `env.NAME`, `file.PATH`, `var.name`. */
  readonly used = new Map<string, string>();
  /** Unset environment variables. `missing` contains those that are not optional. */
  readonly unset = new Set<string>();
  readonly missing = new Set<string>();
  readonly secrets = new Set<string>();
  readonly wholeFiles = new Map<string, WantedFile>();
  /** Cached, because many objects use the same variables and files. */
  readonly #known = new Map<string, OutsideValue>();
  readonly #host: Host;
  readonly #vars: ReadonlyMap<string, string>;
  readonly #rules: OutsideRules;

  constructor(host: Host, vars: ReadonlyMap<string, string>, rules: OutsideRules = {}) {
    this.#host = host;
    this.#vars = vars;
    this.#rules = rules;
  }

  lookUp(word: string, name: string, folder: string): OutsideValue {
    if (word === 'secret')
      return { problem: `\${secret.${name}} is only allowed in secret fields of manifests` };
    if (word === 'var') return this.#fromVariables(name);
    const found =
      word === 'env' ? this.#readOnce(name, () => this.#fromEnvironment(name)) : this.readTable(name, folder);
    return 'text' in found ? this.#noted(`${word}.${name.replace(/\?$/, '')}`, found.text) : found;
  }

  lookUpSecret(name: string): OutsideValue {
    const { secretValues } = this.#rules;
    const shown = `\${secret.${name}}`;
    if (!variableName.test(name))
      return { problem: `${shown} does not name a secret: letters, digits and underscores` };
    this.secrets.add(name);
    if (secretValues === undefined) return { absent: true };
    const found = secretValues.get(name) ?? { problem: 'it was not looked up' };
    if ('problem' in found) return { problem: `${shown}: ${found.problem}` };
    this.used.set(`secret.${name}`, found.text);
    return this.#noted(`secret.${name}`, found.text);
  }

  /** Not confidential, because rows of a table are part of the manifest. */
  readTable(path: string, folder: string): OutsideValue {
    // The folder of the manifest determines which files are allowed.
    const key = JSON.stringify([folder, path]);
    const folders = this.#foldersFor(folder);
    const found = this.#readOnce(key, () => readOutside(this.#host, path, folders));
    if ('text' in found) this.used.set(`file.${path}`, found.text);
    return found;
  }

  wholeFile(name: string, folder: string): WholeFile {
    const found = readWhole(this.#host, name, this.#foldersFor(folder));
    if ('file' in found) this.wholeFiles.set(found.file.path, found.file);
    return found;
  }

  #foldersFor(folder: string): readonly [string, ...string[]] {
    return [folder, ...(this.#rules.allowFiles ?? [])];
  }

  #readOnce(key: string, read: () => OutsideValue): OutsideValue {
    const found = this.#known.get(key) ?? read();
    this.#known.set(key, found);
    return found;
  }

  #fromEnvironment(asked: string): OutsideValue {
    const { env, withheld } = this.#host;
    const isOptional = asked.endsWith('?');
    const name = isOptional ? asked.slice(0, -1) : asked;
    const shown = `\${env.${asked}}`;
    if (!variableName.test(name))
      return { problem: `${shown} does not name a variable: letters, digits and underscores` };
    if (ownVariable.test(name))
      return { problem: `${shown}: manifests cannot use variables of telctl itself; use another name` };
    const text = Object.hasOwn(env, name) ? env[name] : undefined;
    if (text !== undefined && text !== '') {
      this.used.set(`env.${name}`, text);
      withheld.add(name);
      return { text };
    }
    this.unset.add(name);
    if (isOptional || this.#rules.allowUnset) return { absent: true };
    this.missing.add(name);
    if (text === '') return { problem: `the variable ${name} is empty, which counts as not set` };
    const near = findNearest(name, Object.keys(env));
    return {
      problem: `the variable ${name} is not set${near === undefined ? '' : `; did you mean ${near}?`}`,
    };
  }

  #fromVariables(name: string): OutsideValue {
    const text = this.#vars.get(name);
    if (text !== undefined) {
      this.used.set(`var.${name}`, text);
      return holdsMarks(text) ? refuseMarks(`var.${name}`) : { text };
    }
    const near = findNearest(name, this.#vars.keys());
    return {
      problem: `there is no variable ${JSON.stringify(name)}; ${near === undefined ? '' : `did you mean "${near}"? Or `}give --var ${name}=…`,
    };
  }

  /**
   * Output then shows the expression instead of the value. Values that are also words of the service are not hidden.
   */
  #noted(expression: string, text: string): OutsideValue {
    if (holdsMarks(text)) return refuseMarks(expression);
    if (!isPublicWord(text)) addOutsideValue(this.#host.outside, expression, text);
    return { text };
  }
}

const refuseMarks = (expression: string): OutsideValue => ({
  problem: `\${${expression}} contains a character that a manifest cannot contain (U+E000 or U+E001)`,
});

/** Returns the folder of relative paths in a manifest. For standard input, it is the working folder. */
export const manifestFolder = (host: Host, manifest: string): string => resolve(host.cwd, dirname(manifest));
