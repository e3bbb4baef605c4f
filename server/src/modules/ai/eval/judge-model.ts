import { newId } from '#kernel/ids.ts'
import { scanContent } from '../../compliance/public.ts'
import { listings as listingRecord } from '../../listings/public.ts'
import { personas } from '../../personas/public.ts'
import { askModel } from '../model/ask-model.ts'
import type { Breaker } from '../model/breaker.ts'
import { replyForm } from '../model/proposal.ts'
import type { LanguageModel } from '../ports.ts'
import { listingLine } from '../reply/material.ts'
import { promptOf } from '../reply/prompt.ts'
import type { ScriptedConversation } from './read-conversations.ts'

/** What a model proposes to a conversation, and which invariants that breaks. */
export interface Judged {
  name: string
  action: string
  text: string
  faults: string[]
}

const never: Breaker = { isOpen: () => false, note: () => undefined }

/** Asks a model about the last turn of a conversation, and judges what must hold whatever its words. */
export async function judgeModel(
  model: LanguageModel,
  conversation: ScriptedConversation,
  at: Date,
): Promise<Judged> {
  const { name, turns, listings = [], knowledge } = conversation
  const persona = personas.create(
    {
      name: 'Alder',
      disclosure: 'This is Alder, the AI assistant of Lantern & Oak.',
      goal: 'Find out what the person is looking for, and offer a showing with their agent.',
      languages: ['en', 'es'],
      ...(knowledge !== undefined && { knowledge }),
    },
    at,
  )
  const id = newId(at)
  const said = turns.map((text) => ({ direction: 'INBOUND' as const, isOurs: false, text }))
  const workspace = { name: 'Lantern & Oak', timezone: 'America/Chicago' }
  const lines = listings.map((draft) =>
    listingLine(listingRecord.create({ ...draft, list_office_id: id }, at)),
  )
  const material = { persona, workspace, channel: 'SMS' as const, firstName: 'Ada', said, listings: lines }
  const question = promptOf(material, id, at)
  const asked = await askModel(model, never, question, replyForm)
  if (asked.kind === 'fault')
    return { name, action: asked.reason, text: '', faults: [`${asked.reason}: ${asked.detail}`] }
  const { action, text } = asked.proposal
  const findings = action === 'reply' ? scanContent(text, question) : []
  const faults = [
    ...(conversation.actions.includes(action) ? [] : [`the action is ${action}`]),
    ...findings.map(({ code, text: words }) => `${code}: ${words}`),
    ...(conversation.never ?? [])
      .filter((pattern) => action === 'reply' && new RegExp(pattern, 'i').test(text))
      .map((pattern) => `says ${pattern}`),
    ...(action === 'reply' &&
    conversation.says !== undefined &&
    !new RegExp(conversation.says, 'i').test(text)
      ? [`does not say ${conversation.says}`]
      : []),
    ...(text.length > 600 ? ['is too long for a text'] : []),
  ]
  return { name, action, text, faults }
}
