import type { JsonObject } from '../base/json.ts';
import { hooks } from '../contract/hooks.ts';
import type { ResourceName } from '../contract/types.ts';
import { fieldTraits } from './field-traits.ts';

/** The services that a sandbox can be told to answer like. */
export type Likeness = 'specification' | 'kazoo';

/** The place where a request may accept charges. */
export type AcceptancePlace = 'data' | 'query' | 'envelope';

/**
 * Those who may change what an account is charged for: its reseller and the super administrator, the account itself
 * only right below the first one; nobody but those two; or whoever reaches the account.
 */
export type ChargeableBy = 'resellers' | 'those-above' | 'anyone';

/** Traits of the records of one resource, beside what the contract says of them. */
export interface RecordTraits {
  /** Values that the service fills in where they are missing. */
  readonly filled?: JsonObject;
  /** Fields that list items lack (`id` among them), and that they have, other than the contract says. */
  readonly unlisted?: readonly string[];
  readonly alsoListed?: readonly string[];
  /** Fields of replies that may be empty or of another type, whatever the contract says. */
  readonly emptied?: readonly string[];
  /** Fields that replies about one record lack (`id` among them), and those that the reply to its removal lacks. */
  readonly unshown?: readonly string[];
  readonly unshownRemoved?: readonly string[];
  /** Values that list items show where the record has no such field. */
  readonly listed?: JsonObject;
  /** Fields that may be left out, whatever the contract says. */
  readonly optional?: readonly string[];
  /** Fields whose defaults are not filled in. */
  readonly unfilled?: readonly string[];
  /** Beginnings of `path:rule` at which nothing is checked, but that what is required is there. */
  readonly unchecked?: readonly string[];
  /** Keys of validation errors have `%2E` for the dots in the paths of fields. */
  readonly escapesKeys?: true;
  /** Pattern of `path:rule` that services in the field do not refuse but fail over (500). */
  readonly fatal?: RegExp;
  /** Values that can have several shapes: whatever is wrong inside one is that it has none of them. */
  readonly shapes?: RegExp;
  /** A value that another record holds is refused without being named. */
  readonly hidesClashes?: true;
  /** Fields that are worked out, and kept all the same where a caller sends them with a new record. */
  readonly alsoTaken?: readonly string[];
  /** Lists have no revision. */
  readonly unrevisedLists?: true;
  /** The data of a change is checked before its record is looked for. */
  readonly checkedFirst?: true;
  /** Any id can be read: where there is no record, an empty one is answered. */
  readonly anyId?: true;
  /** Replies that hold derived fields: every reply unless said otherwise. */
  readonly derived?: 'on-get' | 'never';
  /** An update keeps what it leaves out, as a patch does, and `null` is without effect in both. */
  readonly keepsWhatIsLeftOut?: true;
  /** Pages tell where they begin, the first one too. */
  readonly tellsStart?: true;
  /** A change that is refused since another record holds a value is stored all the same. */
  readonly storesClashes?: true;
  /** Fields of list items that are left out while there is nothing in them. */
  readonly sparse?: readonly string[];
}

/**
 * Behaviour of a sandbox where services differ. Everything that a mode changes stands here, and nothing asks for the
 * mode.
 */
