import { type StateRule, always, daily } from './hours-rules.ts'

const closed = { ...always, week: daily(null) }

/**
 * Laws on marketing by phone during a declared state of emergency. New York's law applies by county, city, town, or village, and
 * Louisiana's only while its Public Service Commission must report to the Emergency Operations Center. Gable applies each to the whole
 * state for as long as the workspace lists the state.
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

/** Rules for the states in which a workspace lists an emergency. They close every day, so waiting does not help. */
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
