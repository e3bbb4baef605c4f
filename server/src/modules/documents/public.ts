export { restoreSimulatedDocuments } from './connect-simulated.ts'