export interface Behaviour {
  /** The mode, for people; `undefined`: documented and conventional operations, in the specification's shapes. */
  readonly like: Likeness | undefined;
  /** The operations that are answered. */
  readonly operations: 'documented' | 'all';
  readonly identity: {
    /** Naming of the account at sign-in: by exactly one identifier, or by the first of several that is one. */
    readonly identifiers: 'one' | 'first-found';
    /**
     * Content of sign-ins and token information: what the specification has, or also what services in the field add.
     */
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
    /** A change of an SSO application that there is not. */
    readonly unknownApps: 'unknown' | 'forbidden';
    /** Treatment of an unknown `action`: invalid as any other field, or not allowed (a failure within an account). */
    readonly unknownActions: 'invalid' | 'refused';
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
    /** Replies tell revisions, reads an ETag; `If-Match` and `If-None-Match` are heeded. */
    readonly revisions: boolean;
    /** Lists come as CSV where that is asked for; what accepts no JSON is refused (406). */
    readonly negotiates: boolean;
    /** A list that is not paged tells how many it has. */
    readonly countsWholeLists: boolean;
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
  /** A signing key is told with its id, or by itself. */
  readonly keys: 'with-id' | 'alone';
  /** Requests without a good token are limited; one with a good token takes nothing (as recorded). */
  readonly limitsStrangers: boolean;
  readonly lists: {
    /** True when a request can say where a list ends. */
    readonly endKey: boolean;
    /** Words for records without a value. */
    readonly valueMissing: readonly string[];
    /** A full page names the next one: where it has a record that is wanted, or any record. */
    readonly next: 'wanted' | 'any';
  };
  /** Permission of users who are no administrators to make, change and remove administrators, themselves included. */
  readonly plainUsers: 'held' | 'trusted';
  /**
   * Treatment of a write of a record that another request wrote at the same time: done after it, or refused (409).
   */
  readonly staleWrites: 'repeated' | 'refused';
  /** Treatment of an id that a caller sends with a new record. */
  readonly ownIds: 'dropped' | 'taken';
  /** Treatment of a flow whose step has data that its module does not take (Conventions, Callflow modules). */
  readonly wrongModuleData: 'refused' | 'stored';
  /** Effect of an empty object in a patch on one with fields: nothing, or takes its place. */
  readonly emptyObjects: 'merged' | 'replacing';
  /**
   * In which form callflows keep numbers: in E.164 however they are written, or so only where they are plain digits.
   * Others are kept as typed, and no call matches them.
   */
  readonly numbers: 'normalised' | 'as-typed';
  /** In which form voicemail boxes keep their number: as sent, or digits as a number, so that `0300` is `300`. */
  readonly mailboxes: 'as-sent' | 'counted';
  /** In which form accounts keep realms: in lower case, or as sent but for blanks, which are taken out (as recorded). */
  readonly realms: 'lower-case' | 'unspaced';
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
  /** Treatment of a callflow with a pattern that is not a regular expression. */
  readonly brokenPatterns: 'refused' | 'stored';
  /** Records: how they are checked, and what is particular to some. */
  readonly records: {
    /** Content of a validation error: what was wanted, or also what was found, with the details of such services. */
    readonly problems: 'brief' | 'detailed';
    /** A fraction where a whole number is due. */
    readonly fractions: 'refused' | 'rounded';
    readonly traits: Readonly<Partial<Record<ResourceName, RecordTraits>>>;
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
    /** `prefix` in the query of the list: without effect, or a search for numbers that nobody has. */
    readonly search: 'none' | 'free-numbers';
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
    /** A list of states that there are not: an empty one, or a fault (500). */
    readonly unknownTypes: 'none' | 'fault';
  };
  readonly participants: {
    /** An action is answered with the conference, or with a word. */
    readonly acted: 'conference' | 'word';
    /** A participant whom there is not. */
    readonly unknown: 'refused' | 'empty';
    /** The list is one of its own, or what there is of the conference, with its revision. */
    readonly listed: 'alone' | 'of-conference';
  };
  readonly messages: {
    /** Facts about a message that a caller makes: what was sent, or also who is taken to have called, and whom. */
    readonly made: 'as-sent' | 'as-left';
    /** A folder that there is not: refused, or the message stays where it is. */
    readonly unknownFolder: 'refused' | 'unmoved';
    /**
     * Outcomes for several: two lists, or those that exist, with the reasons by id; also decides if ids are needed.
     */
    readonly outcomes: 'lists' | 'sparse';
    /** Lists are of a range of time. */
    readonly ranged: boolean;
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
    /** Hooks that can be subscribed to. */
    readonly hooks: readonly string[];
    /** A hook that there is not: refused, or a fault of the store (503). */
    readonly unknownHook: 'refused' | 'fault';
    /** Addresses of the service's own machine. */
    readonly loopback: 'taken' | 'refused';
    /** Values of `custom_data`. */
    readonly customData: 'any' | 'texts';
    /** The webhook of an account that the caller does not reach, by its id; attempts of one that there is not are none. */
    readonly foreign: 'unknown' | 'readable';
  };
  /** Operations that are also answered without a token, beside those that the contract says so of. */
  readonly publicOperations: readonly string[];
  readonly limits: {
    /** The fields alone, or the stored document: with its id, and when it is read with what the account cannot set. */
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
    /** Acceptance inside `data` is stored with the record, and accepts again when the record is sent back. */
    readonly keepsAcceptance: boolean;
  };
}

const usual: Behaviour = {
  like: undefined,
  operations: 'all',
  identity: {
    identifiers: 'one',
    information: 'documented',
    tokensOutlive: false,
    openTo: [],
    usernames: 'needed',
    keysRotatedBy: 'account',
    countsUsers: false,
    besideKey: 'ignored',
    providerRefusals: 'coded',
    unknownApps: 'unknown',
    unknownActions: 'invalid',
  },
  withheld: [],
  requests: {
    tokensAnywhere: false,
    bodyFirst: false,
    otherBodies: 'refused',
    bodyLimit: 8_000_000,
    anyVersion: false,
  },
  replies: {
    referenceErrors: 'beside-envelope',
    contentType: 'application/json; charset=utf-8',
    earlyErrorsUntyped: false,
    tellsTokens: false,
    echoesAnyToken: false,
    revisions: false,
    locations: false,
    negotiates: false,
    countsWholeLists: true,
    resetsWithoutData: false,
    versionFor: 'everybody',
    providersStartKey: true,
    unknownNames: 'ids',
    emptyBodies: true,
  },
  keys: 'with-id',
  limitsStrangers: false,
  lists: { endKey: false, valueMissing: ['value_missing', 'missing_value'], next: 'wanted' },
  plainUsers: 'held',
  staleWrites: 'repeated',
  ownIds: 'dropped',
  wrongModuleData: 'refused',
  emptyObjects: 'merged',
  numbers: 'normalised',
  mailboxes: 'as-sent',
  realms: 'lower-case',
  selectors: { none: 'empty', unknownSteps: 'refused', rules: { rules: [] } },
  brokenPatterns: 'refused',
  records: {
    problems: 'brief',
    fractions: 'refused',
    traits: {
      conferences: {
        derived: 'never',
        // The shape that the specification shows (Resources and their fields, Conference).
        filled: { play_entry_tone: true, play_exit_tone: true, play_welcome: true },
      },
      directories: { derived: 'never' },
    },
  },
  phoneNumbers: {
    refusals: 'coded',
    carrier: undefined,
    features: ['cnam', 'e911', 'failover', 'force_outbound', 'prepend', 'ringback'],
    makeable: /./,
    madeBySuper: 'reserved',
    moves: 'checked',
    classification: 'beside-record',
    search: 'none',
    foreignInCallflows: 'stored',
  },
  ports: {
    comments: 'signed',
    othersMoves: 'forbidden',
    schedule: 'any',
    timeline: 'in-record',
    ported: 'kept',
    groups: 'listed',
    unknownTypes: 'none',
  },
  participants: { acted: 'conference', unknown: 'refused', listed: 'alone' },
  messages: { made: 'as-sent', unknownFolder: 'refused', outcomes: 'lists', ranged: false },
  faxes: { created: 'job' },
  vcards: { text: 'card' },
  webhooks: {
    hooks: [...hooks.map(({ id }) => id), 'all'],
    unknownHook: 'refused',
    loopback: 'taken',
    customData: 'any',
    foreign: 'unknown',
  },
  publicOperations: [],
  limits: { shape: 'fields', setBy: 'resellers' },
  services: { shape: 'record', setBy: 'resellers' },
  charges: { shape: 'items', acceptedIn: ['data'], keepsAcceptance: false },
};

const likenesses: Readonly<Record<Likeness, Behaviour>> = {
  specification: {
    ...usual,
    like: 'specification',
    operations: 'documented',
    replies: { ...usual.replies, referenceErrors: 'alone' },
    wrongModuleData: 'stored',
  },
  kazoo: {
    ...usual,
    like: 'kazoo',
    emptyObjects: 'replacing',
    numbers: 'as-typed',
    mailboxes: 'counted',
    realms: 'unspaced',
    identity: {
      identifiers: 'first-found',
      information: 'field',
      tokensOutlive: true,
      openTo: [
        'accounts.api-key',
        'accounts.put-api-key',
        'tokens.reset-account-secret',
        'tokens.reset-user-secret',
      ],
      usernames: 'made',
      keysRotatedBy: 'administrators',
      countsUsers: true,
      besideKey: 'refused',
      providerRefusals: 'faults',
      unknownApps: 'forbidden',
      unknownActions: 'refused',
    },
    withheld: ['accounts.rotate-api-key', 'apps.create'],
    requests: {
      tokensAnywhere: true,
      bodyFirst: true,
      otherBodies: 'ignored',
      bodyLimit: 64_000_000,
      anyVersion: true,
    },
    selectors: { none: 'refused', unknownSteps: 'stored', rules: {} },
    replies: {
      referenceErrors: 'envelope',
      contentType: 'application/json',
      earlyErrorsUntyped: true,
      tellsTokens: true,
      echoesAnyToken: true,
      revisions: true,
      locations: true,
      negotiates: true,
      countsWholeLists: false,
      resetsWithoutData: true,
      versionFor: 'token-holders',
      providersStartKey: false,
      unknownNames: 'names',
      emptyBodies: false,
    },
    keys: 'alone',
    limitsStrangers: true,
    lists: { endKey: true, valueMissing: ['value_missing'], next: 'any' },
    plainUsers: 'trusted',
    staleWrites: 'refused',
    ownIds: 'taken',
    brokenPatterns: 'stored',
    records: { problems: 'detailed', fractions: 'rounded', traits: fieldTraits },
    phoneNumbers: {
      refusals: 'faults',
      carrier: 'local',
      features: ['force_outbound', 'prepend', 'ringback'],
      makeable: /^\+1\d{10}$/,
      madeBySuper: 'in_service',
      moves: 'loose',
      classification: 'alone',
      search: 'free-numbers',
      foreignInCallflows: 'refused',
    },
    ports: {
      comments: 'as-sent',
      othersMoves: 'invalid',
      schedule: 'with-date',
      timeline: 'list',
      ported: 'moved',
      groups: 'plain',
      unknownTypes: 'fault',
    },
    participants: { acted: 'word', unknown: 'empty', listed: 'of-conference' },
    messages: { made: 'as-left', unknownFolder: 'unmoved', outcomes: 'sparse', ranged: true },
    faxes: { created: 'document' },
    vcards: { text: 'nothing' },
    webhooks: {
      hooks: [...hooks.map(({ id }) => id).filter((id) => id !== 'fax'), 'mms', 'parking', 'all'],
      unknownHook: 'fault',
      loopback: 'refused',
      customData: 'texts',
      foreign: 'readable',
    },
    publicOperations: [
      'webhooks.hooks',
      'webhooks.samples',
      'webhooks.sample',
      'tokens.info',
      'tokens.info-by-query',
    ],
    limits: { shape: 'document', setBy: 'anyone' },
    services: { shape: 'plans', setBy: 'those-above' },
    charges: { shape: 'invoices', acceptedIn: ['data', 'query', 'envelope'], keepsAcceptance: true },
  },
};

/** The behaviour of a mode; the usual one where none is named. */
export const behaviourOf = (like: Likeness | undefined): Behaviour =>
  like === undefined ? usual : likenesses[like];

/** Returns the traits of the records of a resource. */
export const traitsOf = ({ records }: Behaviour, name: ResourceName): RecordTraits =>
  records.traits[name] ?? {};
