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
  /** What becomes of a flow whose step has data that its module does not take (Conventions, Callflow modules). */
  readonly wrongModuleData: 'refused' | 'stored';
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
  wrongModuleData: 'refused',
  withoutSelectors: 'empty',
  charges: { shape: 'items', acceptedIn: ['data'], keepsAcceptance: false },
};

const likenesses: Readonly<Record<Likeness, Behaviour>> = {
  specification: { ...usual, like: 'specification', operations: 'documented', wrongModuleData: 'stored' },
  kazoo: {
    ...usual,
    like: 'kazoo',
    withoutSelectors: 'refused',
    charges: { shape: 'invoices', acceptedIn: ['data', 'query', 'envelope'], keepsAcceptance: true },
  },
};

/** The behaviour of a mode; the usual one where none is named. */
export const behaviourOf = (like: Likeness | undefined): Behaviour =>
  like === undefined ? usual : likenesses[like];
