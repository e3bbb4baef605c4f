import { afterAll } from 'vitest'
import { passwordCost } from '../../src/modules/people/password.ts'
import { closePools } from '../support/database.ts'
import { closeKeptDatabases } from '../support/kept-database.ts'
import { lintNewStatements } from './lint-statements.ts'

// Passwords at the production cost are tested in a separate process.
Object.assign(passwordCost, { memory: 64, passes: 1 })

// This file runs again for each test file. The state of these stays in their modules.
afterAll(lintNewStatements)
afterAll(closeKeptDatabases)
afterAll(closePools)
