import { type StateRule, always, daily } from './hours-rules.ts'

const closed = { ...always, week: daily(null) }

/**
 * Laws on marketing by phone while a state of emergency is declared. New York's binds by county, city, town or village, and
 * Louisiana's only while its Public Service Commission must report to the Emergency Operations Center; here each holds for the
 * whole state for as long as the workspace lists it.
 */
const laws: readonly StateRule[] = [
  { state: 'LA', id: 'la-emergency', citation: 'LPSC General Order R-29617', ...closed },
  {
    state: 'NY',
    id: 'ny-emergency',
    citation: 'N.Y. Gen. Bus. Law 399-z(5-a)',
    ...closed,
    liftedBy: 'consent or relationship',
  },
]

/** The rules of the states that a workspace lists as under an emergency. They close every day, and no waiting opens one. */
export const emergencyRules = (states: readonly string[]): StateRule[] =>
  states.map(
    (state) =>
      laws.find((law) => law.state === state) ?? {
        state,
        id: 'emergency',
        citation: 'Policy of the workspace (emergency_states)',
        ...closed,
      },
  )
