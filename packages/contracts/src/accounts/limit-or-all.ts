/** Page size of lists that return all rows for exactly `limit=0`. */
import { z } from 'zod'
import { limit, scalarText } from '../kit/index.js'

/** Parses the page size. `limit=0` becomes null, which means all rows; other values are validated like `limit`. */
export const limitOrAll = (usual: number, max = usual * 2) =>
  z
    .unknown()
    .optional()
    .transform((value) => (scalarText(value) === '0' ? null : limit(usual, max).parse(value)))
