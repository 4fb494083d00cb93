import type { Command, OptionSpecs } from '../command/command.ts';

export const unknownFieldsFlag = 'allow-unknown-fields';

const fieldsOptions = {
  allowUnknownFields: {
    flag: unknownFieldsFlag,
    doc: 'Take names of fields that only this service knows',
  },
} as const;

/** The option that lets `--fields` and `--filter` name anything; where a command takes fields, its own says the same of those. */
export const fieldsOptionsOf = ({ options, effect }: Command): OptionSpecs =>
  effect === 'local' || Object.values(options).some(({ flag }) => flag === unknownFieldsFlag)
    ? {}
    : fieldsOptions;
