import {
  addDecimals,
  compareDecimals,
  formatDecimal,
  parseDecimal,
  subtractDecimals,
} from '../../base/decimal.ts';
import { Failure, type OpenQuestion } from '../../base/failure.ts';
import { isObject, type JsonObject, textOrEmpty, textsIn } from '../../base/json.ts';
import type { OptionSpec } from '../../cli/command/command.ts';
import type { AskedCharges, Consent } from '../../cli/command/context.ts';
import { optionsEnd } from '../../cli/shell/input-for.ts';
import { type AssistantRights, offeredOptions } from './allowed.ts';
import { type AskPerson, approvalQuestion } from './approval.ts';
import {
  answerOf,
  errorIn,
  type LineRunner,
  refusedAnswer,
  type Said,
  saidIn,
  type ToolAnswer,
} from './run-call.ts';
import { commandOfTool, lineOf, personsLine, type Tool, type ToolCall } from './tools.ts';

/** What the line that serves allows, and by which its calls are run. */
export interface Serving {
  readonly allowed: AssistantRights;
  readonly caller: LineRunner;
  readonly word: ReturnType<typeof chargesWord>;
}

/** Runs the command of a call. Where the client can ask its person, questions are asked there. */
export async function toolAnswer(
  tool: Tool,
  args: unknown,
  { allowed, caller, word }: Serving,
  signal: AbortSignal,
  ask: AskPerson | undefined,
): Promise<ToolAnswer> {
  try {
    const { input, ...call } = callIn(tool, args);
    if (/\$\{(?:env|file)\./.test(input))
      throw new Failure('refused', 'Input of an assistant may not refer to variables or files.');
    const command = commandOfTool(tool, call, allowed);
    const consent = word(ask);
    const runWith = (options: JsonObject): Promise<Said> => {
      const line = lineOf(command, { ...call, options }, allowed);
      const at = optionsEnd(line);
      return caller.run([...line.slice(0, at), '--output=json', ...line.slice(at)], {
        input,
        signal,
        consent,
        ask,
      });
    };
    // Where the person can be asked, an assistant does not answer in their place.
    const { yes: _, ...unanswered } = call.options;
    const said = await runWith(ask ? unanswered : call.options);
    const { flags, question } = openIn(said);
    if (ask && flags.includes('--yes') && allowed.writes) {
      const isAgreed = await ask(approvalQuestion(saidIn(said), question));
      return isAgreed
        ? answerOf(await runWith({ ...unanswered, yes: true }))
        : refusedAnswer(new Failure('refused', 'The person said no. Nothing was changed.'));
    }
    return answerOf(said, actionIn(tool, call, { question, flags }, offeredOptions(command, allowed)));
  } catch (error) {
    if (error instanceof Failure) return refusedAnswer(error);
    throw error;
  }
}

/** The question that a command line ended with, and the options that answer it. */
function openIn(said: Said): Pick<OpenQuestion, 'question' | 'flags'> {
  const { action_required: action } = errorIn(said) ?? {};
  const { question, flags } = isObject(action) ? action : {};
  return {
    question: textOrEmpty(question),
    flags: textsIn(flags),
  };
}

/** What answers a question: options of the tool where an assistant has them, else the line for a person to run. */
function actionIn(
  tool: Tool,
  call: ToolCall,
  { question, flags }: ReturnType<typeof openIn>,
  offered: readonly OptionSpec[],
): JsonObject {
  const answers = flags.flatMap((each) => {
    const [flag = '', ...value] = each.replace(/^--/, '').split(' ');
    const isKnown = each.startsWith('--') && offered.some((spec) => spec.flag === flag);
    return isKnown ? [[flag, value.length === 0 ? true : value.join(' ')] as const] : [];
  });
  const [answer] = answers;
  return answer === undefined
    ? { question, person: `${personsLine(tool, call)}${flags[0] ? ` ${flags[0]}` : ''}` }
    : { question, options: Object.fromEntries([answer]) };
}

/** A call as its schema describes it. Throws `usage` for any other. */
function callIn(tool: Tool, args: unknown): ToolCall & { readonly input: string } {
  const given: JsonObject = isObject(args) ? args : {};
  const known = Object.keys(Object(tool.inputSchema.properties));
  const strange = Object.keys(given).find((key) => !known.includes(key));
  if (strange !== undefined)
    throw new Failure('usage', `${tool.name} takes no ${JSON.stringify(strange)}.`, {
      hint: `It takes ${known.join(', ')}.`,
    });
  const { [tool.chooses]: word = '', arguments: words = [], options = {}, input = '' } = given;
  const isText = (value: unknown): value is string => typeof value === 'string';
  if (!isText(word) || !isText(input) || !Array.isArray(words) || !words.every(isText) || !isObject(options))
    throw new Failure(
      'usage',
      `${tool.chooses} and input are texts, arguments is a list of texts, and options an object.`,
    );
  return { word: word.trim().replace(/^telctl /, ''), arguments: words, options, input };
}

/** State of a call: ended, or waiting for the person's answer to a question. */
type Step<T> =
  | { readonly kind: 'answer'; readonly answer: T }
  | { readonly kind: 'question'; readonly id: string; readonly question: string };

/** Calls that wait for a person: each ends with its question, and the next one, with the answer, goes on. */
export function waitingCalls<T>(newId: () => string) {
  const waiting = new Map<string, (isAgreed: boolean) => Promise<Step<T>>>();
  return {
    /** Begins work that may ask, and follows it to its first question or its end. */
    begin(work: (ask: AskPerson) => Promise<T>): Promise<Step<T>> {
      let next = Promise.withResolvers<Step<T>>();
      let turn: Promise<unknown> = Promise.resolve();
      const askNow = (question: string): Promise<boolean> =>
        new Promise((resolve) => {
          const id = newId();
          waiting.set(id, (isAgreed) => {
            waiting.delete(id);
            next = Promise.withResolvers();
            resolve(isAgreed);
            return next.promise;
          });
          next.resolve({ kind: 'question', id, question });
        });
      const ask: AskPerson = (question) => {
        const asked = turn.then(() => askNow(question));
        turn = asked;
        return asked;
      };
      work(ask).then(
        (answer) => next.resolve({ kind: 'answer', answer }),
        (error: unknown) => next.reject(error),
      );
      return next.promise;
    },
    /** Goes on with a call after the person's answer; `undefined` where no call waits under that id. */
    goOn: (id: string, isAgreed: boolean): Promise<Step<T>> | undefined => waiting.get(id)?.(isAgreed),
    /** Answers every question that is open with no. */
    end(): void {
      for (const answer of waiting.values()) answer(false).catch(() => undefined);
    },
  };
}

/** Consent to charges: the person is asked each time, within what is left of the line's amount, else none. */
export function chargesWord({
  chargesUpTo,
}: AssistantRights): (ask: AskPerson | undefined) => Consent | undefined {
  let left = chargesUpTo;
  return (ask) => {
    if (ask === undefined || left === undefined) return undefined;
    const decide = async ({ account, text, estimate = '' }: AskedCharges): Promise<boolean> => {
      const sum = parseDecimal(estimate);
      if (left === undefined || sum === undefined || compareDecimals(sum, left) > 0)
        throw new Failure(
          'charges',
          `The charges are ${text}, and this server may still have ${left ? formatDecimal(left) : '0.00'} accepted. Nothing changed.`,
          {
            hint: 'A person can accept more on the command line, or start it with a higher --allow-charges-up-to.',
          },
        );
      left = subtractDecimals(left, sum);
      const isAgreed = await ask(`Accept ${text} in ${account}? telctl mcp asks each time.`);
      if (!isAgreed) left = addDecimals(left, sum);
      return isAgreed;
    };
    return { kind: 'decide', decide };
  };
}
