/** Folds case and accents, so that `jose` equals José. What `q` searches is folded further: see `search-form.ts`. */
export const fold = (one: string) => one.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
