import { spawn } from 'node:child_process'
import * as path from 'node:path'

/** Runs a program. Its standard output goes to standard error. */
export function run(command, args, cwd) {
  const env = { ...process.env }
  // Exclude the Node in node_modules, which may be of another version, and npm's settings for the calling script.
  env.PATH = (env.PATH || '')
    .split(path.delimiter)
    .filter((entry) => !entry.endsWith(path.join('node_modules', '.bin')))
    .join(path.delimiter)
  for (const name of Object.keys(env))
    if (/^npm_(package|lifecycle)_|^npm_config_(json|local_prefix)$/.test(name)) delete env[name]
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 2, 2] })
    child.on('error', (error) => resolve({ status: null, signal: null, error }))
    child.on('exit', (status, signal) => resolve({ status, signal, error: undefined }))
  })
}
