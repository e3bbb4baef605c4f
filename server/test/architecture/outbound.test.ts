import { describe, expect, test } from 'vitest'
import type { egressKinds } from '../../src/egress-kinds.ts'
import { otherWaysOut, placesThatCall } from './outbound.ts'
import { parse, readSources } from './source.ts'

test('only kernel/egress opens outbound connections', () => {
  expect(otherWaysOut(readSources('server/src'))).toEqual([])
})

type Kind = keyof typeof egressKinds | 'DATABASE_URL' | 'SMTP_URL'

/** By the egress that they are given, or by the variable of the environment with the address. */
const kindOf: Record<string, Kind> = {
  'adapters/caldav/dav-fetch.ts': 'hooks',
  // Parses with the client's package, and is given no way out.
  'adapters/caldav/read-resources.ts': 'hooks',
  'adapters/documenso/documenso-api.ts': 'signing',
  'adapters/docusign/access-token.ts': 'signing',
  'adapters/docusign/docusign-provider.ts': 'signing',
  'adapters/email/compose-mail.ts': 'mail',
  'adapters/email/email-carrier.ts': 'mail',
  'adapters/email/hand-over.ts': 'mail',
  'adapters/email/mailbox.ts': 'mail',
  'adapters/media.ts': 'media',
  'adapters/openai/openai-model.ts': 'model',
  'adapters/retell/retell-carrier.ts': 'carriers',
  'adapters/smtp/smtp-sender.ts': 'SMTP_URL',
  'adapters/storage/s3-client.ts': 'files',
  'adapters/twilio/twilio-api.ts': 'carriers',
  'adapters/twilio/twilio-voice.ts': 'carriers',
  'adapters/whatsapp/meta-api.ts': 'carriers',
  'backup/read-backup.ts': 'DATABASE_URL',
  'cli/backup-commands.ts': 'DATABASE_URL',
  'cli/forwarding.ts': 'forwarding',
  'doctor/public-url.ts': 'ownUrl',
  'kernel/db/database.ts': 'DATABASE_URL',
  'kernel/db/pipelined.ts': 'DATABASE_URL',
  'kernel/jobs/migrate-jobs.ts': 'DATABASE_URL',
  'kernel/migrate.ts': 'DATABASE_URL',
  'modules/automations/definition/outside-steps.ts': 'hooks',
  'modules/deliveries/dispatcher/deliver-webhooks.ts': 'hooks',
  'modules/enrollments/steps/outside/call-webhook.ts': 'hooks',
  'modules/messages/media/store-media.ts': 'hooks',
  'modules/senders/save-connection.ts': 'hooks',
  'modules/senders/warn-of-rejected.ts': 'hooks',
  'modules/webhooks/webhook-url.ts': 'hooks',
  'reach-database.ts': 'DATABASE_URL',
}

test('every place that calls other machines is on the list with its kind of egress', () => {
  const paths = Object.keys(kindOf).map((path) => `server/src/${path}`)
  expect(placesThatCall(readSources('server/src'))).toEqual(paths)
})

test('only the table of egress kinds opens an egress', () => {
  const opens = readSources('server/src')
    .filter(({ imports }) =>
      imports.some(({ names, typeOnly }) => !typeOnly && names.includes('createEgress')),
    )
    .map(({ path }) => path)
    .filter((path) => !path.endsWith('.test.ts'))
  expect(opens).toEqual(['server/src/egress-kinds.ts'])
})

const inModule = 'server/src/modules/deals/deal.ts'
const inKernel = 'server/src/kernel/jobs/job.ts'
const inAdapter = 'server/src/adapters/twilio/twilio-api.ts'
const inEgress = 'server/src/kernel/egress/dial.ts'

const found = (path: string) => [expect.stringMatching(`^${path}:2: `)]

describe('reports code that bypasses kernel/egress:', () => {
  test.for([
    "import { request } from 'undici'",
    "import { Agent } from 'undici/lib/agent.js'",
    "import { request } from 'node:http'",
    "import * as http from 'node:http'",
    "import http from 'node:http'",
    "import https from 'https'",
    "import { createServer, connect } from 'node:net'",
    "import { Socket } from 'net'",
    "import { connect } from 'node:tls'",
    "import { connect } from 'node:http2'",
    "import { lookup } from 'node:dns/promises'",
    "import dns from 'dns'",
    "const { request } = await import('node:https')",
    "export { request } from 'node:http'",
    "const http = process.getBuiltinModule('node:http')",
    "await fetch('https://example.com')",
    "await globalThis.fetch('https://example.com')",
    'const get = fetch',
    "const socket = new WebSocket('wss://example.com')",
    "const events = new EventSource('https://example.com')",
  ])('%s', (code) => {
    for (const path of [inModule, inKernel, inAdapter])
      expect(otherWaysOut([parse(path, `\n${code}`)])).toEqual(found(path))
    expect(otherWaysOut([parse(inEgress, `\n${code}`)])).toEqual([])
  })

  test.for([
    "import type { IncomingMessage } from 'node:http'",
    "import type { Dispatcher } from 'undici'",
    "import { isIPv6 } from 'node:net'",
    'const page = await source.fetch(id)',
    'const get = (fetch: Fetch) => fetch',
  ])('but not in %s', (code) => {
    for (const path of [inModule, inKernel]) expect(otherWaysOut([parse(path, code)])).toEqual([])
  })
})

describe('reports module code that bypasses the ports:', () => {
  test.for([
    "import twilio from 'twilio/lib/rest'",
    "import { createTransport } from 'nodemailer'",
    "import { createServer } from 'node:http'",
    "import { createServer, isIP } from 'node:net'",
    "import { createSocket } from 'node:dgram'",
  ])('%s', (code) => {
    expect(otherWaysOut([parse(inModule, `\n${code}`)])).toEqual(found(inModule))
    expect(otherWaysOut([parse(inKernel, `\n${code}`)])).toEqual([])
  })
})
