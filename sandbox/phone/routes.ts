import { timingSafeEqual } from 'node:crypto'
import type { PhoneLines } from '../lines.ts'
import type { MessageLog } from '../message-log.ts'
import { type CarrierRequest, type Served, notFound } from '../served.ts'
import type { CarriedCall, Switchboard } from '../voice/switchboard.ts'
import { callsPage } from './call-pages.ts'
import { handsetOf, handsetPage, indexPage, messagesPage, pathOf, style } from './pages.ts'

/** The handset pages, `/phone/{secret}`: read and write as any number. They show at most the latest 200 messages. */
export const phonePages =
  ({
    log,
    lines,
    switchboard,
    secret,
  }: {
    log: MessageLog
    lines: PhoneLines
    switchboard: Switchboard
    secret: string
  }) =>
  ({ method, path: [, given = '', item, frame], query, form }: CarrierRequest): Served => {
    if (!isSame(given, secret)) return notFound
    const root = `/phone/${secret}`
    if (item === 'style.css') return style
    if (item === undefined || item === '') {
      const sought = query.get('number')
      return sought === null ? indexPage(root, log.newestFirst()) : seeOther(pathOf(root, numberOf(sought)))
    }
    const number = numberOf(item)
    const messages = log.newestFirst().filter((message) => handsetOf(message) === number)
    if (frame === 'messages') return messagesPage(root, number, messages.slice(0, 200))
    const own = switchboard
      .all()
      .filter(({ from, to, more }) => to === number || (from === number && more['isOutgoing'] === true))
    if (frame === 'calls') {
      switchboard.watch(number)
      return callsPage(root, number, own.slice(0, 20))
    }
    const call = own.find(({ id, state }) => id === form.get('call') && state !== 'ended')
    if (form.has('call')) {
      if (call !== undefined) press(call, form)
      return seeOther(`${pathOf(root, number)}/calls`)
    }
    const written = messages.map(({ direction, from, to }) => (direction === 'inbound' ? to : from))
    const isSameKind = (line: string) => line.includes('@') === number.includes('@')
    const known = [...new Set([...written, ...lines.keys()])].filter(isSameKind)
    if (method !== 'POST') return handsetPage(root, number, known)
    const to = form.get('to') ?? ''
    const body = form.get('body')?.replaceAll('\r\n', '\n').trim() ?? ''
    const line = lines.get(to)
    if (form.has('ring')) {
      const isForAgent = form.get('ring') === 'agent'
      const ringLine = isForAgent ? line?.callAgent : line?.call
      if (ringLine === undefined)
        return handsetPage(
          root,
          number,
          known,
          isForAgent ? 'No AI has called from that number.' : 'No account takes calls at that number.',
        )
      ringLine(number)
      return seeOther(pathOf(root, number))
    }
    if (line === undefined || body === '')
      return handsetPage(
        root,
        number,
        known,
        line === undefined ? 'No account has that number.' : 'There is no text.',
      )
    line.receive({ from: number, to, body })
    return seeOther(pathOf(root, number))
  }

/** Applies a handset action: answer, decline, hang up, say a line, or press a key. */
function press({ press: on }: CarriedCall, form: URLSearchParams): void {
  const text = form.get('text')?.trim().slice(0, 500) ?? ''
  const kind = form.get('press')
  const key = form.get('key') ?? ''
  if (/^[\d*#]$/.test(key)) return on({ kind: 'key', key })
  if (kind === 'say' && text !== '') on({ kind, text })
  if (kind === 'answer' || kind === 'decline' || kind === 'hang up') on({ kind })
}

const isSame = (given: string, secret: string) =>
  given.length === secret.length && timingSafeEqual(Buffer.from(given), Buffer.from(secret))

const seeOther = (location: string): Served => ({ status: 303, headers: { location }, body: '' })

/** Normalizes a number or an email address as people write it. Ten digits are a North American number. */
function numberOf(text: string): string {
  if (text.includes('@')) return text.trim().toLowerCase()
  const digits = text.replaceAll(/\D/g, '')
  return `+${digits.length === 10 ? '1' : ''}${digits}`
}
