import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { testApp, towardsLoopback } from '@gable/server/test/support/app.ts'
import { freshDatabase } from '@gable/server/test/support/database.ts'
import { eventually } from '@gable/server/test/support/eventually.ts'
import { expect, test } from 'vitest'

const program = fileURLToPath(new URL('../../sdk/example/mirror.ts', import.meta.url))
const code = readFileSync(program, 'utf8')

test('the program in the README is the one that is tested, in at most 40 lines', () => {
  const readme = readFileSync(new URL('../../sdk/README.md', import.meta.url), 'utf8')
  expect(readme).toContain(`\`\`\`ts\n// mirror.mts\n${code}\`\`\`\n`)
  expect(code.trimEnd().split('\n').length).toBeLessThanOrEqual(40)
})

test('it mirrors the leads that exist, those that come, and what becomes of them', async () => {
  const databaseUrl = await freshDatabase('mirror')
  await using app = await testApp({ databaseUrl, role: 'all', now: new Date(), egress: towardsLoopback })
  const workspace = await app.workspace()
  const agent = await workspace.credential('leads:write', 'contacts:read:pii')
  // From the vendor that captured it, how a lead is routed is withheld, and so is when it changed.
  const vendor = await workspace.credential('leads:write', 'webhooks:manage')
  const first = await agent.post('/leads', { first_name: 'Ada', phone: '+13125550123', source: 'Website' })
  const port = await freePort()
  const env = {
    PATH: process.env['PATH'],
    GABLE_URL: app.url,
    GABLE_KEY: vendor.key ?? '',
    MIRROR_URL: `http://127.0.0.1:${port}/gable`,
    PORT: String(port),
  }
  const mirror = spawn(process.execPath, [program], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  await using _mirror = {
    async [Symbol.asyncDispose]() {
      mirror.kill()
      if (mirror.exitCode === null && mirror.signalCode === null) await once(mirror, 'exit')
    },
  }
  let printed = ''
  mirror.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text))
  await eventually(() => printed.includes(`${first.body['id']} `))
  app.clock.advance(1000)
  const second = await vendor.post('/leads', {
    first_name: 'Grace',
    phone: '+13125550124',
    source: 'Website',
  })
  await eventually(() => printed.includes(`${second.body['id']} `))
  app.clock.advance(1000)
  await agent.patch(`/leads/${second.body['id']}`, { status: 'contacted' })
  await eventually(() => printed.includes(`${second.body['id']} contacted`))
  expect(printed).toMatch(/^WEBHOOK_SECRET=whsec_/)
  expect(printed).toMatch(/Grace\n/)
})

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
