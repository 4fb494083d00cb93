import type { JsonObject } from '../base/json.ts';
import type { ShownForm } from '../base/shown-form.ts';
import type { Does } from './capabilities.ts';
import type * as list from './resource-list.ts';
import type { Schema } from './schema-node.ts';

/**
 * Source of a statement: the service's specification, or the behaviour of compatible services if the specification has
 * none.
 */
export type StatementSource = 'specification' | 'convention';

/** Reliability of a field or operation, in the specification's words. */
export type Support = 'supported' | 'beta';

export type Method = 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE';

/** Effect of a call on the world: decides prompts, dry runs, read-only profiles and repeats. */
export type Effect = 'read' | 'write' | 'destructive' | 'charges';

/**
 * Rule for sending a call again after its reply was lost: `safe` reads, `idempotent` writes that end the same when
 * done twice, `never` (creates, charges, rotations).
 */
export type Repeat = 'safe' | 'idempotent' | 'never';

/** The two error bodies of the specification (Errors): `{code, message, request_id}` or the legacy envelope. */
export type ErrorShape = 'reference' | 'legacy';

/**
 * Role that a caller needs, according to the specification or conventions: `super` is the super administrator, `admin`
 * an administrator of the account, `self` that user or an administrator, `tree` anyone in the account of the path or
 * above it, `above` anyone in an account above that of the path.
 */
export type Role = 'super' | 'admin' | 'self' | 'tree' | 'above';

/** Contents of `data` in a success response. */
export type ReplyShape =
  | {
      readonly kind: 'record';
      readonly resource?: ResourceName;
      /** Compatible services return a word (`ok`) or a list instead. */
      readonly orOther?: true;
      /** The record is new, and its id differs from the one in the path. */
      readonly isNew?: true;
      /** Compatible services return only this field of the record. */
      readonly orBare?: string;
    }
  /** `items`: the schema of items that are not records of the contract (deliveries, hooks). */
  | { readonly kind: 'list'; readonly resource?: ResourceName; readonly items?: Schema }
  /**
   * `bare`: also without an envelope. Compatible services send one with an empty object. `orOther`: compatible services
   * return an object instead.
   */
  | { readonly kind: 'empty'; readonly bare?: true; readonly orOther?: true }
  | { readonly kind: 'value'; readonly schema: Schema }
  /** A file without an envelope, with one of these content types. */
  | { readonly kind: 'file'; readonly types: readonly string[] };

/** Contents of the request's `data`. */
export type BodyShape =
  /** A whole record (create, update) of the operation's resource. */
  | { readonly kind: 'record' }
  /**
   * A part of a record that is merged (patch). `whole`: compatible services have no such call, or overwrite missing
   * fields with defaults, so telctl reads the record, merges the part, and replaces the record.
   */
  | { readonly kind: 'partial'; readonly whole?: true }
  | { readonly kind: 'value'; readonly schema: Schema }
  /** A file without an envelope, with one of these content types, and at most this many bytes. */
  | { readonly kind: 'file'; readonly types: readonly string[]; readonly largest: number }
  /** `action` next to `data`, which is empty by default. */
  | { readonly kind: 'action'; readonly action: string; readonly data?: Schema };

export interface QueryParameter {
  readonly name: string;
  readonly doc: string;
  readonly required?: boolean;
  readonly secret?: boolean;
}

/** The verbs that are written once for all resources. */
export type GenericVerb = 'list' | 'get' | 'create' | 'update' | 'patch' | 'delete';

/** Location of the records in a list reply whose `data` is not an array of records. */
export interface Listed {
  /** `map`: objects under `key`, by id. `field`: an array under `key`. `groups`: an array under `key` of each item. */
  readonly as: 'map' | 'field' | 'groups';
  readonly key: string;
  /** Query for all records, if the service lists only some by default. */
  readonly everything?: Readonly<Record<string, string>>;
}

