import type { Failure, FailureKind } from '../../base/failure.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import type { Lines } from '../../base/wording.ts';
import type { SchemaNode } from '../../contract/schema-node.ts';
import type { Column, ResourceName } from '../../contract/types.ts';

/** Columns of these paths, each headed by its last word: `counts.done` by DONE. */
export const plainColumns = (...paths: readonly string[]): readonly Column[] =>
  paths.map((path) => ({
    header: path.replace(/^.*\./, '').replaceAll('_', ' ').toUpperCase(),
    paths: [path],
  }));

/** The result of a command's handler. It knows nothing of formats, colours or widths. */
export type Result =
  | ItemResult
  | ListResult
  | TextResult
  | DocumentResult
  | ReportResult
  | FleetResult
  | DoneResult
  | ProgramResult;

/** Notations of other programs, which few commands have. */
export type Notation = 'html' | 'junit' | 'tap' | 'sarif';

interface Common {
  /** The exit is not 0 although there is something to show (`partial`, `differences`). Read once all was shown. */
  readonly exit?: FailureKind | undefined;
  /** Failure beside the value that is shown: its error page follows the value, and its kind is the exit. */
  readonly failure?: Failure | undefined;
  /** The same in notations of other programs, where the command has some. */
  readonly documents?: Readonly<Partial<Record<Notation, () => string | Promise<string>>>>;
}

export interface ItemResult extends Common {
  readonly kind: 'item';
  readonly value: Json;
  /** The contract's resource: decides secret fields and natural keys. */
  readonly resource?: ResourceName;
  /** Schema of a value that is no record of a resource: it says in which form people read its numbers. */
  readonly schema?: SchemaNode;
  /** Rows that people see instead of the plain key and value table: label and text, in order. */
  readonly rows?: readonly (readonly [label: string, value: string])[];
  /** Text that `name` shows, if no natural key of the value says it. */
  readonly named?: string;
  /** A line for people, on stderr, before the value: `Created user alice`. */
  readonly message?: string;
}

/** Many records; streamed where they come in pages. */
export interface ListResult extends Common {
  readonly kind: 'list';
  readonly items: Iterable<JsonObject> | AsyncIterable<JsonObject>;
  readonly resource?: ResourceName;
  /** Columns where there is no resource, or others than its own. */
  readonly columns?: readonly Column[];
  /** Word for the count line: `users`. */
  readonly noun?: string;
  /** True where a record does not say what stands at a dotted path: its cell shows `?`. */
  readonly isOpen?: (record: JsonObject, path: string) => boolean;
  /** Records come over time: each is a line at once, in columns of these widths, where a table would wait for the end. */
  readonly live?: readonly number[];
  /** What a terminal shows in place of the lines of something live: a whole screen, drawn anew with each. */
  readonly screens?: AsyncIterable<Screen>;
  /** Said in every format once all records were shown, where there are more than was asked for. */
  readonly cut?: () => Lines | undefined;
  /** Said in place of the count, once all records were shown. */
  readonly summary?: () => Lines;
  /** Said after the count: `in 7 callflows`. */
  readonly among?: string;
  readonly message?: string;
}

/** A screen of something live: a line on top, and parts that share the room below it. */
export interface Screen {
  readonly top: Lines;
  readonly parts: readonly ScreenPart[];
}

export interface ScreenPart {
  readonly title: string;
  /** Cells of each line; they stand below one another. */
  readonly rows: readonly (readonly string[])[];
  /** Shown where there are no rows. */
  readonly none: string;
}

/** Lines for people (a tree, what would be sent), with their value for `-o json`. Text of the service may be in them. */
export interface TextResult extends Common {
  readonly kind: 'text';
  readonly text: Lines;
  /** Value that `json`, `yaml` and `ndjson` show; left out: the text as a string. */
  readonly value?: Json;
}

/**
 * A text in a notation of its own (YAML, PEM, vCard, SVG, a help page) for people and other programs. Whoever writes the
 * notation quotes what stands in it, so that its line ends are line ends.
 */
export interface DocumentResult extends Common {
  readonly kind: 'document';
  readonly text: string;
  /** Value that `json`, `yaml` and `ndjson` show; left out: the text as a string. */
  readonly value?: Json;
  /** Sound that stands for the text, to be written as it is. */
  readonly bytes?: Uint8Array;
  /** The text is telctl's own or a file's, to be written byte for byte, not text from the service. */
  readonly verbatim?: boolean;
  /** The text is the service's, line ends and all. At a terminal every line of it is marked. */
  readonly foreign?: boolean;
  /** The text is YAML, comments and all, and stands for itself where YAML is asked for. */
  readonly isYaml?: boolean;
}

/** A part of a line, and what colour says of it. Text from the service may be in it; it is made harmless. */
export interface Span {
  readonly text: string;
  readonly mark?: 'good' | 'careful' | 'bad' | 'dim' | 'bold';
}

/** A line in two columns. Rows that follow one another have them at the same place. */
export interface ReportRow {
  /** Stands before the text; rows without one are moved in. */
  readonly sign?: Span;
  readonly text: string;
  readonly right?: string;
  /** Of the right column. */
  readonly mark?: Span['mark'];
  /** The right column, or the text where there is none, is said whole, over several lines; otherwise it is cut. */
  readonly folds?: true;
  /** Belongs to the row above it, and is moved in further. */
  readonly below?: true;
}

export type ReportLine = readonly Span[] | ReportRow;

/** A report on many things (a plan, a run), in lines for people and as data for scripts. */
export interface ReportResult extends Common {
  readonly kind: 'report';
  readonly lines: readonly ReportLine[];
  /** Value that `json`, `yaml` and `--query` take. */
  readonly value: Json;
  /** Rows that `ndjson` and `csv` show, one a line. */
  readonly rows: readonly JsonObject[];
  readonly columns: readonly Column[];
  readonly names: readonly string[];
}

/** One account of very many, as scripts see it. */
export interface FleetDocument {
  readonly document: JsonObject;
  /** It could not be looked at: JSON has it in a field of its own, beside `accounts`. */
  readonly isApart?: true;
}

/** Facts of very many accounts once the last one is done. */
export interface FleetEnd {
  /** Fields that stand beside `accounts` in the one document, and in the summary, which is the last line of NDJSON. */
  readonly value: JsonObject;
  readonly lines: readonly ReportLine[];
}

/** A report on very many accounts that comes while the work is done; `exit` and `failure` are known at its end. */
export interface FleetResult extends Omit<Common, 'documents'> {
  readonly kind: 'fleet';
  /** Accounts in their order. Read once. */
  readonly documents: AsyncIterable<FleetDocument>;
  /** Rows that `csv` shows of an account. */
  readonly rowsOf: (document: JsonObject) => readonly JsonObject[];
  readonly columns: readonly Column[];
  /** Names that `name` shows of an account. */
  readonly namesOf: (document: JsonObject) => readonly string[];
  /** Called once, after the last document. */
  readonly end: () => FleetEnd | Promise<FleetEnd>;
}

/** Something was done. People read the message (stderr); scripts get the value, if any, on stdout. */
export interface DoneResult extends Common {
  readonly kind: 'done';
  readonly message: Lines;
  readonly value?: Json;
  readonly resource?: ResourceName;
}

/** Another program was run on this terminal and has ended; there is nothing to show, and its exit code is telctl's. */
export interface ProgramResult extends Common {
  readonly kind: 'program';
  readonly code: number;
}
