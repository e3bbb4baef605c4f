import { type Command, Option } from 'commander'
import type { Cli } from '#kernel/cli/cli.ts'
import { type CommandText, declare, group } from '#kernel/cli/declare.ts'
import { type Limited, limitOption, newest } from '#kernel/cli/limit.ts'
import { type Columns, type CommandOutput, record, tableOf } from '#kernel/cli/output.ts'
import { readJson } from '#kernel/cli/read-file.ts'
import type { Ctx } from '#kernel/context.ts'
import { orNotFound } from '#kernel/errors.ts'
import { bodyValidator } from '#kernel/http/validation.ts'
import { presentMessage } from '../messages/public.ts'
import {
  type Campaign,
  type CampaignDraft,
  type CampaignPatch,
  campaignRecord,
  presentCampaign,
} from './campaign.ts'
import { cancelCampaign, pauseCampaign, resumeCampaign, unscheduleCampaign } from './change-status.ts'
import { countStats } from './count-stats.ts'
import { findCampaign, listAllCampaigns } from './queries.ts'
import { type CampaignRecipient, listRecipients, recipientStatuses } from './recipient-queries.ts'
import { createCampaign, updateCampaign } from './save-campaign.ts'
import { scheduleCampaign, startCampaign } from './start-campaign.ts'
import { summarizeCampaign } from './summarize-campaign.ts'
import { testCampaign } from './test-campaign.ts'

interface Options extends Limited {
  workspace: string
  fromFile?: string
  at?: string
  status?: (typeof recipientStatuses)[number]
  member?: string
  contact?: string
}

type Run = (ctx: Ctx, id: string, options: Options) => Promise<CommandOutput>

/** Adds `gable campaign`. */
export function addCampaignCommands(program: Command, cli: Cli): void {
  const campaign = group(program, 'campaign', 'messages to many contacts')
  const add = (name: string, text: CommandText, run: Run, takesId = true): Command => {
    const command = declare(campaign, name, text).requiredOption('--workspace <id>', 'id of the workspace')
    if (takesId) command.argument('<campaign-id>', 'id of the campaign')
    return command.action(
      cli.run(async (opened, ...given: unknown[]) => {
        const options = command.opts<Options>()
        const id = takesId ? String(given[0]) : ''
        return run(await opened.workspace(options.workspace), id, options)
      }),
    )
  }
  const one = (name: string, summary: string, change: (ctx: Ctx, id: string) => Promise<Campaign>) =>
    add(name, { summary, example: `campaign ${name} CAMPAIGN --workspace ID` }, async (ctx, id) =>
      shown(ctx, await change(ctx, id)),
    )
  const file = ['--from-file <file>', 'JSON with the fields of a campaign; - for standard input'] as const

  add(
    'list',
    { summary: 'list the campaigns, newest first', example: 'campaign list --workspace ID' },
    list,
    false,
  )
  one('show', 'show a campaign, its progress, and its summary', async ({ db }, id) =>
    orNotFound(await findCampaign(db, id)),
  )
  add(
    'create',
    { summary: 'create a draft', example: 'campaign create --workspace ID --from-file open-house.json' },
    create,
    false,
  ).requiredOption(...file)
  add(
    'update',
    {
      summary: 'change a campaign',
      example: 'campaign update CAMPAIGN --workspace ID --from-file changes.json',
    },
    update,
  ).requiredOption(...file)
  one(
    'summary',
    'check the whole audience against the gates: who would get the message now, later, or not, and why',
    summarizeCampaign,
  )
  add(
    'test',
    {
      summary: 'send a test of a campaign to a member',
      example: 'campaign test CAMPAIGN --workspace ID --member MEMBER',
    },
    test,
  )
    .requiredOption('--member <id>', 'the member who gets it, at their own address or number')
    .option('--contact <id>', 'the contact whose name it shows (default: a contact of the audience)')
  add(
    'schedule',
    {
      summary: 'schedule the start of a campaign',
      example: 'campaign schedule CAMPAIGN --workspace ID --at 2026-12-01T15:00:00Z',
    },
    async (ctx, id, { at }) => shown(ctx, await scheduleCampaign(ctx, id, at)),
  ).option('--at <time>', 'the start time, ISO 8601 (default: the time in its schedule)')
  one('unschedule', 'make a scheduled campaign a draft again, so that you can edit it', unscheduleCampaign)
  one('start', 'start a campaign now; this cannot be undone', startCampaign)
  one('pause', 'pause a campaign; messages that have not started sending wait', pauseCampaign)
  one('resume', 'resume a paused campaign', resumeCampaign)
  one('cancel', 'end a campaign permanently', cancelCampaign)
  add(
    'recipients',
    {
      summary: 'list the recipients of a campaign with their outcomes, newest first',
      example: 'campaign recipients CAMPAIGN --workspace ID --status blocked',
    },
    recipients,
  )
    .addOption(new Option('--status <status>', 'only recipients with this status').choices(recipientStatuses))
    .addOption(limitOption())
}

