import { companies } from './brokerage.ts'
import { drawHousehold } from './cast/household.ts'
import type { Inquiry } from './inquiry.ts'
import { seededRandom } from './random.ts'
import type { SeedAgent, Story } from './teller.ts'

const [brokerage] = companies
const name = { first_name: 'Nora', last_name: 'Whitfield' }
const phone = '+13095550142'

/**
 * A person who inquires with the brokerage on the last day of its history, and writes a text message once the server
 * has started for the first time. A person who has just written may be texted at any hour.
 */
export const newcomer = {
  name: `${name.first_name} ${name.last_name}`,
  text: {
    from: phone,
    to: brokerage?.lines.phone ?? '',
    body: 'Hi, this is Nora. Is the place on Alder Court still available?',
  },
  reply: 'Yes, it is. Would you like to see it on Saturday?',
}

/** Her inquiry, three hours before `end`. */
export function writeNewcomer(agent: SeedAgent, end: Date): Story {
  const at = new Date(end.getTime() - 3 * 3_600_000)
  const lead = {
    ...name,
    phone,
    email: 'nora.whitfield@inbox.example',
    source: 'Website',
    source_ref: 'web-88410',
    context: {
      intent: 'buy',
      city: 'Chicago',
      zip: '60647',
      state: 'IL',
      price: 460_000,
      timeframe: 'now',
      message: 'Is the place on Alder Court still available?',
    },
    consent: {
      captured_at: at.toISOString(),
      source_url: 'https://www.lanternandoak.example/contact',
      ip: '203.0.113.42',
      form_snapshot: { consent_text: 'I agree to be called and texted about my inquiry.', checked: true },
    },
  }
  const household = drawHousehold(seededRandom(at.getTime()))
  const inquiry: Inquiry = { lead, luck: [0.1, 0.1] }
  return { at, draft: name, inquiry, agent, household, reaches: undefined, steps: [] }
}
