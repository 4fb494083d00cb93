import { ignoreFailure } from '../../../base/failure.ts';
import type { Host } from '../../../base/host/host.ts';
import type { ArgumentSpec, Completion, OptionSpec, OptionSpecs } from '../../command/command.ts';
import { globalOptions } from '../../commands/global-options.ts';
import { synonyms } from '../../commands/synonyms.ts';
import type { Output } from '../../terminal/output.ts';
import { type FoundCommand, findCommand } from '../find-command.ts';
import { manyOptionsOf } from '../many/options.ts';
import { parseOptions } from '../parse-line.ts';
import { allNouns } from '../registry.ts';
import { chargesOptionsOf, resultOptionsOf } from '../run-options.ts';
import { ignoreFailures, liveWords, selectorsIn } from './live-words.ts';

interface Candidate {
  readonly word: string;
  readonly doc?: string;
}

interface Offer {
  readonly candidates: readonly Candidate[];
  readonly files?: true;
}

type LiveWords = ReturnType<typeof liveWords>;

const noOffer: Offer = { candidates: [] };
const offerWords = (words: readonly string[]): Offer => ({ candidates: words.map((word) => ({ word })) });

async function findOffer(words: readonly string[], live: LiveWords): Promise<Offer> {
  const before = words.slice(0, -1);
  const current = words.at(-1) ?? '';
  const found = await ignoreFailure(findCommand(before));
  if (found === undefined) return noOffer;
  const specs = [globalOptions, await ownSpecs(found)].flatMap((some): readonly OptionSpec[] =>
    Object.values(some),
  );
  if (before.includes('--')) return filterByPrefix(current, await offerAfterEnd(found, current, specs, live));
  const pending = pendingOption(before.at(-1), specs);
  if (pending) return filterByPrefix(current, await offerValues(pending, current, live));
  const joined = /^(--[^=]+=)(.*)$/s.exec(current);
  if (joined) {
    const [, head = '', tail = ''] = joined;
    const spec = specs.find(({ flag }) => head === `--${flag}=`);
    const offer = spec ? filterByPrefix(tail, await offerValues(spec, tail, live)) : noOffer;
    return { ...offer, candidates: offer.candidates.map((each) => ({ ...each, word: head + each.word })) };
  }
  if (current.startsWith('-')) return filterByPrefix(current, optionsOffer(specs, before));
  return filterByPrefix(current, await wordsOffer(found, current, specs, live));
}

/** Offers the words after `--`: arguments that may start with a dash, or arguments of another program. */
async function offerAfterEnd(
  found: FoundCommand,
  begun: string,
  specs: readonly OptionSpec[],
  live: LiveWords,
): Promise<Offer> {
  if (found.kind !== 'command') return noOffer;
  const program = specs.find((spec) => spec.program);
  if (program && found.rest.includes(`--${program.flag}`)) return { candidates: [], files: true };
  return wordsOffer(found, begun, specs, live);
}

async function ownSpecs(found: FoundCommand): Promise<OptionSpecs> {
  return found.kind === 'command'
    ? {
        ...found.command.options,
        ...chargesOptionsOf(found.command),
        ...resultOptionsOf(found.command),
        ...(await manyOptionsOf(found.command)),
      }
    : {};
}

function filterByPrefix(begun: string, offer: Offer): Offer {
  return { ...offer, candidates: offer.candidates.filter(({ word }) => word.startsWith(begun)) };
}

function pendingOption(last: string | undefined, specs: readonly OptionSpec[]): OptionSpec | undefined {
  if (last === undefined || !last.startsWith('-')) return undefined;
  return specs.find(
    ({ flag, short, value }) =>
      value !== undefined && (last === `--${flag}` || (!last.startsWith('--') && last.at(-1) === short)),
  );
}

function optionsOffer(specs: readonly OptionSpec[], before: readonly string[]): Offer {
  const isTyped = (flag: string): boolean => before.includes(`--${flag}`);
  const excluded = new Set(specs.flatMap(({ flag, excludes = [] }) => (isTyped(flag) ? excludes : [])));
  const candidates = specs
    .filter(({ flag, repeat }) => repeat || !isTyped(flag))
    .filter(({ flag, excludes = [] }) => !excluded.has(flag) && !excludes.some(isTyped))
    .map(({ flag, doc }) => ({ word: `--${flag}`, doc }));
  return { candidates };
}

