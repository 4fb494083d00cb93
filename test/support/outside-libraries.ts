import { createRequire } from 'node:module';

/**
 * Independent libraries that compute the same as telctl, for comparison. They are loaded with `require`, because most
 * have no types.
 */
const require = createRequire(import.meta.url);

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

/** `FAILSAFE_SCHEMA` keeps scalars as text, like telctl. */
export const jsYaml: {
  loadAll(text: string, options: { readonly schema: unknown; readonly json?: boolean }): readonly unknown[];
  readonly FAILSAFE_SCHEMA: unknown;
} = require('js-yaml');

/** A weekday of a recurrence, such as every Monday or the second Monday. */
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

export const luxon: {
  readonly DateTime: {
    fromSeconds(at: number, options: { readonly zone: string }): ZonedTime;
    fromObject(fields: Readonly<Record<string, number>>, options: { readonly zone: string }): ZonedTime;
  };
} = require('luxon');

/** The third validator of OpenAPI documents, in addition to Redocly and Spectral. */
export const openApiValidator: {
  readonly Validator: new () => {
    validate(document: unknown): Promise<{ readonly valid: boolean; readonly errors?: unknown }>;
  };
} = require('@seriousme/openapi-schema-validator');