/** A name that the user must enter to confirm an operation. */
export interface Asks {
  /** Owner of the name: the account or the user that the path names, or the machine of the service. */
  readonly name: 'account' | 'user' | 'host';
  /** Effect of the operation, shown before the question; `{name}` is replaced by the name. */
  readonly effect?: string;
  readonly yesAnswers?: true;
}

/** An operation of the service. */
export interface Operation {
  /** Unique name, `<resource>.<verb>`, for example `users.vcard`. */
  readonly id: string;
  readonly resource: ResourceName;
  /** A generic verb or another verb. */
  readonly verb: string;
  readonly method: Method;
  /** Path without version prefix; parameters in braces: `/accounts/{account_id}/users/{user_id}`. */
  readonly path: string;
  /** `always`: with `/v2`. `profile`: with the prefix that was detected at sign-in (Versioning 3). */
  readonly prefix: 'always' | 'profile';
  readonly source: StatementSource;
  /** The specification's chapter, or the conventions' topic, that says so. */
  readonly section: string;
  readonly errors: ErrorShape;
  /** False for sign-in requests, which have no token. */
  readonly authenticated: boolean;
  /**
   * Compatible services also accept it without a token, because it is a sign-in itself (Conventions, single sign-on).
   */
  readonly tokenOptional?: true;
  readonly role: Role;
  readonly body?: BodyShape;
  /** The specification shows no request, so a missing body counts as an empty one. */
  readonly bodyOptional?: true;
  readonly query?: readonly QueryParameter[];
  readonly reply: ReplyShape;
  /** Statuses that mean that there is no data yet. */
  readonly nothingYet?: readonly number[];
  readonly listed?: Listed;
  /** Other content types that a caller can request with `Accept`. The response is then plain text. */
  readonly accepts?: readonly string[];
  readonly effect: Effect;
  /** Effects, if neither the resource nor the method implies them. */
  readonly does?: readonly Does[];
  readonly repeat: Repeat;
  /** Name that the caller must give before it is sent, through any entry point. */
  readonly asks?: Asks;
  /** One sentence, for help and reference pages. */
  readonly summary: string;
}

export interface Column {
  readonly header: string;
  /** Dotted paths; several are joined by a blank (`first_name`, `last_name`). */
  readonly paths: readonly string[];
  /**
   * `id` is shortened at a terminal; `flag` shows yes or no; `list` joins with commas; `count` shows how many; `time`
   * shows Gregorian seconds, or a time in ISO form, as date and time (UTC); `days` and `hours` say when a temporal rule
   * matches; `sentence` is never cut to the width of a terminal.
   */
  readonly show?: 'id' | 'flag' | 'list' | 'count' | 'time' | 'days' | 'hours' | 'sentence';
  /** Resource of the id in it. Tables show the record's name, other formats the id. */
  readonly refers?: ResourceName;
  /** Format of its numbers (default: that of its field). */
  readonly form?: ShownForm;
  /** Time zone of its dates (default: UTC). */
  readonly zone?: string;
  /** Omitted from a table in which no record has it. */
  readonly sparse?: true;
  /** Where a table is too wide, it keeps three times the room of the others. */
  readonly roomy?: true;
}

/** Fields that must be present in writes, and the source of the rule. */
export interface RequiredRule {
  readonly fields: readonly string[];
  readonly on: readonly ('create' | 'update')[];
  readonly source: StatementSource;
}

/**
 * Fields that must be set together in a new record, and the source of the rule. A new value of one also needs the
 * unreadable others.
 */
export interface AllOrNoneRule {
  readonly fields: readonly string[];
  readonly source: StatementSource;
}

/** Name of a section of manifests: the plural noun, or the name of what an account has once. */
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

