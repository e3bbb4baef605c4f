import { expect, test } from 'vitest'
import type { ReadDocument } from '../../modules/documents/ports.ts'
import { documentIn, itemsIn } from './read-envelope.ts'

const now = new Date('2026-03-02T15:00:00.000Z')
const recipient = (more: object = {}) => ({
  id: 1,
  name: 'Ada',
  email: 'ada@reyes.example',
  role: 'SIGNER',
  readStatus: 'NOT_OPENED',
  signingStatus: 'NOT_SIGNED',
  sendStatus: 'SENT',
  signedAt: null,
  expiresAt: null,
  ...more,
})

test.for<[status: string, recipients: object[], expected: ReadDocument['status']]>([
  ['DRAFT', [recipient({ sendStatus: 'NOT_SENT' })], 'draft'],
  ['PENDING', [recipient()], 'sent'],
  ['PENDING', [recipient(), recipient({ readStatus: 'OPENED' })], 'viewed'],
  ['PENDING', [recipient(), recipient({ signingStatus: 'SIGNED' })], 'viewed'],
  ['PENDING', [recipient(), recipient({ signingStatus: 'REJECTED' })], 'declined'],
  ['PENDING', [recipient({ expiresAt: '2026-03-02T15:00:00.000Z' })], 'expired'],
  ['PENDING', [recipient({ expiresAt: '2026-03-02T15:00:00.001Z' })], 'sent'],
  ['PENDING', [recipient({ expiresAt: '2026-03-01T00:00:00.000Z', signingStatus: 'SIGNED' })], 'viewed'],
  ['COMPLETED', [recipient({ signingStatus: 'SIGNED' })], 'signed'],
  ['REJECTED', [recipient()], 'declined'],
  ['CANCELLED', [recipient()], 'voided'],
])('an envelope that is %s with %j is %s', ([status, recipients, expected]) => {
  expect(documentIn({ status, recipients }, now).status).toBe(expected)
})

test('signers and items are in order, without carbon-copy recipients', () => {
  const envelope = {
    title: 'Offer',
    status: 'COMPLETED',
    completedAt: '2026-03-02T14:00:00Z',
    recipients: [
      recipient({ id: 1, signingOrder: 2, signingStatus: 'SIGNED', signedAt: '2026-03-02T14:00:00Z' }),
      recipient({ id: 2, role: 'CC' }),
      recipient({ id: 3, signingOrder: 1, role: 'APPROVER', readStatus: 'OPENED' }),
    ],
    envelopeItems: [
      { id: 'b', order: 2 },
      { id: 'a', order: 1 },
    ],
  }
  const { signers, completedAt } = documentIn(envelope, now)
  expect(completedAt).toBe('2026-03-02T14:00:00.000Z')
  expect(
    signers.map(({ providerSignerId, role, status, signedAt }) => [providerSignerId, role, status, signedAt]),
  ).toEqual([
    ['3', 'approver', 'viewed', null],
    ['1', 'signer', 'signed', '2026-03-02T14:00:00.000Z'],
  ])
  expect(itemsIn(envelope)).toEqual(['a', 'b'])
})
