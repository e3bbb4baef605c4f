import { newId } from '#kernel/ids.ts'
import { createEngine } from '../../src/modules/automations/engine/engine.ts'
import { idOf } from '../support/fixtures.ts'
import { agent, app } from './workspace.ts'

/** Ticks as an engine does: until it finds nothing to do, or so often. */
export async function tick(times = Number.POSITIVE_INFINITY): Promise<void> {
  await using queue = app.runtime.database.across('gable_engine')
  const engine = createEngine(app.runtime, queue, newId(app.clock.now()))
  for (let n = 0; n < times && (await engine.tick()) > 0; n++);
}

/** A published and enabled automation with this definition. */
export async function enabledAutomation(definition: object): Promise<string> {
  const id = idOf(await agent.post('/automations', { name: 'Welcome', definition }))
  await agent.post(`/automations/${id}/publish`)
  await agent.post(`/automations/${id}/enable`)
  return id
}

/** Enrolls a new contact. */
export async function enrollNew(
  automation: string,
  fields: object = {},
): Promise<{ contact: string; enrollment: string }> {
  const contact = idOf(await agent.post('/contacts', { first_name: 'Ada', ...fields }))
  const enrolled = await agent.post(`/automations/${automation}/enroll`, { contact_id: contact })
  return { contact, enrollment: idOf(enrolled) }
}

export const tagStep = (key: string) => ({ key, type: 'tag', tag: key })
export const waitStep = (key: string, minutes: number) => ({ key, type: 'wait', for: { minutes } })
