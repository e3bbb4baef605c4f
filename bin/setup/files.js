import * as fs from 'node:fs'

export function readIfThere(file) {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ESRCH') return undefined
    throw error
  }
}

/** Whether nothing can be written there, as in an image. */
export function isReadOnly(error) {
  return ['EACCES', 'EPERM', 'EROFS'].includes(error.code)
}
