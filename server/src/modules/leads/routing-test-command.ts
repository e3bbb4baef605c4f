import { type Command, CommanderError, Option } from 'commander'
import { type Static, Type } from 'typebox'
import type { Cli } from '#kernel/cli/cli.ts'
import { group } from '#kernel/cli/declare.ts'
import { type CommandOutput, type Columns, tableOf } from '#kernel/cli/output.ts'
import { parseJson, readJson } from '#kernel/cli/read-file.ts'
import { validator } from '#kernel/http/validation.ts'
import { idPattern } from '#kernel/ids.ts'
import {
  type Names,
  type Preview,
  type RoutingTarget,
  declareRouting,
  failureText,
  timeOf,
  draftRules,
  presentPreview,
  previewRoute,
} from '../routing/public.ts'
import { unknownPersonFacts } from './facts.ts'
import { PreviewDraft } from './schemas.ts'

interface TestOptions {
  lead?: string
  file?: string
  rules?: string
  at?: Date
}

/** The body of `POST /leads/routing-preview`, plus everything else that rules can test. */
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
  the lead is of an unknown person with only a phone number.`

export function addTestCommand(program: Command, cli: Cli): void {
  const routing = group(program, 'routing', 'who gets which leads: rules, and when agents take leads')
  declareRouting<TestOptions>(
    cli,
    routing,
    'test',
    {
      summary: 'explain who would get a lead',
      description: 'Uses the current rules, or a draft. Changes nothing and notifies no one.',
      example: `routing test --workspace ID --lead '{"source": "Website", "zip": "60201", "price": 450000}'`,
    },
    test,
  )
    .option('--lead <json>', 'the lead')
    .addOption(new Option('--file <path>', 'the lead in a file; - for standard input').conflicts('lead'))
    .option('--rules <path>', 'a document of rules to use instead of the current ones')
    .addOption(
      new Option('--at <time>', 'test as of this time, such as 2026-11-20T03:00:00Z').argParser(timeOf),
    )
    .addHelpText('after', fieldsText)
}

async function test({ ctx, names, options }: RoutingTarget<TestOptions>): Promise<CommandOutput> {
  const { at } = options
  const lead = await leadOf(options)
  const draft = options.rules === undefined ? undefined : await draftRules(ctx, await readJson(options.rules))
  const facts = { ...unknownPersonFacts, ...lead, tags: lead.tags ?? [] }
  const clock = at === undefined ? ctx.clock : { ...ctx.clock, now: () => at }
  const preview = await previewRoute({ ...ctx, clock }, facts, draft)
  return { value: presentPreview(preview), text: textOf(preview, names) }
}

async function leadOf({ lead, file }: TestOptions): Promise<Static<typeof TestLead>> {
  if (lead === undefined && file === undefined)
    throw new CommanderError(2, 'gable.nothing', 'Use --lead or --file to provide the lead.')
  const value = lead === undefined ? await readJson(file ?? '-') : parseJson(lead, 'The lead')
  validate(value)
  return value as Static<typeof TestLead>
}

function textOf({ decision, considered }: Preview, names: Names): string {
  const candidates = decision.candidates.toSorted((a, b) => (a.position ?? 1e9) - (b.position ?? 1e9))
  return [
    `${verdict(decision, names)}\n${names.inText(decision.reason)}`,
    tableOf(considered, ruleColumns(names), 'There are no rules except the default rule.').text,
    tableOf(candidates, candidateColumns(names), 'No one was considered.').text,
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
      return `It would stay in the pond until one of these members claims it: ${people}.`
    case 'held':
      return `It would be kept until ${time}.`
    case 'unassigned':
      return 'No agent is available now; it would wait.'
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
