export { eraseContact } from './erase-contact.ts'
export { addressInForm } from './address-in-form.ts'
export { type ContactAddress, AddressDraft, ShownAddress, toAddress } from './address.ts'
export { type Contact, type PauseReason, stages } from './contact.ts'
export { type ContactPoint, type Point, pointFor } from './contact-points.ts'
export { createContact } from './create-contact.ts'
export { ContactErased } from './errors.ts'
export { ContactStageChanged, ContactUpdated, ContactWasErased } from './events.ts'
export { type EmailAddress, toEmailAddress } from './email.ts'
export { fold } from './fold.ts'
export { type NamedContacts, lockFurtherForShare, lockNamedForShare } from './lock-named.ts'
export { findKnownForm, isDouble, listHolders } from './holders.ts'
export { lockPersons } from './lock-persons.ts'
export { matchContact } from './match-contact.ts'
export { type Narrowing, findEndOfWindow, listNarrowed } from './narrowed-queries.ts'
export { pauseAi, pauseAiOf } from './pause-ai.ts'
export { nameInText } from './name-in-text.ts'
export { formsOf } from './number-forms.ts'
export {
  type AreaCode,
  type E164,
  areaCodeOf,
  areaOf,
  isPlaceless,
  numberForms,
  phoneParts,
  usAreaCodes,
  stateOfAreaCode,
  toDialable,
  toE164,
} from './phone.ts'
export {
  type EarlierBatch,
  assignDoubles,
  earlierHolders,
  listContactPoints,
  listFormerHolders,
  listHeldTimes,
} from './point-queries.ts'
export {
  type LockedContact,
  findReachable,
  lockContactsForShare,
  findContact,
  listContactsById,
  listUnlocked,
  lockContact,
  ownerOfContact,
  lockFreeContacts,
  lockFreePoints,
} from './queries.ts'
export { searchTerms, searchText, searchVersion } from './search-form.ts'
export { ownerStep, pauseAiStep, stageStep, tagStep, untagStep } from './steps.ts'
export { changeContact, updateContact } from './update-contact.ts'
export { stateCodeOf } from './states.ts'
