import { serve } from '../server-process.ts'
import { startProduct } from './product.ts'

/** The product as deployed: `gable serve --role worker`. */
await serve((databaseUrl) => startProduct('worker', databaseUrl))
