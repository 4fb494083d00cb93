/**
 * True for the names that a service keeps to itself: it drops them from what is sent and does not show them, but for
 * `_read_only` (Conventions, life cycle of a record).
 */
export const isPrivateKey = (key: string): boolean => key.startsWith('_') || key.startsWith('pvt_');
