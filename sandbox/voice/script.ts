/** What happens when a number is called. */
export interface VoiceBehavior {
  summary?: string
  end?: 'no_answer' | 'bad_number' | 'voicemail'
  /** The call is taken, but the connection is reset before the response. */
  response?: 'reset'
  reports?: 'none' | 'doubled and reversed'
  /** What the person says or presses, instead of the script. */
  says?: string
  presses?: string
}

/** By the last two digits of a number 555-01NN, in any area code. */
export const voiceBehaviors: Readonly<Record<string, VoiceBehavior>> = {
  82: { summary: 'does not pick up', end: 'no_answer' },
  83: { summary: 'is no number', end: 'bad_number' },
  84: { summary: 'is a voicemail', end: 'voicemail' },
  88: { summary: 'taken, but the response is lost', response: 'reset' },
  91: { summary: 'talks, without reports', reports: 'none' },
  92: { summary: 'talks, every report twice and in reverse', reports: 'doubled and reversed' },
  93: { summary: 'says "Please stop calling me."', says: 'Please stop calling me.' },
  94: { summary: 'presses 9', presses: '9' },
}

export const voiceBehaviorOf = (to: string): VoiceBehavior => {
  const [, suffix = ''] = /^\+1\d{3}55501(\d\d)$/.exec(to) ?? []
  return voiceBehaviors[suffix] ?? {}
}

export interface SpokenLine {
  speaker: 'agent' | 'user'
  text: string
  /** The key pressed, instead of words. */
  key?: string
}

export const pressing = (key: string): SpokenLine => ({ speaker: 'user', text: `(presses ${key})`, key })

/** The default opening. */
const greeting = 'Hello, do you have a minute?'

export const firstLine = (opening = greeting): SpokenLine => ({ speaker: 'agent', text: opening })

/** The script for a call that no one picks up on a handset page. */
export const linesFor = ({ end, says, presses }: VoiceBehavior, opening?: string): readonly SpokenLine[] => {
  const first = firstLine(opening)
  if (end === 'voicemail')
    return [first, { speaker: 'agent', text: 'Please call us back when you have a minute.' }]
  if (presses !== undefined) return [first, pressing(presses)]
  if (says !== undefined)
    return [first, { speaker: 'user', text: says }, { speaker: 'agent', text: 'I will see to it. Goodbye.' }]
  return [
    first,
    { speaker: 'user', text: 'Yes, sure. We would like to see the place on Elm Street.' },
    { speaker: 'agent', text: 'Gladly. Is Saturday at 2 pm good for you?' },
    { speaker: 'user', text: 'Saturday works for us.' },
    { speaker: 'agent', text: 'Then it is Saturday at 2 pm. Goodbye.' },
  ]
}

/** The greeting of an unattended member handset that picks up an incoming call. */
export const officeGreeting = 'Hello, you have reached the office. How can I help?'

export const reply: SpokenLine = { speaker: 'agent', text: 'I see. Is there anything else?' }
