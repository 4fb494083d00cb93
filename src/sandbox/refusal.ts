import type { Json, JsonObject } from '../base/json.ts';
import type { Problem as FieldProblem } from '../contract/validate.ts';
import type { Behaviour } from './behaviour.ts';

/** One thing that is wrong with what was sent (Conventions, validation errors). */
export interface Problem extends FieldProblem {
  readonly cause?: Json | undefined;
  readonly value?: Json | undefined;
  /** Details of this rule alone. */
  readonly more?: JsonObject;
}

interface RefusalFacts {
  /** True when the changes of the request are stored although it is refused. */
  readonly isStored?: boolean;
  /** True when the resource was asked before; where left out, it depends on how far the request came. */
  readonly isAsked?: boolean;
  /** The reply has no `data`. */
  readonly isBare?: boolean;
  /** Keys of the envelope beside the usual ones. */
  readonly envelope?: JsonObject;
}

/** A request that is answered with an error. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  /** Word of the catalogue, `bad_identifier`. */
  readonly code: string;
  readonly data: Json;
  readonly facts: RefusalFacts;

  constructor(
    status: number,
    code: string,
    message: string,
    data: Json = { message },
    facts: RefusalFacts = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.data = data;
    this.facts = facts;
  }
}

/** Missing, wrong, expired or revoked credentials. */
export const notSignedIn = (message = 'The token or the credentials are not valid.'): Refusal =>
  new Refusal(401, 'invalid_credentials', message);

export const forbidden = (message: string): Refusal => new Refusal(403, 'forbidden', message);

/** No such record, or one that was deleted. */
export const unknownId = (id: string): Refusal =>
  new Refusal(404, 'bad_identifier', `There is nothing with the id ${id}.`, {
    message: 'bad identifier',
    cause: id,
  });

/** A name that services in the field look up elsewhere than ids, and miss in other words. */
export const unknownName = (name: string, { replies }: Pick<Behaviour, 'replies'>): Refusal =>
  replies.unknownNames === 'ids'
    ? unknownId(name)
    : new Refusal(404, 'bad identifier', `There is nothing named ${name}.`, [name]);

/** A fault of the service, as those in the field answer some requests that are only wrong: without any `data`. */
export const serviceFault = (message: string): Refusal =>
  new Refusal(500, message, message, { message }, { isBare: true });

/** Fields that are needed and were not sent (400). */
export const missingFields = (paths: readonly string[], { records }: Pick<Behaviour, 'records'>): Refusal =>
  invalid(
    paths.map((path) => ({
      path,
      rule: 'required',
      message: 'is required',
      ...(records.problems === 'detailed' ? { value: path } : {}),
    })),
  );

/** The request cannot be understood. */
export const faultyRequest = (message: string): Refusal => new Refusal(404, 'faulty_request', message);

const detailsOf = ({ message, target, value, cause, more }: Problem): JsonObject => ({
  message,
  ...(target === undefined ? {} : { target }),
  ...(value === undefined ? {} : { value }),
  ...(cause === undefined ? {} : { cause }),
  ...more,
});

/** Returns the refusal of data that breaks rules: `data` maps field to rule to details. */
export function invalid(problems: readonly Problem[], facts: RefusalFacts = {}): Refusal {
  const fields = Map.groupBy(problems, ({ path }) => path);
  const data = Object.fromEntries(
    [...fields].map(([field, ofField]) => [
      field,
      Object.fromEntries(ofField.map((problem) => [problem.rule, detailsOf(problem)])),
    ]),
  );
  const [first] = problems;
  const message = first ? `${first.path}: ${first.message}` : 'The request is not valid.';
  return new Refusal(400, 'validation_error', message, data, facts);
}
