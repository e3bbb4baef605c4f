import type { Message } from '../../messages/public.ts'
import type { Persona } from '../../personas/public.ts'
import type { Prompt } from '../model/ask-model.ts'
import { digestOf } from '../model/digest.ts'
import { marksFor } from '../model/marks.ts'
import { replyRules } from '../model/reply-rules.ts'
import type { PromptTurn } from '../ports.ts'

/** One message in the conversation. */
export interface SaidTurn {
  direction: Message['direction']
  /** Whether a person in the workspace wrote it. */
  isOurs: boolean
  text: string
}

/** Everything that a prompt is made from. */
export interface Material {
  persona: Persona
  workspace: { name: string; timezone: string }
  channel: Message['channel']
  firstName: string | null
  /** The conversation, oldest first, without numbers and addresses. */
  said: readonly SaidTurn[]
  /** Listings on the market, one line each. */
  listings: readonly string[]
  /** Why the AI writes on its own initiative; undefined for a response. People in the workspace wrote it. */
  purpose?: string | undefined
}

/** The part that is stored with a generation. Persona versions are stored separately. */
export type KeptMaterial = Omit<Material, 'persona'>

const languages = { en: 'English', es: 'Spanish' }
const forms = {
  SMS: 'a text message of at most 300 characters',
  WHATSAPP: 'a WhatsApp message of at most 500 characters',
  EMAIL: 'the text of an email of at most 900 characters, without a subject',
}

/** A prompt, with the texts that count as facts, and the earlier texts by the contact, the AI, and automations. */
export interface Question extends Prompt {
  facts: string[]
  said: string[]
  digest: string
}

/**
 * Builds the prompt for a message to a contact. Text by the contact, listings, automations, and the AI itself is data:
 * it goes into turns, between delimiters that its authors can't guess, and never into the instructions. About the
 * person, the model sees only a first name and the conversation, without numbers and addresses. `id` is the
 * generation's ID, from which the delimiters are derived.
 */
export function promptOf(material: Material, id: string, at: Date): Question {
  const { persona, workspace, firstName, said, listings, purpose } = material
  const { quoted, sentence } = marksFor(id)
  const today = `Today is ${dayOf(at, workspace.timezone)}.`
  const system = [instructionsOf(material), sentence, today].join('\n')
  const known = [`First name: ${firstName ?? 'unknown'}`, 'Listings on the market:', ...listings]
  const turns: PromptTurn[] = [
    { role: 'user', content: quoted(known.join('\n')) },
    { role: 'assistant', content: 'These are data.' },
    ...said.map(({ direction, isOurs, text }): PromptTurn => ({
      role: direction === 'INBOUND' ? 'user' : 'assistant',
      content: isOurs ? text : quoted(text),
    })),
    ...(purpose === undefined ? [] : [{ role: 'user' as const, content: 'Write the next message now.' }]),
  ]
  const { knowledge, greeting, disclosure, instructions, goal } = persona
  const own = [knowledge, greeting, disclosure, instructions, goal, purpose].flatMap((text) => text ?? [])
  return {
    system,
    turns,
    facts: [...listings, ...textsOf(said, true), ...own, today, workspace.name],
    said: textsOf(said, false),
    digest: digestOf({ system, turns }),
  }
}

const textsOf = (said: readonly SaidTurn[], ours: boolean): string[] =>
  said.flatMap(({ isOurs, text }) => (isOurs === ours ? [text] : []))

function instructionsOf({ persona, workspace, channel, purpose }: Material): string {
  const lines = [
    `You are ${persona.name}${persona.role === null ? '' : `, ${persona.role}`}, an AI of ${workspace.name}, a real-estate brokerage. Propose ${forms[channel]}, as the next message to a contact.`,
    persona.goal && `Goal: ${persona.goal}`,
    purpose && `You write by yourself, and respond to no message. What this message is for: ${purpose}`,
    persona.instructions && `Instructions: ${persona.instructions}`,
    persona.knowledge && `Facts that you may state: ${persona.knowledge}`,
    persona.prohibited_topics.length > 0 && `Never speak of: ${persona.prohibited_topics.join('; ')}.`,
    `Write in the language of the contact, if it is one of these, or else in the first: ${persona.languages.map((one) => languages[one]).join(', ')}.`,
    ...replyRules,
  ]
  return lines.filter((line) => typeof line === 'string').join('\n')
}

const dayOf = (at: Date, timeZone: string) =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'full', timeZone }).format(at)
