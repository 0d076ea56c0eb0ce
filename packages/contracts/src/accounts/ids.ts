/** Lists of ids in requests. */
import { z } from 'zod'

export const Ids = z.array(z.string()).max(1_000)
