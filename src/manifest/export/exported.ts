import type { JsonObject } from '../../contract/json.ts';
import type { Kind } from '../kinds.ts';

/** An account as it was read for a manifest. */
export interface Snapshot {
  readonly account: SnapshotAccount;
  /** What was read, in the order of kinds. */
  readonly sections: readonly Section[];
  /** Objects that are not part of the export and that its objects may refer to. */
  readonly others: readonly Section[];
}

export interface SnapshotAccount {
  readonly id: string;
  readonly name: string;
  /** Its realm; its id where it shows none. */
  readonly realm: string;
  readonly origin: string;
}

/** The objects of one kind. */
export interface Section {
  readonly kind: Kind;
  /** Whole records with their ids; what an account has once is one record. */
  readonly records: readonly JsonObject[];
  /** Why there may be more than these, as a sentence. */
  readonly missing?: string;
}

/**
 * What an export comes to. In fields, references to objects and to the environment stand as marked text
 * (`desired/references.ts`); everything else is the service's own text.
 */
export interface Exported {
  readonly account: SnapshotAccount;
  readonly sections: readonly ExportedSection[];
  /** Everything that was asked for could be read. */
  readonly isWhole: boolean;
  /** What stands instead of a mark: `${users.alice}`, an id. */
  readonly shown: MarkReader;
}

export interface ExportedSection {
  readonly kind: Kind;
  readonly objects: readonly ExportedObject[];
  readonly missing?: string;
}

/** One object as it is written. */
export interface ExportedObject {
  readonly kind: Kind;
  /** Local name; the section's for what an account has once. */
  readonly name: string;
  /** `users.alice` */
  readonly key: string;
  readonly id: string;
  /** `user alice` */
  readonly label: string;
  readonly fields: JsonObject;
  /** Fields that stand in the record but have their default value, and are left out of `fields` for that. */
  readonly whole: JsonObject;
  /** What is left out and why, a line each. */
  readonly left: readonly string[];
}

/** How the marked text of an object is written. */
export interface MarkReader {
  /** The text as it stands in a manifest. */
  text(object: ExportedObject, marked: string): string;
  /** What there is to say about ids in a text; `undefined`: nothing. */
  note(object: ExportedObject, marked: string): string | undefined;
}
