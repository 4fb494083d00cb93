import { Failure } from '../../base/failure.ts';
import type { Host } from '../../base/host/host.ts';
import { neutralise } from '../../base/neutralise.ts';
import { type Lines, linesOf, truncateToWidth } from '../../base/wording.ts';
import type { Prompter } from '../command/context.ts';
import { widthOf } from './output.ts';
import { saidText } from './said-text.ts';
import { unstyled } from './style.ts';

type Questions = typeof import('./inquirer.ts')['questions'];

/** Rules for when questions are possible, and which are answered automatically. */
export interface PromptRules {
  readonly available: boolean;
  readonly yes: boolean;
  readonly coloured: boolean;
  /** Plain questions without redrawing. */
  readonly plain?: boolean;
  /** Called before a question is shown. */
  readonly before?: () => void;
}

/** Asks on stderr, so that stdout only contains data. */
export function prompterOn(host: Host, rules: PromptRules): Prompter {
  const refuse = (question: Lines, option: string): Failure =>
    new Failure(
      'usage',
      `Nobody can be asked here: ${inOneLine(question).replace(/([^?.!:]):?$/, '$1.')} Answer it with ${option}.`,
      { open: { question: inOneLine(question), flags: option.split(/,? or /) } },
    );

  /** Formats a question with room for the answer. */
  const inWidth = (question: Lines): string =>
    saidText(question, {
      columns: widthOf(host.stderr),
      before: rules.plain ? 0 : mark.length,
      after: answerRoom,
      spoken: rules.plain ?? false,
    });

  async function ask<T>(
    show: (library: Questions, context: object, theme: object) => Promise<T>,
  ): Promise<T> {
    rules.before?.();
    const { questions } = await import('./inquirer.ts');
    const ended = new AbortController();
    const onEnd = (): void => ended.abort();
    // At Ctrl-D the library closes its reader, which pauses the input. It then waits forever.
    for (const event of inputEnds) host.stdin.on(event, onEnd);
    const signal = AbortSignal.any([host.interrupted, ended.signal]);
    const context = { input: host.stdin, output: host.stderr, signal };
    try {
      return await show(questions, context, rules.coloured ? {} : uncoloured);
    } catch (error) {
      throw unanswered(error);
    } finally {
      for (const event of inputEnds) host.stdin.removeListener(event, onEnd);
    }
  }

  /** Asks for a line. An empty answer keeps the initial value. */
  const line = async (question: Lines, unseen: boolean, initial = ''): Promise<string> => {
    rules.before?.();
    const { askPlainly } = await import('./plain-prompts.ts');
    const asked = inWidth(withInitial(question, initial));
    try {
      return (await askPlainly(host, asked, { unseen, signal: host.interrupted })) || initial;
    } catch (error) {
      throw unanswered(error);
    }
  };
  const confirmPlainly = async (question: Lines): Promise<boolean> => {
    for (;;) {
      const answer = await line([...linesOf(question), 'Answer yes or no, then Enter:'], false, 'no');
      if (/^y(?:es)?$/i.test(answer.trim())) return true;
      if (/^no?$/i.test(answer.trim())) return false;
    }
  };

  const input = async (question: Lines, initial = ''): Promise<string> => {
    if (rules.plain) return line(question, false, initial);
    const message = inWidth(withInitial(question, initial));
    return (await ask((library, context, theme) => library.input({ message, theme }, context))) || initial;
  };

  const confirm = (question: Lines): Promise<boolean> =>
    rules.plain
      ? confirmPlainly(question)
      : ask((library, context, theme) =>
          library.confirm({ message: inWidth(question), default: false, theme }, context),
        );

  return {
    available: rules.available,
    async confirm(question, { option }) {
      if (rules.yes) return true;
      if (!rules.available) throw refuse(question, option);
      return confirm(question);
    },
    async confirmExplicitly(question) {
      if (!rules.available) throw new Failure('usage', `Only a terminal can answer: ${inOneLine(question)}`);
      return confirm(question);
    },
    async secret(question, { option }) {
      if (!rules.available) throw refuse(question, option);
      if (rules.plain) return line(question, true);
      return ask((library, context, theme) =>
        library.password({ message: inWidth(question), toggleMask: false, theme }, context),
      );
    },
    async text(question, { option, initial }) {
      if (!rules.available) throw refuse(question, option);
      return input(question, initial);
    },
    async typed(question, word, { option }) {
      if (!rules.available) throw refuse(question, option);
      return (await input(question)).trim() === word;
    },
  };
}

/** Converts a closed input or Ctrl-C to `interrupted`. Neither counts as an answer. */
const unanswered = (error: unknown): unknown =>
  error instanceof Error && endings.has(error.name)
    ? new Failure('interrupted', 'Interrupted; nothing was answered.', { cause: error })
    : error;

/** Events of standard input after which no answer is possible. */
const inputEnds = ['pause', 'end', 'close'];

/** Error names of the prompt library for a prompt that ended without an answer. */
const endings = new Set(['ExitPromptError', 'AbortPromptError', 'CancelPromptError']);

const mark = '? ';
/** Cells for the choices and a short answer after a question. */
const answerRoom = 12;
const initialCells = 40;

/** Adds the initial value to a question. It is not passed to the library, which would print it unescaped. */
const withInitial = (question: Lines, initial = ''): Lines => {
  if (initial === '') return question;
  const lines = linesOf(question);
  return [...lines.slice(0, -1), `${lines.at(-1)} (${truncateToWidth(neutralise(initial), initialCells)})`];
};

const inOneLine = (question: Lines): string => linesOf(question).join(' ');

/** The library's symbols without color. */
const uncoloured = {
  prefix: { idle: '?', done: '?' },
  style: {
    answer: unstyled,
    message: unstyled,
    error: unstyled,
    help: unstyled,
    highlight: unstyled,
    key: unstyled,
    defaultAnswer: (text: string) => `(${text})`,
  },
};
