import { type Command, CommanderError, Option } from 'commander'
import type { Cli, CommandRuntime } from '#kernel/cli/cli.ts'
import { declare, group } from '#kernel/cli/declare.ts'
import { withOptionNames } from '#kernel/cli/option-issues.ts'
import { type CommandOutput, type Columns, record, tableOf } from '#kernel/cli/output.ts'
import { bodyValidator } from '#kernel/http/validation.ts'
import { listTemplates } from '../queries.ts'
import { createTemplate, updateTemplate } from '../save-template.ts'
import {
  type MessageTemplate,
  type TemplateDraft,
  type TemplatePatch,
  templateCategories,
  templates,
} from '../template.ts'
import { patchOf } from './options.ts'

type Category = MessageTemplate['category']

interface Changes {
  workspace: string
  category?: Category
  body?: string
  status?: string
}

interface Addition extends Changes {
  name: string
  language: string
  connection?: string
}

const bodyText = 'the text, with {{1}}, {{2}}, … for its variables'
const statusText = 'its status at WhatsApp, such as APPROVED'

export function addTemplateCommands(program: Command, cli: Cli): void {
  const template = group(program, 'template', 'the message templates of WhatsApp accounts')

  declare(template, 'list', {
    summary: 'list the message templates of a workspace',
    example: 'template list --workspace ID',
  })
    .requiredOption('--workspace <id>', 'id of the workspace')
    .action(
      cli.run(async (command, options: { workspace: string }) => {
        const { db } = await command.workspace(options.workspace)
        return tableOf(await listTemplates(db), columns, 'The workspace has no message templates yet.')
      }),
    )

  declare(template, 'add', {
    summary: 'record a template of a WhatsApp account',
    description: 'Without --connection, the template belongs to the simulated carrier, which reaches no one.',
    example:
      'template add --workspace ID --name showing_confirmed --language en_US --category UTILITY --body "Hi {{1}}" --status APPROVED',
  })
    .requiredOption('--workspace <id>', 'id of the workspace')
    .requiredOption('--name <name>', 'lowercase letters, digits, and _')
    .requiredOption('--language <code>', 'such as en_US')
    .addOption(categoryOption().makeOptionMandatory())
    .requiredOption('--body <text>', bodyText)
    .option('--status <status>', statusText)
    .option('--connection <id>', 'id of the WhatsApp connection')
    .action(cli.run(add))

  declare(template, 'update', {
    summary: 'change a template',
    description:
      'After a change of its text or category, the template waits for approval, unless you set --status.',
    example: 'template update TEMPLATE --workspace ID --status APPROVED',
  })
    .argument('<template-id>', 'id of the template')
    .requiredOption('--workspace <id>', 'id of the workspace')
    .addOption(categoryOption())
    .option('--body <text>', bodyText)
    .option('--status <status>', statusText)
    .action(cli.run(update))
}

const categoryOption = () => new Option('--category <category>', 'its category').choices(templateCategories)

const validateDraft = bodyValidator(templates.Draft)
const validatePatch = bodyValidator(templates.Patch)
const optionNames = {
  ...Object.fromEntries(['name', 'language', 'body', 'status'].map((name) => [name, `--${name}`])),
  connection_id: '--connection',
}

async function add(
  command: CommandRuntime,
  { workspace, connection, name, language, category, body, status }: Addition,
): Promise<CommandOutput> {
  const ctx = await command.workspace(workspace)
  const draft = patchOf({ name, language, category, body, status, connection_id: connection })
  return withOptionNames(optionNames, async () => {
    validateDraft(draft)
    return shown(await createTemplate(ctx, draft as TemplateDraft))
  })
}

async function update(
  command: CommandRuntime,
  id: string,
  { workspace, category, body, status }: Changes,
): Promise<CommandOutput> {
  const ctx = await command.workspace(workspace)
  const patch = patchOf({ category, body, status })
  if (Object.keys(patch).length === 0)
    throw new CommanderError(2, 'gable.nothing', 'Name at least one change.')
  return withOptionNames(optionNames, async () => {
    validatePatch(patch)
    return shown(await updateTemplate(ctx, id, patch as TemplatePatch))
  })
}

const columns: Columns<MessageTemplate> = {
  id: ({ id }) => id,
  name: ({ name }) => name,
  language: ({ language }) => language,
  category: ({ category }) => category,
  status: ({ status }) => status,
}

const shown = (row: MessageTemplate): CommandOutput =>
  record(row, {
    Id: row.id,
    Name: row.name,
    Language: row.language,
    Category: row.category,
    Status: row.status,
    Body: row.body,
    Connection: row.connection_id,
  })
