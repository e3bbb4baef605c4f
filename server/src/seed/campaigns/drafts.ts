import type { createCampaign } from '../../modules/campaigns/public.ts'

type Draft = Parameters<typeof createCampaign>[1]

const tagged = (...value: string[]) => ({ field: 'contact.tags', operator: 'has_any' as const, value })
const inStages = (...value: string[]) => ({ field: 'contact.stage', operator: 'in' as const, value })

/** The office's campaigns. */
export const drafts = {
  marketNotes: {
    name: 'Winter market notes',
    channel: 'EMAIL',
    audience: inStages('SPHERE'),
    template: {
      subject: 'What sold on your street this winter',
      body: 'Hi {{contact.first_name|there}},\n\nthree numbers from the North Shore this winter: homes took 31 days to sell, 4 in 10 went above the asking price, and 112 are for sale today.\n\nWould you like the numbers of your own block? Reply to this email.',
    },
    throttle_per_hour: 60,
  },
  monthlyUpdate: {
    name: 'New this month',
    channel: 'SMS',
    audience: inStages('LEAD', 'NURTURE', 'SPHERE'),
    template: {
      body: 'Hi {{contact.first_name|there}}, 14 homes in your search came on the market this month. Shall I send you the list?',
    },
    throttle_per_hour: 2,
  },
  relocation: {
    name: 'Moving to Chicago',
    channel: 'EMAIL',
    audience: tagged('relocation', 'buyer'),
    template: {
      subject: 'A Saturday tour for people who are moving here',
      body: 'Hi {{contact.first_name|there}},\n\non the 21st we drive through six towns in one morning, with a stop for coffee in each. Two seats are left in every car.\n\nReply with the number of seats you need.',
    },
    throttle_per_hour: 3,
  },
  firstHome: {
    name: 'First-home evening',
    channel: 'EMAIL',
    audience: tagged('first-time buyer'),
    template: {
      subject: 'Your first home, in one evening',
      body: 'Hi {{contact.first_name|there}},\n\nmeet a lender, an inspector and an agent next Thursday at 6 pm in our Evanston office. It is free, and there is pizza.',
    },
    throttle_per_hour: 40,
  },
  openHouse: {
    name: 'Open house on Oak Street',
    channel: 'SMS',
    audience: tagged('vip'),
    template: {
      body: 'Hi {{contact.first_name|there}}, the place on Oak Street is open on Sunday from 1 to 3 pm.',
    },
    throttle_per_hour: 60,
  },
  investors: {
    name: 'Two- to four-flats',
    channel: 'EMAIL',
    audience: tagged('investor'),
    template: {
      subject: 'Five two- to four-flats with current rents',
      body: 'Hi {{contact.first_name|there}},\n\nfive buildings, with the rents as they stand on the leases. Reply for the sheets.',
    },
  },
} satisfies Record<string, Draft>
