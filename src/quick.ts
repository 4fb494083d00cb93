import fs from 'node:fs';
import { homedir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { findFolders, readKept, readText } from './base/host/file-access.ts';
import { quickPage } from './cli/shell/quick-page.ts';

/** Time between two tries to write to a pipe that is full, in milliseconds. */
const fullPipeMs = 5;

const isFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'EAGAIN';

/** Writes a text to stdout without a stream, which takes longer to open than all else here. Tells whether it could. */
function writeOut(text: string): boolean {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) {
    try {
      at += fs.writeSync(1, bytes, at);
    } catch (error) {
      if (!isFull(error)) return false;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, fullPipeMs);
    }
  }
  return true;
}

/** Asking the stream itself would open it. */
const mayBeTerminal = (): boolean => fs.fstatSync(1).isCharacterDevice();

/**
 * Shows the front page or a page of help that the build kept beside this file. Returns `false` where it did not: then
 * telctl itself is to answer, or to meet the same trouble and tell of it.
 */
export function answerQuickly(argv: readonly string[]): boolean {
  const { env, platform } = process;
  const terminal = mayBeTerminal() && process.stdout.isTTY ? process.stdout : undefined;
  const text = quickPage(argv, {
    env,
    cwd: process.cwd(),
    folders: findFolders(env, homedir(), platform),
    files: { readText },
    pagesOf(noun) {
      const kept = readKept(fileURLToPath(new URL(`help/${noun}.json`, import.meta.url)));
      return kept && JSON.parse(kept.text);
    },
    columns: terminal && (terminal.columns || 80),
    rows: terminal?.rows,
  });
  return text !== undefined && writeOut(text);
}
