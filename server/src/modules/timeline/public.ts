export { noteStep } from './note-step.ts'
export { addNote } from './add-note.ts'
