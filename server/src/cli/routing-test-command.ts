import { type Command, CommanderError, Option } from 'commander'
import { type Static, Type } from 'typebox'
import { validator } from '#kernel/http/validation.ts'
import { idPattern } from '#kernel/ids.ts'
import { PreviewDraft, strangerFacts } from '../modules/leads/public.ts'
import { type Preview, draftRules, presentPreview, previewRoute } from '../modules/routing/public.ts'
import { type Answer, type Columns, listing } from './answer.ts'
import type { Names } from './routing-names.ts'
import { type Target, declareRouting, parseJson, readJson } from './routing-target.ts'
import { timeOf } from './routing-time.ts'
import { failureText } from './routing-words.ts'

interface TestOptions {
  lead?: string
  file?: string
  rules?: string
  at?: Date
}

/** What `POST /leads/routing-preview` takes, and all else that rules can ask about. */
const TestLead = Type.Object(
  {
    ...PreviewDraft.properties,
    context: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    state: Type.Optional(Type.String({ maxLength: 40 })),
    area_code: Type.Optional(Type.String({ maxLength: 3 })),
    has_email: Type.Optional(Type.Boolean()),
    consent_status: Type.Optional(Type.Enum(['none', 'insufficient', 'sufficient'])),
    owner_id: Type.Optional(Type.String({ pattern: idPattern })),
  },
  { additionalProperties: false },
)
const validate = validator(TestLead)

const fieldsText = `\nFields of a lead:\n  ${Object.keys(TestLead.properties).join(', ')}
  owner_id is the member who has the contact already. Only source is required; unsaid,
  the lead is of somebody new, with a phone number and nothing else.`

export function addTestCommand(routing: Command): void {
  declareRouting<TestOptions>(
    routing,
    'test',
    {
      summary: 'say who would get a lead, and why',
      description: 'By the rules that hold, or by a draft of others. Changes nothing and tells nobody.',
      example: `routing test --workspace ID --lead '{"source": "Website", "zip": "60201", "price": 450000}'`,
    },
    test,
  )
    .option('--lead <json>', 'the lead')
    .addOption(new Option('--file <path>', 'the lead in a file; - for standard input').conflicts('lead'))
    .option('--rules <path>', 'a document of rules, to be tried instead of those that hold')
    .addOption(
      new Option('--at <time>', 'as if it were then, such as 2026-11-20T03:00:00Z').argParser(timeOf),
    )
    .addHelpText('after', fieldsText)
}

async function test({ ctx, names, options }: Target<TestOptions>): Promise<Answer> {
  const { at } = options
  const lead = await leadOf(options)
  const draft = options.rules === undefined ? undefined : await draftRules(ctx, await readJson(options.rules))
  const facts = { ...strangerFacts, ...lead, tags: lead.tags ?? [] }
  const clock = at === undefined ? ctx.clock : { ...ctx.clock, now: () => at }
  const preview = await previewRoute({ ...ctx, clock }, facts, draft)
  return { value: presentPreview(preview), text: textOf(preview, names) }
}

async function leadOf({ lead, file }: TestOptions): Promise<Static<typeof TestLead>> {
  if (lead === undefined && file === undefined)
    throw new CommanderError(2, 'gable.nothing', 'Say which lead: --lead or --file.')
  const value = lead === undefined ? await readJson(file ?? '-') : parseJson(lead, 'The lead')
  validate(value)
  return value as Static<typeof TestLead>
}

function textOf({ decision, considered }: Preview, names: Names): string {
  const candidates = decision.candidates.toSorted((a, b) => (a.position ?? 1e9) - (b.position ?? 1e9))
  return [
    `${verdict(decision, names)}\n${names.inText(decision.reason)}`,
    listing(considered, ruleColumns(names), 'There are no rules but the default rule.').text,
    listing(candidates, candidateColumns(names), 'Nobody was considered.').text,
  ].join('\n\n')
}

function verdict({ outcome, assignee_id, offered_to, until }: Preview['decision'], names: Names): string {
  const people = offered_to.map(names.of).join(', ')
  const time = until === null ? '' : new Date(until).toISOString()
  switch (outcome) {
    case 'assigned':
      return `${names.of(assignee_id ?? '')} would get it.`
    case 'offered':
      return `It would be offered until ${time} to ${people}.`
    case 'pond':
      return `It would lie in the pond until one of these claims it: ${people}.`
    case 'held':
      return `It would be kept until ${time}.`
    case 'unassigned':
      return 'Nobody could have it now; it would wait.'
  }
}

const ruleColumns = (names: Names): Columns<Preview['considered'][number]> => ({
  rule: (rule) => rule.name,
  matches: (rule) => (rule.matched ? 'yes' : 'no'),
  'fails on': (rule) => failureText(rule, names) || null,
})

const candidateColumns = (names: Names): Columns<Preview['decision']['candidates'][number]> => ({
  candidate: (one) => names.of(one.member_id),
  turn: (one) => (one.position === null ? null : String(one.position)),
  eligible: (one) => (one.eligible ? 'yes' : 'no'),
  'why not': (one) => one.excluded_reasons.join(', ').replaceAll('_', ' ') || null,
})
