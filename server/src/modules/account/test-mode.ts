import { type Html, type Part, html, moment, named } from '../pages/public.ts'
import type { WorkspaceMembership } from '../people/public.ts'

type Shown = Pick<WorkspaceMembership, 'workspace' | 'turnedTo'>

/** The name of a workspace, marked if it is in test mode. */
export const workspaceName = ({ workspace: { name, test_mode } }: Pick<Shown, 'workspace'>): Html =>
  html`${named(name)}${test_mode ? html` <span class="badge">Test mode</span>` : ''}`

/** What the header of a page states about a workspace in test mode. */
export const testModeNote = ({ workspace, turnedTo }: Shown): Part =>
  workspace.test_mode &&
  html`<p class="test-mode"><strong>Test mode.</strong> Messages and calls from this workspace reach no one.${turnedTo !== null && html` Its clock shows ${moment(turnedTo)}.`}</p>`
