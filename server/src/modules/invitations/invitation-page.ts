import type { Runtime } from '#kernel/context.ts'
import type { PlainResponse, PlainRequest, PlainRoute } from '#kernel/http/plain-route.ts'
import { openedByLink, withReturnTo } from '../account/public.ts'
import {
  type FieldErrors,
  action,
  alert,
  field,
  fieldErrorsOf,
  hidden,
  html,
  named,
  notice,
  page,
  pageRoute,
  readForm,
  seeOther,
} from '../pages/public.ts'
import {
  type SessionUser,
  clearCookie,
  findPersonByEmail,
  passwordHint,
  sessionUserOf,
  startSession,
} from '../people/public.ts'
import { findWorkspace } from '../workspaces/public.ts'
import { acceptAsNewPerson, acceptInvitation, invitationOf } from './accept-invitation.ts'
import type { InvitationRow } from './queries.ts'

/** Accepts an invitation: a new person chooses a password, an existing one signs in. */
export const invitationRoutes = (runtime: Runtime): PlainRoute[] => [
  pageRoute('/invitation', {
    GET: openedByLink('invitation', async (token, request) => {
      const invitation = await invitationOf(runtime, token)
      return invitation === undefined ? spent : ask(runtime, request, invitation, token)
    }),
    async POST(request) {
      const user = await sessionUserOf(runtime, request)
      const form = readForm(request, user)
      const token = form.text('token')
      const invitation = await invitationOf(runtime, token)
      if (invitation === undefined) return spent
      if (user !== undefined) {
        if (!isFor(invitation, user)) return ask(runtime, request, invitation, token)
        await acceptInvitation(runtime, invitation, user.personId)
        return seeOther(`/settings/${invitation.workspace_id}`, [clearCookie('invitation')])
      }
      try {
        const entered = { name: form.text('name').trim(), password: form.text('password') }
        const person = await acceptAsNewPerson(runtime, invitation, entered)
        const next = withReturnTo('/sign-in/done', `/settings/${invitation.workspace_id}`)
        const cookies = await startSession(runtime, person, request)
        return seeOther(next, [...cookies, clearCookie('invitation')])
      } catch (error) {
        return ask(runtime, request, { ...invitation, name: form.text('name') }, token, fieldErrorsOf(error))
      }
    },
  }),
]

const isFor = ({ email }: InvitationRow, user: SessionUser) =>
  user.email.toLowerCase() === email.toLowerCase()

const spent = notice(
  404,
  'This link no longer works',
  'The invitation was accepted or revoked, or is more than seven days old, or your browser does not keep cookies of this site. Ask for a new invitation.',
)

/** The page to show for the browser's session, if it has one. */
async function ask(
  runtime: Runtime,
  request: PlainRequest,
  invitation: InvitationRow,
  token: string,
  errors: FieldErrors = {},
): Promise<PlainResponse> {
  const { directory } = runtime.database
  const { email, workspace_id } = invitation
  const user = await sessionUserOf(runtime, request)
  const workspace = await findWorkspace(directory, workspace_id)
  const title = `Join ${workspace?.name ?? 'a workspace'}`
  if (user !== undefined && isFor(invitation, user)) {
    const join = action('/invitation', { csrf: user.csrf, token }, 'Accept invitation', { kind: 'primary' })
    return page({ title, main: html`<p>You are signed in as ${email}.</p><p class="buttons">${join}</p>` })
  }
  if (user !== undefined) {
    const leave = action('/sign-out', { csrf: user.csrf }, 'Sign out')
    const main = html`<p>This invitation is for ${email}, but you are signed in as ${user.email}. Sign out, then open the
link again.</p><p class="buttons">${leave}</p>`
    return page({ title, main })
  }
  if ((await findPersonByEmail(directory, email)) !== undefined) {
    const main = html`<p>${email} already has an account.</p>
<p><a href="${withReturnTo('/sign-in', '/invitation')}">Sign in to accept the invitation</a></p>`
    return page({ title, main })
  }
  return newPersonPage(title, invitation, token, errors)
}

const newPersonPage = (title: string, { name, email }: InvitationRow, token: string, errors: FieldErrors) =>
  page({
    title,
    status: Object.keys(errors).length === 0 ? 200 : 400,
    main: html`<p>The invitation is for ${named(email)}. Choose a password to create your account.</p>
${errors[''] === undefined ? '' : alert(errors[''])}
<form method="post" action="/invitation">
${hidden({ token })}
<input type="hidden" name="username" autocomplete="username" value="${email}">
${field({ name: 'name', label: 'Your name', value: name, autocomplete: 'name', maxLength: 120, error: errors['name'] })}
${field({
  name: 'password',
  label: 'Password',
  type: 'password',
  autocomplete: 'new-password',
  hint: passwordHint,
  error: errors['password'],
})}
<p class="buttons"><button class="primary">Accept invitation</button></p>
</form>`,
  })
