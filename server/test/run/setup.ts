import { afterAll } from 'vitest'
import { passwordCost } from '../../src/modules/people/password.ts'
import { lintNewStatements } from './lint-statements.ts'

// The cost of production is tested in a process of its own.
Object.assign(passwordCost, { memory: 64, passes: 1 })

// Runs again for each test file; the state of the lint stays with its module.
afterAll(lintNewStatements)
