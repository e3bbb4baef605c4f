import type { House } from '#kernel/context.ts'
import type { PlainAnswer, PlainRequest, PlainRoute } from '#kernel/http/plain-route.ts'
import {
  action,
  alert,
  field,
  hidden,
  html,
  named,
  notice,
  page,
  pageRoute,
  seeOther,
} from '../pages/public.ts'
import { findWorkspace } from '../workspaces/public.ts'
import { acceptAsNewPerson, acceptInvitation, invitationOf } from './accept-invitation.ts'
import { clearCookie } from './cookies.ts'
import { type Faults, faultsOf } from './faults.ts'
import { readForm } from './form.ts'
import { openedByLink } from './link-cookie.ts'
import type { InvitationRow } from './link-queries.ts'
import { passwordHint } from './password.ts'
import { findPersonByEmail } from './people-queries.ts'
import { leadingTo } from './return-to.ts'
import { startSession } from './session.ts'
import { type Visitor, visitorOf } from './visitor.ts'

/** Where an invitation is accepted: by somebody new, with a password, or by who signs in with that address already. */
export const invitationRoutes = (house: House): PlainRoute[] => [
  pageRoute('/invitation', {
    GET: openedByLink('invitation', async (token, request) => {
      const invitation = await invitationOf(house, token)
      return invitation === undefined ? spent : ask(house, request, invitation, token)
    }),
    async POST(request) {
      const visitor = await visitorOf(house, request)
      const form = readForm(request, visitor)
      const token = form.text('token')
      const invitation = await invitationOf(house, token)
      if (invitation === undefined) return spent
      if (visitor !== undefined) {
        if (!isFor(invitation, visitor)) return ask(house, request, invitation, token)
        await acceptInvitation(house, invitation, visitor.personId)
        return seeOther(`/settings/${invitation.workspace_id}`, [clearCookie('invitation')])
      }
      try {
        const entered = { name: form.text('name').trim(), password: form.text('password') }
        const person = await acceptAsNewPerson(house, invitation, entered)
        const next = leadingTo('/sign-in/done', `/settings/${invitation.workspace_id}`)
        const cookies = await startSession(house, person, request)
        return seeOther(next, [...cookies, clearCookie('invitation')])
      } catch (error) {
        return ask(house, request, { ...invitation, name: form.text('name') }, token, faultsOf(error))
      }
    },
  }),
]

const isFor = ({ email }: InvitationRow, visitor: Visitor) =>
  visitor.email.toLowerCase() === email.toLowerCase()

const spent = notice(
  404,
  'This link does not work any more',
  'The invitation has been accepted, has been taken back, or is more than seven days old; or your browser does not keep cookies of this site. Ask for another.',
)

/** The page that fits whoever is at the browser. */
async function ask(
  house: House,
  request: PlainRequest,
  invitation: InvitationRow,
  token: string,
  faults: Faults = {},
): Promise<PlainAnswer> {
  const { directory } = house.database
  const { email, workspace_id } = invitation
  const visitor = await visitorOf(house, request)
  const workspace = await findWorkspace(directory, workspace_id)
  const title = `An invitation to ${workspace?.name ?? 'a workspace'}`
  if (visitor !== undefined && isFor(invitation, visitor)) {
    const join = action('/invitation', { csrf: visitor.csrf, token }, 'Accept', { kind: 'primary' })
    return page({ title, main: html`<p>You are signed in as ${email}.</p><p class="buttons">${join}</p>` })
  }
  if (visitor !== undefined) {
    const leave = action('/sign-out', { csrf: visitor.csrf }, 'Sign out')
    const main = html`<p>It is for ${email}, and you are signed in as ${visitor.email}. Sign out, then open the link
again.</p><p class="buttons">${leave}</p>`
    return page({ title, main })
  }
  if ((await findPersonByEmail(directory, email)) !== undefined) {
    const main = html`<p>You sign in as ${email} already.</p>
<p><a href="${leadingTo('/sign-in', '/invitation')}">Sign in to accept</a></p>`
    return page({ title, main })
  }
  return newPersonPage(title, invitation, token, faults)
}

const newPersonPage = (title: string, { name, email }: InvitationRow, token: string, faults: Faults) =>
  page({
    title,
    status: Object.keys(faults).length === 0 ? 200 : 400,
    main: html`<p>For ${named(email)}. Choose a password, and you are in.</p>
${faults[''] === undefined ? '' : alert(faults[''])}
<form method="post" action="/invitation">
${hidden({ token })}
<input type="hidden" name="username" autocomplete="username" value="${email}">
${field({ name: 'name', label: 'Your name', value: name, autocomplete: 'name', maxLength: 120, fault: faults['name'] })}
${field({
  name: 'password',
  label: 'Password',
  type: 'password',
  autocomplete: 'new-password',
  hint: passwordHint,
  fault: faults['password'],
})}
<p class="buttons"><button class="primary">Accept</button></p>
</form>`,
  })
