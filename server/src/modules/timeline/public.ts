export { addNote } from './add-note.ts'
