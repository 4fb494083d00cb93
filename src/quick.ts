import fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import { findFolders, findHome, readLargeText, readText } from './base/host/file-access.ts';
import { writeAll } from './base/host/write-file.ts';
import { quickPage } from './cli/shell/quick-page.ts';

/** Writes text to stdout without opening a stream, which would take most of the time. Returns false on failure. */
function writeOut(text: string): boolean {
  try {
    writeAll(1, text);
    return true;
  } catch {
    return false;
  }
}

/** Checks the file descriptor, because checking the stream would open it. */
const mayBeTerminal = (): boolean => fs.fstatSync(1).isCharacterDevice();

/**
 * Prints a front page or help page that the build has prepared. Returns `false` if it cannot. Then the full program
 * handles the line and reports any problem.
 */
export function answerQuickly(argv: readonly string[]): boolean {
  let text: string | undefined;
  try {
    text = pageFor(argv);
  } catch {
    // For example, the working folder is missing.
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
      const kept = readLargeText(fileURLToPath(new URL(`help/${noun}.json`, import.meta.url)));
      return kept && JSON.parse(kept.text);
    },
    columns: terminal && (terminal.columns || 80),
    rows: terminal?.rows,
  });
}
