import { dirname, join } from 'node:path';
import { Failure } from '../../base/failure.ts';
import type { Host } from '../../base/host/host.ts';
import { systemReason } from '../../base/reading.ts';
import { messageOf } from '../../base/wording.ts';

/** Settings that a `.telctl.yaml` may contain: never a secret, a service or a protection. */
const allowed = ['profile', 'account', 'output', 'state'] as const;
export type DirectoryKey = (typeof allowed)[number];

/** The settings of the nearest `.telctl.yaml`, and where it lies. */
export interface DirectorySettings {
  readonly path: string;
  readonly values: Readonly<Partial<Record<DirectoryKey, string>>>;
}

export const directoryFile = '.telctl.yaml';

/**
 * Reads the `.telctl.yaml` of the working directory or the nearest one above. Throws `Failure` (`usage`) naming file and
 * line for a key that may not stand there.
 */
export function readDirectorySettings({
  files,
  cwd,
}: Pick<Host, 'cwd'> & { readonly files: Pick<Host['files'], 'readText'> }): DirectorySettings | undefined {
  for (let folder = cwd; ; folder = dirname(folder)) {
    const path = join(folder, directoryFile);
    const file = readAt(files, path);
    if (file !== undefined) return { path, values: parse(file.text, path) };
    if (folder === dirname(folder)) return undefined;
  }
}

function readAt(files: Pick<Host['files'], 'readText'>, path: string): ReturnType<Host['files']['readText']> {
  try {
    return files.readText(path);
  } catch (error) {
    throw new Failure('usage', `${path} cannot be read (${systemReason(error) ?? messageOf(error)}).`, {
      hint: 'telctl takes settings from it. Repair it, or work in a folder that it does not stand above.',
      cause: error,
    });
  }
}

const isAllowed = (key: string): key is DirectoryKey => (allowed as readonly string[]).includes(key);

/** Four scalars need no YAML library, which would cost every start a tenth of its time. */
function parse(text: string, path: string): DirectorySettings['values'] {
  const values: Partial<Record<DirectoryKey, string>> = {};
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const bare = line.trim();
    if (bare === '' || bare.startsWith('#') || bare === '---') continue;
    const at = `${path}:${index + 1}`;
    const [, key = '', rest = ''] = /^([\w-]+)[ \t]*:(?:[ \t]+(.*))?$/.exec(line.trimEnd()) ?? [];
    if (key === '') throw wrong(at, 'is not one of the lines that can stand here');
    if (!isAllowed(key)) throw wrong(at, `sets "${key}", which cannot be set here`);
    if (Object.hasOwn(values, key)) throw wrong(at, `sets "${key}" a second time`);
    const value = scalar(rest, at);
    if (value !== undefined) values[key] = value;
  }
  return values;
}

function scalar(text: string, at: string): string | undefined {
  const quoted = /^(?:"([^"\\]*)"|'([^']*)')\s*(?:#.*)?$/.exec(text);
  if (quoted) return quoted[1] ?? quoted[2];
  const plain = text.replace(/(?:^|\s)#.*$/, '').trim();
  if (/^[[{&*!|>"'%@`]/.test(plain)) throw wrong(at, 'must be plain text');
  return plain === '' ? undefined : plain;
}

function wrong(at: string, why: string): Failure {
  return new Failure('usage', `${at} ${why}.`, {
    hint: `${directoryFile} can set ${allowed.join(', ')}, each as one line: "profile: NAME".`,
  });
}
