import type { Actor } from '#kernel/events/journal.ts'
import { createContact, updateContact } from '../modules/contacts/public.ts'
import { captureLead, setStatus } from '../modules/leads/public.ts'
import { addNote } from '../modules/timeline/public.ts'
import { followDeal } from './follow-deal.ts'
import { followLead } from './follow-lead.ts'
import type { Inquiry } from './inquiry.ts'
import type { Scene, Thread } from './scene.ts'
import type { StoryStep, Story } from './teller.ts'

const intake: Actor = { type: 'system', id: null, name: 'Lead intake' }

/** Schedules the start of each story. The start schedules the steps. */
export function playStories(scene: Scene, stories: readonly Story[]): void {
  for (const story of stories) scene.agenda.add(story.at, () => begin(scene, story))
}

async function begin(scene: Scene, story: Story): Promise<void> {
  const { draft, inquiry, agent, household, reaches, steps } = story
  const thread: Thread = {
    contactId: '',
    name: draft.last_name ?? '',
    household,
    reaches,
    deal: undefined,
    agent,
    owned: false,
    leadId: undefined,
    tags: [],
  }
  scene.threads.push(thread)
  if (inquiry !== null) await inquire(scene, thread, inquiry)
  else {
    thread.contactId = (await createContact(scene.as(agent.actor), draft)).id
    thread.owned = draft.owner_id !== undefined
    if (draft.stage === 'ACTIVE_CLIENT') await followDeal(scene, thread, draft.stage)
  }
  for (const step of steps) scene.agenda.add(step.at, () => act(scene, thread, step))
}

async function inquire(scene: Scene, thread: Thread, { lead: draft, luck }: Inquiry): Promise<void> {
  const { lead } = await captureLead(scene.as(intake), draft)
  thread.contactId = lead.contact_id ?? thread.contactId
  followLead(scene, thread, lead, luck)
}

const closing = new Set<unknown>(['ACTIVE_CLIENT', 'PAST_CLIENT', 'TRASH'])

/** Performs a step as the contact's agent. Without an agent, only inquiries take place. */
async function act(scene: Scene, thread: Thread, step: StoryStep): Promise<void> {
  if ('inquiry' in step) return inquire(scene, thread, step.inquiry)
  if (thread.agent === undefined) return
  const ctx = scene.as(thread.agent.actor)
  if ('note' in step) await addNote(ctx, thread.contactId, step.note)
  else if ('contacted' in step) {
    if (thread.leadId !== undefined) await setStatus(ctx, thread.leadId, 'contacted')
  } else {
    const { tags, stage } = step.patch
    const kept = tags === undefined ? {} : { tags: [...new Set([...thread.tags, ...tags])] }
    await updateContact(ctx, thread.contactId, { ...step.patch, ...kept })
    if (closing.has(stage)) thread.leadId = undefined
    if (stage !== undefined) await followDeal(scene, thread, stage)
  }
}