const validateDraft = bodyValidator(campaignRecord.Draft)
const validatePatch = bodyValidator(campaignRecord.Patch)

async function list({ db }: Ctx): Promise<CommandOutput> {
  const all = await listAllCampaigns(db)
  const statsOf = await countStats(db, all)
  const rows = all.map((row) => presentCampaign(row, statsOf(row.id)))
  const columns: Columns<(typeof rows)[number]> = {
    id: ({ id }) => id,
    name: ({ name }) => name,
    channel: ({ channel }) => channel,
    status: ({ status }) => status,
    recipients: ({ stats }) => String(stats.recipients),
    sent: ({ stats }) => String(stats.sent),
  }
  return tableOf(rows, columns, 'The workspace has no campaigns yet.')
}

async function create(ctx: Ctx, _: string, { fromFile = '-' }: Options): Promise<CommandOutput> {
  const draft = await readJson(fromFile)
  validateDraft(draft)
  return shown(ctx, await createCampaign(ctx, draft as CampaignDraft))
}

async function update(ctx: Ctx, id: string, { fromFile = '-' }: Options): Promise<CommandOutput> {
  const patch = await readJson(fromFile)
  validatePatch(patch)
  return shown(ctx, await updateCampaign(ctx, id, patch as CampaignPatch))
}

async function test(ctx: Ctx, id: string, { member = '', contact }: Options): Promise<CommandOutput> {
  const asked = { member_id: member, ...(contact !== undefined && { example_contact_id: contact }) }
  const value = presentMessage(await testCampaign(ctx, id, asked))
  const text = [value.subject, value.body].filter(Boolean).join('\n\n')
  return record(value, { Id: value.id, Status: value.status, To: value.to, Says: text })
}

async function recipients({ db }: Ctx, id: string, { status, limit }: Options): Promise<CommandOutput> {
  orNotFound(await findCampaign(db, id))
  const rows = await listRecipients(db, id, status === undefined ? {} : { status }, newest({ limit }))
  const columns: Columns<CampaignRecipient> = {
    contact: ({ contact_id }) => contact_id,
    status: (row) => row.status,
    reason: ({ reason }) => reason,
    message: ({ message_id }) => message_id,
  }
  return tableOf(rows, columns, 'No recipients.', limit)
}

const reasons = (counts: Readonly<Record<string, number>>) =>
  Object.entries(counts)
    .map(([reason, count]) => `${count} ${reason}`)
    .join(', ') || '0'

async function shown({ db }: Ctx, campaign: Campaign): Promise<CommandOutput> {
  const value = presentCampaign(campaign, (await countStats(db, [campaign]))(campaign.id))
  const { stats, compliance_summary: summary } = value
  return record(value, {
    Id: value.id,
    Name: value.name,
    Channel: value.channel,
    Status: value.reason === null ? value.status : `${value.status} (${value.reason})`,
    'Per hour': String(value.throttle_per_hour),
    Summary: summary && `${summary.status}, ${summary.at}`,
    'Would get it': summary && `${summary.eligible}, later ${summary.deferred}`,
    'Would be blocked': summary && reasons(summary.blocked),
    Recipients: `${stats.recipients}, waiting ${stats.waiting}, queued ${stats.queued}`,
    Sent: `${stats.sent}, delivered ${stats.delivered}, failed ${stats.failed}`,
    Blocked: reasons(stats.blocked),
    'Left out': reasons(stats.left_out),
    Responses: `${stats.replied} replied, ${stats.opted_out} opted out`,
  })
}
