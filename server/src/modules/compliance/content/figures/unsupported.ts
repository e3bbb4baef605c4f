import type { ContentFinding } from '../scan-content.ts'
import { figuresIn, valuesOfFact } from './figures.ts'
import type { Figure } from './whole-figures.ts'

/** Values of a text that stand in none of the facts, and that the contact has not said of themselves. */
export function unsupported(
  text: string,
  facts: readonly string[],
  said: readonly string[] = [],
): ContentFinding[] {
  const figures = figuresIn(text)
  if (figures.length === 0) return []
  const known = new Set(facts.flatMap(valuesOfFact))
  const heard = new Set(said.flatMap(valuesOfFact))
  const isIn = (those: ReadonlySet<string>, { category, values }: Figure) =>
    values.some((value) => those.has(`${category} ${value}`) || those.has(`any ${bareOf(value)}`))
  return figures
    .filter((figure) => !isIn(known, figure) && !(mayRepeat(text, figure) && isIn(heard, figure)))
    .map(({ category, start, end }) => ({
      code: 'content_unsupported',
      category,
      text: text.slice(start, end),
      start,
      end,
    }))
}

/** Whether a value may be repeated because the contact said it. */
const mayRepeat = (text: string, { category, start, end }: Figure): boolean =>
  category === 'price'
    ? /\b(?:budget|presupuesto)\W{1,3}(?:(?:of|is|de|es|up|to|around)\W{1,3}){0,2}$/i.test(
        text.slice(Math.max(0, start - 40), start),
      ) || /^\W{1,3}(?:de )?(?:budget|presupuesto)\b/i.test(text.slice(end, end + 20))
    : category !== 'rate' && category !== 'link'

/** The number of a value with its unit. */
const bareOf = (value: string): string => value.slice(value.lastIndexOf(' ') + 1)
