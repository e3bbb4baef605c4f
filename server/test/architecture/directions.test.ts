import { describe, expect, test } from 'vitest'
import { writesFromEndpoints, wrongDirections } from './directions.ts'
import { parse, readSources } from './source.ts'

const runtime = readSources('server/src')

describe('the code', () => {
  test('imports only downward: main to app to modules and adapters to kernel', () => {
    expect(wrongDirections(runtime)).toEqual([])
  })

  test('writes from endpoints only through use cases', () => {
    expect(writesFromEndpoints(runtime)).toEqual([])
  })
})

describe('reports a forbidden import with its line:', () => {
  const issuesOf = (path: string, code: string) => wrongDirections([parse(path, code)])
  const src = (path: string) => `server/src/${path}`

  test.for([
    ['the kernel knows a module', 'kernel/ids.ts', "import { stages } from '../modules/contacts/public.ts'"],
    ['a module knows the app', 'modules/deals/deal.ts', "import { startApp } from '../../app.ts'"],
    [
      'a module knows the configuration',
      'modules/deals/deal.ts',
      "import type { Config } from '../../config.ts'",
    ],
    ['the app knows main', 'app.ts', "import './main.ts'"],
    ['the seed knows a command', 'seed/seed-demo.ts', "import { run } from '../cli/main.ts'"],
    [
      'a module knows the inside of another',
      'modules/deals/deal.ts',
      "import { lockContact } from '../contacts/queries.ts'",
    ],
    ['… as a type', 'modules/deals/deal.ts', "import type { Contact } from '#modules/contacts/contact.ts'"],
    ['… as a type in place', 'modules/deals/deal.ts', "type C = import('../contacts/contact.ts').Contact"],
    ['… by re-export', 'modules/deals/public.ts', "export { stages } from '../contacts/contact.ts'"],
    ['… at run time', 'modules/deals/deal.ts', "await import('../contacts/contact.ts')"],
    [
      'the app knows the inside of a module',
      'app.ts',
      "import { openSession } from './modules/access/session.ts'",
    ],
    [
      'the index knows more than tables of contents',
      'modules/index.ts',
      "import { a } from './access/public.ts'",
    ],
    ['… or than ports as types', 'modules/index.ts', "import { a } from './mail/ports.ts'"],
    [
      'a module knows an adapter',
      'modules/messages/send.ts',
      "import { twilio } from '../../adapters/twilio/twilio.ts'",
    ],
    ['a command knows an adapter', 'cli/main.ts', "import { smtp } from '../adapters/smtp.ts'"],
    ['an adapter knows another', 'adapters/twilio/twilio.ts', "import { smtp } from '../smtp/smtp.ts'"],
    [
      'an adapter knows the public side of a module',
      'adapters/smtp.ts',
      "import type { M } from '#modules/messages/public.ts'",
    ],
    [
      'an adapter takes a value of a port',
      'adapters/smtp.ts',
      "import { port } from '#modules/messages/ports.ts'",
    ],
    ['a module knows the embedded PostgreSQL', 'modules/a/b.ts', "import '@gable/postgres/start.ts'"],
    ['a command knows its inside', 'cli/main.ts', "import '@gable/postgres/lock.ts'"],
    ['an adapter knows the sandbox', 'adapters/twilio/a.ts', "import '@gable/sandbox/start.ts'"],
    ['the app knows the sandbox', 'app.ts', "import { startCarrier } from '@gable/sandbox/start.ts'"],
    ['a command knows its files', 'cli/main.ts', "import '@gable/sandbox/twilio/start.ts'"],
    ['the product knows its tests', 'app.ts', "import { testApp } from '#test/support/app.ts'"],
  ] as const)('%s', ([, path, code]) => {
    expect(issuesOf(src(path), `\n${code}`)).toEqual([expect.stringMatching(`^${src(path)}:2: `)])
  })

  test.for([
    ['cli/main.ts', "import { createApiKey } from '../modules/access/public.ts'"],
    ['app.ts', "import { twilio } from './adapters/twilio/twilio.ts'"],
    ['app.ts', "import type { SmsProvider } from './modules/messages/ports.ts'"],
    ['adapters/twilio/twilio.ts', "import type { SmsProvider } from '#modules/messages/ports.ts'"],
    ['adapters/twilio/twilio.ts', "import { emulator } from './emulator.ts'"],
    ['adapters/twilio/twilio.ts', "import { unknown } from '../replies.ts'"],
    ['serve.ts', "import { startCarrier } from '@gable/sandbox/start.ts'"],
    ['modules/deals/deal.ts', "import { stages } from '../contacts/public.ts'"],
    ['modules/deals/deal.ts', "import { newId } from '#kernel/ids.ts'"],
    ['modules/deals/deals.test.ts', "import { testApp } from '#test/support/app.ts'"],
  ] as const)('but not in %s: %s', ([path, code]) => {
    expect(issuesOf(src(path), code)).toEqual([])
  })
})

describe('reports an endpoint that writes without a use case:', () => {
  const publicSide = parse(
    'server/src/modules/b/public.ts',
    "export { insertRow as add, listRows } from './queries.ts'",
  )
  const issuesOf = (code: string) =>
    writesFromEndpoints([parse('server/src/modules/a/endpoints.ts', code), publicSide])

  test.for([
    "import { insertDeal } from './queries.ts'",
    "import { updateDeal as findDeal } from './queries.ts'",
    "import { lockDeal, findDeal } from './queries.ts'",
    "import * as queries from './queries.ts'",
    "import { add } from '../b/public.ts'",
  ])('%s', (code) => {
    expect(issuesOf(code)).toEqual([expect.stringMatching(/^server\/src\/modules\/a\/endpoints\.ts:1: /)])
  })

  test.for([
    "import { findDeal, listDeals as deals, searchDeals, countDeals, DealRow } from './queries.ts'",
    "import type { insertDeal } from './queries.ts'",
    "import { listRows } from '../b/public.ts'",
    "import { updateDeal } from './update-deal.ts'",
  ])('but not in %s', (code) => {
    expect(issuesOf(code)).toEqual([])
  })
})
