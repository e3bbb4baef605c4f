export { type Contact, stages } from './contact.ts'
export { type ContactPoint, type Point } from './contact-points.ts'
export { createContact } from './create-contact.ts'
export { ContactErased } from './errors.ts'
export { ContactStageChanged, ContactUpdated, ContactWasErased } from './events.ts'
export { maskEmail, toEmailAddress } from './email.ts'
export { rejectMasks } from './reject-masks.ts'
export { maskDeep, maskText } from './masking.ts'
export { matchContact } from './match-contact.ts'
export { pauseAi } from './pause-ai.ts'
export {
  type AreaCode,
  type E164,
  areaCodeOf,
  usAreaCodes,
  maskPhone,
  stateOfAreaCode,
  toE164,
} from './phone.ts'
export { listContactPoints, listFormerHolders } from './point-queries.ts'
export { findReachable, findContact, lockContact } from './queries.ts'
export { changeContact, updateContact } from './update-contact.ts'
