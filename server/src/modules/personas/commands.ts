import { type Command, CommanderError, Option } from 'commander'
import type { Cli, CommandRuntime } from '#kernel/cli/cli.ts'
import { declare, group } from '#kernel/cli/declare.ts'
import { withOptionNames } from '#kernel/cli/option-issues.ts'
import { type CommandOutput, type Columns, record, tableOf } from '#kernel/cli/output.ts'
import { readJson } from '#kernel/cli/read-file.ts'
import { orNotFound } from '#kernel/errors.ts'
import { bodyValidator } from '#kernel/http/validation.ts'
import { AiSettingsPatch } from './ai-settings.ts'
import { changeAiSettings } from './change-settings.ts'
import {
  type Persona,
  type PersonaDraft,
  type PersonaPatch,
  modes,
  personas,
  presentPersona,
} from './persona.ts'
import { findAiSettings, findPersona, listAllPersonaVersions, listAllPersonas } from './queries.ts'
import { createPersona, deletePersona, updatePersona } from './save-persona.ts'
import type { PersonaVersion } from './version.ts'

interface Target {
  workspace: string
}

interface Changes extends Target {
  fromFile?: string
  mode?: Persona['mode']
  enable?: true
  disable?: true
}

const fields = 'the fields of a persona as JSON, as in POST /personas; - for standard input'

export function addPersonaCommands(program: Command, cli: Cli): void {
  const persona = group(program, 'persona', 'who the AI is when it responds to messages')
  const one = (name: string, summary: string) =>
    declare(persona, name, { summary, example: `persona ${name} PERSONA --workspace ID` })
      .argument('<persona-id>', 'id of the persona')
      .requiredOption('--workspace <id>', 'id of the workspace')

  declare(persona, 'list', {
    summary: 'list the personas of a workspace, newest first',
    example: 'persona list --workspace ID',
  })
    .requiredOption('--workspace <id>', 'id of the workspace')
    .action(cli.run(list))

  declare(persona, 'create', {
    summary: 'create a persona',
    example: 'persona create --workspace ID --from-file alder.json',
  })
    .requiredOption('--workspace <id>', 'id of the workspace')
    .requiredOption('--from-file <file>', fields)
    .action(cli.run(create))

  one('show', 'show a persona').action(
    cli.run(async (command, id: string, { workspace }: Target) =>
      shown(orNotFound(await findPersona((await command.workspace(workspace)).db, id))),
    ),
  )

  declare(persona, 'update', {
    summary: 'change a persona',
    description: 'Turning a persona off also stops its queued messages.',
    example: 'persona update PERSONA --workspace ID --mode approve',
  })
    .argument('<persona-id>', 'id of the persona')
    .requiredOption('--workspace <id>', 'id of the workspace')
    .option('--from-file <file>', fields)
    .addOption(new Option('--mode <mode>', 'what the persona does with its responses').choices(modes))
    .option('--enable', 'turn the persona on')
    .addOption(new Option('--disable', 'turn the persona off').conflicts('enable'))
    .action(cli.run(update))

  one('versions', 'list the versions of a persona, newest first').action(
    cli.run(async (command, id: string, { workspace }: Target) => {
      const { db } = await command.workspace(workspace)
      orNotFound(await findPersona(db, id))
      const versions = await listAllPersonaVersions(db, id)
      return tableOf(versions, versionColumns, 'The persona has no versions.')
    }),
  )

  one('delete', 'delete a persona that is off').action(
    cli.run(async (command, id: string, { workspace }: Target) => {
      const value = await deletePersona(await command.workspace(workspace), id)
      return { value, text: `Deleted the persona ${id}.` }
    }),
  )

  declare(group(program, 'ai', 'the AI that responds to messages'), 'settings', {
    summary: 'show or change the AI settings of a workspace',
    example: 'ai settings --workspace ID --disable',
  })
    .requiredOption('--workspace <id>', 'id of the workspace')
    .option('--enable', 'turn on the personas')
    .addOption(
      new Option('--disable', 'turn off all personas, and stop their queued messages').conflicts('enable'),
    )
    .option('--daily-budget <dollars>', 'the most that models may cost in a day, in US dollars')
    .option('--second-look', 'let the model judge each text before it is sent')
    .addOption(new Option('--no-second-look', 'let only the rules decide'))
    .action(cli.run(settings))
}

