import type { Module } from '#kernel/module.ts'
import { access } from './access/module.ts'
import { contacts } from './contacts/module.ts'
import { timeline } from './timeline/module.ts'
import { workspaces } from './workspaces/module.ts'

/** The product. */
export const modules: readonly Module[] = [workspaces, access, contacts, timeline]
