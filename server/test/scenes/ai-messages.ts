import { afterAll, beforeEach } from 'vitest'
import { startCarrier } from '../../src/carrier/start.ts'
import { type Responder, createBreaker } from '../../src/modules/ai/public.ts'
import { writeAiMessage } from '../../src/modules/enrollments/steps/outside/write-ai-message.ts'
import { idOf } from '../support/fixtures.ts'
import { app, emailing, enabled, get, openAutomations, post, tag, tick } from './automations.ts'

/** What asks the model. A test may replace it until it ends. */
export const asking: { responder: Responder } = { responder: undefined as never }
export let persona: string

const say = (action: string, more: object = {}) => ({ say: { action, ...more } })
export const text = 'Are you still looking for a home?'

const script = [
  { match: 'lawyer', ...say('handoff', { handoff_reason: 'legal' }) },
  { match: 'never mind', ...say('none') },
  { match: 'families', ...say('reply', { text: 'It is perfect for a young couple without kids.' }) },
  { match: '', ...say('reply', { text }) },
]

/** Automations with a scripted model, and a persona for each test. */
export async function openAiMessages(): Promise<void> {
  const carrier = await startCarrier({ host: '127.0.0.1', port: 0, now: () => new Date(), script })
  openAutomations({ simulatedCarrierUrl: carrier.origin })
  afterAll(() => carrier[Symbol.asyncDispose]())
  beforeEach(async () => {
    // A minute has only so many requests.
    app.clock.advance(61_000)
    asking.responder = { model: app.model, breaker: createBreaker(app.clock) }
    await addPersona()
  })
}

export const disclosure = 'This is Alder, the AI assistant of Lantern & Oak.'

export async function addPersona(): Promise<void> {
  persona = idOf(await post('/personas', { name: 'Alder', disclosure, channels: ['EMAIL'], mode: 'auto' }))
}

/** A step in which the persona writes an email. */
export const aiMessage = (more: object = {}) => ({
  key: 'ask',
  type: 'ai_message',
  channel: 'email',
  subject: 'Your search, {{contact.first_name|friend}}',
  persona_id: persona,
  purpose: 'Find out whether they still look for a home.',
  ...more,
})

let people = 0

/** A new contact who has agreed to emails, in an automation. */
export async function agreed(automation: string) {
  const email = `kim${people++}@reyes.example`
  const source_url = 'https://lanternandoak.example/valuation'
  const response = await post('/leads', {
    first_name: 'Ada',
    email,
    phone: `+1312558${1000 + people}`,
    source: 'Website',
    skip_routing: true,
    consent: { captured_at: '2026-01-02T15:00:00Z', source_url },
  })
  const contact: string = response.body['contact_id']
  const enrollment = idOf(await post(`/automations/${automation}/enroll`, { contact_id: contact }))
  return { contact, email, enrollment }
}

/** Such a contact whose persona is about to be asked. */
export async function asked(more: object = {}, definition: object = {}) {
  const one = await agreed(await enabled({ steps: [aiMessage(more), tag], ...definition }))
  await tick()
  return one
}

/** Runs the job of the step as a worker does. */
export const propose = (enrollment: string, more: { seq?: number } = {}) =>
  writeAiMessage(asking.responder).handle(emailing.workspace.ctx, {
    enrollment_id: enrollment,
    seq: 0,
    ...more,
  })

/** The same, and the engine goes on. */
export async function write(...step: Parameters<typeof propose>): Promise<void> {
  await propose(...step)
  await tick()
}

export const generationsOf = async (contact: string) => (await get(`/generations?contact_id=${contact}`)).data
