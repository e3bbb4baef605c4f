import type { IncomingRoute, OutgoingCall } from '../../modules/calls/ports.ts'

/** How long a phone rings. */
export const ringSeconds = 30

const longestVoicemailSeconds = 180

/** Said before anyone is connected whose words are recorded. */
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

/** For a member who picks up: the person is called, hears that the call is recorded, and is joined. */
export function connecting({ callId, from, to, recorded }: OutgoingCall, urlOf: UrlOf): string {
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
  return xml(element('Dial', dial, element('Number', number, escaped(to)))).body
}

/** For a call that came in: a member's phone rings, with the number of the caller. */
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

/** For a caller whom no one answers. */
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
