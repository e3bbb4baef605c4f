import { afterAll } from 'vitest'
import { lintNewStatements } from './lint-statements.ts'

// Runs again for each test file; the state of the lint stays with its module.
afterAll(lintNewStatements)
