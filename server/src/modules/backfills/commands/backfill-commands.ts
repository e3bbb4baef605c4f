import type { Command } from 'commander'
import type { Cli } from '#kernel/cli/cli.ts'
import { group } from '#kernel/cli/declare.ts'
import { type Limited, limitOption, newest } from '#kernel/cli/limit.ts'
import { type CommandOutput, record, tableOf } from '#kernel/cli/output.ts'
import { readJson } from '#kernel/cli/read-file.ts'
import type { Condition } from '#kernel/conditions/condition.ts'
import type { Ctx } from '#kernel/context.ts'
import { orNotFound } from '#kernel/errors.ts'
import { findAutomationOfOwn } from '../../automations/public.ts'
import { type Backfill, ofOwn, presentBackfill } from '../backfill.ts'
import { createBackfill, updateBackfill } from '../change-backfill.ts'
import { countBackfills, findBackfill, listBackfills } from '../queries.ts'
import { commandsIn, wholeNumber } from './commands-in.ts'

const one = [['<backfill>', 'id of the backfill']] as const
const ofAutomation = [['<automation>', 'id of the automation']] as const

/** Adds `gable backfill`. */
export function addBackfillCommands(program: Command, cli: Cli): void {
  const add = commandsIn(group(program, 'backfill', 'gradual enrollment of existing contacts'), cli)

  add<{ file: string; perHour?: number; paused?: boolean }>(
    'start',
    {
      summary: 'enroll all contacts who match conditions',
      description:
        'A running server enrolls them, 200 per hour by default. `backfill show` shows the progress.',
      example: 'backfill start AUTOMATION --workspace ID --file conditions.json --per-hour 60',
    },
    ofAutomation,
    async (ctx, [id = ''], { file, perHour, paused }) => {
      const conditions = (await readJson(file)) as Condition
      const pace = perHour === undefined ? {} : { per_hour: perHour }
      const status = paused === true ? ('paused' as const) : ('running' as const)
      return shown(ctx, await createBackfill(ctx, id, { conditions, status, ...pace }))
    },
  )
    .requiredOption(
      '--file <path>',
      'the conditions as JSON; - for standard input; {"all": []} selects every contact',
    )
    .option('--per-hour <number>', 'how many contacts to enroll per hour', wholeNumber)
    .option('--paused', 'only count the contacts; `backfill resume` enrolls them')

  add<Limited>(
    'list',
    {
      summary: 'list the backfills of an automation, newest first',
      example: 'backfill list AUTOMATION --workspace ID',
    },
    ofAutomation,
    async (ctx, [id = ''], { limit }) => {
      orNotFound(await findAutomationOfOwn(ctx.db, id))
      const rows = await listBackfills(ctx.db, id, {}, newest({ limit }))
      const countsOf = await countBackfills(
        ctx.db,
        rows.map((row) => row.id),
      )
      return tableOf(
        rows.map((row) => presentBackfill(row, countsOf(row.id))),
        {
          id: (row) => row.id,
          status: ({ status }) => status,
          waiting: ({ counts }) => String(counts.waiting),
          entered: ({ counts }) => String(counts.entered),
          per_hour: ({ per_hour }) => String(per_hour),
          started: ({ started_at }) => started_at,
        },
        'There are no backfills.',
        limit,
      )
    },
  ).addOption(limitOption())

  add(
    'show',
    { summary: 'show the progress of a backfill', example: 'backfill show BACKFILL --workspace ID' },
    one,
    async (ctx, [id = '']) => shown(ctx, orNotFound(ofOwn(await findBackfill(ctx.db, id)))),
  )

  for (const [name, status, summary] of [
    ['pause', 'paused', 'stop enrolling contacts for now'],
    ['resume', 'running', 'resume a backfill'],
    ['cancel', 'cancelled', 'end a backfill, and leave out the contacts who are still waiting'],
  ] as const)
    add(name, { summary, example: `backfill ${name} BACKFILL --workspace ID` }, one, async (ctx, [id = '']) =>
      shown(ctx, await updateBackfill(ctx, id, { status })),
    )

  add<{ perHour: number }>(
    'pace',
    {
      summary: 'change how many contacts to enroll per hour',
      example: 'backfill pace BACKFILL --workspace ID --per-hour 60',
    },
    one,
    async (ctx, [id = ''], { perHour }) => shown(ctx, await updateBackfill(ctx, id, { per_hour: perHour })),
  ).requiredOption('--per-hour <number>', 'how many contacts to enroll per hour', wholeNumber)
}

async function shown({ db }: Ctx, backfill: Backfill): Promise<CommandOutput> {
  const value = presentBackfill(backfill, (await countBackfills(db, [backfill.id]))(backfill.id))
  const { counts } = value
  const left = Object.entries(counts.left_out).map(([reason, count]) => `${count} ${reason}`)
  return record(value, {
    backfill: value.id,
    automation: value.automation_id,
    status: value.reason === null ? value.status : `${value.status} (${value.reason})`,
    waiting: value.frozen_at === null ? `${counts.waiting} so far` : String(counts.waiting),
    entered: String(counts.entered),
    'left out': left.length === 0 ? null : left.join(', '),
    'per hour': String(value.per_hour),
  })
}
