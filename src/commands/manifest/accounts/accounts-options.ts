/** Names the accounts that one manifest is for. */
export const accountsOption = {
  accounts: {
    flag: 'accounts',
    value: 'FILE',
    doc: 'Accounts that the manifest is for: one a line by id, name or realm, or CSV with a column account and one for each variable; - for standard input',
    completes: 'file',
  },
} as const;

/** Option for the number of accounts that come first. */
export const canaryOption = {
  canary: {
    flag: 'canary',
    value: 'N',
    type: 'integer',
    minimum: 1,
    doc: 'Do the first N accounts, ask, and go on only if all of those succeeded',
    needs: ['accounts'],
  },
} as const;
