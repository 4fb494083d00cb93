import type { Decimal } from '../../base/decimal.ts';
import { createHint, Failure, type HintSource, nextStep } from '../../base/failure.ts';
import type { Json } from '../../base/json.ts';
import type { Command, OptionSpec } from '../../cli/command/command.ts';
import { globalOptions } from '../../cli/commands/global-options.ts';
import { doesOfInput } from '../../cli/shell/self/list-commands.ts';
import type { ApiParts } from '../../client/api/api.ts';
import { type Does, requestEffects } from '../../contract/capabilities.ts';
import { operationById } from '../../contract/catalogue.ts';
import type { Operation } from '../../contract/types.ts';

export interface AssistantRights {
  readonly writes: boolean;
  /** True if deletes are allowed. Has no effect without `writes`. */
  readonly deletes: boolean;
  /** The maximum charges that the user can be asked to accept. */
  readonly chargesUpTo?: Decimal | undefined;
  /** Names of nouns (default: all). */
  readonly nouns?: readonly string[] | undefined;
}

/** Effects that assistants are never allowed to have, as named in messages. */
export const forPeople: Partial<Readonly<Record<Does, string>>> = {
  'shows-secrets': 'secrets and keys',
  'sign-in': 'passwords, keys and how people sign in',
  privileges: 'roles, service plans, accounts and who gets events',
};

/** Effects on this machine that assistants are never allowed to have, as named in refusals. */
export const atThisMachine: ReadonlyMap<Does, string> = new Map([
  ['writes-files', 'writes files, which assistants cannot do'],
  ['starts-programs', 'starts a program, which assistants cannot do'],
  ['listens', 'waits for connections, which assistants cannot do'],
]);

/** Returns why an assistant cannot send a writing request, or `undefined` if it can. */
function refusalReason(
  operation: Operation,
  data: Json | undefined,
  { deletes }: AssistantRights,
): string | undefined {
  const does = requestEffects(operation, data);
  for (const [word, what] of Object.entries(forPeople))
    if ([...does].some((each) => each === word)) return `only people can change ${what}`;
  if (operation.effect === 'destructive' && !does.has('deletes'))
    return 'only people can make changes that cannot be undone';
  return does.has('deletes') && !deletes ? 'this server was started without --allow-deletes' : undefined;
}

/**
 * Creates the check that refuses requests of an assistant before they are sent: writes of a read-only server, deletes
 * without permission, and requests reserved for people. It applies to every command. Requests that the contract does
 * not describe must be reads.
 */
export function requestGuard(allowed: AssistantRights): NonNullable<ApiParts['forbids']> {
  const refused = (why: string, hint: HintSource): Failure => new Failure('refused', why, { hint });
  return ({ operation, body, effect }) => {
    if (effect === 'read') return undefined;
    if (!allowed.writes)
      return refused(
        'This server is read-only. No request was sent.',
        createHint`To allow changes, restart it with: ${nextStep`mcp --allow-writes`}`,
      );
    if (operation === undefined)
      return refused(
        'Assistants cannot change data with "api". No request was sent.',
        'Use the tool of the noun.',
      );
    const why = refusalReason(operation, body?.envelope.data, allowed);
    return why === undefined
      ? undefined
      : refused(
          `Assistants cannot send ${operation.id}: ${why}. No request was sent.`,
          why.includes('--allow-deletes')
            ? createHint`To allow deletes, restart it with: ${nextStep`mcp --allow-writes --allow-deletes`}`
            : 'Ask the user to run it on the command line.',
        );
  };
}

/**
 * Returns why a command is not offered to an assistant, as the end of a sentence after its name. Returns `undefined`
 * if it is offered. Commands without declared operations, such as `apply`, `undo` and `api`, are checked at each
 * request.
 */
export function withheldReason(command: Command, allowed: AssistantRights): string | undefined {
  const { hidden, effect, attended = effect === 'local', does = [], operations = [] } = command;
  const own = [...does, ...Object.values(command.arguments).flatMap(doesOfInput)];
  const atMachine = own.find((word) => atThisMachine.has(word));
  if (atMachine !== undefined) return atThisMachine.get(atMachine);
  const forPerson = own.find((word) => word in forPeople);
  if (command.operations !== undefined && forPerson !== undefined)
    return `is only for people, because it changes ${forPeople[forPerson]}`;
  if (hidden || attended) return 'is only for people, because it asks questions or waits';
  const why = operations
    .map(operationById)
    .filter((each) => each.effect !== 'read')
    .flatMap((each) => refusalReason(each, undefined, { ...allowed, deletes: true }) ?? []);
  if (why[0] !== undefined) return `is not for assistants: ${why[0]}`;
  if (!allowed.writes && effect !== 'read' && effect !== 'local')
    return 'changes something, and this server was started without --allow-writes';
  const isDelete = operations
    .map(operationById)
    .some((each) => requestEffects(each, undefined).has('deletes'));
  return isDelete && !allowed.deletes
    ? 'deletes records, and this server was started without --allow-deletes'
    : undefined;
}

export const isOffered = (command: Command, allowed: AssistantRights): boolean =>
  withheldReason(command, allowed) === undefined;

/** Global options that an assistant can use. `telctl mcp` sets those for the address and sign-in. */
const { fields, query, dryRun, yes, note } = globalOptions;

/**
 * Returns the options of a command that an assistant can use. Excludes options that wait, write files, or read or
 * show secrets.
 */
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
