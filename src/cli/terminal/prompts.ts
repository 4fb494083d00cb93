import { Failure } from '../../base/failure.ts';
import type { Host } from '../../base/host/host.ts';
import { neutralise } from '../../base/neutralise.ts';
import { type Lines, toLines, truncateToWidth } from '../../base/wording.ts';
import type { Prompter } from '../command/context.ts';
import { formatNotice } from './notice-text.ts';
import { terminalWidth } from './output.ts';
import { unstyled } from './style.ts';

type Library = typeof import('./inquirer.ts')['questions'];

export interface PromptRules {
  readonly available: boolean;
  readonly yes: boolean;
  readonly colored: boolean;
  readonly plain?: boolean;
  readonly before?: () => void;
}

/** Asks on stderr, so that stdout only contains data. */
export function openPrompter(host: Host, rules: PromptRules): Prompter {
  const questions = rules.plain ? plainQuestions(host, rules) : drawnQuestions(host, rules);
  const refuseUnavailable = (question: Lines, option: string): void => {
    if (!rules.available) throw unavailable(question, option);
  };
  return {
    available: rules.available,
    async confirm(question, { option }) {
      if (rules.yes) return true;
      refuseUnavailable(question, option);
      return questions.confirm(question);
    },
    async confirmExplicitly(question) {
      if (!rules.available)
        throw new Failure('usage', `Only a person at a terminal can answer: ${joinLines(question)}`);
      return questions.confirm(question);
    },
    async secret(question, { option }) {
      refuseUnavailable(question, option);
      return questions.secret(question);
    },
    async text(question, { option, initial }) {
      refuseUnavailable(question, option);
      return questions.text(question, initial);
    },
    async typed(question, word, { option }) {
      refuseUnavailable(question, option);
      return (await questions.text(question)).trim() === word;
    },
  };
}

function unavailable(question: Lines, option: string): Failure {
  const text = joinLines(question);
  return new Failure(
    'usage',
    [`Cannot ask without a terminal: ${text.replace(/([^?.!:]):?$/, '$1.')}`, `Answer with ${option}.`],
    { open: { question: text, flags: option.split(/,? or /) } },
  );
}

interface Questions {
  confirm(question: Lines): Promise<boolean>;
  secret(question: Lines): Promise<string>;
  text(question: Lines, initial?: string): Promise<string>;
}

function drawnQuestions(host: Host, { colored: coloured, before }: PromptRules): Questions {
  const theme = coloured ? {} : uncoloredTheme;
  const messageOf = (question: Lines): string =>
    formatNotice(question, {
      columns: terminalWidth(host.stderr),
      before: questionPrefix.length,
      after: answerRoom,
    });

  async function ask<T>(show: (library: Library, context: object) => Promise<T>): Promise<T> {
    before?.();
    const { questions } = await import('./inquirer.ts');
    const ended = new AbortController();
    const onEnd = (): void => ended.abort();
    // At Ctrl-D the library pauses the input and waits forever.
    for (const event of inputEnds) host.stdin.on(event, onEnd);
    const signal = AbortSignal.any([host.interrupted, ended.signal]);
    try {
      return await show(questions, { input: host.stdin, output: host.stderr, signal });
    } catch (error) {
      throw interruptedFailure(error);
    } finally {
      for (const event of inputEnds) host.stdin.removeListener(event, onEnd);
    }
  }

  return {
    confirm: (question) =>
      ask((library, context) =>
        library.confirm({ message: messageOf(question), default: false, theme }, context),
      ),
    secret: (question) =>
      ask((library, context) =>
        library.password({ message: messageOf(question), toggleMask: false, theme }, context),
      ),
    async text(question, initial = '') {
      const message = messageOf(withInitial(question, initial));
      return (await ask((library, context) => library.input({ message, theme }, context))) || initial;
    },
  };
}

function plainQuestions(host: Host, { before }: PromptRules): Questions {
  const line = async (question: Lines, unseen: boolean, initial = ''): Promise<string> => {
    before?.();
    const { askPlainly } = await import('./plain-prompts.ts');
    const message = formatNotice(withInitial(question, initial), {
      columns: terminalWidth(host.stderr),
      after: answerRoom,
      spoken: true,
    });
    try {
      return (await askPlainly(host, message, { unseen, signal: host.interrupted })) || initial;
    } catch (error) {
      throw interruptedFailure(error);
    }
  };
  return {
    async confirm(question) {
      for (;;) {
        const answer = await line([...toLines(question), 'Answer yes or no, then Enter:'], false, 'no');
        if (/^y(?:es)?$/i.test(answer.trim())) return true;
        if (/^no?$/i.test(answer.trim())) return false;
      }
    },
    secret: (question) => line(question, true),
    text: (question, initial) => line(question, false, initial),
  };
}

/** Converts a closed input or Ctrl-C to `interrupted`, because neither is an answer. */
const interruptedFailure = (error: unknown): unknown =>
  error instanceof Error && promptEndNames.has(error.name)
    ? new Failure('interrupted', 'Interrupted before an answer.', { cause: error })
    : error;

const inputEnds = ['pause', 'end', 'close'];

const promptEndNames = new Set(['ExitPromptError', 'AbortPromptError', 'CancelPromptError']);

const questionPrefix = '? ';
/** Cells after a question for the choices and a short answer. */
const answerRoom = 12;
const initialCells = 40;

/** Adds the initial value to a question. The library would print it unescaped. */
const withInitial = (question: Lines, initial = ''): Lines => {
  if (initial === '') return question;
  const lines = toLines(question);
  return [...lines.slice(0, -1), `${lines.at(-1)} (${truncateToWidth(neutralise(initial), initialCells)})`];
};

const joinLines = (question: Lines): string => toLines(question).join(' ');

const uncoloredTheme = {
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
