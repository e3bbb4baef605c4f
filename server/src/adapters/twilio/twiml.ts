import type { IncomingRoute, OutgoingCall } from '../../modules/calls/ports.ts'

/** How long a phone rings, in seconds. */
export const ringSeconds = 30

const longestVoicemailSeconds = 180

/** Played before anyone whose words are recorded is connected. */
const announcement = '<Say>This call is recorded.</Say>'

type UrlOf = (path: string) => string

export const xml = (content: string) => ({ type: 'text/xml', body: `<Response>${content}</Response>` })

export const afterAnnouncement = xml(announcement)

export const hungUp = xml('<Hangup/>')

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

const element = (name: string, attributes: Record<string, string>, content: string) =>
  `<${name}${Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${escaped(value)}"`)
    .join('')}>${content}</${name}>`

const recording = (url: string) => ({ record: 'record-from-answer-dual', recordingStatusCallback: url })

/** How long a member may take to press a key after the prompt, in seconds. */
const keySeconds = 10

/** Like `keySeconds`, but including the prompt. */
export const confirmSeconds = 2 * keySeconds

/** The prompt after the member's phone is picked up: a member presses a key, a voicemail does not. */
export function confirming({ callId }: Pick<OutgoingCall, 'callId'>, urlOf: UrlOf): string {
  const gather = {
    action: urlOf(`voice/connect/${callId}`),
    actionOnEmptyResult: 'true',
    numDigits: '1',
    finishOnKey: '',
    timeout: String(keySeconds),
  }
  return xml(
    element(
      'Gather',
      gather,
      '<Say>Here is the call that you want to place. Press any key to connect.</Say>',
    ),
  ).body
}

/** For a member whose call does not continue. */
export const notConnected = (isConfirmed: boolean) =>
  xml(
    `<Say>${isConfirmed ? 'This call may not be placed any more.' : 'No key was pressed.'} Goodbye.</Say><Hangup/>`,
  )

/** For a member who pressed a key: calls the person, announces the recording to them, and connects them. */
export function connecting({ callId, from, to, recorded }: OutgoingCall, urlOf: UrlOf) {
  const at = (kind: string) => urlOf(`voice/${kind}/${callId}`)
  const number = {
    ...(recorded && { url: at('announce') }),
    statusCallback: at('contact'),
    statusCallbackEvent: 'initiated ringing answered completed',
  }
  const dial = {
    callerId: from,
    timeout: String(ringSeconds),
    ...(recorded && recording(at('recording'))),
  }
  return xml(element('Dial', dial, element('Number', number, escaped(to))))
}

/** For an incoming call: rings the member's phone, or takes a message if there is none. */
export function answering(route: IncomingRoute | undefined, urlOf: UrlOf) {
  if (route === undefined) return xml('<Reject/>')
  const { ring, recorded } = route
  if (ring === null) return takingMessage(urlOf)
  const dial = {
    action: urlOf('voice/dialed'),
    timeout: String(ringSeconds),
    ...(recorded && recording(urlOf('voice/recording'))),
  }
  const number = { statusCallback: urlOf('voice/leg'), statusCallbackEvent: 'answered completed' }
  return xml(
    `${recorded ? announcement : ''}${element('Dial', dial, element('Number', number, escaped(ring)))}`,
  )
}

/** For a caller when no one answers. */
export function takingMessage(urlOf: UrlOf) {
  const record = {
    action: urlOf('voice/left'),
    maxLength: String(longestVoicemailSeconds),
    recordingStatusCallback: urlOf('voice/voicemail'),
  }
  return xml(
    `<Say>No one can take your call. Please leave a message after the tone.</Say>${element('Record', record, '')}`,
  )
}
