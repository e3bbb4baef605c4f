import { once } from 'node:events'
import { request } from 'node:http'
import { expect, test } from 'vitest'
import { startSimulated } from './simulated.ts'

/** Gets a page with these headers, which `fetch` doesn't allow. */
async function statusOf(url: string, headers: Record<string, string>): Promise<number | undefined> {
  const sent = request(url, { headers }).end()
  const [response] = await once(sent, 'response')
  response.resume()
  return response.statusCode
}

const textOf = async (url: string) => (await fetch(url)).text()

test('a handset shows its messages and replies to the number that wrote', async () => {
  await using carrier = await startSimulated()
  await carrier.adapter.connectSender?.(carrier.account, carrier.number)
  const handset = `${carrier.phoneUrl}/%2B15125550123`
  await carrier.send('+15125550123', 'Is it still for sale?')
  expect(await textOf(carrier.phoneUrl)).toContain('Is it still for sale?')
  expect(await textOf(handset)).toContain(`<option>${carrier.number}</option>`)
  await expect.poll(() => textOf(`${handset}/messages`), { timeout: 20_000 }).toContain('delivered')
  const form = new URLSearchParams({ to: carrier.number, body: 'Yes,\r\nit is' })
  const written = await fetch(handset, { method: 'POST', body: form, redirect: 'manual' })
  expect(written).toMatchObject({ status: 303 })
  expect(new URL(written.headers.get('location') ?? '', handset).href).toBe(handset)
  await carrier.until(() => carrier.arrived.some(({ path }) => path === 'inbound'))
  const inbound = carrier.arrived.find(({ path }) => path === 'inbound')
  expect(inbound && carrier.read(inbound)?.messages).toMatchObject([
    { from: '+15125550123', to: carrier.number, body: 'Yes,\nit is' },
  ])
  expect(await textOf(`${handset}/messages`)).toMatch(/Yes,\nit is[^]*Is it still for sale/)
})

test('a handset is found by its number in any common format', async () => {
  await using carrier = await startSimulated()
  for (const text of ['(512) 555-0123', '+1 512 555 0123', '15125550123']) {
    const url = `${carrier.phoneUrl}?${new URLSearchParams({ number: text })}`
    const { headers } = await fetch(url, { redirect: 'manual' })
    expect(headers.get('location')).toMatch(/\/%2B15125550123$/)
  }
})

test('a text that cannot be sent shows an error', async () => {
  await using carrier = await startSimulated()
  const write = async (form: Record<string, string>) => {
    const response = await fetch(`${carrier.phoneUrl}/15125550123`, {
      method: 'POST',
      body: new URLSearchParams(form),
    })
    return [response.status, await response.text()]
  }
  expect(await write({ to: '+15125550199', body: 'Hello' })).toEqual([
    400,
    expect.stringContaining('No account has that number.'),
  ])
  await carrier.send('+15125550123')
  expect(await write({ to: carrier.number, body: ' ' })).toEqual([
    400,
    expect.stringContaining('There is no text.'),
  ])
})

test('texts and numbers are escaped', async () => {
  await using carrier = await startSimulated()
  const hostile = `<script>alert("1")</script>'><img src=x onerror=alert(1)>`
  await carrier.send('+15125550123', hostile)
  await fetch(`${carrier.phoneUrl}/15125550124`, {
    method: 'POST',
    body: new URLSearchParams({ to: carrier.number, body: hostile }),
  })
  for (const path of ['', '/15125550123', '/15125550123/messages', '/15125550124/messages', '/%3Cimg%3E']) {
    const text = await textOf(carrier.phoneUrl + path)
    expect(text).not.toMatch(/<(script|img)/)
    const { headers } = await fetch(carrier.phoneUrl + path)
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
  }
})

test('the handsets are served only on this machine and at their secret address', async () => {
  await using carrier = await startSimulated()
  const { phoneUrl, origin } = carrier
  const { port } = new URL(origin)
  for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`])
    expect(await statusOf(phoneUrl, { host })).toBe(200)
  for (const headers of [
    { host: `rebound.example.com:${port}` },
    { host: `127.0.0.1.example.com:${port}` },
    { 'x-forwarded-for': '203.0.113.7' },
    { forwarded: 'for=203.0.113.7' },
  ])
    expect(await statusOf(phoneUrl, headers)).toBe(404)
  for (const url of [
    `${origin}/phone`,
    `${origin}/phone/`,
    `${origin}/phone/guessed`,
    `${phoneUrl}0`,
    origin,
  ])
    expect((await fetch(url)).status).toBe(404)
})

test('a page of another site cannot use the API', async () => {
  await using carrier = await startSimulated()
  const authorization = `Basic ${Buffer.from('AC1:token').toString('base64')}`
  const url = `${carrier.origin}/2010-04-01/Accounts/AC1/Messages.json`
  expect(await statusOf(url, { authorization })).toBe(200)
  expect(await statusOf(url, { authorization, origin: 'https://example.com' })).toBe(401)
  expect(await statusOf(url, {})).toBe(401)
})
