/** Page size of lists that return all rows for exactly `limit=0`. */
import { z } from 'zod'
import { limit } from '../kit/index.js'

/** Null means all rows; numbers are validated like `limit`. */
export const limitOrAll = (usual: number, most = usual * 2) =>
  z
    .unknown()
    .optional()
    .transform((value) => (String(value) === '0' ? null : limit(usual, most).parse(value)))
