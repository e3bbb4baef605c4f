/** A date and time that a caller names, in milliseconds since the epoch. Of a leap second it is the second before. */
export function momentOf(text: string): number {
  const ms = Date.parse(text)
  return Number.isNaN(ms) ? Date.parse(text.replace(':60', ':59')) : ms
}
