import type { JsonObject } from '../base/json.ts';
import type { ShownForm } from '../base/shown-form.ts';
import type { Does } from './capabilities.ts';
import type * as list from './resource-list.ts';
import type { Schema } from './schema-node.ts';

/** Source of a statement: the specification, or the behaviour of compatible services if the specification has none. */
export type StatementSource = 'specification' | 'convention';

/** Reliability according to the specification. */
export type Support = 'supported' | 'beta';

export type Method = 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE';

/** Determines prompts, dry runs, read-only profiles and retries. */
export type Effect = 'read' | 'write' | 'destructive' | 'charges';

/**
 * Determines whether a call is repeated after a lost response. `safe` for reads, `idempotent` for writes with the
 * same result if repeated, `never` for creates, charges and rotations.
 */
export type Repeat = 'safe' | 'idempotent' | 'never';

export type ErrorShape = 'reference' | 'legacy';

/**
 * Required role according to the specification or conventions. `super`: the super administrator. `admin`: an
 * administrator of the account. `self`: that user or an administrator. `tree`: any user in the account of the path or
 * above it. `above`: any user in an account above that of the path.
 */
export type Role = 'super' | 'admin' | 'self' | 'tree' | 'above';

/** `data` of a success response. */
export type ReplyShape =
  | {
      readonly kind: 'record';
      readonly resource?: ResourceName;
      /** Compatible services return a word (`ok`) or a list instead. */
      readonly orOther?: true;
      /** The record is new, and its id differs from the id in the path. */
      readonly isNew?: true;
      /** Compatible services return only this field of the record. */
      readonly orBare?: string;
    }
  /** `items` is the schema of items without a resource (deliveries, hooks). */
  | { readonly kind: 'list'; readonly resource?: ResourceName; readonly items?: Schema }
  /**
   * `bare`: can have no envelope. Compatible services send one with an empty object. `orOther`: compatible services
   * return an object instead.
   */
  | { readonly kind: 'empty'; readonly bare?: true; readonly orOther?: true }
  | { readonly kind: 'value'; readonly schema: Schema }
  /** A file without an envelope. */
  | { readonly kind: 'file'; readonly types: readonly string[] };

export type BodyShape =
  | { readonly kind: 'record' }
  /**
   * A part of a record that is merged (patch). `whole`: compatible services have no such call, or overwrite missing
   * fields with defaults, so telctl reads the record, merges the part, and replaces the record.
   */
  | { readonly kind: 'partial'; readonly whole?: true }
  | { readonly kind: 'value'; readonly schema: Schema }
  /** A file without an envelope. `largest` is in bytes. */
  | { readonly kind: 'file'; readonly types: readonly string[]; readonly largest: number }
  /** `action` next to `data`, which is empty by default. */
  | { readonly kind: 'action'; readonly action: string; readonly data?: Schema };

export interface QueryParameter {
  readonly name: string;
  readonly doc: string;
  readonly required?: boolean;
  readonly secret?: boolean;
}

/** Verbs with the same implementation for all resources. */
export type GenericVerb = 'list' | 'get' | 'create' | 'update' | 'patch' | 'delete';

/** Location of the records in a list response whose `data` is not an array of records. */
export interface Listed {
  /** `map`: objects under `key`, by id. `field`: an array under `key`. `groups`: an array under `key` of each item. */
  readonly as: 'map' | 'field' | 'groups';
  readonly key: string;
  /** Query for all records, if the service lists only some by default. */
  readonly everything?: Readonly<Record<string, string>>;
}

/** The user must enter this name to confirm an operation. */
export interface Asks {
  /** Owner of the name: the account or the user in the path, or the host of the service. */
  readonly name: 'account' | 'user' | 'host';
  /** Shown before the question. `{name}` is replaced with the name. */
  readonly effect?: string;
  readonly yesAnswers?: true;
}

export interface Operation {
  /** `<resource>.<verb>`, for example `users.vcard`. */
  readonly id: string;
  readonly resource: ResourceName;
  readonly verb: string;
  readonly method: Method;
  /** Without version prefix. Parameters are in braces: `/accounts/{account_id}/users/{user_id}`. */
  readonly path: string;
  /** `always`: with `/v2`. `profile`: with the prefix that was detected at sign-in (Versioning 3). */
  readonly prefix: 'always' | 'profile';
  readonly source: StatementSource;
  /** Chapter of the specification, or topic of the conventions. */
  readonly section: string;
  readonly errors: ErrorShape;
  /** False for sign-in requests, which have no token. */
  readonly authenticated: boolean;
  /** Compatible services also accept it without a token, because it is a sign-in (Conventions, single sign-on). */
  readonly tokenOptional?: true;
  readonly role: Role;
  readonly body?: BodyShape;
  /** The specification shows no request, so a missing body counts as empty. */
  readonly bodyOptional?: true;
  readonly query?: readonly QueryParameter[];
  readonly reply: ReplyShape;
  /** Statuses that mean that there is no data yet. */
  readonly nothingYet?: readonly number[];
  readonly listed?: Listed;
  /** Content types for `Accept`. The response is then plain text. */
  readonly accepts?: readonly string[];
  readonly effect: Effect;
  /** Effects in addition to those of the resource and the method. */
  readonly does?: readonly Does[];
  readonly repeat: Repeat;
  readonly asks?: Asks;
  /** One sentence, for help and reference pages. */
  readonly summary: string;
}

