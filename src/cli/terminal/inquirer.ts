import { confirm, input, password } from '@inquirer/prompts';

/** The question types that telctl uses. Only these are bundled. Plain questions do not load the library. */
export const questions = { confirm, input, password };
