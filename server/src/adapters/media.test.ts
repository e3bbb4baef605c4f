import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { createEgress } from '#kernel/egress/create-egress.ts'
import type { Egress, StreamRequest } from '#kernel/egress/egress.ts'
import { readMedia } from './media.ts'

const headers = { authorization: 'Basic c2VjcmV0' }

interface Response {
  status: number
  headers?: Record<string, string>
  body?: string
}

/** Reads from a server with these responses, one by one. Returns what was asked of it, too. */
async function read(responses: Response[]) {
  const asked: (string | undefined)[] = []
  const server = createServer((request, response) => {
    asked.push(request.headers.authorization)
    const next = responses[asked.length - 1] ?? { status: 500 }
    response.writeHead(next.status, next.headers).end(next.body)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  await using egress: Egress = createEgress({
    allowHttp: 'loopback',
    allowPrivate: 'loopback',
    timeoutMs: 3000,
  })
  const urls: string[] = []
  const stream = (request: StreamRequest) => {
    urls.push(request.url)
    return egress.stream(request)
  }
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/a`
  const reply = await readMedia({ ...egress, stream }, url, headers, 2 ** 24).then(
    async (one) => (typeof one === 'string' ? one : Buffer.concat(await Array.fromAsync(one)).toString()),
    (error: Error) => error.message,
  )
  server.closeAllConnections()
  server.close()
  return { reply, asked, urls }
}
const ok = { status: 200, body: 'file' }
const redirect = (location: string, status = 307) => ({ status, headers: { location } })

test.for([301, 302, 303, 307, 308])(
  'a redirect by %i is followed once, without credentials',
  async (status) => {
    const { reply, asked, urls } = await read([redirect('/b?x=1', status), ok])
    expect([reply, asked]).toEqual(['file', [headers.authorization, undefined]])
    expect(urls[1]).toMatch(/\/b\?x=1$/)
  },
)

test('a second redirect is not followed', async () => {
  const { reply, asked } = await read([redirect('/b'), redirect('/c'), ok])
  expect([reply, asked.length]).toEqual(['The file could not be read: status 307.', 2])
})

test.for([
  'http://10.0.0.1/b',
  'https://10.0.0.1/b',
  'https://169.254.169.254/latest',
  'https://[::ffff:10.0.0.1]/b',
  'http://93.184.216.34/b',
  'file:///etc/passwd',
  'ftp://93.184.216.34/b',
  'https://user:secret@93.184.216.34/b',
])('a redirect to %s is not followed', async (location) => {
  const { reply, asked } = await read([redirect(location), ok])
  expect(asked).toHaveLength(1)
  expect(reply).not.toBe('file')
})

test.for<[response: Response, reply: string]>([
  [{ status: 404 }, 'gone'],
  [{ status: 410 }, 'gone'],
  [{ status: 200, headers: { 'content-length': '16777217' }, body: 'x' }, 'too_large'],
  [{ status: 503 }, 'The file could not be read: status 503.'],
  [{ status: 401 }, 'The file could not be read: status 401.'],
  [{ status: 307 }, 'The redirect of a file has no address.'],
])('%j is %j', async ([response, reply]) => {
  expect((await read([response])).reply).toBe(reply)
})
