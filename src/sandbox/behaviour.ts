/** The services that a sandbox can be told to answer like. */
export type Likeness = 'specification' | 'kazoo';

/** Where a request may accept charges. */
export type AcceptancePlace = 'data' | 'query' | 'envelope';

/** How a sandbox answers where services differ. Whatever a mode changes stands here, and nothing asks for the mode. */
export interface Behaviour {
  /** The mode, for people; `undefined`: documented and conventional operations, in the specification's shapes. */
  readonly like: Likeness | undefined;
  /** Which operations are answered. */
  readonly operations: 'documented' | 'all';
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
    /** Replies tell revisions, reads an ETag; `If-Match` and `If-None-Match` are heeded. */
    readonly revisions: boolean;
    /** Lists come as CSV where that is asked for; what accepts no JSON is refused (406). */
    readonly negotiates: boolean;
    /** Replies to resets of secrets have no `data` key. */
    readonly resetsWithoutData: boolean;
    /** A `Location` header tells where a new record is. */
    readonly locations: boolean;
  };
  /** Requests without a good token are limited; one with a good token takes nothing (as recorded). */
  readonly limitsStrangers: boolean;
  /** What becomes of an id that a caller sends with a new record. */
  readonly ownIds: 'dropped' | 'taken';
  /** Which fields are filled in: those with a default in the schema, or also what services in the field add. */
  readonly fills: 'defaults' | 'field';
  /** What becomes of a flow whose step has data that its module does not take (Conventions, Callflow modules). */
  readonly wrongModuleData: 'refused' | 'stored';
  /**
   * In which form callflows keep numbers: in E.164 however they are written, or so only where they are plain digits.
   * Others are kept as typed, and no call matches them.
   */
  readonly numbers: 'normalised' | 'as-typed';
  /**
   * What an account without selectors answers when they are asked for: nothing in them, or 404 for its rules and 503
   * for its list, since the store for them is made with the first (Conventions, resource selectors).
   */
  readonly withoutSelectors: 'empty' | 'refused';
  readonly charges: {
    /** Shape of a 402: items by category (Errors, rule 1), or invoices (Conventions, Limits and 402). */
    readonly shape: 'items' | 'invoices';
    /** Where acceptance is looked for. */
    readonly acceptedIn: readonly AcceptancePlace[];
    /** Acceptance inside `data` is stored with the record, and accepts again when the record is sent back. */
    readonly keepsAcceptance: boolean;
  };
}

const usual: Behaviour = {
  like: undefined,
  operations: 'all',
  replies: {
    referenceErrors: 'beside-envelope',
    contentType: 'application/json; charset=utf-8',
    earlyErrorsUntyped: false,
    tellsTokens: false,
    revisions: false,
    locations: false,
    negotiates: false,
    resetsWithoutData: false,
  },
  limitsStrangers: false,
  ownIds: 'dropped',
  fills: 'defaults',
  wrongModuleData: 'refused',
  numbers: 'normalised',
  withoutSelectors: 'empty',
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
    numbers: 'as-typed',
    withoutSelectors: 'refused',
    replies: {
      referenceErrors: 'envelope',
      contentType: 'application/json',
      earlyErrorsUntyped: true,
      tellsTokens: true,
      revisions: true,
      locations: true,
      negotiates: true,
      resetsWithoutData: true,
    },
    limitsStrangers: true,
    ownIds: 'taken',
    fills: 'field',
    charges: { shape: 'invoices', acceptedIn: ['data', 'query', 'envelope'], keepsAcceptance: true },
  },
};

/** The behaviour of a mode; the usual one where none is named. */
export const behaviourOf = (like: Likeness | undefined): Behaviour =>
  like === undefined ? usual : likenesses[like];
