import { idOf } from '#test/support/fixtures.ts'
import { app, post, tagStep } from './automations.ts'

type Json = Record<string, unknown>

let people = 0
export const addContact = async (more: object = {}) =>
  idOf(await post('/contacts', { first_name: 'Ada', email: `dry${++people}@reyes.example`, ...more }))

/** Runs a definition dry without saving it. */
export async function dryRun(definition: object, contact_id: string, more: object = {}): Promise<Json> {
  const automation = idOf(await post('/automations', { name: 'Dry', definition: { steps: [tagStep('x')] } }))
  const { status, body } = await post(`/automations/${automation}/dry-run`, {
    contact_id,
    definition,
    ...more,
  })
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body
}

export const inMinutes = (minutes: number) =>
  new Date(app.clock.now().getTime() + minutes * 60_000).toISOString()

/** Each step with its outcome, its reason, and the minutes from now. */
export const seen = ({ steps }: Json) =>
  (steps as Json[]).map(({ step_key, at, outcome, reason }) =>
    [step_key, outcome, reason, (Date.parse(String(at)) - app.clock.now().getTime()) / 60_000]
      .filter((one) => one !== null)
      .join(' '),
  )
