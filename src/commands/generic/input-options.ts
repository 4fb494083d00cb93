import type { OptionSpecs } from '../../command/command.ts';
import type { Resource } from '../../contract/types.ts';
import { allowFilesOption } from '../manifest-options.ts';
import { fieldOptions } from './field-options.ts';
import { secretOptions } from './secret-options.ts';

/** Options of every command that takes a record. */
export const inputOptions = (resource: Resource): OptionSpecs => ({
  files: {
    flag: 'file',
    short: 'f',
    value: 'FILE',
    repeat: true,
    doc: 'YAML or JSON; - is standard input',
    completes: 'file',
  },
  ...allowFilesOption,
  set: { flag: 'set', value: 'PATH=TEXT', repeat: true, doc: 'Set one field to text' },
  setJson: { flag: 'set-json', value: 'PATH=JSON', repeat: true, doc: 'Set one field to a JSON value' },
  allowUnknownFields: {
    flag: 'allow-unknown-fields',
    doc: 'Send fields that are not in the specification, with a warning',
  },
  strictInput: {
    flag: 'strict-input',
    doc: 'Refuse what compatible services refuse, too; otherwise a warning',
  },
  ...fieldOptions(resource),
  ...secretOptions(resource),
});
