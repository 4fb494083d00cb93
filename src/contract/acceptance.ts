/** The key of a request that accepts charges (Errors, rule 1). It is no field of any record. */
export const acceptance = 'accept_charges';
