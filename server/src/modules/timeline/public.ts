export { noteStep } from './note-step.ts'
export { addNote } from './add-note.ts'
export { readerOf } from './reader.ts'
