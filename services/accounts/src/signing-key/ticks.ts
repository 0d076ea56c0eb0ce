/** Deletes signing keys of deleted accounts, once no delivery needs them. */
import { tick } from '../handlers.js'
import { deleteKeysOfRemoved, KEYS_KEPT_MS } from './store.js'

export const purgeKeys = tick('accounts.purge-keys', 3_600_000, (ctx) =>
  deleteKeysOfRemoved(ctx.db, new Date(ctx.clock.now() - KEYS_KEPT_MS)),
)
