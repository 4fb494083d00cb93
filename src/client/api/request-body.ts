import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { acceptance } from '../../contract/operations.ts';

/** Place where a service takes the acceptance of charges: beside `data`, or as a field of it. */
export type AcceptancePlace = 'beside-data' | 'in-data';

/** A value without the key that accepts charges, where it is an object. */
const withoutAcceptance = (value: Json): Json => {
  if (!isObject(value) || !Object.hasOwn(value, acceptance)) return value;
  const { [acceptance]: _, ...rest } = value;
  return rest;
};

/**
 * The body of a request, envelope included. Its constructor is private, so that every body is made by `of`, which
 * takes acceptance of charges out: some services store it with a record, and a record that was read and is sent back
 * would accept whatever it adds. `accepting` alone puts it in, and only `accept-charges.ts` calls that.
 */
export class RequestBody {
  readonly envelope: JsonObject;

  private constructor(envelope: JsonObject) {
    this.envelope = envelope;
  }

  /** The body of an envelope; of `{ data: {} }` where there is none. */
  static of(envelope: JsonObject = { data: {} }): RequestBody {
    const { [acceptance]: _, ...rest } = envelope;
    const { data } = rest;
    return new RequestBody(data === undefined ? rest : { ...rest, data: withoutAcceptance(data) });
  }

  /** The same body with the acceptance of charges. Data that is no object takes it beside itself. */
  accepting(place: AcceptancePlace): RequestBody {
    const { data = {} } = this.envelope;
    return new RequestBody(
      place === 'in-data' && isObject(data)
        ? { ...this.envelope, data: { ...data, [acceptance]: true } }
        : { ...this.envelope, [acceptance]: true },
    );
  }
}

/** True when a record carries acceptance of charges, as stored by services that take it inside `data`. */
export const carriesAcceptance = (record: unknown): boolean =>
  isObject(record) &&
  Object.hasOwn(record, acceptance) &&
  (record[acceptance] === true || record[acceptance] === 'true');
