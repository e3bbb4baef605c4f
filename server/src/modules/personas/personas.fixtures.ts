import type { Fixtures } from '#test/support/fixtures.ts'

const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
const values = {
  enabled: [true, false],
  channels: [['SMS'], ['SMS', 'WHATSAPP', 'EMAIL']],
  languages: [['en'], ['es', 'en']],
  active_hours: [[], [{ days, from: '22:00', to: '06:00' }]],
  handoff: [{}, { message: 'One moment.' }],
}

export const fixtures: Fixtures = {
  values: Object.fromEntries(
    Object.entries(values).flatMap(([name, known]) => [
      [`POST /personas ${name}`, known],
      [`PATCH /personas/{id} ${name}`, known],
    ]),
  ),
}
