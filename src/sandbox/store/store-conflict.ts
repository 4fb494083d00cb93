/** The world moved between reading and committing; nothing was written. */
export class StoreConflict extends Error {
  override readonly name = 'StoreConflict';
}
