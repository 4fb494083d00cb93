import type { JsonObject } from '../base/json.ts';
import type { Operation, ResourceName } from '../contract/types.ts';
import type { ServiceRules } from '../contract/validate.ts';
import type { RecordTraits } from './record-traits.ts';

/** The services that a sandbox can be told to answer like. */
export type Likeness = 'specification' | 'kazoo';

/** The place where a request may accept charges. */
export type AcceptancePlace = 'data' | 'query' | 'envelope';

/**
 * Those who may change what an account is charged for: its reseller and the super administrator, the account itself
 * only right below the first one; nobody but those two; or whoever reaches the account.
 */
export type ChargeableBy = 'resellers' | 'those-above' | 'anyone';

/** Behaviour where services differ. All that a mode changes stands here; nothing asks for the mode. */
export interface Behaviour {
  /** The mode, for people; `undefined`: documented and conventional operations, in the specification's shapes. */
  readonly like: Likeness | undefined;
  /** The operations that are answered. */
  readonly operations: 'documented' | 'all';
  readonly identity: {
    /** Naming of the account at sign-in: by exactly one identifier, or by the first of several that is one. */
    readonly identifiers: 'one' | 'first-found';
    /** Content of sign-ins and token information: as documented, or with what services in the field add. */
    readonly information: 'documented' | 'field';
    /** A token outlives that its account, user or API key is disabled or changed. */
    readonly tokensOutlive: boolean;
    /** Operations that anybody in the account's tree may call, whatever role they have otherwise. */
    readonly openTo: readonly string[];
    /** A password without a username: refused, or a name is made for it. */
    readonly usernames: 'needed' | 'made';
    /** Those who rotate an account's API key: whoever administers it, its key included, or its users who do. */
    readonly keysRotatedBy: 'account' | 'administrators';
    /** True when the envelope counts the users who were found at a refused sign-in; else it counts nothing. */
    readonly countsUsers: boolean;
    /** Fields beside the API key at sign-in. */
    readonly besideKey: 'ignored' | 'refused';
    /** Sign-ins that a provider does not vouch for are refused (401), or faults of the service (500). */
    readonly providerRefusals: 'coded' | 'faults';
    /** Answer to a change of an SSO application that does not exist. */
    readonly unknownApps: 'unknown' | 'forbidden';
    /** Treatment of an unknown `action`: invalid as any other field, or not allowed (a failure within an account). */
    readonly unknownActions: 'invalid' | 'refused';
    /**
     * Permission of users who are no administrators to make, change and remove administrators, themselves included, and to
     * read secrets of records that are not their own.
     */
    readonly plainUsers: 'held' | 'trusted';
    /** Requests without a good token are limited; one with a good token takes nothing (as recorded). */
    readonly limitsStrangers: boolean;
    /** Operations that are also answered without a token, beside those that the contract says so of. */
    readonly publicOperations: readonly string[];
    /** A signing key is told with its id, or by itself. */
    readonly signingKeys: 'with-id' | 'alone';
  };
  readonly media: {
    /** Texts are spoken, as silence, or there is nothing that speaks. */
    readonly speech: 'silent' | 'none';
    /** An upload puts type and size of the file into the record. */
    readonly tellsFile: boolean;
    /** Lists by language and prompt tell where they begin. */
    readonly tellsStart: boolean;
  };
  readonly mails: {
    /** The service has templates and sends mails, which the sandbox keeps; or it has no mailer at all. */
    readonly mailer: 'kept' | 'none';
    /** Some replies name templates as they are stored: `notification.new_user`. */
    readonly storedNames: boolean;
  };
  /** Operations of the contract that are not offered. */
  readonly withheld: readonly string[];
  readonly requests: {
    /** A token is also taken from the query and the body, and an account named beside it has to be its own. */
    readonly tokensAnywhere: boolean;
    /** The body is read before the token, and has to have `data` where there is one; its keys are in any case. */
    readonly bodyFirst: boolean;
    /** Treatment of a body that is not JSON. */
    readonly otherBodies: 'refused' | 'ignored';
    /** Largest body, in bytes (Conventions, Sizes and times). */
    readonly bodyLimit: number;
    /** Any version from 2 up is taken for 2; the first is gone, and none is a page of text. */
    readonly anyVersion: boolean;
    /**
     * A verb in the query or the body stands in the place of the method, and nobody looks at whose carrier is read. Both
     * are holes of services in the field, a GET that writes and the trunk of a stranger: followed on this machine alone.
     */
    readonly holes: 'closed' | 'followed';
  };
  readonly replies: {
    /**
     * Body of an error of the specification's reference operations: its three keys alone, these beside the envelope's
     * (for client libraries that read that), or the envelope that all other operations have.
     */
    readonly referenceErrors: 'alone' | 'beside-envelope' | 'envelope';
    readonly contentType: string;
    /** An error that is found before the resource is asked has no content type (as recorded). */
    readonly earlyErrorsUntyped: boolean;
    /** The envelope tells what is left of the caller's bucket. */
    readonly tellsTokens: boolean;
    /** The envelope echoes the token that was sent, good or not. */
    readonly echoesAnyToken: boolean;
    /** Requests that such services have and this one has not, which they keep to super administrators (403). */
    readonly keptToSuper: readonly string[];
    /** Replies tell revisions, reads an ETag; `If-Match` and `If-None-Match` are heeded. */
    readonly revisions: boolean;
    /** An OPTIONS, refused as it is, tells pages of other origins what they could send. */
    readonly answersPreflights: boolean;
    /** Lists come as CSV where that is asked for; what accepts no JSON is refused (406). */
    readonly negotiates: boolean;
    /** A list that is not paged tells how many it has. */
    readonly countsWholeLists: boolean;
    /** Sums come in the envelope of a list of one. */
    readonly sumsAsLists: boolean;
    /** Replies to resets of secrets have no `data` key. */
    readonly resetsWithoutData: boolean;
    /** A `Location` header tells where a new record is. */
    readonly locations: boolean;
    /** Receivers of replies with the release version: everybody (Versioning, 1), or callers with a token. */
    readonly versionFor: 'everybody' | 'token-holders';
    /** The list of providers tells where its page begins, as an array (Conventions, Success response envelope). */
    readonly providersStartKey: boolean;
    /** Names that are no ids, API keys and samples among them, are missed as ids are, or in other words. */
    readonly unknownNames: 'ids' | 'names';
    /** Operations that the specification gives an empty body answer without one (Endpoints, Account resources). */
    readonly emptyBodies: boolean;
  };
  /** Records that are written. */
  readonly writes: {
    /** A write of a record that another request wrote at the same time: done after it, or refused (409). */
    readonly stale: 'repeated' | 'refused';
    /** Treatment of an id that a caller sends with a new record. */
    readonly ownIds: 'dropped' | 'taken';
    /** Effect of an empty object in a patch on one with fields: nothing, or takes its place. */
    readonly emptyObjects: 'merged' | 'replacing';
  };
  /** Callflows, as they are checked and kept. */
  readonly callflows: {
    /** Treatment of a flow whose step has data that its module does not take (Conventions, Callflow modules). */
    readonly wrongModuleData: 'refused' | 'stored';
    /** Treatment of a callflow with a pattern that is not a regular expression. */
    readonly brokenPatterns: 'refused' | 'stored';
    /**
     * In which form callflows keep numbers: in E.164 however they are written, or so only where they are plain digits.
     * Others are kept as typed, and no call matches them.
     */
    readonly numbers: 'normalised' | 'as-typed';
    /** Shape of the contact list: an array, or an object, as the specification shows it, by the ids of the callflows. */
    readonly contacts: 'listed' | 'by-id';
  };
  readonly live: {
    /** Reply about live things, and about settings that were never made, where there are none: in words, or bare. */
    readonly nothing: 'told' | 'bare';
    /**
     * Who answers the calls of users: the users themselves, where nothing is known of devices; registered devices, and
     * the user where there is no device; or registered devices alone.
     */
    readonly phones: 'unknown' | 'registered-or-user' | 'registered';
  };
  readonly lists: {
    /** True when a request can say where a list ends. */
    readonly endKey: boolean;
    /** Words for records without a value. */
    readonly valueMissing: readonly string[];
    /** A full page names the next one: where it has a record that is wanted, or any record. */
    readonly next: 'wanted' | 'any';
    /** Treatment of malformed times of a range. */
    readonly noTimes: 'refused' | 'ignored';
    /**
     * Entries of lists are listed as records, or under `value` as the store finds them; a list of which nothing is known
     * is then as good as any, and each change of an entry names its list.
     */
    readonly entries: 'records' | 'found';
  };
  readonly selectors: {
    /**
     * Answer of an account without selectors when they are asked for: nothing in them, or 404 for its rules and 503
     * for its list, since the store for them is made with the first (Conventions, resource selectors).
     */
    readonly none: 'empty' | 'refused';
    /** Treatment of rules with an unknown step. */
    readonly unknownSteps: 'refused' | 'stored';
    /** Fields that rules always have, whatever of them was written. */
    readonly rules: JsonObject;
  };
  /** Records: how they are checked, and what is particular to some. */
  readonly records: {
    /** The rules that they are held to. */
    readonly rules: ServiceRules;
    /** Content of a validation error: what was wanted, or also what was found, with the details of such services. */
    readonly problems: 'brief' | 'detailed';
    /** A fraction where a whole number is due. */
    readonly fractions: 'refused' | 'rounded';
    readonly traits: Readonly<Partial<Record<ResourceName, RecordTraits>>>;
    /** In which form accounts keep realms: in lower case, or as sent but for blanks, which are taken out (as recorded). */
    readonly realms: 'lower-case' | 'unspaced';
  };
  readonly phoneNumbers: {
    /** Refusals say what is the matter, or are faults of the service (500); a number that is not there is 404. */
    readonly refusals: 'coded' | 'faults';
    /** The carrier of numbers that are made, `local` letting go of them for good; none has a word for them. */
    readonly carrier: 'local' | undefined;
    /** Features that a number can be given. */
    readonly features: readonly string[];
    /** Numbers that can be made. */
    readonly makeable: RegExp;
    /** State of numbers that the super administrator makes and gives none for. */
    readonly madeBySuper: 'reserved' | 'in_service';
    /**
     * Loose: a move to the state that a number has, the port of one by whoever may add none, and a delete for good by
     * the account are done.
     */
    readonly moves: 'checked' | 'loose';
    /** Classification of a number, beside the fields of its record or alone. */
    readonly classification: 'beside-record' | 'alone';
    /** Numbers that can be bought: of the sandbox's own carrier, beside those that nobody has, or none but these. */
    readonly stock: 'sandbox' | 'none';
    /** Callflows of other accounts may have the number. */
    readonly foreignInCallflows: 'stored' | 'refused';
  };
  readonly ports: {
    /** Author and time of comments: set by the service, or sent with them, which is then needed. */
    readonly comments: 'signed' | 'as-sent';
    /** A move that only the port authority makes: forbidden (403), or no move at all (400). */
    readonly othersMoves: 'forbidden' | 'invalid';
    /** Rule for scheduling: any, or a date is needed; the local time that was sent is kept where it is. */
    readonly schedule: 'any' | 'with-date';
    /** History of a request: in its record and oldest first, or a list by itself and newest first. */
    readonly timeline: 'in-record' | 'list';
    /** Numbers of a completed request: they stay in it, or are told of as ported. */
    readonly ported: 'kept' | 'moved';
    /** The groups of requests are a list as others are, or only what they are; each request tells its account. */
    readonly groups: 'listed' | 'plain';
    /** Answer to a list of unknown states: an empty list, or a fault (500). */
    readonly unknownTypes: 'none' | 'fault';
  };
  readonly participants: {
    /** An action is answered with the conference, or with a word. */
    readonly acted: 'conference' | 'word';
    /** Answer about an unknown participant. */
    readonly unknown: 'refused' | 'empty';
    /** The list is one of its own, or what there is of the conference, with its revision. */
    readonly listed: 'alone' | 'of-conference';
  };
  readonly messages: {
    /** Facts about a message that a caller makes: what was sent, or also who is taken to have called, and whom. */
    readonly made: 'as-sent' | 'as-left';
    /** Treatment of an unknown folder: refused, or the message stays where it is. */
    readonly unknownFolder: 'refused' | 'unmoved';
    /** Outcomes for several: two lists, or those that exist; also decides if ids are needed. */
    readonly outcomes: 'lists' | 'sparse';
    /** Lists are of a range of time. */
    readonly ranged: boolean;
    /** In which form voicemail boxes keep their number: as sent, or digits as a number, so that `0300` is `300`. */
    readonly mailboxes: 'as-sent' | 'counted';
  };
  readonly faxes: {
    /** A new fax is answered as the job that it is, or as the stored document, private fields and all, with `_id`. */
    readonly created: 'job' | 'document';
  };
  readonly vcards: {
    /** A card is its text, or nothing at all, and never JSON. */
    readonly text: 'card' | 'nothing';
  };
  readonly webhooks: {
    readonly hooks: readonly string[];
    /** Treatment of an unknown hook: refused, or a fault of the store (503). */
    readonly unknownHook: 'refused' | 'fault';
    /** Addresses of the service's own machine. */
    readonly loopback: 'taken' | 'refused';
    readonly customData: 'any' | 'texts';
    /** A webhook of an account out of reach, by its id; attempts of an unknown one are none. */
    readonly foreign: 'unknown' | 'readable';
  };
  readonly limits: {
    /** The fields with the id, or the stored document: when it is read, with what the account cannot set. */
    readonly shape: 'fields' | 'document';
    readonly setBy: ChargeableBy;
  };
  readonly services: {
    /** The record is read and writes answer nothing, or both answer the plans (or the overrides) themselves. */
    readonly shape: 'record' | 'plans';
    /** In the field an account's own administrator is forbidden (403) to write plans and overrides: as recorded. */
    readonly setBy: ChargeableBy;
  };
  readonly charges: {
    /** Shape of a 402: items by category (Errors, rule 1), or invoices (Conventions, Limits and 402). */
    readonly shape: 'items' | 'invoices';
    /** Places where acceptance is looked for. */
    readonly acceptedIn: readonly AcceptancePlace[];
    /** The text `"true"` in a body accepts as the boolean does: as recorded. */
    readonly acceptsText: boolean;
    /** Acceptance inside `data` is stored with the record, and accepts again when the record is sent back. */
    readonly keepsAcceptance: boolean;
  };
}

/** True for an operation that a service offers. */
export const offers = (
  { operations, withheld }: Pick<Behaviour, 'operations' | 'withheld'>,
  { id, source }: Operation,
): boolean => (operations === 'all' || source === 'specification') && !withheld.includes(id);

export const traitsOf = ({ records }: Behaviour, name: ResourceName): RecordTraits =>
  records.traits[name] ?? {};
