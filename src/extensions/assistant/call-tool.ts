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
import { type AskPerson, approvalQuestion } from './approval.ts';
import { type AssistantRights, offeredOptions } from './permissions.ts';
import {
  answerOf,
  errorIn,
  type LineOutput,
  type LineRunner,
  noticesIn,
  refusedAnswer,
  type ToolAnswer,
} from './run-call.ts';
import { buildCommandLine, commandLineOf, commandOfTool, type Tool, type ToolCall } from './tools.ts';

export interface Serving {
  readonly allowed: AssistantRights;
  readonly caller: LineRunner;
  readonly word: ReturnType<typeof chargeConsentFor>;
}

/** Runs the command of a call. Asks the user questions if the client supports it. */
export async function toolAnswer(
  tool: Tool,
  args: unknown,
  { allowed, caller, word }: Serving,
  signal: AbortSignal,
  ask: AskPerson | undefined,
): Promise<ToolAnswer> {
  try {
    const { input, ...call } = parseCall(tool, args);
    if (/\$\{(?:env|file)\./.test(input))
      throw new Failure('refused', 'Input of an assistant cannot refer to variables or files.');
    const command = commandOfTool(tool, call, allowed);
    const consent = word(ask);
    const runWith = (options: JsonObject): Promise<LineOutput> => {
      const line = buildCommandLine(command, { ...call, options }, allowed);
      const at = optionsEnd(line);
      return caller.run([...line.slice(0, at), '--output=json', ...line.slice(at)], {
        input,
        signal,
        consent,
        ask,
      });
    };
    // If the client can ask the user, the assistant must not answer for them.
    const { yes: _, ...unanswered } = call.options;
    const said = await runWith(ask ? unanswered : call.options);
    const { flags, question } = openQuestionIn(said);
    if (ask && flags.includes('--yes') && allowed.writes) {
      const isAgreed = await ask(approvalQuestion(noticesIn(said), question));
      return isAgreed
        ? answerOf(await runWith({ ...unanswered, yes: true }))
        : refusedAnswer(new Failure('refused', 'The user declined. Nothing was changed.'));
    }
    return answerOf(said, answeringAction(tool, call, { question, flags }, offeredOptions(command, allowed)));
  } catch (error) {
    if (error instanceof Failure) return refusedAnswer(error);
    throw error;
  }
}

/** Returns the final question of a command line, and the options that answer it. */
function openQuestionIn(said: LineOutput): Pick<OpenQuestion, 'question' | 'flags'> {
  const { action_required: action } = errorIn(said) ?? {};
  const { question, flags } = isObject(action) ? action : {};
  return {
    question: textOrEmpty(question),
    flags: textsIn(flags),
  };
}

/**
 * Returns the action that answers a question: options of the tool if the assistant can use them, or else the command
 * line for the user.
 */
function answeringAction(
  tool: Tool,
  call: ToolCall,
  { question, flags }: ReturnType<typeof openQuestionIn>,
  offered: readonly OptionSpec[],
): JsonObject {
  const answers = flags.flatMap((each) => {
    const [flag = '', ...value] = each.replace(/^--/, '').split(' ');
    const isKnown = each.startsWith('--') && offered.some((spec) => spec.flag === flag);
    return isKnown ? [[flag, value.length === 0 ? true : value.join(' ')] as const] : [];
  });
  const [answer] = answers;
  return answer === undefined
    ? { question, person: `${commandLineOf(tool, call)}${flags[0] ? ` ${flags[0]}` : ''}` }
    : { question, options: Object.fromEntries([answer]) };
}

/** Reads the arguments of a call. Throws `usage` if they do not match the schema. */
function parseCall(tool: Tool, args: unknown): ToolCall & { readonly input: string } {
  const given: JsonObject = isObject(args) ? args : {};
  const known = Object.keys(Object(tool.inputSchema.properties));
  const strange = Object.keys(given).find((key) => !known.includes(key));
  if (strange !== undefined)
    throw new Failure('usage', `${tool.name} has no parameter ${JSON.stringify(strange)}.`, {
      hint: `Parameters: ${known.join(', ')}`,
    });
  const { [tool.chooses]: word = '', arguments: words = [], options = {}, input = '' } = given;
  const isText = (value: unknown): value is string => typeof value === 'string';
  if (!isText(word) || !isText(input) || !Array.isArray(words) || !words.every(isText) || !isObject(options))
    throw new Failure(
      'usage',
      `${tool.chooses} and input must be texts, arguments a list of texts, and options an object.`,
    );
  return { word: word.trim().replace(/^telctl /, ''), arguments: words, options, input };
}

type Step<T> =
  | { readonly kind: 'answer'; readonly answer: T }
  | { readonly kind: 'question'; readonly id: string; readonly question: string };

/** Stores calls that wait for the user. The tool call ends with the question. The next call contains the answer. */
export function waitingCalls<T>(newId: () => string) {
  const waiting = new Map<string, (isAgreed: boolean) => Promise<Step<T>>>();
  return {
    /** Starts work that may ask. Resolves at its first question or at its end. */
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
    /** Continues a call after the user's answer. Returns `undefined` if no call with that id is waiting. */
    resume: (id: string, isAgreed: boolean): Promise<Step<T>> | undefined => waiting.get(id)?.(isAgreed),
    end(): void {
      for (const answer of waiting.values()) answer(false).catch(() => undefined);
    },
  };
}

/** Returns a function that creates the consent to charges. The user is asked each time, up to the remaining amount. */
export function chargeConsentFor({
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
          `The charges are ${text}, but this server can only accept ${left ? formatDecimal(left) : '0.00'} more. Nothing was changed.`,
          {
            hint: 'Ask the user to run it on the command line, or to restart the server with a higher --allow-charges-up-to.',
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
