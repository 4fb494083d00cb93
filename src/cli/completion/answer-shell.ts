import type { Host } from '../../host/host.ts';
import type { Output } from '../../terminal/output.ts';
import { offerFor } from './candidates.ts';
import { liveWords, selectorsIn } from './live-words.ts';

/** Words that would break the one-word-a-line answer, or a terminal, are not offered. */
const isSafe = (word: string): boolean => word !== '' && !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(word);

/**
 * Answers `telctl __complete -- WORDS…`, asked by the completion scripts: a line for each word that fits, with what
 * it is for after a tab, and `:file` where names of files fit. Never fails: a shell has no use for an error here.
 */
export async function answerShell(argv: readonly string[], host: Host, out: Output): Promise<number> {
  const words = argv.slice(argv[1] === '--' ? 2 : 1);
  const live = liveWords(host, selectorsIn(words));
  const { candidates, files } = await offerFor(words, live);
  const lines = candidates
    .filter(({ word }) => isSafe(word))
    .map(({ word, doc }) => (doc ? `${word}\t${doc}` : word));
  await out.write([...lines, ...(files ? [':file'] : [])].map((line) => `${line}\n`).join(''));
  return 0;
}
