import { type Command, Option } from 'commander'
import type { Cli } from '#kernel/cli/cli.ts'
import { group } from '#kernel/cli/declare.ts'
import { type Limited, limitOption, newest } from '#kernel/cli/limit.ts'
import { aligned, record, tableOf } from '#kernel/cli/output.ts'
import { orNotFound } from '#kernel/errors.ts'
import { OperatorError } from '#kernel/operator-error.ts'
import { findAutomation } from '../../automations/public.ts'
import { findContact } from '../../contacts/public.ts'
import {
  changeEnrollment,
  findEnrollment,
  listEnrollmentsIn,
  listEnrollmentsOf,
  type Enrollment,
  enrollmentStatuses,
  presentEnrollment,
  explainEnrollment,
} from '../../enrollments/public.ts'
import { commandsIn } from './commands-in.ts'

interface Listing extends Limited {
  automation?: string
  contact?: string
  status?: Enrollment['status']
}

const operands = [['<id>', 'id of the enrollment']] as const

/** Adds `gable enrollment`. */
export function addEnrollmentCommands(program: Command, cli: Cli): void {
  const enrollment = group(program, 'enrollment', 'enrollments of contacts in automations')
  const add = commandsIn(enrollment, cli)

  add<Listing>(
    'list',
    {
      summary: 'list the enrollments in an automation or of a contact, newest first',
      example: 'enrollment list --workspace ID --automation AUTOMATION --status running',
    },
    [],
    async ({ db }, _, { automation, contact, status, limit }) => {
      const page = newest({ limit })
      const filters = status === undefined ? {} : { status }
      if ((automation === undefined) === (contact === undefined))
        throw new OperatorError('Name either --automation or --contact.')
      if (automation !== undefined) orNotFound(await findAutomation(db, automation))
      if (contact !== undefined) orNotFound(await findContact(db, contact))
      const rows =
        automation === undefined
          ? await listEnrollmentsOf(db, contact ?? '', filters, page)
          : await listEnrollmentsIn(db, automation, filters, page)
      return tableOf(
        rows.map(presentEnrollment),
        {
          id: ({ id }) => id,
          automation: ({ automation_id }) => automation_id,
          contact: ({ contact_id }) => contact_id,
          status: (one) => one.status,
          reason: ({ reason }) => reason,
          step: ({ step_key }) => step_key,
          until: ({ waiting_for }) => waiting_for?.until ?? null,
        },
        'There are no enrollments.',
        limit,
      )
    },
  )
    .option('--automation <id>', 'only enrollments in this automation')
    .option('--contact <id>', 'only enrollments of this contact')
    .addOption(limitOption())
    .addOption(
      new Option('--status <status>', 'only enrollments with this status').choices(enrollmentStatuses),
    )

  add(
    'show',
    {
      summary: 'show the history of an enrollment and its next step',
      example: 'enrollment show ENROLLMENT --workspace ID',
    },
    operands,
    async ({ db }, [id = '']) => {
      const value = await explainEnrollment(db, orNotFound(await findEnrollment(db, id)))
      const { steps, next } = value
      const done = steps.map((step) => [step.at, step.step_key, step.type, step.outcome, step.reason ?? ''])
      const coming = next === null ? [] : [[next.at ?? 'then', next.key, next.type, 'next', '']]
      const lines = aligned([['AT', 'STEP', 'TYPE', 'OUTCOME', 'REASON'], ...done, ...coming])
      return { value, text: `${record(value, { id, ...outline(value), ...waitOf(value) }).text}\n\n${lines}` }
    },
  )
  for (const [name, status, summary] of [
    ['pause', 'paused', 'pause an enrollment, including its waits'],
    ['resume', 'running', 'resume an enrollment'],
    ['cancel', 'cancelled', 'cancel an enrollment permanently'],
  ] as const)
    add(
      name,
      { summary, example: `enrollment ${name} ENROLLMENT --workspace ID` },
      operands,
      async (ctx, [id = '']) => {
        const value = presentEnrollment(await changeEnrollment(ctx, id, status))
        return record(value, { id, ...outline(value) })
      },
    )
}

const outline = (one: ReturnType<typeof presentEnrollment>) => ({
  automation: `${one.automation_id}, version ${one.version}`,
  contact: one.contact_id,
  status: one.status,
  reason: one.reason,
})

function waitOf({ waiting_for: waiting }: ReturnType<typeof presentEnrollment>): Record<string, string> {
  if (waiting === null) return {}
  const { kind, since, until, attempts = 0, failure = '', retry_at } = waiting
  const times = [
    ...(since === undefined ? [] : [`since ${since}`]),
    ...(until === null ? [] : [`until ${until}`]),
  ]
  return {
    'waiting for': [kind, ...times].join(' '),
    ...(attempts > 0 && { failures: `${attempts}, the last one: ${failure}` }),
    ...(retry_at !== undefined && { 'tries again': retry_at }),
  }
}
