/** Parses a date-time of a request to epoch milliseconds. A leap second counts as the second before it. */
export function momentOf(text: string): number {
  const ms = Date.parse(text)
  return Number.isNaN(ms) ? Date.parse(text.replace(':60', ':59')) : ms
}
