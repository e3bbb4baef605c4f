import { asOwner, workerDatabase } from '#test/support/database.ts'
import { type Fixtures, idOf } from '#test/support/fixtures.ts'

const phones = ['312-555-0123', '+442079460958', '+1 (312) 555-0123 ext. 12345678', '8005551212']
const emails = ['ada@reyes.example', "o'hara+1@mail.reyes.example"]

let count = 0
const newNumber = () => `+1312${String(2_000_000 + count++)}`

export const fixtures: Fixtures = {
  records: {
    '/suppressions/{id}': async (agent) => [
      idOf(await agent.post('/suppressions', { phone: newNumber(), kind: 'opted_out' })),
    ],
  },
  lists: {
    '/suppressions': {
      insert: async (agent) =>
        idOf(await agent.post('/suppressions', { phone: newNumber(), kind: 'manual' })),
    },
  },
  reset: {
    'POST /suppressions/{id}/lift': async (id) =>
      asOwner(
        await workerDatabase(),
        'update suppressions set lifted_at = null, lifted_by = null where id = $1',
        [id],
      ),
  },
  alternatives: { 'POST /suppressions': ['phone', 'email', 'contact_id'] },
  values: {
    'POST /suppressions phone': phones,
    'POST /suppressions email': emails,
    // The kinds that a phone number can have.
    'POST /suppressions kind': ['opted_out', 'internal_dnc', 'litigator', 'reassigned_number', 'manual'],
    'POST /suppressions channels': [['sms'], ['voice_auto', 'whatsapp', 'sms'], ['sms', 'sms']],
    'PATCH /compliance-settings enabled_countries': [['US'], ['CA', 'US']],
    'PATCH /compliance-settings emergency_states': [[], ['NY', 'LA']],
    'GET /suppressions phone': phones,
    'GET /suppressions email': emails,
  },
}
