import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Ctx, createContext } from '#kernel/context.ts'
import { AppError } from '#kernel/errors.ts'
import { app, draft, openCampaigns } from '#test/scenes/campaigns.ts'
import { runDue } from '#test/scenes/engine.ts'
import { asOwner } from '#test/support/database.ts'
import { idOf } from '#test/support/fixtures.ts'
import { type Texting, startTexting } from '#test/support/texting.ts'
import { allScopes } from '../access/public.ts'
import { cancelCampaign, pauseCampaign, resumeCampaign, unscheduleCampaign } from './change-status.ts'
import { scheduleCampaign, startCampaign } from './start-campaign.ts'
import { summarizeCampaign } from './summarize-campaign.ts'

openCampaigns()

const deedOf = {
  summary: summarizeCampaign,
  schedule: (ctx: Ctx, id: string) =>
    scheduleCampaign(ctx, id, new Date(ctx.clock.now().getTime() + 1_800_000).toISOString()),
  unschedule: unscheduleCampaign,
  start: startCampaign,
  pause: pauseCampaign,
  resume: resumeCampaign,
  cancel: cancelCampaign,
}
type Verb = keyof typeof deedOf
const verbs = Object.keys(deedOf) as Verb[]
const callers = ['all', 'own'] as const
type Caller = (typeof callers)[number]

/** What is known of a campaign: its status, whose summary it has, and who began it. */
interface Known {
  status: 'draft' | 'scheduled' | 'running' | 'paused' | 'completed' | 'cancelled'
  summary: Caller | undefined
  by: Caller | undefined
}

const from: Record<Verb, readonly Known['status'][]> = {
  summary: ['draft', 'scheduled'],
  schedule: ['draft', 'scheduled'],
  start: ['draft', 'scheduled'],
  unschedule: ['scheduled'],
  pause: ['running'],
  resume: ['paused'],
  cancel: ['draft', 'scheduled', 'running', 'paused'],
}
const to = {
  schedule: 'scheduled',
  start: 'running',
  unschedule: 'draft',
  pause: 'paused',
  resume: 'running',
  cancel: 'cancelled',
} as const

/** The error of a deed, or what the campaign is after it. Only who has seen a summary of their own reach may begin. */
function after(known: Known, verb: Verb, who: Caller): Known | string {
  if (!from[verb].includes(known.status)) return 'campaign_status'
  if (verb === 'summary') return { ...known, summary: who }
  const begins = verb === 'schedule' || verb === 'start'
  if (begins && known.summary !== who) return 'summary_needed'
  return { ...known, status: to[verb], ...(begins && { by: who }) }
}

/** Lets minutes pass, and the engine and the carrier do what is due. */
async function pass(texting: Texting, minutes: number): Promise<void> {
  for (let n = 0; n < minutes; n++) {
    app.clock.advance(60_000)
    await runDue(app)
    for (const { attemptId } of await texting.begin()) await texting.taken(attemptId)
    await runDue(app)
  }
}

const deeds = fc.array(
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({ verb: fc.constantFrom('summary' as const), who: fc.constantFrom(...callers) }),
    },
    {
      weight: 7,
      arbitrary: fc.record({ verb: fc.constantFrom(...verbs), who: fc.constantFrom(...callers) }),
    },
    { weight: 1, arbitrary: fc.constant({ verb: 'wait' as const, who: 'all' as const }) },
  ),
  { minLength: 6, maxLength: 14 },
)

test('a campaign goes once to each contact in the reach of who began it, through every change of status', async () => {
  await fc.assert(
    fc.asyncProperty(deeds, async (history) => {
      app.clock.set('2026-03-02T16:00:00.000Z')
      const texting = await startTexting(app)
      const { agent, workspace } = texting
      const { id: memberId } = await workspace.member()
      const actor = { type: 'member', id: memberId, name: 'A member' } as const
      const identity = { workspaceId: workspace.id, actor, scopes: new Set<string>(allScopes) }
      const contexts: Record<Caller, Ctx> = {
        all: workspace.ctx,
        own: createContext(app.runtime, { ...identity, reach: [memberId], memberId } as never),
      }
      const phones = ['+13125551001', '+13125551002', '+13125551003']
      const [own] = await Promise.all(phones.map((phone) => texting.lead(phone)))
      await agent.patch(`/contacts/${own}`, { owner_id: memberId })
      const recipients: Record<Caller, string[]> = { all: phones, own: phones.slice(0, 1) }
      const id = idOf(await agent.post('/campaigns', { ...draft, throttle_per_hour: 120 }))
      const status = async () => (await agent.get(`/campaigns/${id}`)).body['status']
      const sentTo = async () =>
        (
          await asOwner<{ to: string }>(
            app.databaseUrl,
            `select "to" from messages where campaign_id = $1 and status <> 'cancelled' order by "to"`,
            [id],
          )
        ).map((one) => one.to)
      let known: Known = { status: 'draft', summary: undefined, by: undefined }
      for (const { verb, who } of history) {
        if (verb === 'wait') await pass(texting, 1)
        else {
          const expected = after(known, verb, who)
          const found = await deedOf[verb](contexts[who], id).then(
            () => undefined,
            (error: unknown) => (error instanceof AppError ? error.code : error),
          )
          expect([verb, who, found]).toEqual([verb, who, typeof expected === 'string' ? expected : undefined])
          if (typeof expected !== 'string') known = expected
        }
        if (known.status === 'running' && (await status()) === 'completed') known.status = 'completed'
        expect(await status()).toBe(known.status)
        if (known.by === undefined || known.status === 'draft') expect(await sentTo()).toEqual([])
      }
      if (known.status === 'paused') await agent.post(`/campaigns/${id}/resume`)
      await pass(texting, 40)
      if (known.status === 'draft') expect(await sentTo()).toEqual([])
      else if (known.status !== 'cancelled') {
        expect(await status()).toBe('completed')
        expect(await sentTo()).toEqual(recipients[known.by ?? 'all'])
      }
    }),
    { numRuns: 15 },
  )
})
