export { type Persona, isOn, personas } from './persona.ts'
export {
  findAiSettings,
  findFormerPersona,
  findPersona,
  lockPersonaForShare,
  listPersonasOn,
  listStopped,
} from './queries.ts'
export { createPersona, updatePersona } from './save-persona.ts'
export { findPersonaVersion } from './queries.ts'
export { personaAt } from './version.ts'