/** A section of manifests with records of a resource. */
export interface SectionFacts {
  /** Name (default: that of the resource). */
  readonly name?: SectionName;
  /** `many`: objects by local name. `one`: the section is the object (default: by the resource's kind). */
  readonly shape?: 'many' | 'one';
  /** Position among the sections, with gaps for more (default: last). */
  readonly order?: number;
  /** Verbs of the operations, if they differ from those of a collection. Missing operations are not supported. */
  readonly calls?: Readonly<Partial<Record<SectionCall, string>>>;
  /**
   * Texts that the service stores separately, by content type. They are read with `Accept`, and sent with the call
   * `text`.
   */
  readonly texts?: Readonly<Record<string, string>>;
  /** Accounts inherit records. Marks identify an account's own records, and inherited ones count as missing. */
  readonly inherited?: InheritedFacts;
  readonly assigned?: AssignedFacts;
}

/**
 * Fields of a record that assigns other records. The service shows the assigned ones by id, accepts lists of ids or of
 * objects with an id, and replaces only the fields that are sent.
 */
export interface AssignedFacts {
  /** Field that lists all assignments. */
  readonly all: string;
  /** Field whose records are assigned in addition. */
  readonly added: string;
  /** Field whose records are no longer assigned afterwards. */
  readonly removed: string;
}

export interface InheritedFacts {
  /** Fields of which at least one is true in an account's own record. */
  readonly marks: readonly string[];
  /** Field of list items that inherited records have, and own ones without a mark have not. */
  readonly named: string;
}

/** A part of telctl that supports every resource, unless the resource excludes it with a reason. */
export type Appearance =
  /** Manifests, and with them `export`, `apply`, `undo`, `find` and `orphans`. */
  | 'manifests'
  /** Records that `find` searches. */
  | 'find'
  /** References that `orphans` follows. */
  | 'orphans'
  /** Records that `export --portable` writes, for use in another account. */
  | 'portable'
  /** The tiles of an account on the sandbox's page. */
  | 'page'
  /** Writes that `conformance --write` tries. */
  | 'trial';

/** Fields whose values must be unique within an account, or in the whole service. */
export interface UniqueRule {
  /** Dotted path of a scalar, or of an array whose items are unique. */
  readonly field: string;
  readonly within: 'account' | 'service';
  /** Compared in lower case. */
  readonly ignoreCase?: boolean;
  /** Services in the field keep digits as a number: `0300` is `300`. */
  readonly countsDigits?: boolean;
  /** Hexadecimal digits are compared in lower case (Conventions, Devices). */
  readonly hexDigits?: true;
  /** Only letters and digits are compared (Conventions, uniqueness). */
  readonly lettersAndDigits?: true;
  /** Values of all fields with the same pool must be unique together. Conflicts are reported under this name. */
  readonly pool?: string;
}

