import type { Command } from 'commander'
import { Option } from 'commander'
import type { Cli } from '#kernel/cli/cli.ts'
import { declare, group } from '#kernel/cli/declare.ts'
import { type CommandOutput, printing, record, tableOf } from '#kernel/cli/output.ts'
import { readJson } from '#kernel/cli/read-file.ts'
import { isObject } from '#kernel/conditions/condition.ts'
import { orNotFound } from '#kernel/errors.ts'
import { bodyValidator } from '#kernel/http/validation.ts'
import { OperatorError } from '#kernel/operator-error.ts'
import {
  type Automation,
  type AutomationDraft,
  type Disabling,
  automationRecord,
  disablings,
  presentAutomation,
  type Definition,
  publishedSchema,
  findAutomationOfOwn,
  findVersion,
  listAllAutomations,
  examineDefinition,
  createAutomation,
  publishAutomation,
  updateAutomation,
} from '../../automations/public.ts'
import { enrollContact, presentEnrollment } from '../../enrollments/public.ts'
import { disableAutomation, enableAutomation } from '../changes/enable-automation.ts'
import { addBackfillCommands } from './backfill-commands.ts'
import { commandsIn, wholeNumber } from './commands-in.ts'
import { addEnrollmentCommands } from './enrollment-commands.ts'
import { addEntryCommands } from './entry-commands.ts'
import { addMovementCommands } from './movement-commands.ts'

interface Options {
  file?: string
  name?: string
  description?: string
  context?: string
  archived?: boolean
  running?: Disabling
  version?: number
}

