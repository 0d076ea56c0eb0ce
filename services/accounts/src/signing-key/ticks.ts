/** Tick that deletes keys of deleted accounts when no delivery needs them any longer. */
import { tick } from '../handlers.js'
import { deleteKeysOfRemoved, KEYS_KEPT_MS } from './store.js'

export const purgeKeys = tick('accounts.purge-keys', 3_600_000, (ctx) =>
  deleteKeysOfRemoved(ctx.db, new Date(ctx.clock.now() - KEYS_KEPT_MS)),
)