/** A resource of the service: its record and how it is named, shown and reached. */
export interface Resource {
  /** The noun: plural, as in `telctl users list`. */
  readonly name: ResourceName;
  /** Singular, in commands and messages: `Created user alice`. */
  readonly singular: string;
  /** Plural in messages, if it differs from the name: `second factors`. */
  readonly plural?: string;
  /** One line for the help page. */
  readonly summary: string;
  /** Many records with ids, or one per account (limits, metaflows). */
  readonly kind: 'collection' | 'singleton';
  /** Position in reference pages, with gaps for more (default: last). */
  readonly order?: number;
  /** Path parameter with its id. Missing for singletons. */
  readonly idParameter?: string;
  /** Each record of that resource has one of these, with the same id. */
  readonly oneOfEach?: ResourceName;
  /** Matches values that are not ids, such as addresses of streams. */
  readonly elsewhere?: RegExp;
  /**
   * Compatible services use the `id` in the data of a create, and refuse (409) a second record with it (Conventions,
   * creating a record). So a create is safe to repeat.
   */
  readonly takesOwnId?: true;
  /** Field that contains the id if a service omits `id`. */
  readonly idElsewhere?: string;
  /**
   * Some responses about one record have no id, because it is in the path, inside the record, or a position in a list.
   */
  readonly shownWithoutId?: true;
  /** Fields that identify a record for people, best first. Each item of an array counts. If empty, only ids do. */
  readonly naturalKeys: readonly string[];
  /** Schema of a record in the specification. Conventions are in the fields' `convention`. */
  readonly schema: Schema;
  readonly required: readonly RequiredRule[];
  readonly together?: readonly AllOrNoneRule[];
  readonly unique: readonly UniqueRule[];
  /** The resource in whose record services keep it, so that changes of both at once clash. */
  readonly partOf?: ResourceName;
  /** Services with revisions keep fields that a replacement omits (Conventions, Accounts). */
  readonly keepsLeftOut?: true;
  /** Methods that services refuse (412) even with the current revision. The record is read again instead. */
  readonly refusesTag?: readonly Method[];
  /** In the field a patch puts objects below the top in the place of those that are there; others are merged deeply. */
  readonly mergesOneLevel?: true;
  /**
   * Compatible services store a change although they refuse it because of a duplicate value (Conventions, Accounts).
   */
  readonly storesRefused?: true;
  /** Top-level fields that can be set after the record is created, so that records can refer to each other. */
  readonly late?: readonly string[];
  /**
   * Category and item of its price in service plans (Conventions, Plan record and item). The item is the value of the
   * field, or `item` if the field is empty. Without an item, the record's own numbers are the quantities.
   */
  readonly pricedAs?: { readonly category: string; readonly field?: string; readonly item?: string };
  /** Options that set several values or fields in one line. */
  readonly lines?: readonly LineOption[];
  /** Returns fields of a new record that follow from other options. */
  readonly implied?: (given: ReadonlySet<string>) => JsonObject;
  /** Services have no patch for it: telctl reads the record, merges, and replaces it. */
  readonly patchedByUpdate?: true;
  /**
   * Stored names of read-only fields that services filter lists by (Conventions, call records). Other read-only fields
   * are worked out for the reply, so that no service finds anything by them.
   */
  readonly storedAs?: Readonly<Record<string, string>>;
  readonly columns: readonly Column[];
  /** Dotted paths that a list item of compatible services shows (Conventions, listing). Empty: whole records. */
  readonly listFields: readonly string[];
  /** Fields that lists of compatible services show in a shorter form, such as their number. */
  readonly inLists?: Readonly<Record<string, Schema>>;
  /** Tables show fields that lists omit, so each record is read. */
  readonly wholeInTables?: true;
  readonly operations: readonly Operation[];
  /** Effects of every write of its records. */
  readonly writes?: readonly Does[];
  readonly section: string;
  /** Words of its commands, if they differ from its name with hyphens: `['sso', 'apps']`. */
  readonly commandWords?: readonly [string, ...string[]];
  /** Sections of manifests with its records (default: one with its name). */
  readonly sections?: readonly SectionFacts[];
  /** Parts of telctl that do not support it, each with a reason. */
  readonly absent?: Readonly<Partial<Record<Appearance, string>>>;
  /** Name in the warning of an export that cannot include it: `the brand`. */
  readonly leftOutAs?: string;
  /** Location of its records. `service`: one list for all accounts, in which each record names its account. */
  readonly keptIn?: 'service';
  /** Order of a list: fields, compared in lower case, or `created` (default: by id) (Conventions). */
  readonly listOrder?: readonly string[] | 'created';
}

/** An option that sets fields in one line of text. */
export interface LineOption {
  /** Long flag without dashes. */
  readonly flag: string;
  /** Stands for the line in help: `NAME,NAME`. */
  readonly value: string;
  readonly doc: string;
  /** Fields that the option sets. Without `read`, its value is parsed as the first field (see `lineFormOf`). */
  readonly fields: readonly string[];
  /** Parses the line of `option`. Throws `Failure` (`usage`) for invalid text. */
  readonly read?: (text: string, option: string) => JsonObject;
}

/** Form in which the service stores a text. */
export type KeptForm = 'lower case' | 'number' | 'hex digits';

/** Resource that the keys of a map are ids of. `type`: the resource whose singular the value has under `type`. */
export type KeyRef = ResourceName | 'type';

export type ResourceName = keyof typeof list;

/** A value of a record that services accept, and that most likely does not do what its author wants. */
export interface RecordFinding {
  /** Dotted path. */
  readonly field: string;
  readonly message: string;
}
