import { resolve } from 'node:path';
import { Failure } from '../../base/failure.ts';
import type { Host } from '../../base/host/host.ts';
import { systemCode, toReadFailure } from '../../base/read-errors.ts';

/** Size in bytes. */
export const largestInput = 10_000_000;

export interface InputText {
  readonly name: string;
  readonly text: string;
}

const tooLarge = (name: string): Failure =>
  new Failure('invalid', `${name} is larger than 10 MB. Nothing was sent.`, {
    hint: 'Split it into several files.',
  });

/**
 * Reads a file, a named pipe, or standard input for `-`, as UTF-8. Throws `Failure`: `usage` if it cannot be opened
 * or is not a file, `invalid` if it is larger than 10 MB or not UTF-8, `interrupted` after Ctrl-C.
 */
export async function readInput(host: Host, file: string): Promise<InputText> {
  const name = file === '-' ? 'standard input' : file;
  try {
    const bytes = await (file === '-' ? readStandardInput(host, name) : readNamed(host, file));
    return { name, text: decode(name, bytes) };
  } catch (error) {
    if (host.interrupted.aborted) throw new Failure('interrupted', 'Interrupted.', { cause: error });
    throw systemCode(error) === 'EFBIG' ? tooLarge(name) : toReadFailure(name, error);
  }
}

async function readNamed({ files, cwd, interrupted }: Host, file: string): Promise<Uint8Array> {
  const path = resolve(cwd, file);
  switch (files.kindOf(path)) {
    case undefined:
      throw new Failure('usage', `There is no file ${file}.`);
    case 'folder':
      throw new Failure('usage', `${file} is a folder, not a file.`);
    case 'other':
      throw new Failure('usage', `${file} is a device or a socket, not a file.`, {
        hint: 'To read standard input: -f -',
      });
    case 'pipe':
      return files.readPipe(path, largestInput, interrupted);
    case 'file':
      return files.readBytes(path, largestInput);
  }
}

async function readStandardInput({ stdin, interrupted }: Host, name: string): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let size = 0;
  const stop = (): void => void stdin.destroy();
  interrupted.addEventListener('abort', stop, { once: true });
  try {
    interrupted.throwIfAborted();
    for await (const chunk of stdin) {
      const bytes = Buffer.from(chunk);
      size += bytes.length;
      if (size > largestInput) throw tooLarge(name);
      chunks.push(bytes);
    }
    interrupted.throwIfAborted();
    return Buffer.concat(chunks);
  } finally {
    interrupted.removeEventListener('abort', stop);
  }
}

function decode(name: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new Failure('invalid', `${name} is not UTF-8 text. Nothing was sent.`, { cause });
  }
}
