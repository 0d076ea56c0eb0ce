/** Redis keys of this service. */
import { keyspace } from '@murmuration/cache'

export const keyOf = keyspace('statuses')
