import type { Runtime } from '#kernel/context.ts'
import { NotFound, ValidationFailed, orNotFound } from '#kernel/errors.ts'
import type { PlainRequest, PlainRoute } from '#kernel/http/plain-route.ts'
import { maskText } from '#kernel/masking/mask-text.ts'
import { type Html, html, named, page, pageRoute } from '../../pages/public.ts'
import { findWorkspace } from '../../workspaces/public.ts'
import { systemContext } from '../system-context.ts'
import { type Unsubscribe, readUnsubscribeToken } from './tokens.ts'
import { unsubscribe } from './unsubscribe.ts'

/**
 * `/unsubscribe/{token}`: the target of the unsubscribe link in marketing emails. GET changes nothing, because mail
 * scanners follow links. The button posts the same form as a mail client's one-click unsubscribe (RFC 8058, 3.1), which
 * comes without a cookie and from any origin.
 */
export const unsubscribeRoutes = (runtime: Runtime): PlainRoute[] => [
  pageRoute('/unsubscribe/:token', {
    async GET(request) {
      const wish = wishOf(runtime, request)
      const name = await nameOf(runtime, wish)
      return shown(
        name,
        'Unsubscribe',
        html`<p>Stop marketing emails from ${named(name)} to ${named(maskText(wish.address))}?</p>
<form method="post"><input type="hidden" name="List-Unsubscribe" value="One-Click">
<button>Unsubscribe</button></form>`,
      )
    },
    async POST(request) {
      const wish = wishOf(runtime, request)
      if (!saysOneClick(request.body))
        throw ValidationFailed([{ path: 'List-Unsubscribe', message: 'must be One-Click' }])
      await unsubscribe(systemContext(runtime, wish.workspaceId), wish)
      const name = await nameOf(runtime, wish)
      return shown(
        name,
        'You are unsubscribed',
        html`<p>${named(name)} will send no more marketing emails to ${named(maskText(wish.address))}.</p>`,
      )
    },
  }),
]

function wishOf({ keys }: Runtime, { params }: PlainRequest): Unsubscribe {
  const wish = readUnsubscribeToken(keys, params['token'] ?? '')
  if (wish === undefined) throw NotFound('This link does not work. Use the complete link from the email.')
  return wish
}

/** Accepts a URL-encoded or multipart form: mail clients may send either. */
export function saysOneClick(body: Buffer): boolean {
  const text = body.toString('latin1')
  if (text.split('&').includes('List-Unsubscribe=One-Click')) return true
  const lines = text.split(/\r?\n/)
  let isOfPart = false
  for (const [at, line] of lines.entries()) {
    if (/name="?List-Unsubscribe"?$/.test(line)) isOfPart = true
    if (line !== '') continue
    if (isOfPart && lines[at + 1] === 'One-Click' && at + 2 < lines.length) return true
    isOfPart = false
  }
  return false
}

const nameOf = async (runtime: Runtime, { workspaceId }: Unsubscribe) =>
  orNotFound(await findWorkspace(runtime.database.directory, workspaceId)).name

/** A page for people who do not know Gable. */
const shown = (workspace: string, title: string, main: Html) =>
  page({ title, main, header: html`<span class="brand">${named(workspace)}</span>` })
