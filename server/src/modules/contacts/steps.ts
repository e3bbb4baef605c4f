import { Type } from 'typebox'
import { idPattern } from '#kernel/ids.ts'
import { fact, stepText, stepTypeFor } from '#kernel/steps/step-type.ts'
import { activeMember, findActiveMember } from '../workspaces/public.ts'
import { type Contact, distinctTags, stages, tagKey } from './contact.ts'
import { pauseAi } from './pause-ai.ts'
import { changeContact } from './update-contact.ts'

const stepType = stepTypeFor<Contact>()
const done = fact('done')

export const tagStep = stepType({
  type: 'tag',
  members: { tag: stepText(40) },
  literals: ['tag'],
  perform: async ({ tx, person }, { tag }) => ({
    fact: done,
    person: await changeContact(tx, person, { tags: [...person.tags, tag] }),
  }),
  rehearse: async ({ person }, { tag }) => ({
    fact: done,
    changes: { tags: distinctTags([...person.tags, tag]) },
  }),
})

const without = ({ tags }: Contact, removed: string) => tags.filter((tag) => tagKey(tag) !== tagKey(removed))

export const untagStep = stepType({
  type: 'untag',
  members: { tag: stepText(40) },
  literals: ['tag'],
  perform: async ({ tx, person }, { tag }) => ({
    fact: done,
    person: await changeContact(tx, person, { tags: without(person, tag) }),
  }),
  rehearse: async ({ person }, { tag }) => ({ fact: done, changes: { tags: without(person, tag) } }),
})

export const stageStep = stepType({
  type: 'stage',
  members: { stage: Type.Enum(stages) },
  perform: async ({ tx, person }, { stage }) => ({
    fact: done,
    person: await changeContact(tx, person, { stage }),
  }),
  rehearse: async (_, { stage }) => ({ fact: done, changes: { stage } }),
})

const memberInactive = { fact: fact('failed', 'member_inactive') }

export const ownerStep = stepType({
  type: 'owner',
  members: { member_id: Type.String({ pattern: idPattern }) },
  references: { member_id: activeMember },
  async perform({ tx, person }, { member_id: owner_id }) {
    if ((await findActiveMember(tx, owner_id)) === undefined) return memberInactive
    return { fact: done, person: await changeContact(tx, person, { owner_id }) }
  },
  async rehearse({ tx }, { member_id: owner_id }) {
    if ((await findActiveMember(tx, owner_id)) === undefined) return memberInactive
    return { fact: done, changes: { owner_id } }
  },
})

export const pauseAiStep = stepType({
  type: 'pause_ai',
  members: {},
  async perform({ tx, person }) {
    await pauseAi(tx, person.id, 'automation')
    return { fact: done }
  },
  rehearse: async () => ({ fact: done, changes: { ai_auto_response: 'paused' } }),
})
