import type { Json, JsonObject } from '../base/json.ts';
import type { Problem as FieldProblem } from '../contract/validate.ts';

/** One thing that is wrong with what was sent (Conventions, validation errors). */
export interface Problem extends FieldProblem {
  /** What it clashes with. */
  readonly cause?: Json | undefined;
  readonly value?: Json | undefined;
  /** Details of this rule alone. */
  readonly more?: JsonObject;
}

/** A request that is answered with an error. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  /** Word of the catalogue, `bad_identifier`. */
  readonly code: string;
  readonly data: Json;
  /** What the request changes is stored although it is refused. */
  readonly isStored: boolean;

  constructor(
    status: number,
    code: string,
    message: string,
    data: Json = { message },
    { isStored = false } = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.data = data;
    this.isStored = isStored;
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

/** The request cannot be understood. */
export const faultyRequest = (message: string): Refusal => new Refusal(404, 'faulty_request', message);

const detailsOf = ({ message, target, value, cause, more }: Problem): JsonObject => ({
  message,
  ...(target === undefined ? {} : { target }),
  ...(value === undefined ? {} : { value }),
  ...(cause === undefined ? {} : { cause }),
  ...more,
});

/** What was sent breaks rules: `data` maps field to rule to details. */
export function invalid(
  problems: readonly Problem[],
  options: { readonly isStored?: boolean } = {},
): Refusal {
  const fields = Map.groupBy(problems, ({ path }) => path);
  const data = Object.fromEntries(
    [...fields].map(([field, ofField]) => [
      field,
      Object.fromEntries(ofField.map((problem) => [problem.rule, detailsOf(problem)])),
    ]),
  );
  const [first] = problems;
  const message = first ? `${first.path}: ${first.message}` : 'The request is not valid.';
  return new Refusal(400, 'validation_error', message, data, options);
}
