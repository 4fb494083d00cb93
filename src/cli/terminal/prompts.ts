import { Failure } from '../../base/failure.ts';
import type { Host } from '../../base/host/host.ts';
import { neutralise } from '../../base/neutralise.ts';
import { cutTo, type Lines, linesOf } from '../../base/wording.ts';
import type { Prompter } from '../command/context.ts';
import { widthOf } from './output.ts';
import { saidText } from './said-text.ts';
import { unstyled } from './style.ts';

type Questions = typeof import('./inquirer.ts')['questions'];

/** Rules for when questions may be asked, and which are answered without asking. */
export interface PromptRules {
  readonly available: boolean;
  readonly yes: boolean;
  readonly coloured: boolean;
  /** Questions are lines, and nothing is drawn again. */
  readonly plain?: boolean;
  /** Called before a question is shown. */
  readonly before?: () => void;
}

/** Asks on stderr, so that stdout carries data alone. */
export function prompterOn(host: Host, rules: PromptRules): Prompter {
  const refuse = (question: Lines, option: string): Failure =>
    new Failure(
      'usage',
      `Nobody can be asked here: ${inOneLine(question).replace(/([^?.!:]):?$/, '$1.')} Answer it with ${option}.`,
      { open: { question: inOneLine(question), flags: option.split(/,? or /) } },
    );

  /** A question as it is shown, with room for an answer behind it. */
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
    // At Ctrl-D the library closes its reader, which pauses the input, and then waits for ever.
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

  /** A line that was typed; nothing typed is what stands there already. */
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

/** A closed input and a Ctrl-C are both no answer, which is never taken for one. */
const unanswered = (error: unknown): unknown =>
  error instanceof Error && endings.has(error.name)
    ? new Failure('interrupted', 'Interrupted; nothing was answered.', { cause: error })
    : error;

/** Events of standard input after which no answer can come. */
const inputEnds = ['pause', 'end', 'close'];

/** Names by which the prompt library marks a prompt that ended without an answer. */
const endings = new Set(['ExitPromptError', 'AbortPromptError', 'CancelPromptError']);

const mark = '? ';
/** Cells that the choices and a short answer take behind a question. */
const answerRoom = 12;
const initialCells = 40;

/** A question with what stands there already; it never goes through the library, which would write it as it is. */
const withInitial = (question: Lines, initial = ''): Lines => {
  if (initial === '') return question;
  const lines = linesOf(question);
  return [...lines.slice(0, -1), `${lines.at(-1)} (${cutTo(neutralise(initial), initialCells)})`];
};

const inOneLine = (question: Lines): string => linesOf(question).join(' ');

/** The library's marks without colour. */
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
