/** Folds case, accents and outer blanks, so that `Evanston ` is evanston and José is jose; folding twice changes nothing. */
export const fold = (text: string): string =>
  plain.test(text)
    ? text.trim().toLowerCase()
    : text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().normalize('NFKD').trim()

/** Without anything to decompose. */
const plain = /^[\x20-\x7e]*$/
