import { Failure } from '../../../base/failure.ts';
import { isObject, type JsonObject } from '../../../base/json.ts';
import { neutralise } from '../../../base/neutralise.ts';
import type { Command } from '../../command/command.ts';
import { type Allowed, offeredOptions } from './allowed.ts';
import type { AskPerson, chargesWord } from './asking.ts';
import { type Answer, answerOf, type Caller, errorIn, refusalOf, type Said, saidIn } from './run-call.ts';
import { commandOf, lineOf, personsLine, type Tool, type ToolCall } from './tools.ts';

/** One call of a tool, and what it works with. */
export interface OneCall {
  readonly allowed: Allowed;
  readonly caller: Caller;
  readonly word: ReturnType<typeof chargesWord>;
  readonly signal: AbortSignal;
  readonly ask: AskPerson | undefined;
}

/** Runs the command of a call. Where the client can ask its person, questions are asked there. */
export async function answerTo(tool: Tool, args: unknown, serving: OneCall): Promise<Answer> {
  const { allowed, caller, signal, ask, word } = serving;
  try {
    const { input, ...call } = callIn(tool, args);
    if (/\$\{(?:env|file)\./.test(input))
      throw new Failure('refused', 'Input of an assistant may not refer to variables or files.');
    const command = commandOf(tool, call, allowed);
    const consent = word(ask);
    const runWith = (options: JsonObject): Promise<Said> => {
      const line = lineOf(command, { ...call, options }, allowed);
      const end = line.indexOf('--');
      const at = end === -1 ? line.length : end;
      return caller.run([...line.slice(0, at), '--output=json', ...line.slice(at)], {
        input,
        signal,
        consent,
      });
    };
    // Where the person can be asked, an assistant does not answer in their place.
    const { yes: _, ...unanswered } = call.options;
    const said = await runWith(ask ? unanswered : call.options);
    const { flags, question } = openIn(said);
    if (ask && flags.includes('--yes') && allowed.writes) {
      const isAgreed = await ask([...saidIn(said), question].map((line) => neutralise(line)).join('\n'));
      return isAgreed
        ? answerOf(await runWith({ ...unanswered, yes: true }))
        : refusalOf(new Failure('refused', 'The person said no. Nothing was changed.'));
    }
    return answerOf(said, actionIn(tool, call, { question, flags, command, allowed }));
  } catch (error) {
    if (error instanceof Failure) return refusalOf(error);
    throw error;
  }
}

/** The question that a command line ended with, and the options that answer it. */
function openIn(said: Said): { readonly question: string; readonly flags: readonly string[] } {
  const { action_required: action } = errorIn(said) ?? {};
  const { question, flags } = isObject(action) ? action : {};
  return {
    question: isText(question) ? question : '',
    flags: Array.isArray(flags) ? flags.filter(isText) : [],
  };
}

interface Open {
  readonly question: string;
  readonly flags: readonly string[];
  readonly command: Command;
  readonly allowed: Allowed;
}

/** What answers a question: options of the tool where an assistant has them, else the line for a person to run. */
function actionIn(tool: Tool, call: ToolCall, { question, flags, command, allowed }: Open): JsonObject {
  const offered = offeredOptions(command, allowed);
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

const isText = (value: unknown): value is string => typeof value === 'string';

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
  if (!isText(word) || !isText(input) || !Array.isArray(words) || !words.every(isText) || !isObject(options))
    throw new Failure(
      'usage',
      `${tool.chooses} and input are texts, arguments is a list of texts, and options an object.`,
    );
  return { word: word.trim().replace(/^telctl /, ''), arguments: words, options, input };
}
