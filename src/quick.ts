import fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import { findFolders, findHome, readKept, readText } from './base/host/file-access.ts';
import { writeAll } from './base/host/write-file.ts';
import { quickPage } from './cli/shell/quick-page.ts';

/** Writes a text to stdout without a stream, which takes longer to open than all else here. Returns false if it failed. */
function writeOut(text: string): boolean {
  try {
    writeAll(1, text);
    return true;
  } catch {
    return false;
  }
}

/** Asking the stream itself would open it. */
const mayBeTerminal = (): boolean => fs.fstatSync(1).isCharacterDevice();

/**
 * Shows the front page or a page of help that the build kept beside this file. Returns `false` where it did not: then
 * telctl itself is to answer, or to meet the same trouble and tell of it.
 */
export function answerQuickly(argv: readonly string[]): boolean {
  let text: string | undefined;
  try {
    text = pageFor(argv);
  } catch {
    // Such as a missing folder.
    return false;
  }
  return text !== undefined && writeOut(text);
}

function pageFor(argv: readonly string[]): string | undefined {
  const { env, platform } = process;
  const terminal = mayBeTerminal() && process.stdout.isTTY ? process.stdout : undefined;
  return quickPage(argv, {
    env,
    cwd: process.cwd(),
    folders: findFolders(env, findHome(env, platform), platform),
    files: { readText },
    pagesOf(noun) {
      const kept = readKept(fileURLToPath(new URL(`help/${noun}.json`, import.meta.url)));
      return kept && JSON.parse(kept.text);
    },
    columns: terminal && (terminal.columns || 80),
    rows: terminal?.rows,
  });
}