export interface Column {
  readonly header: string;
  /** Dotted paths. Several values are joined by a space (`first_name`, `last_name`). */
  readonly paths: readonly string[];
  /**
   * `id` is shortened at a terminal. `flag` shows yes or no. `list` joins with commas. `count` shows the number of
   * items. `time` shows Gregorian seconds, or a time in ISO form, as date and time (UTC). `days` and `hours` describe
   * when a temporal rule matches. `sentence` is never cut to the width of a terminal.
   */
  readonly show?: 'id' | 'flag' | 'list' | 'count' | 'time' | 'days' | 'hours' | 'sentence';
  /** Resource of an id. Tables show the record's name, other formats the id. */
  readonly refers?: ResourceName;
  /** Default: the format of the field. */
  readonly form?: ShownForm;
  /** Time zone of dates (default: UTC). */
  readonly zone?: string;
  /** Hidden in a table if no record has a value. */
  readonly sparse?: true;
  /** Keeps three times the width of other columns in a table that is too wide. */
  readonly roomy?: true;
}

/** Fields that writes must contain. */
export interface RequiredRule {
  readonly fields: readonly string[];
  readonly on: readonly ('create' | 'update')[];
  readonly source: StatementSource;
}

/** Fields that must be set together in a new record. A new value of one also needs the unreadable others. */
export interface AllOrNoneRule {
  readonly fields: readonly string[];
  readonly source: StatementSource;
}

/** The plural noun, or the name of an object that an account has once. */
export type SectionName = ResourceName | 'account_settings' | 'selector_rules';

export type SectionCall =
  | 'list'
  | 'get'
  | 'create'
  | 'patch'
  | 'replace'
  | 'delete'
  | 'upload'
  | 'download'
  /** Sends a separately stored text. */
  | 'text';

export interface SectionFacts {
  /** Default: the name of the resource. */
  readonly name?: SectionName;
  /** `many`: objects by local name. `one`: the section is the object. The default follows from the resource's kind. */
  readonly shape?: 'many' | 'one';
  /** Position among the sections, with gaps for more (default: last). */
  readonly order?: number;
  /** Verbs of the operations, if they differ from those of a collection. Missing operations are not supported. */
  readonly calls?: Readonly<Partial<Record<SectionCall, string>>>;
  /** Separately stored texts, by content type. They are read with `Accept`, and sent with the call `text`. */
  readonly texts?: Readonly<Record<string, string>>;
  /** Accounts inherit records. Marks identify an account's own records, and inherited ones count as missing. */
  readonly inherited?: InheritedFacts;
  readonly assigned?: AssignedFacts;
}

/**
 * Fields of a record that assigns other records. The service shows the assigned records by id, accepts lists of ids
 * or of objects with an id, and replaces only the sent fields.
 */
export interface AssignedFacts {
  /** All assigned records. */
  readonly all: string;
  /** Records to assign. */
  readonly added: string;
  /** Records to unassign. */
  readonly removed: string;
}

export interface InheritedFacts {
  /** At least one of these fields is true in an account's own record. */
  readonly marks: readonly string[];
  /** Inherited records have this field in lists. Own records without a mark do not. */
  readonly named: string;
}

/** A part of telctl that supports every resource, unless the resource excludes it with a reason. */
export type Appearance =
  /** Manifests with `export`, `apply`, `undo`, `find` and `orphans`. */
  | 'manifests'
  | 'find'
  | 'orphans'
  /** Records that `export --portable` writes, for use in another account. */
  | 'portable'
  /** Tiles of an account on the sandbox's page. */
  | 'page'
  /** Writes of `conformance --write`. */
  | 'trial';

/** Values must be unique within an account, or in the whole service. */
export interface UniqueRule {
  /** Dotted path of a scalar, or of an array whose items are unique. */
  readonly field: string;
  readonly within: 'account' | 'service';
  readonly ignoreCase?: boolean;
  /** Compatible services store digits as a number: `0300` is `300`. */
  readonly countsDigits?: boolean;
  /** Hexadecimal digits are compared in lower case (Conventions, Devices). */
  readonly hexDigits?: true;
  /** Only letters and digits are compared (Conventions, uniqueness). */
  readonly lettersAndDigits?: true;
  /** Values of all fields with the same pool must be unique together. Conflicts contain this name. */
  readonly pool?: string;
}

