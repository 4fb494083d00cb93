import { resolve } from 'node:path';
import { Failure } from '../../contract/failure.ts';
import type { Host } from '../../host/host.ts';
import { reading } from './reading.ts';

/** No input file of telctl may be larger, in bytes. */
export const largestInput = 10_000_000;

/** A file's text with the name that messages give it. */
export interface Input {
  readonly name: string;
  readonly text: string;
}

const tooLarge = (name: string): Failure =>
  new Failure('invalid', `${name} is larger than 10 MB. Nothing was sent.`, {
    hint: 'Split it into several files.',
  });

/**
 * Reads a file, or standard input for `-`, as UTF-8. Throws `Failure`: `usage` where it cannot be opened,
 * `invalid` where it is over 10 MB or no UTF-8 text.
 */
export async function readInput(host: Host, file: string): Promise<Input> {
  if (file === '-') {
    const name = 'standard input';
    return { name, text: decode(name, await readStandardInput(host, name)) };
  }
  const path = resolve(host.cwd, file);
  const bytes = reading(file, () => {
    const size = host.files.sizeOf(path);
    if (size === undefined) throw new Failure('usage', `There is no file ${file}.`);
    if (host.files.kindOf(path) === 'folder') throw new Failure('usage', `${file} is a folder, not a file.`);
    if (size > largestInput) throw tooLarge(file);
    return host.files.readBytes(path);
  });
  return { name: file, text: decode(file, bytes) };
}

async function readStandardInput(host: Host, name: string): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of host.stdin) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > largestInput) throw tooLarge(name);
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

function decode(name: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new Failure('invalid', `${name} is not UTF-8 text. Nothing was sent.`, { cause });
  }
}
