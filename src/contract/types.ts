import type { JsonObject } from '../base/json.ts';
import type { ShownForm } from '../base/shown-form.ts';
import type { Does } from './capabilities.ts';
import type * as list from './resource-list.ts';
import type { Schema } from './schema-node.ts';

/** Source of a statement: the service's specification, or what compatible services do where it is silent. */
export type StatementSource = 'specification' | 'convention';

/** Degree to which a field or operation can be relied on, in the specification's words. */
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
 * Role that a caller needs, where the specification or the conventions name one: `super` the super administrator,
 * `admin` an administrator of the account, `self` that user or an administrator, `tree` anyone whose account is the
 * one in the path or above it, `above` anyone whose account is above the one in the path.
 */
export type Role = 'super' | 'admin' | 'self' | 'tree' | 'above';

/** Contents of `data` in a success response. */
export type ReplyShape =
  | {
      readonly kind: 'record';
      readonly resource?: ResourceName;
      /** Compatible services answer with a word (`ok`) or a list instead. */
      readonly orOther?: true;
      /** The record is new, and its id differs from the one in the path. */
      readonly isNew?: true;
      /** Field of the record that compatible services answer with alone. */
      readonly orBare?: string;
    }
  /** `items`: what is listed when it is no record of the contract (deliveries, hooks). */
  | { readonly kind: 'list'; readonly resource?: ResourceName; readonly items?: Schema }
  /**
   * `bare`: without an envelope, too. Compatible services send one, with an empty object. `orOther`: compatible services
   * answer with an object instead.
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
   * A part of a record, merged in (patch). `whole`: compatible services have no such call, or write defaults over what
   * the part leaves out; the record is read, and replaced with the part merged in.
   */
  | { readonly kind: 'partial'; readonly whole?: true }
  | { readonly kind: 'value'; readonly schema: Schema }
  /** A file of one of these content types, sent bare, of so many bytes at most. */
  | { readonly kind: 'file'; readonly types: readonly string[]; readonly largest: number }
  /** `action` beside `data`, which is empty where nothing is said of it. */
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
  /** `map`: objects under `key`, by id. `field`: an array under `key`. `groups`: one under `key` of each item. */
  readonly as: 'map' | 'field' | 'groups';
  readonly key: string;
  /** Query that leaves no record out, where the service lists some only unless it is asked for all. */
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

/** One call that the service answers. */
export interface Operation {
  /** Unique name, `<resource>.<verb>`, for example `users.vcard`. */
  readonly id: string;
  readonly resource: ResourceName;
  /** A generic verb or another verb. */
  readonly verb: string;
  readonly method: Method;
  /** Path without version prefix; parameters in braces: `/accounts/{account_id}/users/{user_id}`. */
  readonly path: string;
  /** `always`: `/v2` stands before it. `profile`: the prefix that was found at sign-in (Versioning 3). */
  readonly prefix: 'always' | 'profile';
  readonly source: StatementSource;
  /** The specification's chapter, or the conventions' topic, that says so. */
  readonly section: string;
  readonly errors: ErrorShape;
  /** False for sign-in requests, which have no token. */
  readonly authenticated: boolean;
  /** Compatible services also answer it without a token: it is a sign-in itself (Conventions, single sign-on). */
  readonly tokenOptional?: true;
  readonly role: Role;
  readonly body?: BodyShape;
  /** The specification shows no request: one without a body is taken as one with nothing in it. */
  readonly bodyOptional?: true;
  readonly query?: readonly QueryParameter[];
  readonly reply: ReplyShape;
  /** Statuses with which services answer if there is nothing to show yet. */
  readonly nothingYet?: readonly number[];
  readonly listed?: Listed;
  /** Other content types that a caller may ask for by `Accept`; the answer is then bare text. */
  readonly accepts?: readonly string[];
  readonly effect: Effect;
  /** Words for what it does beside that, where neither its resource nor its method says so. */
  readonly does?: readonly Does[];
  readonly repeat: Repeat;
  /** Name that must be given before it is sent, whatever door the request comes through. */
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
  /** Kind of record whose id it holds: tables show its name, other formats the id. */
  readonly refers?: ResourceName;
  /** Form of its numbers; that of its field where left out. */
  readonly form?: ShownForm;
  /** Time zone whose clocks its dates go by; UTC if it is left out. */
  readonly zone?: string;
  /** Left out of a table in which no record has it. */
  readonly sparse?: true;
  /** Where a table is too wide, it keeps three times the room of the others. */
  readonly roomy?: true;
}

