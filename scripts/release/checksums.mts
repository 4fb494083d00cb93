import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ReleaseError } from './project.mts';

const hashOf = (content: Buffer): string => createHash('sha256').update(content).digest('hex');

/** Returns a line in the format of `sha256sum`. */
export const checksumLine = (file: string, content: Buffer): string => `${hashOf(content)}  ${file}\n`;

/**
 * Verifies the files that checksum files name, and returns the hashes by file. Throws `ReleaseError` if a file has
 * changed.
 */
export function verifyHashes(folder: string, names: readonly string[]): ReadonlyMap<string, string> {
  const lines = names.flatMap((name) => readFileSync(join(folder, name), 'utf8').trimEnd().split('\n'));
  return new Map(
    lines.map((line) => {
      const [hash = '', file = ''] = line.split('  ');
      if (hashOf(readFileSync(join(folder, file))) !== hash)
        throw new ReleaseError(`${file} is not the file that was packed: its checksum is another one.`);
      return [file, hash];
    }),
  );
}
