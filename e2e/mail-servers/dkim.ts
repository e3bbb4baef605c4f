import { spawn, spawnSync } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { decode, encode } from 'dns-packet'
import { findPrograms } from './programs.ts'

/** An address of this machine at which no name server listens yet. */
const nameServer = '127.78.0.53'

/** Whether OpenDKIM can be shown other name servers than the machine's: it asks those of /etc/resolv.conf. */
export const canVerifyDkim = (): boolean => spawnSync('unshare', ['--mount', 'true']).status === 0

/** What OpenDKIM has against a mail as it arrived; an empty text if its signature holds. `keys`: TXT records by their names. */
export async function verifyDkim(raw: string, keys: Readonly<Record<string, string>>): Promise<string> {
  const programs = findPrograms()
  if (typeof programs === 'string') throw new Error(programs)
  const socket = createSocket('udp4')
  socket.on('message', (message, { address, port }) => {
    const { id, questions = [] } = decode(message)
    const [{ name = '', type } = {}] = questions
    const data = type === 'TXT' ? keys[name.toLowerCase()] : undefined
    const found =
      data === undefined ? [] : [{ type: 'TXT' as const, name, ttl: 60, data: data.match(/.{1,200}/g) ?? [] }]
    socket.send(
      encode({ type: 'response', id, flags: data === undefined ? 3 : 0, questions, answers: found }),
      port,
      address,
    )
  })
  socket.bind(53, nameServer)
  await once(socket, 'listening')
  try {
    const resolv = join(await mkdtemp(join(tmpdir(), 'dkim-')), 'resolv.conf')
    await writeFile(resolv, `nameserver ${nameServer}\n`)
    const script = 'mount --bind "$1" /etc/resolv.conf && exec "$2"'
    const child = spawn('unshare', ['--mount', 'sh', '-c', script, 'sh', resolv, programs.opendkimTestmsg])
    child.stdin.end(raw)
    const [said, status] = await Promise.all([text(child.stderr), once(child, 'close')])
    return said.trim() || (status[0] === 0 ? '' : `status ${status[0]}`)
  } finally {
    socket.close()
    await once(socket, 'close')
  }
}
