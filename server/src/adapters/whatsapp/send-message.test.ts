import { expect, test } from 'vitest'
import { bodyOf, metaOutcomeOf } from './send-message.ts'

const unknown = { kind: 'unknown', message: expect.any(String) }
const later = {
  kind: 'later',
  failure: expect.objectContaining({ code: 'provider_unavailable' }),
  retryAfterMs: null,
}
const rejected = (code: string, carrierCode: number) => ({
  kind: 'rejected',
  failure: { code, carrierCode: String(carrierCode), message: `(#${carrierCode}) Meta says ${carrierCode}` },
})

const denied = (carrierCode: number) => ({
  ...rejected('credentials_rejected', carrierCode),
  kind: 'later',
  retryAfterMs: null,
})

/** Meta's error codes, with the documented HTTP status of each. */
test.for<[code: number, status: number, outcome: object]>([
  [0, 401, denied(0)],
  [3, 500, denied(3)],
  [10, 403, denied(10)],
  [190, 401, denied(190)],
  [200, 403, denied(200)],
  [299, 403, denied(299)],
  [131005, 403, denied(131005)],
  [4, 400, later],
  [80007, 400, later],
  [130429, 400, later],
  [131056, 400, later],
  [131048, 400, rejected('filtered', 131048)],
  [131049, 400, rejected('filtered', 131049)],
  [130472, 400, rejected('filtered', 130472)],
  [131026, 400, rejected('recipient_unreachable', 131026)],
  [131021, 400, rejected('recipient_invalid', 131021)],
  [131047, 400, rejected('window_closed', 131047)],
  [131050, 400, rejected('recipient_opted_out', 131050)],
  [132000, 400, rejected('template_rejected', 132000)],
  [132001, 404, rejected('template_rejected', 132001)],
  [132015, 400, rejected('template_rejected', 132015)],
  [33, 400, rejected('sender_not_registered', 33)],
  [368, 403, rejected('sender_not_registered', 368)],
  [131031, 403, rejected('sender_not_registered', 131031)],
  [131037, 400, rejected('sender_not_registered', 131037)],
  [131045, 500, rejected('sender_not_registered', 131045)],
  [133010, 400, rejected('sender_not_registered', 133010)],
  [100, 400, rejected('rejected', 100)],
  [131008, 400, rejected('rejected', 131008)],
  [131042, 400, rejected('rejected', 131042)],
  [999999, 400, rejected('rejected', 999999)],
  [999999, 500, unknown],
  [1, 400, unknown],
  [2, 503, unknown],
  [131000, 500, unknown],
  [131016, 500, unknown],
  [131057, 500, unknown],
  [133004, 503, unknown],
])('Meta error code %s yields the right outcome', ([code, status, outcome]) => {
  const message = `(#${code}) Meta says ${code}`
  const body = Buffer.from(JSON.stringify({ error: { message, type: 'OAuthException', code } }))
  expect(metaOutcomeOf({ status, headers: {}, body, failure: null, sent: true })).toEqual(outcome)
})

test.for<[contentType: string, content: object]>([
  ['image/jpeg', { type: 'image', image: { link: 'https://gable.example/a', caption: 'See this' } }],
  ['image/png', { type: 'image', image: { link: 'https://gable.example/a', caption: 'See this' } }],
  [
    'application/pdf',
    { type: 'document', document: { link: 'https://gable.example/a', filename: 'a', caption: 'See this' } },
  ],
])('a file of %s is sent by its link with the words as its caption', ([contentType, content]) => {
  const body = bodyOf({
    attemptId: 'attempt',
    channel: 'whatsapp',
    from: '+15125550100',
    to: '+15125550123',
    subject: null,
    body: 'See this',
    bodyHtml: null,
    template: null,
    email: null,
    media: [{ url: 'https://gable.example/a', contentType, name: 'a' }],
  })
  expect(body).toEqual({
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    to: '+15125550123',
    biz_opaque_callback_data: 'attempt',
    ...content,
  })
})