const validateDraft = bodyValidator(personas.Draft)
const validatePatch = bodyValidator(personas.Patch)
const validateSettings = bodyValidator(AiSettingsPatch)

async function list(command: CommandRuntime, { workspace }: Target): Promise<CommandOutput> {
  const { db } = await command.workspace(workspace)
  const all = await listAllPersonas(db)
  return { ...tableOf(all, columns, 'The workspace has no personas yet.'), value: all.map(presentPersona) }
}

async function create(command: CommandRuntime, { workspace, fromFile }: Target & { fromFile: string }) {
  const ctx = await command.workspace(workspace)
  const draft = await readJson(fromFile)
  validateDraft(draft)
  return shown(await createPersona(ctx, draft as PersonaDraft))
}

/** The value of `enabled` from the options; undefined if neither is given. */
const enabledBy = ({ enable, disable }: Pick<Changes, 'enable' | 'disable'>) =>
  enable ?? (disable === true ? false : undefined)

async function update(command: CommandRuntime, id: string, options: Changes): Promise<CommandOutput> {
  const { workspace, fromFile, mode } = options
  const ctx = await command.workspace(workspace)
  const enabled = enabledBy(options)
  const patch = {
    ...(fromFile === undefined ? {} : ((await readJson(fromFile)) as object)),
    ...(mode === undefined ? {} : { mode }),
    ...(enabled === undefined ? {} : { enabled }),
  }
  requireSome(patch)
  validatePatch(patch)
  return shown(await updatePersona(ctx, id, patch as PersonaPatch))
}

async function settings(
  command: CommandRuntime,
  options: Pick<Changes, 'workspace' | 'enable' | 'disable'> & {
    dailyBudget?: string
    secondLook?: boolean
  },
): Promise<CommandOutput> {
  const ctx = await command.workspace(options.workspace)
  const { dailyBudget, secondLook } = options
  const enabled = enabledBy(options)
  const patch = {
    ...(enabled === undefined ? {} : { enabled }),
    ...(dailyBudget === undefined ? {} : { daily_budget: Number(dailyBudget) }),
    ...(secondLook === undefined ? {} : { second_look: secondLook }),
  }
  return withOptionNames({ daily_budget: '--daily-budget' }, async () => {
    validateSettings(patch)
    const value =
      Object.keys(patch).length === 0 ? await findAiSettings(ctx.db) : await changeAiSettings(ctx, patch)
    return record(value, {
      Enabled: value.enabled ? 'yes' : 'no',
      'Daily budget': `${value.daily_budget} US dollars`,
      'Second look': value.second_look ? 'yes' : 'no',
    })
  })
}

function requireSome(patch: object): void {
  if (Object.keys(patch).length === 0)
    throw new CommanderError(2, 'gable.nothing', 'Name at least one change.')
}

const columns: Columns<Persona> = {
  id: ({ id }) => id,
  name: ({ name }) => name,
  enabled: ({ enabled }) => (enabled ? 'yes' : 'no'),
  mode: ({ mode }) => mode,
  channels: ({ channels }) => channels.join(', '),
}

const versionColumns: Columns<PersonaVersion> = {
  version: ({ version }) => String(version),
  at: ({ created_at }) => created_at,
  name: ({ content }) => content.name,
  enabled: ({ content }) => (content.enabled ? 'yes' : 'no'),
  mode: ({ content }) => content.mode,
  channels: ({ content }) => content.channels.join(', '),
}

const hoursInWords = ({ days, from, to }: Persona['active_hours'][number]): string =>
  `${days.join(', ')} ${from}–${to}`

const shown = (persona: Persona): CommandOutput =>
  record(presentPersona(persona), {
    Id: persona.id,
    Name: persona.name,
    Enabled: persona.enabled ? 'yes' : 'no',
    Mode: persona.mode,
    Channels: persona.channels.join(', '),
    Disclosure: persona.disclosure,
    Greeting: persona.greeting,
    Goal: persona.goal,
    Instructions: persona.instructions,
    Knowledge: persona.knowledge,
    Hours: persona.active_hours.length === 0 ? 'any' : persona.active_hours.map(hoursInWords).join('; '),
    Handoff: persona.handoff.message ?? 'without a message',
    Version: String(persona.version),
  })
