import { createRequire } from 'node:module';

/**
 * Libraries that read or compute the same as telctl, and that telctl does not use: tests compare the two. They are
 * required at run time, because most of them have no types of their own.
 */
const require = createRequire(import.meta.url);

/** The second reader of CSV. */
export const papaparse: {
  parse(
    text: string,
    options: {
      readonly delimiter?: string;
      readonly newline?: string;
      readonly delimitersToGuess?: readonly string[];
    },
  ): {
    readonly data: readonly (readonly string[])[];
    readonly errors: readonly { readonly code: string }[];
  };
} = require('papaparse');

/** The second reader of YAML. `FAILSAFE_SCHEMA` keeps scalars as text, as telctl does. */
export const jsYaml: {
  loadAll(text: string, options: { readonly schema: unknown; readonly json?: boolean }): readonly unknown[];
  readonly FAILSAFE_SCHEMA: unknown;
} = require('js-yaml');

/** A weekday of a recurrence, such as every Monday or the second one. */
interface RecurringWeekday {
  nth(position: number): RecurringWeekday;
}

/** Recurrences of iCalendar (RFC 5545). */
export const rrule: {
  readonly RRule: {
    new (options: Readonly<Record<string, unknown>>): { all(): readonly Date[] };
    readonly YEARLY: number;
    readonly MONTHLY: number;
    readonly WEEKLY: number;
    readonly DAILY: number;
    readonly MO: RecurringWeekday;
    readonly TU: RecurringWeekday;
    readonly WE: RecurringWeekday;
    readonly TH: RecurringWeekday;
    readonly FR: RecurringWeekday;
    readonly SA: RecurringWeekday;
    readonly SU: RecurringWeekday;
  };
} = require('rrule');

/** A time in a zone. */
export interface ZonedTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  /** Minutes ahead of UTC. */
  readonly offset: number;
  toSeconds(): number;
}

/** Local times of time zones. */
export const luxon: {
  readonly DateTime: {
    fromSeconds(at: number, options: { readonly zone: string }): ZonedTime;
    fromObject(fields: Readonly<Record<string, number>>, options: { readonly zone: string }): ZonedTime;
  };
} = require('luxon');

/** The third validator of OpenAPI documents, after Redocly and Spectral. */
export const openApiValidator: {
  readonly Validator: new () => {
    validate(document: unknown): Promise<{ readonly valid: boolean; readonly errors?: unknown }>;
  };
} = require('@seriousme/openapi-schema-validator');
