import type { Served } from '../served.ts'
import type { CarriedCall } from '../voice/switchboard.ts'
import { type Markup, markup } from './markup.ts'
import { pathOf, phonePage } from './pages.ts'

/** A handset's calls, newest first, in a frame that refreshes itself except during a conversation. */
export function callsPage(root: string, number: string, calls: readonly CarriedCall[]): Served {
  const isTalking = calls.some(({ state }) => state === 'talking')
  const path = pathOf(root, number)
  const rows = calls.map(
    (call) =>
      markup`<li>${stateOf(call, number)}${call.state === 'ended' ? undefined : buttons(path, call, number)}</li>`,
  )
  const body = calls.length === 0 ? markup`<p>There are no calls.</p>` : markup`<ul>${rows}</ul>`
  return phonePage(`Calls of ${number}`, root, body, 200, isTalking ? '15' : '1')
}

const states = { ringing: 'is ringing', talking: 'is talking', ended: 'has ended' }

/** Whether this handset placed the call. */
const isOutgoing = ({ from }: CarriedCall, number: string) => from === number

function stateOf(call: CarriedCall, number: string): Markup {
  const { from, to, state, end, lines } = call
  const [whose, other] = isOutgoing(call, number) ? [`to ${to}`, 'They'] : [`from ${from}`, 'Caller']
  return markup`<p>The call ${whose} ${states[state]}${
    end === null ? '' : ` (${end.replaceAll('_', ' ')})`
  }.</p>
${lines.map(({ speaker, text }) => markup`<p>${speaker === 'agent' ? other : 'You'}: ${text}</p>`)}`
}

/** The keys that have a meaning. */
const keys = ['1', '9']

const buttons = (
  path: string,
  call: CarriedCall,
  number: string,
) => markup`<form method="post" action="${path}">
<input type="hidden" name="call" value="${call.id}">${
  call.state === 'ringing' && !isOutgoing(call, number)
    ? markup`<button name="press" value="answer">Answer</button><button name="press" value="decline">Decline</button>`
    : markup`<label>Say <input name="text" maxlength="500" autofocus></label>
<button name="press" value="say">Say it</button><button name="press" value="hang up">Hang up</button>
<p>Keys: ${keys.map((key) => markup`<button name="key" value="${key}">${key}</button>`)}</p>`
}</form>`
