import { type Command, CommanderError, Option } from 'commander'
import type { Cli, CommandRuntime } from '#kernel/cli/cli.ts'
import { declare, group } from '#kernel/cli/declare.ts'
import { type Limited, limitOption, newest } from '#kernel/cli/limit.ts'
import { withOptionNames } from '#kernel/cli/option-issues.ts'
import { type Columns, type CommandOutput, record, tableOf } from '#kernel/cli/output.ts'
import type { Ctx } from '#kernel/context.ts'
import { orNotFound } from '#kernel/errors.ts'
import { bodyValidator } from '#kernel/http/validation.ts'
import { type CallRow, callRecord, callStatuses, dispositions } from '../call.ts'
import { cancelCall } from '../cancel-call.ts'
import { CallDraft } from '../draft.ts'
import { placeCall } from '../place-call.ts'
import { planCall } from '../plan-call.ts'
import { findCall, findTranscript, listCalls } from '../queries.ts'
import { presentCall } from '../schemas.ts'
import { updateCall } from '../update-call.ts'

interface Target {
  workspace: string
}

interface Filters extends Target, Limited {
  contact?: string
  status?: CallRow['status']
}

/** Adds the `gable call` commands. */
export function addCallCommands(program: Command, cli: Cli): void {
  const call = group(program, 'call', 'calls that were placed, received, and blocked')

  declare(call, 'list', {
    summary: 'list calls, newest first',
    example: 'call list --workspace ID --status completed',
  })
    .requiredOption('--workspace <id>', 'id of the workspace')
    .option('--contact <id>', 'only calls with this contact')
    .addOption(new Option('--status <status>', 'only calls with this status').choices(callStatuses))
    .addOption(limitOption())
    .action(cli.run(list))

  declare(call, 'show', {
    summary: 'show a call and its content',
    example: 'call show CALL --workspace ID',
  })
    .argument('<call-id>', 'id of the call')
    .requiredOption('--workspace <id>', 'id of the workspace')
    .action(
      cli.run(async (command, id: string, { workspace }: Target) => {
        const ctx = await command.workspace(workspace)
        return shown(ctx, orNotFound(await findCall(ctx.db, id)), await findTranscript(ctx.db, id))
      }),
    )

  declare(call, 'place', {
    summary: 'place a call, if the gates allow it',
    description:
      'The AI calls the person. With --member, Gable calls the member first. The server places the call.',
    example: "call place --workspace ID --to '+1 312 555 0177'",
  })
    .requiredOption('--workspace <id>', 'id of the workspace')
    .option('--to <number>', 'the number to call')
    .option('--contact <id>', 'the contact to call')
    .option('--member <id>', 'the member who talks')
    .option('--persona <id>', 'the persona of the AI')
    .option('--connection <id>', 'the connection whose AI agent talks')
    .option('--from <number>', 'the number of the workspace to call from')
    .option('--schedule', 'wait for the calling hours if nothing else forbids the call')
    .action(cli.run(place))

  declare(call, 'update', {
    summary: 'set the result or the summary of a call that is over',
    description:
      'do_not_call, wrong_number, and not_interested have the same effect as if the person said so in the call.',
    example: 'call update CALL --workspace ID --disposition callback_requested',
  })
    .argument('<call-id>', 'id of the call')
    .requiredOption('--workspace <id>', 'id of the workspace')
    .addOption(new Option('--disposition <disposition>', 'the result').choices(dispositions))
    .option('--summary <text>', 'the summary')
    .action(cli.run(update))

  declare(call, 'cancel', {
    summary: 'cancel a call that is waiting to be placed',
    example: 'call cancel CALL --workspace ID',
  })
    .argument('<call-id>', 'id of the call')
    .requiredOption('--workspace <id>', 'id of the workspace')
    .action(
      cli.run(async (command, id: string, { workspace }: Target) => {
        const ctx = await command.workspace(workspace)
        return shown(ctx, await cancelCall(ctx, id))
      }),
    )
}

async function list(
  command: CommandRuntime,
  { workspace, contact, status, limit }: Filters,
): Promise<CommandOutput> {
  const ctx = await command.workspace(workspace)
  const filters = {
    ...(contact !== undefined && { contact_id: contact }),
    ...(status !== undefined && { status }),
  }
  const calls = await listCalls(ctx.db, filters, newest({ limit }))
  return {
    ...tableOf(calls, columns, 'There are no calls.', limit),
    value: calls.slice(0, limit).map((call) => presentCall(call, ctx)),
  }
}

const validateDraft = bodyValidator(CallDraft)
const validatePatch = bodyValidator(callRecord.Patch)

const optionNames = {
  to: '--to',
  contact_id: '--contact',
  member_id: '--member',
  persona_id: '--persona',
  connection_id: '--connection',
  from: '--from',
  summary: '--summary',
}

interface Placement extends Target {
  to?: string
  contact?: string
  member?: string
  persona?: string
  connection?: string
  from?: string
  schedule?: true
}

async function place(
  command: CommandRuntime,
  { workspace, to, contact, member, persona, connection, from, schedule }: Placement,
): Promise<CommandOutput> {
  const ctx = await command.workspace(workspace)
  const draft: CallDraft = {
    ...(to !== undefined && { to }),
    ...(contact !== undefined && { contact_id: contact }),
    ...(member !== undefined && { member_id: member }),
    ...(persona !== undefined && { persona_id: persona }),
    ...(connection !== undefined && { connection_id: connection }),
    ...(from !== undefined && { from }),
    ...(schedule === true && { when_blocked: 'schedule' as const }),
  }
  return withOptionNames(optionNames, async () => {
    validateDraft(draft)
    return shown(ctx, await placeCall(ctx, draft, await planCall(ctx, draft)))
  })
}

async function update(
  command: CommandRuntime,
  id: string,
  { workspace, disposition, summary }: Target & { disposition?: CallRow['disposition']; summary?: string },
): Promise<CommandOutput> {
  const ctx = await command.workspace(workspace)
  const patch = {
    ...(disposition !== undefined && { disposition }),
    ...(summary !== undefined && { summary }),
  }
  if (Object.keys(patch).length === 0)
    throw new CommanderError(2, 'gable.nothing', 'Name at least one change.')
  return withOptionNames(optionNames, async () => {
    validatePatch(patch)
    return shown(ctx, await updateCall(ctx, id, patch))
  })
}

const columns: Columns<CallRow> = {
  id: ({ id }) => id,
  at: ({ created_at }) => created_at,
  direction: ({ direction }) => direction.toLowerCase(),
  from: ({ from }) => from,
  to: ({ to }) => to,
  by: ({ handled_by }) => handled_by,
  status: ({ status }) => status,
  disposition: ({ disposition }) => disposition,
}

const shown = (
  ctx: Ctx,
  call: CallRow,
  transcript?: readonly { speaker: string; text: string }[] | null,
): CommandOutput =>
  record(
    { ...presentCall(call, ctx), ...(transcript !== undefined && { transcript }) },
    {
      Id: call.id,
      Status: call.status,
      Direction: call.direction.toLowerCase(),
      From: call.from,
      To: call.to,
      'Handled by': call.handled_by,
      Disposition: call.disposition,
      'Started at': call.started_at,
      Seconds: call.duration_seconds === null ? null : String(call.duration_seconds),
      Summary: call.summary,
      Error: call.error?.message ?? null,
      Said: transcript?.map(({ speaker, text }) => `${speaker}: ${text}`).join('\n') || null,
    },
  )