/** Adds `gable automation`, `gable backfill`, and `gable enrollment`. */
export function addAutomationCommands(program: Command, cli: Cli): void {
  const automation = group(program, 'automation', 'the automations of a workspace')
  const add = commandsIn(automation, cli)
  const one = [['<id>', 'id of the automation']] as const
  const fileOption = ['--file <path>', 'the definition as JSON; - for standard input'] as const

  add(
    'list',
    {
      summary: 'list the automations',
      description: 'Omits archived automations.',
      example: 'automation list --workspace ID',
    },
    [],
    async (ctx, _, { archived = false }: Options) => {
      const all = (await listAllAutomations(ctx.db, archived)).map(presentAutomation)
      const columns = {
        id: ({ id }: { id: string }) => id,
        name: ({ name }: { name: string }) => name,
        version: ({ version }: { version: number | null }) => (version === null ? null : String(version)),
        enabled: ({ enabled }: { enabled: boolean }) => (enabled ? 'yes' : 'no'),
      }
      return tableOf(all, columns, 'There are no automations.')
    },
  ).option('--archived', 'list archived automations')
  add(
    'show',
    {
      summary: 'print the draft of an automation, or a version',
      example: 'automation show AUTOMATION --workspace ID --version 3',
    },
    one,
    async (ctx, [id = ''], { version }: Options) => {
      const current = orNotFound(await findAutomationOfOwn(ctx.db, id))
      const value =
        version === undefined
          ? presentAutomation(current)
          : orNotFound(await findVersion(ctx.db, id, version))
      return { value, text: JSON.stringify(value.definition, null, 2) }
    },
  ).option('--version <number>', 'a published version (default: the draft)', wholeNumber)
  add(
    'create',
    {
      summary: 'create an automation from a definition',
      example: 'automation create --workspace ID --name "Speed to lead" --file definition.json',
    },
    [],
    async (ctx, _, { file = '-', name = '', description }: Options) => {
      const definition = await definitionIn(file)
      return shown(
        await createAutomation(
          ctx,
          draftOf({ name, definition, ...(description !== undefined && { description }) }),
        ),
      )
    },
  )
    .requiredOption('--name <name>', 'the name')
    .option('--description <text>', 'what the automation is for')
    .requiredOption(...fileOption)
  add(
    'update',
    {
      summary: 'replace the draft of an automation, rename it, or describe it',
      example: 'automation update AUTOMATION --workspace ID --file definition.json',
    },
    one,
    async (ctx, [id = ''], { file, name, description }: Options) => {
      if (file === undefined && name === undefined && description === undefined)
        throw new OperatorError('Name --file, --name or --description.')
      const patch = {
        ...(name !== undefined && { name }),
        ...(description !== undefined && { description }),
        ...(file !== undefined && { definition: await definitionIn(file) }),
      }
      requirePatch(patch)
      return shown(await updateAutomation(ctx, id, patch))
    },
  )
    .option(...fileOption)
    .option('--name <name>', 'the new name')
    .option('--description <text>', 'what the automation is for')
  add(
    'validate',
    {
      summary: 'check a definition without saving it',
      example: 'automation validate --workspace ID --file definition.json',
    },
    [],
    async (ctx, _, { file = '-' }: Options) => {
      const { warnings } = await examineDefinition(ctx, await definitionIn(file))
      const lines = warnings.map(({ path, message }) => `Warning: ${path} ${message}.`)
      return { value: { valid: true, warnings }, text: ['The definition is valid.', ...lines].join('\n') }
    },
  ).requiredOption(...fileOption)
  add(
    'publish',
    { summary: 'publish the draft', example: 'automation publish AUTOMATION --workspace ID' },
    one,
    async (ctx, [id = '']) => shown(await publishAutomation(ctx, id)),
  )
  add(
    'enable',
    { summary: 'let the automation enroll contacts', example: 'automation enable AUTOMATION --workspace ID' },
    one,
    async (ctx, [id = '']) => shown(await enableAutomation(ctx, id)),
  )
  add(
    'disable',
    {
      summary: 'stop enrolling contacts',
      example: 'automation disable AUTOMATION --workspace ID --running finish',
    },
    one,
    async (ctx, [id = ''], { running = 'pause' }: Options) =>
      shown(await disableAutomation(ctx, id, running)),
  ).addOption(
    new Option('--running <what>', 'what happens to contacts who are enrolled')
      .choices(disablings)
      .default('pause'),
  )
  for (const [name, archived, summary] of [
    ['archive', true, 'archive a disabled automation'],
    ['unarchive', false, 'restore an archived automation'],
  ] as const)
    add(
      name,
      { summary, example: `automation ${name} AUTOMATION --workspace ID` },
      one,
      async (ctx, [id = '']) => shown(await updateAutomation(ctx, id, { archived })),
    )
  add(
    'enroll',
    { summary: 'enroll a contact', example: 'automation enroll AUTOMATION CONTACT --workspace ID' },
    [
      ['<automation>', 'id of the automation'],
      ['<contact>', 'id of the contact'],
    ],
    async (ctx, [id = '', contact_id = ''], { context }: Options) => {
      const given = context === undefined ? {} : { context: contextIn(await readJson(context)) }
      const { enrollment, created } = await enrollContact(ctx, id, { contact_id, ...given })
      const value = { ...presentEnrollment(enrollment), created }
      return record(value, {
        enrollment: value.id,
        status: value.status,
        created: created ? 'yes' : 'no, the contact is already enrolled',
      })
    },
  ).option(
    '--context <path>',
    'data that conditions can test as context., as a JSON object; - for standard input',
  )
  addEntryCommands(automation, cli)
  declare(automation, 'schema', {
    summary: 'print the JSON Schema of definitions',
    description: 'Does not need a database.',
    example: 'automation schema > automation.schema.json',
  }).action(
    printing(async () => {
      const value = publishedSchema(cli.eventTypes)
      return { value, text: JSON.stringify(value, null, 2) }
    }),
  )
  addMovementCommands(program, cli)
  addBackfillCommands(program, cli)
  addEnrollmentCommands(program, cli)
}

const definitionIn = async (file: string) => (await readJson(file)) as Definition

const requireDraft = bodyValidator(automationRecord.Draft)
const requirePatch = bodyValidator(automationRecord.Patch)

function draftOf(draft: AutomationDraft): AutomationDraft {
  requireDraft(draft)
  return draft
}

function contextIn(json: unknown): Record<string, unknown> {
  if (!isObject(json)) throw new OperatorError('The context must be a JSON object.')
  return json
}

const shown = (automation: Automation): CommandOutput =>
  record(presentAutomation(automation), {
    id: automation.id,
    name: automation.name,
    version: automation.version === null ? null : String(automation.version),
    draft: automation.draft_version === null ? null : `version ${automation.draft_version}, not published`,
    enabled: automation.enabled ? 'yes' : 'no',
    archived: automation.archived_at,
  })
