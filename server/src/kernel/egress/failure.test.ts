import { errors } from 'undici'
import { expect, test } from 'vitest'
import { EgressError, reasonOf } from './failure.ts'

const coded = (code: string, message = 'connect 10.1.2.3:443') => Object.assign(new Error(message), { code })
const allOf = (...all: Error[]) => new AggregateError(all, 'connect 10.1.2.3:443')

test.for<[unknown, string]>([
  [new EgressError('the address is not public'), 'the address is not public'],
  [coded('ECONNREFUSED'), 'connection refused'],
  [allOf(coded('ENETUNREACH'), coded('ECONNREFUSED')), 'connection refused'],
  [allOf(coded('ENETUNREACH'), coded('EHOSTUNREACH')), 'the host cannot be reached'],
  [allOf(), 'the exchange failed'],
  [new errors.SocketError('other side closed'), 'the connection was closed before the response was complete'],
  [new errors.SocketError('bad response'), 'the response is not valid HTTP'],
  [new errors.HTTPParserError('x'), 'the response is not valid HTTP'],
  [coded('CERT_HAS_EXPIRED'), 'TLS: the certificate has expired'],
  [
    coded('ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION'),
    'TLS: the handshake failed (ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION)',
  ],
  [coded('EWHATEVER'), 'the exchange failed (EWHATEVER)'],
  [coded('toString'), 'the exchange failed (toString)'],
  [coded('10.1.2.3'), 'the exchange failed'],
  [new Error('connect 10.1.2.3:443'), 'the exchange failed'],
  ['10.1.2.3', 'the exchange failed'],
  [undefined, 'the exchange failed'],
])('describes %s as: %s', ([error, reason]) => {
  expect(reasonOf(error)).toBe(reason)
})
