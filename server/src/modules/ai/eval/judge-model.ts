import { newId } from '#kernel/ids.ts'
import { scanContent } from '../../content/public.ts'
import { listings as listingRecord } from '../../listings/public.ts'
import { personas } from '../../personas/public.ts'
import { askModel } from '../model/ask-model.ts'
import type { Breaker } from '../model/breaker.ts'
import { replyForm } from '../model/proposal.ts'
import type { LanguageModel } from '../ports.ts'
import { listingLine } from '../reply/material.ts'
import { type Question, type SaidTurn, promptOf } from '../reply/prompt.ts'
import type { ScriptedConversation } from './read-conversations.ts'

/** A model's proposal for a conversation, and the invariants that it breaks. */
export interface Judged {
  name: string
  action: string
  text: string
  faults: string[]
}

const never: Breaker = { isOpen: () => false, record: () => undefined }

/**
 * Has a model respond to each turn of a conversation, given its own earlier responses. Checks what must hold whatever
 * the wording: rules for each text, and the last action.
 */
export async function judgeModel(
  model: LanguageModel,
  conversation: ScriptedConversation,
  at: Date,
): Promise<Judged> {
  const { name, turns, actions } = conversation
  const { persona, ...material } = materialFor(conversation, at)
  const said: SaidTurn[] = []
  const faults: string[] = []
  let last = { action: '', text: '' }
  for (const turn of turns) {
    said.push({ direction: 'INBOUND', isOurs: false, text: turn })
    const question = promptOf({ ...material, persona, said }, newId(at), at)
    const asked = await askModel(model, never, question, replyForm)
    if (asked.kind === 'fault')
      return { name, action: asked.reason, text: '', faults: [`${asked.reason}: ${asked.detail}`] }
    last = asked.proposal
    if (last.action !== 'reply') continue
    faults.push(...faultsIn(last.text, conversation, question))
    const isFirst = said.every(({ direction }) => direction === 'INBOUND')
    const text = isFirst ? `${persona.disclosure} ${last.text}` : last.text
    said.push({ direction: 'OUTBOUND', isOurs: false, text })
  }
  const { action, text } = last
  if (!actions.includes(action)) faults.push(`the action is ${action}`)
  return { name, action, text, faults }
}

function materialFor({ listings = [], knowledge, first_name = 'Ada' }: ScriptedConversation, at: Date) {
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
  return {
    persona,
    workspace: { name: 'Lantern & Oak', timezone: 'America/Chicago' },
    channel: 'SMS' as const,
    firstName: first_name,
    listings: listings.map((draft) =>
      listingLine(listingRecord.create({ ...draft, list_office_id: newId(at) }, at)),
    ),
  }
}

function faultsIn(
  text: string,
  { never: patterns = [], says }: ScriptedConversation,
  question: Question,
): string[] {
  return [
    ...scanContent(text, question).map(({ code, text: words }) => `${code}: ${words}`),
    ...patterns.filter((pattern) => new RegExp(pattern, 'i').test(text)).map((pattern) => `says ${pattern}`),
    ...(says !== undefined && !new RegExp(says, 'i').test(text) ? [`does not say ${says}`] : []),
    ...(text.length > 600 ? ['is too long for a text'] : []),
  ]
}
