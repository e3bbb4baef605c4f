import { startCarrier } from '../../src/carrier/start.ts'
import { createBreaker } from '../../src/modules/ai/model/breaker.ts'
import { type Responder, replyTo } from '../../src/modules/ai/reply/reply-to.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { asOwner } from '../support/database.ts'
import { type Texting, startTexting } from '../support/texting.ts'

/** What the scripted model writes, by a word of what it is asked. */
type Script = NonNullable<Parameters<typeof startCarrier>[0]['script']>

export interface AiScene extends AsyncDisposable {
  app: TestApp
  texting: Texting
  responder: Responder
  /** Adds a persona that is on. */
  persona(more?: object): Promise<Record<string, unknown>>
  /** A contact who has agreed to be texted, with another number each time. */
  person(): Promise<{ id: string; phone: string }>
  /** Runs the responses that are queued, whatever their time. Returns how many there were. */
  respond(): Promise<number>
  /** Messages to and from a contact, oldest first. */
  messagesOf(contactId: string): Promise<Record<string, unknown>[]>
  contact(id: string): Promise<Record<string, unknown>>
  generations(contactId: string): Promise<Record<string, unknown>[]>
}

const disclosure = 'This is Alder, the AI assistant of Lantern & Oak.'

let people = 0

/** The application with a scripted model, a number that texts, and no worker: responses are made when a test says so. */
export async function openAiScene(script: Script, now = '2026-03-02T18:00:00.000Z'): Promise<AiScene> {
  const at = () => new Date(now)
  const carrier = await startCarrier({ host: '127.0.0.1', port: 0, now: at, script })
  const opened = await testApp({ now, simulatedCarrierUrl: carrier.origin })
  const texting = await startTexting(opened)
  const { agent, workspace } = texting
  const responder = { model: opened.model, breaker: createBreaker(opened.clock) }
  const rows = <T>(text: string, ...values: unknown[]) =>
    asOwner<T & Record<string, unknown>>(opened.databaseUrl, text, values)
  return {
    app: opened,
    texting,
    responder,
    persona: async (more = {}) =>
      (await agent.post('/personas', { name: 'Alder', disclosure, mode: 'auto', ...more })).body,
    async person() {
      const phone = `+1312556${1000 + people++}`
      return { id: await texting.lead(phone), phone }
    },
    async respond() {
      const queued = await rows<{ id: string }>(
        `with taken as (
           delete from graphile_worker._private_jobs j using graphile_worker._private_tasks t
           where t.id = j.task_id and t.identifier = 'reply-to-message' and j.payload ->> 'workspaceId' = $1 returning j.payload)
         select payload -> 'payload' ->> 'conversation_id' as id from taken`,
        workspace.id,
      )
      for (const { id } of queued) await replyTo(workspace.ctx, id, responder)
      return queued.length
    },
    messagesOf: async (contactId) =>
      (await agent.get(`/messages?contact_id=${contactId}&limit=200`)).body.data.toReversed(),
    contact: async (id) => (await agent.get(`/contacts/${id}`)).body,
    generations: (contactId) =>
      rows('select * from generations where contact_id = $1 order by id', contactId),
    async [Symbol.asyncDispose]() {
      await opened[Symbol.asyncDispose]()
      await carrier[Symbol.asyncDispose]()
    },
  }
}
