import type { CallRow, Disposition } from '../../modules/calls/public.ts'

/** The course and result of a call. */
export interface CallOutcome extends Pick<CallRow, 'direction' | 'status' | 'sentiment'> {
  handledBy: CallRow['handled_by']
  disposition: Disposition
  /** The shortest and longest conversation, in seconds. */
  seconds: readonly [number, number]
  summary?: string
}

const ai = { handledBy: 'ai', direction: 'INBOUND', status: 'completed', sentiment: 'neutral' } as const
const human = { handledBy: 'human', direction: 'OUTBOUND', status: 'completed', sentiment: null } as const

export const outcomes: readonly CallOutcome[] = [
  {
    ...ai,
    disposition: 'appointment_set',
    sentiment: 'positive',
    seconds: [90, 240],
    summary: '{name} asked about a listing. A showing on Saturday at 2 pm was agreed with {agent}.',
  },
  {
    ...ai,
    disposition: 'callback_requested',
    seconds: [30, 90],
    summary: '{name} would like {agent} to call back this afternoon.',
  },
  {
    ...ai,
    disposition: 'qualified',
    sentiment: 'positive',
    seconds: [120, 300],
    summary: '{name} wants to buy within three months, is pre-approved, and looks for three bedrooms.',
  },
  {
    ...ai,
    disposition: 'has_agent',
    seconds: [20, 60],
    summary: '{name} already works with another agent.',
  },
  { ...ai, disposition: 'hung_up', sentiment: 'negative', seconds: [3, 12] },
  { ...human, disposition: 'interested', seconds: [120, 900] },
  { ...human, disposition: 'nurture', seconds: [90, 600] },
  { ...human, disposition: 'not_interested', seconds: [20, 120] },
  { ...human, disposition: 'left_voicemail', seconds: [15, 40] },
  { ...human, status: 'no_answer', disposition: 'no_answer', seconds: [0, 0] },
  { ...human, status: 'busy', disposition: 'busy', seconds: [0, 0] },
  { ...human, direction: 'INBOUND', disposition: 'transferred', seconds: [60, 500] },
]

const greeting =
  'Hello, this is the AI assistant of {agent}, and this call is recorded. Say stop at any time to end such calls. How can I help?'

/** The lines of the AI and the contact, alternating. */
export const dialogues: Partial<Record<Disposition, readonly string[]>> = {
  appointment_set: [
    greeting,
    'Hi, it is {name}. I saw the place on Elm Street and would like to see it.',
    'Gladly. {agent} has time on Saturday at 2 pm or at 4 pm.',
    'Two would be great.',
    'Then it is Saturday at 2 pm. You will get a text with the address.',
    'Thank you, bye!',
  ],
  callback_requested: [
    greeting,
    'I would rather talk to {agent}. Can I get a call back this afternoon?',
    'Of course. I will pass it on.',
    'Thanks.',
  ],
  qualified: [
    greeting,
    'My name is {name}. We are looking for a home with three bedrooms.',
    'When would you like to move?',
    'Within three months. Our lease ends then.',
    'Have you spoken with a lender?',
    'Yes, we are pre-approved.',
    'Good. {agent} will send you homes that fit.',
    'Perfect, thank you.',
  ],
  has_agent: [
    greeting,
    'Oh, we already work with an agent.',
    'Then I will note that. Have a good day.',
    'Bye.',
  ],
}
