import type { Decimal } from '../../base/decimal.ts';
import { createHint, Failure, type HintSource, nextStep } from '../../base/failure.ts';
import type { Json } from '../../base/json.ts';
import type { Command, OptionSpec } from '../../cli/command/command.ts';
import { globalOptions } from '../../cli/commands/global-options.ts';
import { doesOfInput } from '../../cli/shell/self/list-commands.ts';
import type { ApiParts } from '../../client/api/api.ts';
import { type Does, doesOf } from '../../contract/capabilities.ts';
import { operationById } from '../../contract/catalogue.ts';
import type { Operation } from '../../contract/types.ts';

/** The permissions of an assistant. */
export interface AssistantRights {
  readonly writes: boolean;
  /** Allows deletes. Has no effect without `writes`. */
  readonly deletes: boolean;
  /** The most charges that the user can be asked to accept. */
  readonly chargesUpTo?: Decimal | undefined;
  /** Names of nouns (default: all). */
  readonly nouns?: readonly string[] | undefined;
}

/** Effects that are never allowed to assistants, as named in messages. */
export const forPeople: Partial<Readonly<Record<Does, string>>> = {
  'shows-secrets': 'secrets and keys',
  'sign-in': 'passwords, keys and how people sign in',
  privileges: 'roles, service plans, accounts and who gets events',
};

/** Effects on this machine that are never allowed to assistants, as named in refusals. */
export const atThisMachine: ReadonlyMap<Does, string> = new Map([
  ['writes-files', 'writes files, and no assistant does'],
  ['starts-programs', 'starts a program, and no assistant does'],
  ['listens', 'waits for connections, and no assistant does'],
]);

/** Returns why an assistant cannot send a writing request, or `undefined` if it can. */
function whyNot(
  operation: Operation,
  data: Json | undefined,
  { deletes }: AssistantRights,
): string | undefined {
  const does = doesOf(operation, data);
  for (const [word, what] of Object.entries(forPeople))
    if ([...does].some((each) => each === word)) return `what it changes (${what}) is for people`;
  if (operation.effect === 'destructive' && !does.has('deletes'))
    return 'what no undo brings back is for people';
  return does.has('deletes') && !deletes ? 'this server was started without --allow-deletes' : undefined;
}

/**
 * Makes the check that refuses requests of an assistant before they are sent, for every command: writes of a read-only
 * server, deletes without permission, and requests that only people can send. Requests that the contract does not
 * describe must be reads.
 */
export function forbiddenTo(allowed: AssistantRights): NonNullable<ApiParts['forbids']> {
  const refused = (why: string, hint: HintSource): Failure => new Failure('refused', why, { hint });
  return ({ operation, body, effect }) => {
    if (effect === 'read') return undefined;
    if (!allowed.writes)
      return refused(
        'This server is read-only. No request was sent.',
        createHint`A person can start it with: ${nextStep`mcp --allow-writes`}`,
      );
    if (operation === undefined)
      return refused(
        'An assistant sends no request of "api" that changes something; nothing was sent.',
        'Use the tool of its noun.',
      );
    const why = whyNot(operation, body?.envelope.data, allowed);
    return why === undefined
      ? undefined
      : refused(
          `An assistant may not send ${operation.id}: ${why}; nothing was sent.`,
          why.includes('--allow-deletes')
            ? createHint`A person can start it with: ${nextStep`mcp --allow-writes --allow-deletes`}`
            : 'A person can do it on the command line.',
        );
  };
}

/**
 * Returns why an assistant is not offered a command, as the end of a sentence that begins with its name; `undefined`
 * where it is. One that names no operations (`apply`, `undo`, `api`) is judged by each request that it sends.
 */
export function whyWithheld(command: Command, allowed: AssistantRights): string | undefined {
  const { hidden, effect, attended = effect === 'local', does = [], operations = [] } = command;
  const own = [...does, ...Object.values(command.arguments).flatMap(doesOfInput)];
  const atMachine = own.find((word) => atThisMachine.has(word));
  if (atMachine !== undefined) return atThisMachine.get(atMachine);
  const forPerson = own.find((word) => word in forPeople);
  if (command.operations !== undefined && forPerson !== undefined)
    return `is for people: it is about ${forPeople[forPerson]}`;
  if (hidden || attended) return 'is for people: it asks, or waits for them';
  const why = operations
    .map(operationById)
    .filter((each) => each.effect !== 'read')
    .flatMap((each) => whyNot(each, undefined, { ...allowed, deletes: true }) ?? []);
  if (why[0] !== undefined) return `is not for assistants: ${why[0]}`;
  if (!allowed.writes && effect !== 'read' && effect !== 'local')
    return 'changes something, and this server was started without --allow-writes';
  const isDelete = operations.map(operationById).some((each) => doesOf(each, undefined).has('deletes'));
  return isDelete && !allowed.deletes
    ? 'deletes records, and this server was started without --allow-deletes'
    : undefined;
}

/** Returns true for commands that are listed for assistants. */
export const isOffered = (command: Command, allowed: AssistantRights): boolean =>
  whyWithheld(command, allowed) === undefined;

/** Options of every command that an assistant may give. Those that say where and as whom are the line's that serves. */
const { fields, query, dryRun, yes, note } = globalOptions;

/** Options of a command that an assistant may give: none that waits, writes a file, or takes or shows a secret. */
export function offeredOptions(
  command: Command,
  { writes, deletes }: AssistantRights,
): readonly OptionSpec[] {
  const own: readonly OptionSpec[] = Object.values(command.options);
  return [...own, fields, query, ...(writes ? [dryRun, yes, note] : [])].filter(
    (spec: OptionSpec) =>
      !spec.attended &&
      !/-(?:stdin|file)$/.test(spec.flag) &&
      doesOfInput(spec).every(
        (word) => word === 'reads-files' || word === 'costs' || (word === 'deletes' && deletes),
      ),
  );
}
