import { Failure } from '../base/failure.ts';

/** The path prefix that a word means: `/v2`, or nothing for `none`. Throws `Failure` (`usage`) for other words. */
export function prefixOf(word: string, from: string): '/v2' | '' {
  switch (word.replace(/^\//, '')) {
    case 'v2':
      return '/v2';
    case 'none':
    case '':
      return '';
    default:
      throw new Failure('usage', `${from} says "${word}"; a prefix is /v2 or none.`);
  }
}
