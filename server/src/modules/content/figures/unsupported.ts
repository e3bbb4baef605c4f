import type { ContentFinding } from '../finding.ts'
import type { Figure } from './figure.ts'
import { figuresIn, valuesOfFact } from './figures.ts'
import { mayRepeat } from './repeated.ts'

/** Finds values in a text that no fact supports and that the text may not repeat from what the contact said. */
export function unsupported(
  text: string,
  facts: readonly string[],
  said: readonly string[] = [],
): ContentFinding[] {
  const figures = figuresIn(text)
  if (figures.length === 0) return []
  const [known, heard] = [valuesOf(facts), valuesOf(said)]
  const isIn = (those: ReadonlySet<string>, { category, values }: Figure) =>
    values.some(
      (value) =>
        those.has(`${category} ${value}`) ||
        those.has(`any ${bareOf(value)}`) ||
        (category === 'address' && isWithout(those, value)),
    )
  return figures
    .filter((figure) => !isIn(known, figure) && !(isIn(heard, figure) && mayRepeat(text, figure)))
    .map(({ category, start, end }) => ({
      code: 'content_unsupported',
      category,
      text: text.slice(start, end),
      start,
      end,
    }))
}

/** What facts support. Cached by the array of facts, because a message has several texts, and a model gets several tries. */
function valuesOf(facts: readonly string[]): ReadonlySet<string> {
  const known = read.get(facts)
  if (known !== undefined) return known
  const values = withTomorrow(new Set(facts.flatMap(valuesOfFact)))
  read.set(facts, values)
  return values
}
const read = new WeakMap<readonly string[], ReadonlySet<string>>()

/** A value's number, without its unit. */
const bareOf = (value: string): string => value.slice(value.lastIndexOf(' ') + 1)

/** Whether a fact has the number of an address without a kind of street: `807 W Monroe`. */
const isWithout = (those: ReadonlySet<string>, value: string): boolean =>
  those.has(`any ${value.slice(0, value.indexOf(' '))}`)

/** Facts support “tomorrow” if one states today's date and any contains the day after it. */
function withTomorrow(known: Set<string>): Set<string> {
  for (const value of known)
    if (value.startsWith('tomorrow ') && known.has(value.slice('tomorrow '.length)))
      return known.add('date tomorrow')
  return known
}
