import { type Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import { type Static, Type } from 'typebox'
import type { Cli, CommandRuntime } from '#kernel/cli/cli.ts'
import { declare, group, workspaceOption } from '#kernel/cli/declare.ts'
import type { CommandOutput } from '#kernel/cli/output.ts'
import { recordText } from '#kernel/cli/presentation.ts'
import { parseJson, readJson } from '#kernel/cli/read-file.ts'
import { validator } from '#kernel/http/validation.ts'
import { idPattern } from '#kernel/ids.ts'
import { draftRules, presentPreview, previewRoute, withNames } from '../routing/public.ts'
import { unknownPersonFacts } from './facts.ts'
import { PreviewDraft } from './schemas.ts'

interface Options {
  workspace?: string
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

/** `routing-rules test`: like `leads routing-preview`, for a draft, another time, and facts that a form does not send. */
export function addTestCommand(program: Command, cli: Cli): void {
  declare(group(program, 'routing-rules'), 'test', {
    summary: 'explain who would get a lead, by the rules or by a draft',
    description: 'Changes nothing and notifies no one.',
    example: `routing-rules test --lead '{"source": "Website", "zip": "60201"}' --rules draft.json`,
  })
    .addOption(workspaceOption())
    .option('--lead <json>', 'the lead')
    .addOption(new Option('--file <path>', 'the lead in a file; - for standard input').conflicts('lead'))
    .option('--rules <path>', 'a document of rules to use instead of the current ones')
    .addOption(
      new Option('--at <time>', 'test as of this time, such as 2026-11-20T03:00:00Z').argParser(timeOf),
    )
    .addHelpText('after', fieldsText)
    .action(cli.run(test))
}

async function test(command: CommandRuntime, options: Options): Promise<CommandOutput> {
  const ctx = await command.workspace(options.workspace)
  const { at, rules } = options
  const lead = await leadOf(options)
  const draft = rules === undefined ? undefined : await draftRules(ctx, await readJson(rules))
  const facts = { ...unknownPersonFacts, ...lead, tags: lead.tags ?? [] }
  const clock = at === undefined ? ctx.clock : { ...ctx.clock, now: () => at }
  const value = presentPreview(await previewRoute({ ...ctx, clock }, facts, draft))
  return { value, text: await withNames(ctx.db, recordText(value)) }
}

async function leadOf({ lead, file }: Options): Promise<Static<typeof TestLead>> {
  if (lead === undefined && file === undefined)
    throw new CommanderError(2, 'gable.nothing', 'Use --lead or --file to provide the lead.')
  const value = lead === undefined ? await readJson(file ?? '-') : parseJson(lead, 'The lead')
  validate(value)
  return value as Static<typeof TestLead>
}

function timeOf(text: string): Date {
  try {
    return new Date(Temporal.Instant.from(text).epochMilliseconds)
  } catch {
    throw new InvalidArgumentError('It must be a time such as 2026-11-20T08:00:00Z.')
  }
}