async function offerValues(spec: OptionSpec | ArgumentSpec, begun: string, live: LiveWords): Promise<Offer> {
  if (spec.choices) return offerWords(spec.choices);
  if (spec.suggestions) return offerWords(spec.suggestions);
  if (spec.completes) return offerCompletion(spec.completes, begun, live);
  return 'type' in spec && spec.type === 'boolean' ? offerWords(['true', 'false']) : noOffer;
}

async function offerCompletion(completion: Completion, begun: string, live: LiveWords): Promise<Offer> {
  if (completion === 'file') return { candidates: [], files: true };
  if (completion === 'help') return helpWords(begun);
  if (completion === 'contract') {
    const { pathWords } = await import('../../commands/explain/find-subject.ts');
    return { candidates: pathWords(begun) };
  }
  return offerWords(completion === 'profile' ? live.profiles() : await live.names(completion.resource));
}

async function helpWords(begun: string): Promise<Offer> {
  const { topics } = await import('../help/topics.ts');
  const known = [...topics, ...allNouns()].map(({ name, summary }) => ({ word: name, doc: summary }));
  return { candidates: [...known, ...offerSynonyms(begun, known)] };
}

/** Offers synonyms with the telctl term: an exact match, or all if no other candidate fits. */
function offerSynonyms(begun: string, known: readonly Candidate[]): readonly Candidate[] {
  const fits = known.some(({ word }) => word.startsWith(begun));
  const meant = [...synonyms].filter(([word]) => word === begun || !fits);
  return meant.map(([word, lines]) => ({ word, doc: lines.join(', ') }));
}

async function wordsOffer(
  found: FoundCommand,
  begun: string,
  specs: readonly OptionSpec[],
  live: LiveWords,
): Promise<Offer> {
  if (found.kind === 'program') {
    const known = allNouns().map(({ name, summary }) => ({ word: name, doc: summary }));
    return { candidates: [...known, ...offerSynonyms(begun, known)] };
  }
  if (found.kind === 'group') return { candidates: await nextWords(found) };
  const operands = ignoreFailures(() => parseOptions('telctl', specs, found.rest).operands, []);
  const given = Object.values(found.command.arguments);
  const spec = given[operands.length] ?? given.find(({ rest }) => rest);
  return spec ? offerValues(spec, begun, live) : noOffer;
}

async function nextWords({
  noun,
  words,
}: Extract<FoundCommand, { kind: 'group' }>): Promise<readonly Candidate[]> {
  const all = await noun.commands();
  const inside = all.filter(
    ({ path, hidden }) => !hidden && words.every((word, index) => path[index] === word),
  );
  const next = new Map<string, string>();
  for (const { path, summary } of inside) {
    const word = path[words.length];
    if (word !== undefined && !next.has(word))
      next.set(word, path.length === words.length + 1 ? summary : '');
  }
  return [...next].map(([word, doc]) => ({ word, doc }));
}

/** Excludes words that would break the line format or the terminal. */
const isSafe = (word: string): boolean => word !== '' && !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(word);

/**
 * Handles `telctl __complete -- WORDS…` from the completion scripts. Prints a line per candidate with its description
 * after a tab, and `:file` if file names fit. Never fails, because a shell cannot show an error here.
 */
export async function answerShell(argv: readonly string[], host: Host, out: Output): Promise<number> {
  const words = argv.slice(argv[1] === '--' ? 2 : 1);
  const live = liveWords(host, selectorsIn(words));
  const { candidates, files } = await findOffer(words, live);
  const lines = candidates
    .filter(({ word }) => isSafe(word))
    .map(({ word, doc }) => (doc ? `${word}\t${doc}` : word));
  await out.write([...lines, ...(files ? [':file'] : [])].map((line) => `${line}\n`).join(''));
  return 0;
}
