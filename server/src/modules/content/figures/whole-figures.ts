import type { UnsupportedCategory } from '../finding.ts'
import { digitsIn } from './digits.ts'

/** A value in a text, in a normalized form; several values if it can be read in several ways. */
export interface Figure {
  category: UnsupportedCategory
  values: readonly string[]
  start: number
  end: number
}

const linkPattern =
  /(?:h(?:tt|xx)ps?:\/\/|www\.)[^\s<>"]+|[a-z0-9._%+-]{1,64}@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,8}|\b[a-z0-9][a-z0-9-]{0,62}(?:\.[a-z0-9-]{1,63}){0,8}\.(?:com|net|org|io|co|ly|me|app|house|homes|realty|realtor|us|gov|edu|info|biz|link|site|online|page|dev|mx|ai|tv|example)\b(?:\/[^\s<>"]*)?|\b[a-z0-9-]{2,63}\.[a-z]{2,12}\/[^\s<>"]+/gi
const isoPattern = /\b(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d))?/g

const linkValue = (link: string) =>
  withoutEnd(
    link
      .toLowerCase()
      .replace(/^h(?:tt|xx)ps?:\/\//, '')
      .replace(/^www\./, ''),
    '.,;:!?)]/',
  )

/** The text without these marks at its end. */
function withoutEnd(text: string, marks: string): string {
  let end = text.length
  while (end > 0 && marks.includes(text.charAt(end - 1))) end--
  return text.slice(0, end)
}

/** Finds links, phone numbers, and ISO dates and times. Returns the rest of the text with blanks in their places. */
export function takeWhole(text: string): { figures: Figure[]; rest: string } {
  const figures: Figure[] = []
  let rest = text
  const take = (pattern: RegExp, read: (match: RegExpMatchArray) => Omit<Figure, 'start' | 'end'>[]) => {
    rest = rest.replaceAll(pattern, (found: string, ...more: unknown[]) => {
      const start = more.find((one) => typeof one === 'number') ?? 0
      const end = start + withoutEnd(found, '.,;:!?)]').length
      const groups = more.slice(0, more.indexOf(start)) as string[]
      for (const one of read([found, ...groups] as unknown as RegExpMatchArray))
        figures.push({ ...one, start, end })
      return ' '.repeat(found.length)
    })
  }
  if (/[^\s.][.][^\s.]|@|:\/\//.test(text))
    take(linkPattern, ([found]) => [{ category: 'link', values: [linkValue(found)] }])
  take(isoPattern, ([, year, month, day, hour, minute]) => [
    { category: 'date', values: dateValues(Number(month), Number(day), Number(year)) },
    ...(hour === undefined
      ? []
      : [{ category: 'time' as const, values: [String(Number(hour) * 60 + Number(minute))] }]),
  ])
  for (const figure of digitsIn(rest)) {
    figures.push(figure)
    rest = `${rest.slice(0, figure.start)}${' '.repeat(figure.end - figure.start)}${rest.slice(figure.end)}`
  }
  return { figures, rest }
}

export function dateValues(month: number, day: number, year?: number): string[] {
  return [`${month}-${day}`, ...(year === undefined ? [] : [`${month}-${day}-${year}`])].slice(-1)
}
