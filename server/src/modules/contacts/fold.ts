/** Folds case and accents, so that `jose` finds José. */
export const fold = (one: string) => one.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()

const maxTerms = 8

/**
 * The words of `q`, all of which must match. Ignores words without a letter or digit, because no index contains them,
 * and words after the eighth. Null if `q` has only words without a letter or digit: then nothing matches.
 */
export function searchTerms(q: string): string[] | null {
  const words = fold(q)
    .split(/\s+/)
    .filter((word) => word !== '')
  const terms = words.filter((word) => /[\p{L}\p{N}]/u.test(word)).slice(0, maxTerms)
  return words.length > 0 && terms.length === 0 ? null : terms
}
