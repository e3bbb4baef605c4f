import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { selfSigned } from '@gable/server/test/egress/certificates.ts'
import { type Receiver, type Script, startReceiver } from '@gable/server/test/egress/receiver.ts'
import { misbehaving, receiving } from './misbehavior.ts'

const self = fileURLToPath(import.meta.url)

/** What an endpoint received: each distinct request, by its ids and its body, and the number of connections. */
export interface Seen {
  read: string[]
  connections: number
}

export interface Endpoints extends AsyncDisposable {
  /** By the name of their behavior. */
  urls: Record<string, string>
  seen(): Promise<Record<string, Seen>>
}

/**
 * The endpoints of all behaviors, in a process of their own: some send as fast as they can, which would slow down what is
 * tested.
 */
export async function startEndpoints(): Promise<Endpoints> {
  const child = fork(self, { execArgv: [] })
  const [urls] = (await once(child, 'message')) as [Record<string, string>]
  return {
    urls,
    async seen() {
      child.send('seen')
      const [seen] = (await once(child, 'message')) as [Record<string, Seen>]
      return seen
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}

/** The script, which also records every complete request. */
const noting =
  (script: Script, read: Set<string>): Script =>
  (visit) => {
    let text = ''
    visit.socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      const [head = '', body = ''] = text.split('\r\n\r\n')
      const header = (name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1]?.trim()
      if (body.length < Number(header('content-length') ?? Infinity)) return
      read.add(`${header('x-webhook-delivery')} ${header('webhook-id')} ${body}`)
      text = ''
    })
    return script(visit)
  }

async function serve(): Promise<void> {
  const urls: Record<string, string> = {}
  const all: { name: string; read: Set<string>; receiver: Receiver }[] = []
  for (const [name, { script, protocol, certified }] of Object.entries({ ...misbehaving, ...receiving })) {
    const read = new Set<string>()
    const certificate = certified === true ? await selfSigned('127.0.0.1') : undefined
    const receiver = await startReceiver(noting(script, read), certificate)
    urls[name] = `${protocol ?? 'http'}://127.0.0.1:${receiver.port}/`
    all.push({ name, read, receiver })
  }
  process.on('message', () => {
    const seen = all.map(({ name, read, receiver: { connections } }) => [
      name,
      { read: [...read], connections },
    ])
    process.send?.(Object.fromEntries(seen))
  })
  process.on('disconnect', () => process.exit())
  process.send?.(urls)
}

if (process.argv[1] === self) await serve()
