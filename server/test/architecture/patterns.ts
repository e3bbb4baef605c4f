import { checkSync } from 'recheck'
import { type Source, at, visit } from './source.ts'

/** Regular expressions that take quadratic time and read no foreign text, with what they read. */
export const harmless: Readonly<Record<string, string>> = {
  [String.raw`^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$`]: 'A line of ps.',
  [String.raw`\d+$`]: 'The name that a Gable process gives its database connection.',
  [String.raw`\s*\n\s*`]: 'The usage message of a command.',
  [String.raw`\/+$`]: 'An address in the environment.',
  '=+$': 'Base64 that Gable has written.',
  [String.raw`\.?0+$`]: 'A price of the demo data.',
}

/** Without one of these, a pattern repeats nothing without end. */
const repeats = /[*+]|,\}/

/**
 * The regular expression literals in the code that take more than linear time, with their patterns. Says nothing of what
 * cannot be decided: look-around, back references, and what takes longer than a second.
 */
export function slowPatterns(sources: readonly Source[]): { pattern: string; issue: string }[] {
  const places = new Map<string, { pattern: string; flags: string; place: string }>()
  for (const source of sources)
    visit(source, {
      Literal: (literal) => {
        if (!('regex' in literal)) return
        const { pattern, flags } = literal.regex
        const key = `/${pattern}/${flags}`
        if (repeats.test(pattern) && !places.has(key))
          places.set(key, { pattern, flags, place: at(source, literal.start, key) })
      },
    })
  return [...places.values()].flatMap(({ pattern, flags, place }) => {
    const found = checkSync(pattern, flags, { checker: 'automaton', timeout: 1000 })
    return found.status === 'vulnerable'
      ? [{ pattern, issue: `${place} takes ${found.complexity.summary} time` }]
      : []
  })
}
