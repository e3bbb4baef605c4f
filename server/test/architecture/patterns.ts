import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { checkSync } from 'recheck'
import type { BuiltPattern } from './built-patterns.ts'
import { type Source, at, visit } from './source.ts'

/** Regular expressions that take quadratic time and read no foreign text, with what they read. */
export const harmless: Readonly<Record<string, string>> = {
  [String.raw`^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$`]: 'A line of ps.',
  [String.raw`\d+$`]: 'The name that a Gable process gives its database connection.',
  [String.raw`\s*\n\s*`]: 'The usage message of a command.',
  [String.raw`\/+$`]: 'An address in the environment.',
  '=+$': 'Base64 that Gable has written.',
  [String.raw`(\w+)(?: \(([^)]+)\))?(?:, |$)`]: 'A line of schema.txt.',
  [String.raw`\.?0+$`]: 'A price of the demo data.',
}

/** Files that build a regular expression from strings when it is needed, and not when they are loaded. */
export const builtWhenNeeded: Readonly<Record<string, string>> = {
  'server/src/config.ts': 'The pattern of email addresses, which schemas have too.',
  'server/src/kernel/conditions/schema-issues.ts':
    'The patterns of the schemas of rules and automations: IDs, times, one line.',
  'server/src/kernel/db/errors.ts': 'The name of a constraint, which is in the code.',
  'server/src/modules/ai/eval/judge-model.ts':
    'The operator’s own file of conversations, on the command line.',
  'server/src/modules/workspaces/member.ts': 'A pattern that its schema has too.',
  'server/src/modules/workspaces/names.ts': 'A pattern that its schema has too.',
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
  return [...places.values()].flatMap(slowPattern)
}

const slowPattern = ({ pattern, flags, place }: { pattern: string; flags: string; place: string }) => {
  const found = checkSync(pattern, flags, { checker: 'automaton', timeout: 1000 })
  return found.status === 'vulnerable'
    ? [{ pattern, issue: `${place} takes ${found.complexity.summary} time` }]
    : []
}

/** The regular expressions that the code builds from strings when it is loaded, and those of schemas. */
export async function builtPatterns(): Promise<BuiltPattern[]> {
  const worker = new Worker(new URL('built-patterns.ts', import.meta.url), { execArgv: [] })
  const [found] = (await once(worker, 'message')) as [BuiltPattern[]]
  await worker.terminate()
  return found
}

/** Those of them that take more than linear time. */
export function slowBuilt(built: readonly BuiltPattern[]): { pattern: string; issue: string }[] {
  const distinct = new Map(built.map((one) => [`/${one.pattern}/${one.flags}`, one]))
  return [...distinct.values()]
    .filter(({ pattern }) => repeats.test(pattern))
    .flatMap(({ path, ...one }) => slowPattern({ ...one, place: path }))
}

/** The files that build regular expressions from what is no literal. */
export const buildsPatterns = (sources: readonly Source[]): string[] =>
  sources
    .filter((source) => {
      let builds = false
      const look = ({ callee }: { callee: { type: string; name?: string } }) => {
        if (callee.type === 'Identifier' && callee.name === 'RegExp') builds = true
      }
      visit(source, { NewExpression: look as never, CallExpression: look as never })
      return builds
    })
    .map(({ path }) => path)
