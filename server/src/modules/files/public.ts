export { eraseFile } from './erase-file.ts'
export { fileLink, recordingsPath } from './file-link.ts'
export type { FileDependencies, FileStore } from './ports.ts'
export { FileTooLarge, reserveFile, storeFile } from './store-file.ts'
