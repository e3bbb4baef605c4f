import type { Module } from '#kernel/module.ts'
import { deleteContact, getContact, getContacts, patchContact, postContact } from './endpoints.ts'
import {
  ContactCreated,
  ContactStageChanged,
  ContactTagAdded,
  ContactUpdated,
  ContactWasErased,
} from './events.ts'

export const contacts: Module = {
  endpoints: [getContacts, postContact, getContact, patchContact, deleteContact],
  events: [ContactCreated, ContactUpdated, ContactStageChanged, ContactTagAdded, ContactWasErased],
}
