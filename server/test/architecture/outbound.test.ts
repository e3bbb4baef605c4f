import { describe, expect, test } from 'vitest'
import { otherWaysOut } from './outbound.ts'
import { parse, readSources } from './source.ts'

test('only kernel/egress opens outbound connections', () => {
  expect(otherWaysOut(readSources('server/src'))).toEqual([])
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
