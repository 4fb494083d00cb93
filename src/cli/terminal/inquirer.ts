import { confirm, input, password } from '@inquirer/prompts';

/** The kinds of question that telctl asks; only these of the library are bundled. Plain questions do not load it. */
export const questions = { confirm, input, password };
