import { readFile } from 'node:fs/promises'
import { emergencyRules } from '@gable/server/src/modules/compliance/judge/emergency-rules.ts'
import { gateNames } from '@gable/server/src/modules/compliance/judge/gates.ts'
import { type StateRule, stateRules } from '@gable/server/src/modules/compliance/judge/hours-rules.ts'
import { stateCategories } from '@gable/server/src/modules/content/state-categories.ts'
import { expect, test } from 'vitest'

const read = (path: string) => readFile(new URL(path, import.meta.url), 'utf8')
const page = await read('./compliance-gates.md')

/** The first cells of a table's rows, or all their cells. */
const rowsBelow = (heading: string) =>
  (page.split(heading)[1] ?? '')
    .replace(/^.*\n\|[-|]+\|\n/, '')
    .split('\n\n')[0]
    ?.trim()
    .split('\n')
    .map((row) => row.slice(2, -2).split(' | ')) ?? []

test('the guide lists every gate in order, with all its codes', async () => {
  const rows = rowsBelow('| Gate | Codes | Applies to |')
  expect(rows.map(([gate]) => gate?.replaceAll('`', ''))).toEqual(gateNames)
  const source = await read('../../server/src/modules/compliance/judge/reasons.ts')
  const codes = [...source.matchAll(/^ {2}([a-z][a-z0-9_]+):/gm)].map(([, code]) => code)
  const named = rows.flatMap(([, text = '']) => [...text.matchAll(/`(\w+)`/g)].map(([, code]) => code))
  expect(codes.length).toBeGreaterThan(30)
  expect(named.toSorted()).toEqual(codes.toSorted())
})

const days = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
const time = (minute: number) => `${Math.floor(minute / 60)}:${String(minute % 60).padStart(2, '0')}`
function textOf(window: StateRule['week'][number]): string {
  if (window === null) return 'closed'
  const [from, to] = window
  return to - from === 24 * 60 ? 'open' : `${time(from)}–${time(to)}`
}

const lifted = { consent: 'consent', 'consent or relationship': 'consent or a recent inquiry or deal' }

/** The hours of a rule in words. */
function inWords({ week, holidays, liftedBy }: StateRule): string {
  const texts = week.map(textOf)
  const runs = texts.flatMap((text, from) => {
    if (texts[from - 1] === text) return []
    const to = texts.findIndex((other, day) => day > from && other !== text)
    const last = (to === -1 ? 7 : to) - 1
    return [{ text, span: from === last ? days[from] : `${days[from]}–${days[last]}` }]
  })
  const hours = runs.length === 1 ? texts.slice(0, 1) : runs.map(({ text, span }) => `${span} ${text}`)
  const closed = holidays === undefined ? [] : ['closed on legal holidays']
  const parts = [...(hours[0] === 'open' ? [] : hours), ...closed]
  return parts.join(', ') + (liftedBy === undefined ? '' : `; not with ${lifted[liftedBy]}`)
}

test('the table of hours matches the rules', () => {
  const expected = stateRules
    .filter(({ automatedVoiceOnly }) => automatedVoiceOnly !== true)
    .map((rule) => [rule.state, inWords(rule), String(rule.perDay ?? ''), rule.citation])
  const rows = rowsBelow('| State | Hours | At most a day | Law |').map((row) =>
    row.map((cell) => cell.trim()),
  )
  expect(rows.map((row) => row.join(' | '))).toEqual(expected.map((row) => row.join(' | ')))
})

test('the table of emergencies matches the rules', () => {
  const rows = rowsBelow('| State | Except with | Law |').map((row) => row.map((cell) => cell.trim()))
  const rules = emergencyRules(rows.map(([state = '']) => state))
  const expected = rules.map(({ state, liftedBy, citation }) => [
    state,
    liftedBy ? lifted[liftedBy] : '',
    citation,
  ])
  expect(rows).toEqual(expected)
  expect(rules.map(({ id }) => id)).toEqual(['la-emergency', 'ny-emergency', 'emergency'])
})

test('the table of protected categories matches the state categories of the scan', () => {
  const rows = rowsBelow('| State | Protects | Fair housing law |')
  const laws = Object.entries(stateCategories)
  const states = [...new Set(laws.flatMap(([, byState]) => Object.keys(byState)))].toSorted()
  const expected = states.map((state) => {
    const here = laws.flatMap(([category, byState]) => {
      const law = byState[state]
      return law === undefined ? [] : [{ category, law }]
    })
    return [
      state,
      here.map(({ category }) => `\`${category}\``).join(' '),
      [...new Set(here.map(({ law }) => law))].join('; '),
    ]
  })
  expect(rows).toEqual(expected)
})
