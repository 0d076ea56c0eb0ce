/** Schema of the state of background work that continues after the response. */
import { z } from 'zod'

/** State of background work. `id` is opaque. `result_count` is null if nothing is counted. */
export const AsyncRefresh = z
  .strictObject({
    id: z.string().min(1),
    status: z.enum(['running', 'finished']),
    result_count: z.int().nonnegative().nullable(),
  })
  .meta({ id: 'AsyncRefresh', description: 'The state of background work.' })
export type AsyncRefresh = z.infer<typeof AsyncRefresh>

export const AsyncRefreshResult = z
  .strictObject({ async_refresh: AsyncRefresh })
  .meta({ id: 'AsyncRefreshResult', description: 'The state of background work, wrapped.' })
export type AsyncRefreshResult = z.infer<typeof AsyncRefreshResult>
