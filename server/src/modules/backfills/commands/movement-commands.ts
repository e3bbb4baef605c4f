import type { Command } from 'commander'
import type { Cli } from '#kernel/cli/cli.ts'
import { group } from '#kernel/cli/declare.ts'
import { type Limited, limitOption, newest } from '#kernel/cli/limit.ts'
import { type CommandOutput, record, tableOf } from '#kernel/cli/output.ts'
import { readJson } from '#kernel/cli/read-file.ts'
import { orNotFound } from '#kernel/errors.ts'
import { bodyValidator } from '#kernel/http/validation.ts'
import { countActive, findAutomation, listVersions } from '../../automations/public.ts'
import { DryRunRequest, type DryStep, runDry } from '../../enrollments/public.ts'
import { listChanges } from '../changes/queries.ts'
import { migrateAutomation, presentChange } from '../changes/start-change.ts'
import { commandsIn, wholeNumber } from './commands-in.ts'

interface DryRunOptions extends Pick<DryRunRequest, 'version' | 'at'> {
  file?: string
  assume?: string
  trigger?: string
  context?: string
}

const requireRequest = bodyValidator(DryRunRequest)
const automationOperand = ['<automation>', 'id of the automation'] as const

/** Adds `dry-run`, `migrate`, `versions`, and `changes` to `gable automation`. */
export function addMovementCommands(program: Command, cli: Cli): void {
  const add = commandsIn(group(program, 'automation', 'the automations of a workspace'), cli)

  add<DryRunOptions>(
    'dry-run',
    {
      summary: 'preview what an automation would do with a contact',
      description: 'Changes nothing. Uses the newest version by default.',
      example: 'automation dry-run AUTOMATION CONTACT --workspace ID --assume events.json',
    },
    [automationOperand, ['<contact>', 'id of the contact']],
    async (ctx, [id = '', contact_id = ''], { version, at, file, assume, trigger, context }) => {
      const request = {
        contact_id,
        ...(version === undefined ? {} : { version }),
        ...(at === undefined ? {} : { at }),
        ...(file === undefined ? {} : { definition: await readJson(file) }),
        ...(assume === undefined ? {} : { assume: await readJson(assume) }),
        ...(trigger === undefined ? {} : { trigger: await readJson(trigger) }),
        ...(context === undefined ? {} : { context: await readJson(context) }),
      }
      requireRequest(request)
      const value = await runDry(ctx, id, request as DryRunRequest)
      const { text } = tableOf(value.steps, stepColumns, 'It would take no step.')
      const reason = value.reason === null ? '' : `, ${value.reason}`
      return { value, text: `${text}\n\n${value.status} at ${value.ended_at}${reason}` }
    },
  )
    .option('--version <number>', 'a published version', wholeNumber)
    .option('--file <path>', 'a definition as JSON; - for standard input')
    .option('--at <time>', 'when the dry run starts, such as 2026-11-20T08:00:00Z')
    .option('--trigger <path>', 'the event that starts it, as JSON: {event, data}')
    .option('--context <path>', 'the context of an enrollment request, as a JSON object')
    .option('--assume <path>', 'events to assume, as a JSON list of {at, event, data}')

  add<{ to: number }>(
    'migrate',
    {
      summary: 'move enrollments to another version',
      description: 'A running server moves them. `automation changes` shows the progress.',
      example: 'automation migrate AUTOMATION --workspace ID --to 3',
    },
    [automationOperand],
    async (ctx, [id = ''], { to }) => {
      const value = await presentChange(ctx, await migrateAutomation(ctx, id, to))
      return record(value, { change: value.id, status: value.status, enrollments: String(value.total) })
    },
  ).requiredOption('--to <version>', 'the version to move to', wholeNumber)

  add<Limited>(
    'versions',
    {
      summary: 'list the versions of an automation, newest first',
      example: 'automation versions AUTOMATION --workspace ID',
    },
    [automationOperand],
    async ({ db }, [id = ''], { limit }) => {
      orNotFound(await findAutomation(db, id))
      const [versions, counts] = await Promise.all([
        listVersions(db, id, {}, newest({ limit })),
        countActive(db, id),
      ])
      const activeIn = (version: number) =>
        counts.reduce((sum, row) => (row.version === version ? sum + row.count : sum), 0)
      return tableOf(
        versions.map((one) => ({ ...one, active: activeIn(one.version) })),
        {
          version: ({ version }) => String(version),
          published: ({ created_at }) => created_at,
          active: ({ active }) => String(active),
        },
        'No version has been published.',
        limit,
      )
    },
  ).addOption(limitOption())

  add<Limited>(
    'changes',
    {
      summary: 'list bulk changes of the enrollments in an automation, newest first',
      description: 'Lists pauses, resumptions, cancellations, and migrations with their progress.',
      example: 'automation changes AUTOMATION --workspace ID',
    },
    [automationOperand],
    async (ctx, [id = ''], { limit }): Promise<CommandOutput> => {
      orNotFound(await findAutomation(ctx.db, id))
      const rows = await listChanges(ctx.db, id, {}, newest({ limit }))
      const shown = await Promise.all(rows.map((one) => presentChange(ctx, one)))
      return tableOf(
        shown,
        {
          id: (one) => one.id,
          action: ({ action, version }) => (version === null ? action : `${action} to ${version}`),
          status: ({ status }) => status,
          total: ({ total }) => String(total),
          changed: ({ changed }) => String(changed),
          unchanged: ({ unchanged }) => String(unchanged),
        },
        'There are no changes.',
        limit,
      )
    },
  ).addOption(limitOption())
}

const stepColumns = {
  at: ({ at }: DryStep) => at,
  step: ({ step_key }: DryStep) => step_key,
  type: ({ type }: DryStep) => type,
  outcome: ({ outcome }: DryStep) => outcome,
  reason: ({ reason }: DryStep) => reason,
  says: ({ message }: DryStep) => message && [message.subject, message.body].filter(Boolean).join(': '),
}
