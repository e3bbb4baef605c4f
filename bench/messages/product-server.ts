import { serve } from '../server-process.ts'
import { startProduct } from './product.ts'

/** The product as deployed: `gable serve --role api`. */
await serve((databaseUrl) => startProduct('api', databaseUrl))