/** Fields that must be present, on which writes, and who says so. */
export interface RequiredRule {
  readonly fields: readonly string[];
  readonly on: readonly ('create' | 'update')[];
  readonly source: StatementSource;
}

/** Fields of which a new record has all or none, and who says so; a new value of one goes with those nobody can read. */
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
  /** Sends one of the texts that stand beside the record. */
  | 'text';

/** A section in which manifests hold records of a resource. */
export interface SectionFacts {
  /** The resource's own name where left out. */
  readonly name?: SectionName;
  /** `many`: objects by local name. `one`: the section is the object. By the resource's kind where left out. */
  readonly shape?: 'many' | 'one';
  /** Place among the sections, spaced so that another fits between; the end where left out. */
  readonly order?: number;
  /** Verbs of the operations, where they are not those of a collection. What is not named is not done. */
  readonly calls?: Readonly<Partial<Record<SectionCall, string>>>;
  /** Texts that the service keeps beside the record, by content type: read by `Accept`, sent by the call `text`. */
  readonly texts?: Readonly<Record<string, string>>;
  /** Accounts inherit records; which are theirs alone is known by marks. What is not theirs counts as not there. */
  readonly inherited?: InheritedFacts;
  readonly assigned?: AssignedFacts;
}

/**
 * Fields of a record that assigns other records. The service shows the assigned ones by id, accepts lists of ids or of
 * objects with an id, and replaces only the fields that are sent.
 */
export interface AssignedFacts {
  /** Field with everything that is assigned. */
  readonly all: string;
  /** Field whose records are assigned in addition. */
  readonly added: string;
  /** Field whose records are no longer assigned afterwards. */
  readonly removed: string;
}

export interface InheritedFacts {
  /** Fields of which an account's own record has one that is true. */
  readonly marks: readonly string[];
  /** Field of list items that inherited records have, and own ones without a mark have not. */
  readonly named: string;
}

/** A part of telctl that holds every resource, unless the resource says why not. */
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

/** Fields whose values may stand once only within an account, or in the whole service. */
export interface UniqueRule {
  /** Dotted path of a scalar or of an array whose items count one by one. */
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
  /** Values of all fields with the same word count together, and a clash is reported under it. */
  readonly pool?: string;
}

