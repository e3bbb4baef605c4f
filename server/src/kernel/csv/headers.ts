/**
 * What a header is compared by: letters and digits alone, in lower case. `#` is a number, and a unit in brackets is no
 * part of the name: `MLS #`, `mls_number` and `MLS Number` are one, and so are `Price ($)` and `price`.
 */
const bareHeader = (header: string): string =>
  header
    .normalize('NFKD')
    .replaceAll('#', ' number ')
    .replaceAll('&', ' and ')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')

/** The same without what stands in brackets at the end, to be tried second: `Lot Size (acres)` has its own meaning. */
const withoutBrackets = (header: string): string => {
  const text = header.trimEnd()
  const at = Math.max(text.lastIndexOf('('), text.lastIndexOf('['))
  return at >= 0 && /[)\]]$/.test(text) && !/[)\]]/.test(text.slice(at, -1))
    ? text.slice(0, at).trimEnd()
    : header
}

/** Finds the field of a header among names. Names of fields come first; `undefined` if it is unknown. */
export function headerMatcher(
  names: Iterable<readonly [name: string, field: string]>,
): (header: string) => string | undefined {
  const fields = new Map<string, string>()
  for (const [name, field] of names) if (!fields.has(bareHeader(name))) fields.set(bareHeader(name), field)
  return (header) => fields.get(bareHeader(header)) ?? fields.get(bareHeader(withoutBrackets(header)))
}
