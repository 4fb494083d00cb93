import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ReleaseTrouble } from './project.mts';

const hashOf = (content: Buffer): string => createHash('sha256').update(content).digest('hex');

/** A line as `sha256sum` writes it and checks it. */
export const checksumLine = (file: string, content: Buffer): string => `${hashOf(content)}  ${file}\n`;

/**
 * Reads files of checksums in a folder, checks each file that they name, and gives the hashes by file. Throws
 * `ReleaseTrouble` where one is another than it was.
 */
export function checkedHashes(folder: string, names: readonly string[]): ReadonlyMap<string, string> {
  const lines = names.flatMap((name) => readFileSync(join(folder, name), 'utf8').trimEnd().split('\n'));
  return new Map(
    lines.map((line) => {
      const [hash = '', file = ''] = line.split('  ');
      if (hashOf(readFileSync(join(folder, file))) !== hash)
        throw new ReleaseTrouble(`${file} is not the file that was packed: its checksum is another one.`);
      return [file, hash];
    }),
  );
}