/** A resource of the service: its record and how it is named, shown and reached. */
export interface Resource {
  /** The noun: plural, as in `telctl users list`. */
  readonly name: ResourceName;
  /** Singular alias, and the word in messages: `Created user alice`. */
  readonly singular: string;
  /** Plural in messages where it is not the name: `second factors`. */
  readonly plural?: string;
  /** One line for the help page. */
  readonly summary: string;
  /** Number of records: many with ids, or one to an account (limits, metaflows). */
  readonly kind: 'collection' | 'singleton';
  /** Place among the resources of reference pages, spaced so that another fits between; the end where left out. */
  readonly order?: number;
  /** Name of the path parameter that holds its id; singletons have none. */
  readonly idParameter?: string;
  /** Each record of that resource has one of these, and its id names it. */
  readonly oneOfEach?: ResourceName;
  /** Matches what stands in place of an id where a record of it could be named: addresses of streams. */
  readonly elsewhere?: RegExp;
  /**
   * The `id` that is sent with a new record becomes the record's id in compatible services, which refuse (409) another
   * one of that id (Conventions, creating a record). So a create may be sent twice.
   */
  readonly takesOwnId?: true;
  /** Field that has the id where a service leaves `id` out. */
  readonly idElsewhere?: string;
  /** Some replies about one record have no id, because it is in the path, inside the record, or a place in a list. */
  readonly shownWithoutId?: true;
  /** Fields by which people name a record, best first; of an array each item counts. Without any, ids do. */
  readonly naturalKeys: readonly string[];
  /** Shape of a record as the specification gives it; conventions stand in the fields' `convention`. */
  readonly schema: Schema;
  readonly required: readonly RequiredRule[];
  readonly together?: readonly AllOrNoneRule[];
  readonly unique: readonly UniqueRule[];
  /** The resource in whose record services keep it, so that changes of both at once clash. */
  readonly partOf?: ResourceName;
  /** Services that tell revisions keep the fields that a replacement leaves out (Conventions, Accounts). */
  readonly keepsLeftOut?: true;
  /** Methods that services refuse (412) with the current revision: the change goes without, after a look. */
  readonly refusesTag?: readonly Method[];
  /** In the field a patch puts objects below the top in the place of those that are there; others are merged deeply. */
  readonly mergesOneLevel?: true;
  /** Compatible services store a change that they refuse since a value is taken (Conventions, Accounts). */
  readonly storesRefused?: true;
  /**
   * Top-level fields without which a record is accepted and does no harm for a moment, so that records that refer to
   * each other can come to be: created without the field, which then follows in an update.
   */
  readonly late?: readonly string[];
  /**
   * The category and the item under which service plans price each record of it (Conventions, Plan record and item):
   * the item is what stands in the field, `item` where that is empty. Without an item, the record's own numbers are
   * the quantities.
   */
  readonly pricedAs?: { readonly category: string; readonly field?: string; readonly item?: string };
  /** Options that give fields of several values, or several fields, in one line. */
  readonly lines?: readonly LineOption[];
  /** Fields of a new record that follow from those that its options give. */
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
  /** True where tables show fields that lists leave out, so that each record is read. */
  readonly wholeInTables?: true;
  readonly operations: readonly Operation[];
  /** Words for what every write of its records does beside its effect. */
  readonly writes?: readonly Does[];
  readonly section: string;
  /** Words of its commands where they are not its name with hyphens: `['sso', 'apps']`. */
  readonly commandWords?: readonly [string, ...string[]];
  /** Sections of manifests that hold it; one by its name where left out. */
  readonly sections?: readonly SectionFacts[];
  /** Places where telctl leaves it out, with the reason: a sentence each. */
  readonly absent?: Readonly<Partial<Record<Appearance, string>>>;
  /** What an export calls it that cannot write it, where the account has it: `the brand`. */
  readonly leftOutAs?: string;
  /** Place of its records. `service`: one list for all accounts, in which each record names its account. */
  readonly keptIn?: 'service';
  /** Order of a list: fields, compared in lower case, or `created`; by id where left out (Conventions). */
  readonly listOrder?: readonly string[] | 'created';
}

/** An option that gives fields in one line of text. */
export interface LineOption {
  /** Long flag without dashes. */
  readonly flag: string;
  /** Stands for the line in help: `NAME,NAME`. */
  readonly value: string;
  readonly doc: string;
  /** Without `read`, the line gives the first of them, in the form that follows from its schema (see `lineFormOf`). */
  readonly fields: readonly string[];
  /** Reads the line of `option`. Throws `Failure` (`usage`) for one that does not fit. */
  readonly read?: (text: string, option: string) => JsonObject;
}

/** A form of its own in which the service keeps a text. */
export type KeptForm = 'lower case' | 'number' | 'hex digits';

/** Resource that the keys of a map are ids of. `type`: the resource whose singular the value has under `type`. */
export type KeyRef = ResourceName | 'type';

export type ResourceName = keyof typeof list;
