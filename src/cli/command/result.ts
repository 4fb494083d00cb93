import type { Failure, FailureKind } from '../../base/failure.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import type { Lines } from '../../base/wording.ts';
import type { SchemaNode } from '../../contract/schema-node.ts';
import type { Column, ResourceName } from '../../contract/types.ts';

/** Creates columns for paths. The header is the last part: DONE for `counts.done`. */
export const plainColumns = (...paths: readonly string[]): readonly Column[] =>
  paths.map((path) => ({
    header: path.replace(/^.*\./, '').replaceAll('_', ' ').toUpperCase(),
    paths: [path],
  }));

/** The result of a command's handler, independent of formats, colors and widths. */
export type Result =
  | ItemResult
  | ListResult
  | TextResult
  | DocumentResult
  | ReportResult
  | FleetResult
  | DoneResult
  | ProgramResult;

export type Notation = 'html' | 'junit' | 'tap' | 'sarif';

interface Common {
  /** Exit code other than 0 although there is a result. Read after everything is shown. */
  readonly exit?: FailureKind | undefined;
  readonly failure?: Failure | undefined;
  readonly documents?: Readonly<Partial<Record<Notation, () => string | Promise<string>>>>;
}

export interface ItemResult extends Common {
  readonly kind: 'item';
  readonly value: Json;
  readonly resource?: ResourceName;
  /** Schema of a value that is not a record. Determines how numbers are formatted. */
  readonly schema?: SchemaNode;
  /** Labels and texts shown to people, in order, instead of the keys and values. */
  readonly rows?: readonly (readonly [label: string, value: string])[];
  /** Text for `-o name`, if the value has no natural key. */
  readonly named?: string;
  /** A line on stderr before the value: `Created user alice`. */
  readonly message?: string;
}

/** Many records. Paginated lists are streamed. */
export interface ListResult extends Common {
  readonly kind: 'list';
  readonly items: Iterable<JsonObject> | AsyncIterable<JsonObject>;
  readonly resource?: ResourceName;
  readonly columns?: readonly Column[];
  /** Noun for the count line: `users`. */
  readonly noun?: string;
  /** True if the service omits the path in a record. The cell shows `?`. */
  readonly isOpen?: (record: JsonObject, path: string) => boolean;
  /** Widths of the columns. Set if records arrive over time, and each is printed immediately. */
  readonly live?: readonly number[];
  /** Full screens, one per update, which a terminal shows instead of lines. */
  readonly screens?: AsyncIterable<Screen>;
  /** Message after all records if more exist than requested. */
  readonly cut?: () => Lines | undefined;
  readonly summary?: () => Lines;
  /** Text after the count: `in 7 callflows`. */
  readonly among?: string;
  readonly message?: string;
}

/** A full screen: a top line, and parts that share the rest. */
export interface Screen {
  readonly top: Lines;
  readonly parts: readonly ScreenPart[];
}

export interface ScreenPart {
  readonly title: string;
  readonly rows: readonly (readonly string[])[];
  readonly none: string;
}

/** Lines for people, such as a tree, with a value for `-o json`. May contain text from the service. */
export interface TextResult extends Common {
  readonly kind: 'text';
  readonly text: Lines;
  readonly value?: Json;
}

/** A document in its own format, such as YAML, PEM or SVG. Its author escapes embedded text. */
export interface DocumentResult extends Common {
  readonly kind: 'document';
  readonly text: string;
  readonly value?: Json;
  /** Audio to write unchanged instead of the text. */
  readonly bytes?: Uint8Array;
  /** The text is from telctl or a file and not from the service, so it is not escaped. */
  readonly verbatim?: boolean;
  /** The text is prose in columns. A terminal wraps it between words. */
  readonly wraps?: true;
  /** The text is from the service. A terminal marks each of its lines. */
  readonly foreign?: boolean;
  /** The text is YAML with comments. `-o yaml` prints it unchanged. */
  readonly isYaml?: boolean;
}

/** A part of a line with its color. Text from the service is escaped. */
export interface Span {
  readonly text: string;
  readonly mark?: 'good' | 'careful' | 'bad' | 'dim' | 'bold';
}

/** A line in two columns. Consecutive rows are aligned. */
export interface ReportRow {
  /** Symbol before the text. Rows without a symbol are indented. */
  readonly sign?: Span;
  readonly text: string;
  readonly right?: string;
  readonly mark?: Span['mark'];
  /** Wraps the right column (or the text, if there is no right column) instead of cutting it. */
  readonly folds?: true;
  /** The row belongs to the row above, and is indented further. */
  readonly below?: true;
}

export type ReportLine = readonly Span[] | ReportRow;

/** A report, such as a plan, as lines for people and data for scripts. */
export interface ReportResult extends Common {
  readonly kind: 'report';
  readonly lines: readonly ReportLine[];
  readonly value: Json;
  /** Rows for `ndjson` and `csv`, one per line. */
  readonly rows: readonly JsonObject[];
  readonly columns: readonly Column[];
  readonly names: readonly string[];
}

export interface FleetDocument {
  readonly document: JsonObject;
  /** The account could not be read. JSON lists it in a separate field, outside `accounts`. */
  readonly isApart?: true;
}

/** The end of a report on many accounts. */
export interface FleetEnd {
  /** Fields next to `accounts` in the JSON document, and in the summary line of NDJSON. */
  readonly value: JsonObject;
  readonly lines: readonly ReportLine[];
}

/** A streamed report on many accounts. Its `exit` and `failure` are known at its end. */
export interface FleetResult extends Omit<Common, 'documents'> {
  readonly kind: 'fleet';
  /** Documents in order of the accounts. Can be read once. */
  readonly documents: AsyncIterable<FleetDocument>;
  readonly rowsOf: (document: JsonObject) => readonly JsonObject[];
  readonly columns: readonly Column[];
  readonly namesOf: (document: JsonObject) => readonly string[];
  readonly end: () => FleetEnd | Promise<FleetEnd>;
}

/** A completed action. People see the message on stderr, and scripts get the value on stdout. */
export interface DoneResult extends Common {
  readonly kind: 'done';
  readonly message: Lines;
  readonly value?: Json;
  readonly resource?: ResourceName;
}

/** Another program ran on this terminal. telctl exits with its exit code and shows nothing. */
export interface ProgramResult extends Common {
  readonly kind: 'program';
  readonly code: number;
}
