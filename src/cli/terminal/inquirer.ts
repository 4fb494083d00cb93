import { confirm, input, password } from '@inquirer/prompts';

/** The question types that telctl uses. The build only bundles these. */
export const questions = { confirm, input, password };
