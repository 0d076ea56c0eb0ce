/** Converts the row of a relay to the form that staff sees. */
import type { Relay } from '@murmuration/contracts/federation'
import type { RelayRow } from '../core/relay/store.js'

export const relayOf = ({ id, url, style, state, created_at }: RelayRow): Relay => ({
  id,
  url,
  style,
  state,
  created_at: created_at.toISOString(),
})