export interface Resource {
  /** Plural, as in `telctl users list`. */
  readonly name: ResourceName;
  /** For commands and messages: `Created user alice`. */
  readonly singular: string;
  /** For messages, if it differs from the name: `second factors`. */
  readonly plural?: string;
  /** For the help page. */
  readonly summary: string;
  /** A singleton exists once per account (limits, metaflows). */
  readonly kind: 'collection' | 'singleton';
  /** Position in reference pages, with gaps for more (default: last). */
  readonly order?: number;
  /** Path parameter. Missing for singletons. */
  readonly idParameter?: string;
  /** The parent resource. Each of its records has exactly one record of this resource, with the same id. */
  readonly oneOfEach?: ResourceName;
  /** Matches values that are not ids, such as addresses of streams. */
  readonly elsewhere?: RegExp;
  /**
   * Compatible services use the `id` in the data of a create, and refuse (409) a second record with it (Conventions,
   * creating a record). A create is then safe to repeat.
   */
  readonly takesOwnId?: true;
  /** Field that contains the id if a service omits `id`. */
  readonly idElsewhere?: string;
  /**
   * Some responses about one record have no id, because it is in the path, inside the record, or a position in a
   * list.
   */
  readonly shownWithoutId?: true;
  /**
   * Fields that identify a record for people, best first. Each item of an array counts. If empty, only ids identify
   * it.
   */
  readonly naturalKeys: readonly string[];
  /** Schema of the specification. Conventions are in `convention` of the fields. */
  readonly schema: Schema;
  readonly required: readonly RequiredRule[];
  readonly together?: readonly AllOrNoneRule[];
  readonly unique: readonly UniqueRule[];
  /** Services store the records in this resource's record. Concurrent changes of both conflict. */
  readonly partOf?: ResourceName;
  /** Services with revisions keep fields that a replacement omits (Conventions, Accounts). */
  readonly keepsLeftOut?: true;
  /** Services refuse (412) these methods even with the current revision. The record is read again instead. */
  readonly refusesTag?: readonly Method[];
  /** Some services replace nested objects in a patch. Others merge deeply. */
  readonly mergesOneLevel?: true;
  /**
   * Compatible services store a change although they refuse it because of a duplicate value (Conventions, Accounts).
   */
  readonly storesRefused?: true;
  /** Top-level fields that can be set after the record is created, so that records can refer to each other. */
  readonly late?: readonly string[];
  /**
   * Category and item of the price in service plans (Conventions, Plan record and item). The item is the value of the
   * field, or `item` if the field is empty. Without an item, the record's own numbers are the quantities.
   */
  readonly pricedAs?: { readonly category: string; readonly field?: string; readonly item?: string };
  /** Options that set several values or fields in one line. */
  readonly lines?: readonly LineOption[];
  /** Returns fields of a new record that follow from other options. */
  readonly implied?: (given: ReadonlySet<string>) => JsonObject;
  /** Services have no patch, so telctl reads the record, merges, and replaces it. */
  readonly patchedByUpdate?: true;
  /**
   * Stored names of read-only fields that services filter lists by (Conventions, call records). Services compute
   * other read-only fields and cannot filter by them.
   */
  readonly storedAs?: Readonly<Record<string, string>>;
  readonly columns: readonly Column[];
  /** Dotted paths in list items of compatible services (Conventions, listing). Empty if lists contain whole records. */
  readonly listFields: readonly string[];
  /** Fields with a shorter form in lists of compatible services, such as a number of items. */
  readonly inLists?: Readonly<Record<string, Schema>>;
  /** Tables contain fields that lists omit, so each record is read. */
  readonly wholeInTables?: true;
  readonly operations: readonly Operation[];
  readonly writes?: readonly Does[];
  readonly section: string;
  /** If they differ from the name with hyphens: `['sso', 'apps']`. */
  readonly commandWords?: readonly [string, ...string[]];
  /** Default: one section with the name of the resource. */
  readonly sections?: readonly SectionFacts[];
  /** Parts of telctl that exclude the resource, each with the reason. */
  readonly absent?: Readonly<Partial<Record<Appearance, string>>>;
  /** Name in the warning of an export that cannot include it: `the brand`. */
  readonly leftOutAs?: string;
  /** `service`: one list for all accounts. Each record contains its account. */
  readonly keptIn?: 'service';
  /** Fields that sort a list, compared in lower case, or `created` (default: by id) (Conventions). */
  readonly listOrder?: readonly string[] | 'created';
}

export interface LineOption {
  readonly flag: string;
  /** Placeholder in help: `NAME,NAME`. */
  readonly value: string;
  readonly doc: string;
  /** Without `read`, the value is parsed as the first field (see `lineFormOf`). */
  readonly fields: readonly string[];
  /** Parses the line of `option`. Throws `Failure` (`usage`) for invalid text. */
  readonly read?: (text: string, option: string) => JsonObject;
}

export type KeptForm = 'lower case' | 'number' | 'hex digits';

/** Resource of the ids in a map's keys. `type`: the value contains the resource's singular as `type`. */
export type KeyRef = ResourceName | 'type';

export type ResourceName = keyof typeof list;

/** A valid value that is probably a mistake. */
export interface RecordFinding {
  readonly field: string;
  readonly message: string;
}
