import { startCarrier } from '@gable/sandbox/start.ts'
import { orNotFound } from '#kernel/errors.ts'
import { createBreaker } from '../../src/modules/ai/model/breaker.ts'
import type { Responder } from '../../src/modules/ai/model/responder.ts'
import type { LanguageModel } from '../../src/modules/ai/ports.ts'
import { leaveUnsent } from '../../src/modules/ai/reply/leave-unsent.ts'
import { replies } from '../../src/modules/ai/reply/replies.ts'
import { replyTo } from '../../src/modules/ai/reply/reply-to.ts'
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
  /** The same, and turns off all others. */
  onlyPersona(more?: object): Promise<Record<string, unknown>>
  /** The model, and what happens while it is asked. */
  modelDuring(act: () => Promise<unknown>): LanguageModel
  /** A contact who has agreed to be texted, with another number each time. */
  person(): Promise<{ id: string; phone: string }>
  /** Runs the responses that are queued, whatever their time. Returns how many there were. */
  respond(): Promise<number>
  /** Takes them out of the queue, as a process does that is then killed. Returns their conversations. */
  takeQueued(): Promise<string[]>
  /** Runs the jobs that leave to a person what did not arrive. */
  leaveUnsent(): Promise<void>
  /** Has the provider take what is queued. */
  leave(): Promise<void>
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
  const persona = async (more = {}) =>
    (await agent.post('/personas', { name: 'Alder', disclosure, mode: 'auto', ...more })).body
  /** Takes jobs out of the queue, and returns what they are to do. */
  const take = async <T extends object>(job: string) => {
    const queued = await rows<{ payload: T }>(
      `with taken as (
         delete from graphile_worker._private_jobs j using graphile_worker._private_tasks t
         where t.id = j.task_id and t.identifier = $2 and j.payload ->> 'workspaceId' = $1 returning j.payload)
       select payload -> 'payload' as payload from taken`,
      workspace.id,
      job,
    )
    return queued.map(({ payload }) => payload)
  }
  const takeQueued = async () => (await take<{ id: string }>(replies.name)).map(({ id }) => id)
  return {
    app: opened,
    texting,
    responder,
    persona,
    async onlyPersona(more = {}) {
      for (const { id } of (await agent.get('/personas?enabled=true')).body.data)
        await agent.patch(`/personas/${id}`, { enabled: false })
      return persona(more)
    },
    modelDuring(act) {
      const model = orNotFound(opened.model)
      return {
        ...model,
        async propose(request) {
          const said = await model.propose(request)
          await act()
          return said
        },
      }
    },
    async person() {
      const phone = `+1312556${1000 + people++}`
      return { id: await texting.lead(phone), phone }
    },
    takeQueued,
    async respond() {
      const queued = await takeQueued()
      for (const id of queued) await replyTo(workspace.ctx, id, responder)
      return queued.length
    },
    async leaveUnsent() {
      for (const payload of await take<Parameters<typeof leaveUnsent.handle>[1]>(leaveUnsent.name))
        await leaveUnsent.handle(workspace.ctx, payload)
    },
    async leave() {
      for (const { attemptId } of await texting.begin()) await texting.taken(attemptId)
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
