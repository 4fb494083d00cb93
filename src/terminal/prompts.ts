import { Failure } from '../base/failure.ts';
import { type Lines, linesOf } from '../base/lines.ts';
import { neutraliseLines } from '../base/neutralise.ts';
import type { Prompter } from '../command/context.ts';
import type { Host } from '../host/host.ts';

type Questions = typeof import('./inquirer.ts')['questions'];

/** Rules for when questions may be asked, and which are answered without asking. */
export interface PromptRules {
  readonly available: boolean;
  /** `--yes`. */
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
      `Nobody can be asked here: ${inOneLine(question).replace(/:$/, '.')} Answer it with ${option}.`,
      { open: { question: inOneLine(question), flags: option.split(/,? or /) } },
    );

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
    const shown = initial === '' ? '' : ` [${neutraliseLines(initial)}]`;
    try {
      const asked = `${neutraliseLines(question)}${shown}`;
      return (await askPlainly(host, asked, { unseen, signal: host.interrupted })) || initial;
    } catch (error) {
      throw unanswered(error);
    }
  };
  const confirmPlainly = async (question: Lines): Promise<boolean> => {
    for (;;) {
      const answer = (
        await line([...linesOf(question), 'Answer yes or no, then Enter:'], false, 'no')
      ).trim();
      if (/^y(?:es)?$/i.test(answer)) return true;
      if (/^no?$/i.test(answer)) return false;
    }
  };

  const confirm = (question: Lines): Promise<boolean> =>
    rules.plain
      ? confirmPlainly(question)
      : ask((library, context, theme) =>
          library.confirm({ message: neutraliseLines(question), default: false, theme }, context),
        );

  return {
    available: rules.available,
    async confirm(question, { option }) {
      if (rules.yes) return true;
      if (!rules.available) throw refuse(question, option);
      return confirm(question);
    },
    async confirmExplicitly(question) {
      if (!rules.available) {
        throw new Failure('usage', `Only a terminal can answer: ${inOneLine(question)}`);
      }
      return confirm(question);
    },
    async secret(question, { option }) {
      if (!rules.available) throw refuse(question, option);
      if (rules.plain) return line(question, true);
      return ask((library, context, theme) =>
        library.password({ message: neutraliseLines(question), toggleMask: false, theme }, context),
      );
    },
    async text(question, { option, initial }) {
      if (!rules.available) throw refuse(question, option);
      if (rules.plain) return line(question, false, initial);
      const preset = initial === undefined ? {} : { default: initial };
      return ask((library, context, theme) =>
        library.input({ message: neutraliseLines(question), ...preset, theme }, context),
      );
    },
    async typed(question, word, { option }) {
      if (!rules.available) throw refuse(question, option);
      const answer = rules.plain
        ? await line(question, false)
        : await ask((library, context, theme) =>
            library.input({ message: neutraliseLines(question), theme }, context),
          );
      return answer.trim() === word;
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

const inOneLine = (question: Lines): string => linesOf(question).join(' ');

const same = (text: string): string => text;

/** The library's marks without colour. */
const uncoloured = {
  prefix: { idle: '?', done: '?' },
  style: {
    answer: same,
    message: same,
    error: same,
    help: same,
    highlight: same,
    key: same,
    defaultAnswer: (text: string) => `(${text})`,
  },
};
