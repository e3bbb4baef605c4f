import type { Served } from '../served.ts'
import type { CarriedCall } from '../voice/switchboard.ts'
import { type Markup, markup } from './markup.ts'
import { pathOf, phonePage } from './pages.ts'

/** The calls of a handset, newest first, in a frame that refreshes itself unless the person talks. */
export function callsPage(root: string, number: string, calls: readonly CarriedCall[]): Served {
  const isTalking = calls.some(({ state }) => state === 'talking')
  const path = pathOf(root, number)
  const rows = calls.map(
    (call) => markup`<li>${stateOf(call)}${call.state === 'ended' ? undefined : buttons(path, call)}</li>`,
  )
  const body = calls.length === 0 ? markup`<p>No one has called.</p>` : markup`<ul>${rows}</ul>`
  return phonePage(`Calls of ${number}`, root, body, 200, isTalking ? '15' : '1')
}

const states = { ringing: 'is ringing', talking: 'is talking', ended: 'has ended' }

const stateOf = ({
  from,
  state,
  end,
  lines,
}: CarriedCall): Markup => markup`<p>The call from ${from} ${states[state]}${
  end === null ? '' : ` (${end.replaceAll('_', ' ')})`
}.</p>
${lines.map(({ speaker, text }) => markup`<p>${speaker === 'agent' ? 'Caller' : 'You'}: ${text}</p>`)}`

const buttons = (path: string, { id, state }: CarriedCall) => markup`<form method="post" action="${path}">
<input type="hidden" name="call" value="${id}">${
  state === 'ringing'
    ? markup`<button name="press" value="answer">Answer</button><button name="press" value="decline">Decline</button>`
    : markup`<label>Say <input name="text" maxlength="500" autofocus></label>
<button name="press" value="say">Say it</button><button name="press" value="hang up">Hang up</button>`
}</form>`
