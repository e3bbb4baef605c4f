/**
 * What a header is compared by: letters and digits alone, in lower case. `#` is a number, and a unit in brackets is no
 * part of the name: `MLS #`, `mls_number` and `MLS Number` are one, and so are `Price ($)` and `price`. `$/` is a price per.
 */
const bareHeader = (header: string): string =>
  header
    .normalize('NFKD')
    .replaceAll('#', ' number ')
    .replaceAll('$/', ' price per ')
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

/** Finds what a header means among names, of which earlier ones come first; `undefined` if it is unknown. */
export function headerMatcher<Field>(
  names: Iterable<readonly [name: string, field: Field]>,
): (header: string) => Field | undefined {
  const fields = new Map<string, Field>()
  for (const [name, field] of names) if (!fields.has(bareHeader(name))) fields.set(bareHeader(name), field)
  return (header) => fields.get(bareHeader(header)) ?? fields.get(bareHeader(withoutBrackets(header)))
}
