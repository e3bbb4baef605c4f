import { type Static, Type } from 'typebox'
import type { Ctx } from '#kernel/context.ts'
import { ReferenceNotFound, ValidationFailed, orNotFound } from '#kernel/errors.ts'
import { requireReach } from '#kernel/reach.ts'
import { reference } from '#kernel/records/fields.ts'
import { draftOfSend, fillText } from '../automations/public.ts'
import { scanContacts } from '../backfills/public.ts'
import { type Contact, findContact } from '../contacts/public.ts'
import { wordsFor } from '../enrollments/public.ts'
import { type MessageDraft, planMessage } from '../messages/public.ts'
import { MemberInactive, findMember, findWorkspace } from '../workspaces/public.ts'
import type { Campaign } from './campaign.ts'
import { findCampaign } from './queries.ts'
import { requireMaySend, stepOfCampaign } from './start-campaign.ts'

export const CampaignTest = Type.Object(
  {
    member_id: Type.Optional(
      reference(
        'member',
        'The member who gets the test, at their own address or number. By default the member who makes the request. A key that does not act for a member must name one.',
      ),
    ),
    example_contact_id: Type.Optional(
      reference(
        'contact',
        'The contact whose name and owner the test shows. A contact of the audience by default.',
      ),
    ),
  },
  {
    title: 'CampaignTest',
    additionalProperties: false,
    examples: [{ member_id: 'cmi8h2k5p0000y7w2d5g8j1m4' }],
  },
)
export type CampaignTest = Static<typeof CampaignTest>

export interface PlannedTest {
  draft: MessageDraft
  plan: Awaited<ReturnType<typeof planMessage>>
}

/**
 * Renders the message of a campaign for an example contact, addressed to a member, and judges it like any message of the campaign. Writes
 * nothing.
 */
export async function planTest(ctx: Ctx, id: string, test: CampaignTest): Promise<PlannedTest> {
  const campaign = orNotFound(await findCampaign(ctx.db, id))
  requireMaySend(ctx)
  const to = await addressOf(ctx, campaign, test.member_id)
  const [contact, workspace] = await Promise.all([
    test.example_contact_id === undefined
      ? findExample(ctx, campaign)
      : findContact(ctx.db, test.example_contact_id),
    findWorkspace(ctx.directory, ctx.workspaceId),
  ])
  if (test.example_contact_id !== undefined && contact === undefined)
    throw ReferenceNotFound('example_contact_id')
  const words = await wordsFor(ctx.lookups(), contact, orNotFound(workspace).name)
  const rendered = draftOfSend(stepOfCampaign(campaign), to, (text) => fillText(text, words))
  // A member who has just texted the workspace's number has asked for the message; the gates know when that was.
  const draft: MessageDraft = rendered.channel === 'email' ? rendered : { ...rendered, purpose: 'reply' }
  const own = { source: 'campaign', personaId: campaign.persona_id } as const
  return { draft, plan: await planMessage(ctx, draft, own) }
}

async function addressOf(ctx: Ctx, { channel }: Campaign, named: string | undefined): Promise<string> {
  const path = 'member_id'
  const id = named ?? ctx.memberId
  if (id === undefined)
    throw ValidationFailed([
      { path, message: 'is required, since this credential does not act for a member' },
    ])
  if (id !== ctx.memberId) requireReach(ctx.reach, id, path)
  const member = await findMember(ctx.lookups(), id)
  if (member === undefined) throw ReferenceNotFound(path)
  if (!member.active) throw MemberInactive(path)
  const to = channel === 'EMAIL' ? member.email : member.phone
  if (to === null) throw ValidationFailed([{ path, message: 'is a member without a phone number' }])
  return to
}

/** Contacts per step, and steps. An example is not worth a search of the whole workspace. */
const stepSize = 500
const steps = 4

/** The first contact of the audience among the oldest contacts of the workspace, if there is one. */
async function findExample(ctx: Ctx, { audience }: Campaign): Promise<Contact | undefined> {
  const { timezone } = orNotFound(await findWorkspace(ctx.directory, ctx.workspaceId))
  const sought = { conditions: audience, reach: ctx.reach, at: ctx.clock.now(), timezone }
  return ctx.transaction(async (limited) => {
    const tx = limited.unrestricted()
    let after = ''
    for (let n = 0; n < steps; n++) {
      const { contacts, last } = await scanContacts(tx, sought, after, stepSize)
      if (contacts.length > 0 || last === undefined) return contacts[0]
      after = last
    }
    return undefined
  })
}
