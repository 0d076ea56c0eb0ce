/** Makes the keys of this service in Redis. */
import { keyspace } from '@murmuration/cache'

export const keyOf = keyspace('statuses')
